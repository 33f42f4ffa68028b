# What .ci/run is made of: how a step runs, and what is printed in the end.

# All steps together. Each step has a limit of its own besides, so that nothing hangs for ever; the
# last one, which can do less, goes by when it should end.
budget_minutes=88 end_minutes=76

# prepare looks for what the steps need, and says what this run runs on.
prepare() {
	only=" $* "
	export CI=true
	command -v go >/dev/null || PATH="$PATH:/usr/local/go/bin"
	command -v go >/dev/null || { echo "no go command: install Go and put it into PATH" >&2; exit 1; }
	export ROOT="$PWD" HOME="${HOME:-/root}"
	if [[ -z ${SATIN_DATA:-} && -d ../shared/data ]]; then
		SATIN_DATA="$(cd ../shared/data && pwd)"
		export SATIN_DATA
	fi
	# A clone that belongs to someone else is one that git will not describe, and go would not
	# build.
	git status >/dev/null 2>&1 || export GOFLAGS="${GOFLAGS:-} -buildvcs=false"
	install_tools
	WORK="$(mktemp -d)"
	DEADLINE=$(($(date +%s) + 60 * end_minutes))
	export WORK DEADLINE
	trap 'chmod -R u+w "$WORK"; rm -rf "$WORK"' EXIT
	names=() results=() seconds=() limits=()
	passed=0 failed=0 ran=0
	echo "$(go version), $(nproc) cores, commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)," \
		"SATIN_DATA ${SATIN_DATA:-not set: tests that need it are skipped}"
}

# install_tools brings what tests with network namespaces need, where this may install packages.
# Elsewhere they are skipped, by name.
install_tools() {
	if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null && ! { command -v nft && command -v ip; } >/dev/null; then
		{ timeout 60 apt-get update && timeout 120 apt-get install -y --no-install-recommends nftables iproute2; } >/dev/null 2>&1 ||
			echo "nftables and iproute2 could not be installed"
	fi
}

# step NAME MINUTES SCRIPT runs one step. The script finds in OUT a folder of its own; it writes
# what the summary should say to $OUT/notes, and "PASSED FAILED" to $OUT/counts where it ran tests.
step() {
	local name=$1 minutes=$2 script=$3 start=$SECONDS code
	[[ $only == "  " || $only == *" $name "* ]] || return 0
	export OUT="$WORK/$name"
	mkdir -p "$OUT"
	printf '\n== %s\n' "$name"
	timeout --kill-after=10 "${minutes}m" bash -euo pipefail ".ci/steps/$script" >"$OUT/log" 2>&1 </dev/null
	code=$?
	names+=("$name") seconds+=($((SECONDS - start))) limits+=("$minutes")
	case $code in
	0) results+=(ok) ;;
	124 | 137) results+=(RED) && echo "took longer than its $minutes minutes" | tee -a "$OUT/notes" ;;
	*) results+=(RED) ;;
	esac
	count "$code"
	if [[ $code != 0 ]]; then show "$OUT/log"; fi
	if [[ -f $OUT/notes ]]; then cat "$OUT/notes"; fi
	echo "${results[-1]}, $((SECONDS - start)) s"
}

# show prints the log of a red step: all but the lines of tests that passed, and of the middle of a
# long one what failed.
show() {
	grep -vE '^ *(=== (RUN|PAUSE|CONT|NAME)|--- PASS)' "$1" >"$OUT/shown"
	if (($(wc -l <"$OUT/shown") <= 400)); then
		cat "$OUT/shown"
	else
		head -n 80 "$OUT/shown"
		printf '\n[...]\n\n'
		head -n -80 "$OUT/shown" | tail -n +81 | grep -B 40 -A 12 -E '^ *--- FAIL|^FAIL|^panic: |DATA RACE' | head -n 400 || true
		printf '\n[...]\n\n'
		tail -n 80 "$OUT/shown"
	fi
}

# count adds what a step counted. A red step that counted no failure is one.
count() {
	local p=0 f=0
	if [[ -f $OUT/counts ]]; then read -r p f <"$OUT/counts"; fi
	ran=$((ran + p + f))
	if [[ $1 != 0 && $f == 0 ]]; then f=1; fi
	passed=$((passed + p)) failed=$((failed + f))
}

# summary prints the table and the last line, and ends the run.
summary() {
	local i total=0
	if [[ ${#names[@]} == 0 ]]; then
		echo "no step of that name:$only" >&2
		exit 2
	fi
	printf '\n%-12s %-6s %8s %8s  %s\n' step result seconds limit notes
	for i in "${!names[@]}"; do
		total=$((total + seconds[i]))
		printf '%-12s %-6s %8d %8d  %s\n' "${names[i]}" "${results[i]}" "${seconds[i]}" $((60 * limits[i])) \
			"$(head -n 1 "$WORK/${names[i]}/notes" 2>/dev/null)"
	done
	printf '%-12s %-6s %8d %8d\n' all "" "$total" $((60 * budget_minutes))
	if [[ $only == "  " ]] && ((total > 60 * budget_minutes)); then
		echo "the steps took longer than their budget of $budget_minutes minutes"
		failed=$((failed + 1))
	fi
	local s
	for s in tests slow race chaos; do
		if [[ -s $WORK/$s/skipped ]]; then
			printf '\nskipped in step %s, %d:\n' "$s" "$(wc -l <"$WORK/$s/skipped")"
			cat "$WORK/$s/skipped"
		fi
	done
	if ((ran > 0)); then
		printf '\n%d passed, %d failed\n' "$passed" "$failed"
	else
		printf '\nno test ran, %d steps are red\n' "$failed"
	fi
	((failed == 0)) || exit 1
	exit 0
}
