# Start the nodes, each detached, and wait until each is in its grid: a line says how it stands.
umask 077
if [ ! -x "$program" ]; then
	echo "missing $(uname -s) $(uname -m)"
	echo "$program is not there, or cannot be executed" >&2
	exit 1
fi
mkdir -p "$dir" || exit 1
echo starting # from here on something may be left
ticket=/dev/null
if [ "$join" = - ]; then
	ticket=$dir/ticket.$from
	trap 'rm -f "$ticket"' EXIT
	trap 'exit 1' HUP INT TERM
	cat >"$ticket" || exit 1
fi
if [ "$shared" = yes ] && [ "$upto" -gt "$from" ]; then # they divide the cores
	cores=$(unset OMP_NUM_THREADS OMP_THREAD_LIMIT && nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
	workers=$((cores / (upto - from + 1)))
	[ "$workers" -ge 1 ] || workers=1
	set -- --workers "$workers" "$@"
fi
detach=
command -v setsid >/dev/null 2>&1 && detach=setsid
n=$from
while [ "$n" -le "$upto" ]; do
	if elsewhere "$n" || lives "$n"; then
		eval "job$n="
	else
		mkdir -p "$dir/$n" && rm -f "$dir/$n/stop" && echo "$machine" >"$dir/$n/on"
		# whoever stops it marks it, and then looks for its id: so one of both is seen
		$detach sh -c 'trap "" HUP; echo $$ >"$1/pid" && [ ! -e "$1/stop" ] || exit 143; shift; exec "$@"' sh "$dir/$n" \
			"$program" node --auto --state "$dir/$n/state" --join "$join" "$@" <"$ticket" >"$dir/$n/log" 2>&1 &
		eval "job$n=$!"
	fi
	n=$((n + 1))
done
failed=0 over=$(($(date +%s) + seconds)) late= n=$from
while [ "$n" -le "$upto" ]; do
	eval "job=\$job$n"
	while :; do
		is=$(member "$n")
		if [ -z "$job" ]; then
			if elsewhere "$n"; then is="it was started on $on"; else is="it runs already"; fi
			echo "$n failed 2 $is"
			failed=1
		elif [ -n "$is" ]; then
			echo "$n here $is"
		elif ! kill -0 "$job" 2>/dev/null; then
			wait "$job"
			echo "$n failed $? $(last "$n")"
			failed=1
		elif [ "$(date +%s)" -ge "$over" ]; then
			kill "$job" 2>/dev/null
			late="$late $n"
			failed=1
		else
			sleep 0.1
			continue
		fi
		break
	done
	n=$((n + 1))
done
[ -z "$late" ] || sleep 1
for n in $late; do
	eval "job=\$job$n"
	kill -9 "$job" 2>/dev/null
	echo "$n failed 124 not in its grid after $seconds s, and ended: $(last "$n")"
done
exit $failed
