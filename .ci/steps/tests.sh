# The commands of the README and of docs, as a new user types them: in a clone, with an empty HOME.
# Blocks marked sh must succeed; those marked console must also print what they show. A Go program
# becomes main.go in the folder where the reader then is. Every section begins in the clone.
# Downloaded modules and built packages are shared. A block of one machine of several, "sh delft",
# is typed there: see machines.sh.
#
# One of them is "go test ./...". Its tests are counted by name; those that must not be skipped or
# lost are named here.
source .ci/steps/count.sh
source .ci/steps/machines.sh
must="TestImports TestImportsNoticeViolations TestMachinesArePure TestMachinesArePureNoticesViolations TestSizes TestHotPathAllocatesNothing"
if [[ $(go env GOARCH) == amd64 ]]; then must+=" TestHotPathMakesNoUnexpectedCall"; fi

for name in GOPROXY GOSUMDB GONOSUMDB GOTOOLCHAIN GOMODCACHE GOCACHE; do
	value="$(go env $name)"
	export $name="$value"
done
GOFLAGS="$(go env GOFLAGS) -v -count=1 -timeout=20m" # go heeds those that a command knows: to count tests they must be told of
export GOFLAGS CLONE="$OUT/satin" HOME="$OUT/home"
mkdir "$HOME"
if git clone -q --no-hardlinks "$ROOT" "$CLONE"; then # and what is not committed yet
	cd "$ROOT"
	git diff HEAD --name-only --diff-filter=D -z | (cd "$CLONE" && xargs -0r rm -f)
	{ git diff HEAD --name-only --diff-filter=d -z && git ls-files -o --exclude-standard -z; } | tar --null -T - -cf - | tar -C "$CLONE" -xf -
else
	mkdir -p "$CLONE" && tar -C "$ROOT" --exclude=.git -cf - . | tar -C "$CLONE" -xf -
fi
awk -f .ci/steps/readme.awk "$CLONE/README.md" "$CLONE/CONTRIBUTING.md" "$CLONE"/docs/*.md >"$OUT/script"

passed=0 failed=0 wrong=""

# try COMMAND [SHOWN] runs a command in this shell, so that a cd lasts, or on $machine.
try() {
	local typed=(eval "$1")
	if [[ -n ${machine:-} ]]; then typed=(on "$machine" "$1"); fi
	echo "${machine:-}\$ $1"
	if "${typed[@]}" >"$OUT/printed" && { [[ $# == 1 ]] || [[ $(cat "$OUT/printed") == "$2" ]]; }; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		wrong+=" [$1]"
		echo "^ this command of the README or of docs failed, or printed something else than is shown"
	fi
	cat "$OUT/printed"
}
source "$OUT/script"

tally "$OUT/log"
for name in $must; do
	grep -q "^--- PASS: $name " "$OUT/log" || { echo "$name did not pass"; failed=$((failed + 1)) lost+=" BUT NOT $name"; }
done
echo "$ran_passed passed, $ran_failed failed, $ran_skipped skipped; hot path (no call, no allocation) and architecture checked${lost:-};" \
	"$passed commands of README and docs as written, $failed not$wrong" >"$OUT/notes"
echo "$ran_passed $ran_failed" >"$OUT/counts"
((failed == 0 && passed > 0 && ran_failed == 0 && ran_passed > 0))
