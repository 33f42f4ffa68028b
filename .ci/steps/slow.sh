# Tests that have a short form, or none, in the step tests, and a long one: they draw more of what
# they look at, compute known answers that take seconds, or build tests that have planted defects.
# They count once, there; each must have passed here.
source .ci/steps/count.sh
export SATIN_SLOW=1
tests="TestPublished TestSmall TestRandom TestTiny TestSound TestDumbTwin TestOnAGrid TestTreeAgreesWithTryingAll"
tests+=" TestSalvageAgainstTwin TestRandomProgramsAgainstTwin TestTestsFindDefects TestSeedsThatFailed TestSeeds TestSameSeedSameHash TestKillsAtRegularTimes TestFlood TestPoisonAmongManyJobs TestOrderDoesNotShow TestOften"
if [[ $(go env GOOS) == linux ]]; then tests+=" TestProcessesGiveRootsBack"; fi
red=0
go test -count=1 -timeout 10m -v -run "^(${tests// /|})\$" ./apps/uts/tree ./apps/sat ./apps/sat/pigeon ./apps/sat/cdcl ./apps/sat/maxsat ./apps/tsp/check \
	./apps/knapsack ./apps/nqueens ./apps/raytracer ./apps/raytracer/trace ./satin ./gridsim ./gridsim/plants || red=1
tally "$OUT/log"
for name in $tests; do
	grep -qE "^--- (PASS|SKIP): $name " "$OUT/log" || { echo "$name did not pass"; red=1; }
done
echo "$ran_passed passed, $ran_failed failed, $ran_skipped skipped" >"$OUT/notes"
echo "0 $ran_failed" >"$OUT/counts"
exit $red
