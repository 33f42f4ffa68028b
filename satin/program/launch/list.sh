n=$from
while [ "$n" -le "$upto" ]; do
	is=$(member "$n")
	if [ ! -d "$dir" ]; then
		echo "$n unreached $dir is not there"
	elif elsewhere "$n"; then
		echo "$n unreached it was started on $on, and this is $machine"
	elif ! lives "$n"; then
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
