# Every fuzz target, for some seconds, on two cores at most. The machines' doors and the decoders of
# what comes from other hosts or from a disk get more than the parts of those and the readers of a
# user's own files.
#
#   SATIN_FUZZ=20000000 .ci/run fuzz     round after round, until so many inputs were executed
seconds=8 seconds_less=3
least=42 # targets that there are at least: a target that is lost is red. Raise it with every new one.
wanted=${SATIN_FUZZ:-0}
if ((wanted > 0)); then seconds=60 seconds_less=24; fi

folders=$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u)
go test -list '^Fuzz' $folders >"$OUT/list"
awk '/^Fuzz/ { names[n++] = $1 } /^ok/ { for (i = 0; i < n; i++) print $2, names[i]; n = 0 }' "$OUT/list" >"$OUT/targets"

# fuzz runs one target.
fuzz() {
	go test -vet=off -run '^$' -fuzz "^$target\$" -fuzztime "${time}s" -parallel 2 "$package" 2>&1 | tee "$OUT/one"
}

# late says that go test reports its own deadline as a failure of the target, which it does under
# load: there is no failing input then.
late() {
	grep -q '^    context deadline exceeded$' "$OUT/one" && ! grep -q 'Failing input' "$OUT/one"
}

# executed is how many inputs the last run of a target executed.
executed() {
	awk '/^fuzz: elapsed/ { for (i = 1; i < NF; i++) if ($i == "execs:") n = $(i + 1) } END { print n + 0 }' "$OUT/one"
}

targets=$(wc -l <"$OUT/targets") red=0 executions=0 rounds=0
while ((rounds == 0 || executions < wanted && red == 0 && targets >= least)); do
	rounds=$((rounds + 1))
	while read -r package target; do
		if ((rounds > 1 && executions >= wanted)); then break; fi
		time=$seconds
		case $package in
		*/membership | */orphan | */steal | */satin/peer | */satin/wire | */satin/store | */ticket) ;;
		*) time=$seconds_less ;;
		esac
		fuzz || { late && fuzz; } || late || red=$((red + 1))
		n=$(executed)
		if ((n == 0)); then # the time went by with what is in the cache of earlier fuzzing
			time=60
			fuzz || late || red=$((red + 1))
			n=$(executed)
		fi
		executions=$((executions + n))
		if ((n == 0)); then
			echo "$package $target executed nothing"
			red=$((red + 1))
		fi
	done <"$OUT/targets"
done
echo "$targets targets, $rounds rounds, $executions executions" >"$OUT/notes"
echo "$((targets - red)) $red" >"$OUT/counts"
if ((targets < least)); then
	echo "$targets fuzz targets, $least expected"
	exit 1
fi
((red == 0))
