# Those whose numbers are in "$@" leave: a line says how each went.
for n; do
	[ -d "$dir/$n" ] && : >"$dir/$n/stop"
	lives "$n" && kill "$pid"
done
looks=$((seconds * 10))
for n; do
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
[ "$remove" = no ] || rmdir "$dir" 2>/dev/null
exit 0
