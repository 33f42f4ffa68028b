# Those whose numbers are in "$@" leave: a line says how each went.
for n; do
	elsewhere "$n" && continue
	[ -d "$dir/$n" ] && true >"$dir/$n/stop"
	lives "$n" && kill "$pid"
done
looks=$((seconds * 10))
for n; do
	if [ ! -d "$dir" ]; then
		echo "$n unreached $dir is not there"
		continue
	elif elsewhere "$n"; then
		echo "$n unreached it was started on $on, and this is $machine"
		continue
	fi
	while lives "$n" && [ "$looks" -gt 0 ]; do
		looks=$((looks - 1))
		sleep 0.1
	done
	if lives "$n"; then
		echo "$n leaving"
	else
		echo "$n ended $(last "$n")"
		[ "$remove" = no ] || rm -rf "${dir:?}/$n"
	fi
done
[ "$remove" = no ] || { rm -f "$dir/ticket.$from"; rmdir "$dir" 2>/dev/null; }
exit 0
