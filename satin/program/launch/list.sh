n=$from
while [ "$n" -le "$upto" ]; do
	is=$(member "$n")
	if ! lives "$n"; then
		echo "$n ended $(last "$n")"
	elif [ -e "$dir/$n/stop" ]; then
		echo "$n leaving $is"
	elif [ -n "$is" ]; then
		echo "$n here $is"
	else
		echo "$n starting"
	fi
	n=$((n + 1))
done
