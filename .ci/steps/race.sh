# The race detector needs cgo, and so a C compiler. Its tests are those of the step tests, so they
# count once. A simulated grid is one goroutine, so of its tests those are run that play several
# side by side, or the data plane.
source .ci/steps/count.sh
if ! command -v "$(go env CC)" >/dev/null; then
	apt-get update && apt-get install -y gcc libc6-dev
fi
red=0
export CGO_ENABLED=1
go test -race -pgo=off -count=1 -timeout 23m -v $(go list ./... | grep -v '/gridsim') || red=1
go test -race -pgo=off -count=1 -timeout 8m -v -run '^(TestDirectedSchedules|TestSameSeedSameHash|TestPlane.*|Example.*)$' ./gridsim || red=1
tally "$OUT/log"
echo "$ran_passed passed, $ran_failed failed, $ran_skipped skipped" >"$OUT/notes"
echo "0 $ran_failed" >"$OUT/counts"
exit $red
