# The race detector needs cgo, and so a C compiler. Its tests are those of the step tests, so they
# count once. A simulated grid is one goroutine, so of its tests those are run that play several
# side by side, or the data plane. The packages of plain are one goroutine each, their tests too,
# which is looked at; and the processes that tests of the command start are not built for the
# detector, but for those of its scripts.
source .ci/steps/count.sh
if ! command -v "$(go env CC)" >/dev/null; then
	apt-get update && apt-get install -y gcc libc6-dev
fi
plain="steal orphan membership satin/peer satin/wire satin/control/driver satin/control/statistics satin/forecast
	apps/tsp/check apps/tsp/tsplib apps/tsp/picture apps/sat/check apps/sat/cnf apps/sat/cdcl apps/sat/ahead apps/sat/eliminate
	apps/sat/pigeon apps/sat/maxsat apps/uts/tree apps/raytracer/num apps/raytracer/scene apps/knapsack/instance apps/knapsack/check apps/knapsack/multi"
red=0
if grep -rnE --include='*.go' '^\s*go |\.Go\(|Parallel\(\)' $plain; then
	echo "that is not one goroutine: its package does not belong to those that are plain"
	red=1
fi
go list ./... >"$OUT/all"
go list $(printf './%s/... ' $plain) ./gridsim/... ./cmd/satin >"$OUT/without"
packages=$(grep -vxFf "$OUT/without" "$OUT/all")
export CGO_ENABLED=1
go test -race -pgo=off -count=1 -timeout 23m -v $packages || red=1
go test -race -pgo=off -count=1 -timeout 8m -v -run '^TestScripts$' ./cmd/satin || red=1
go test -race -pgo=off -count=1 -timeout 8m -v -run '^(TestDirectedSchedules|TestSameSeedSameHash|TestPlane.*|Example.*)$' ./gridsim || red=1
tally "$OUT/log"
echo "$ran_passed passed, $ran_failed failed, $ran_skipped skipped" >"$OUT/notes"
echo "0 $ran_failed" >"$OUT/counts"
exit $red
