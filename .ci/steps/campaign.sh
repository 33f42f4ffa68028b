# Schedules with faults, all drawn from their seeds, on the machines that ship: see package gridsim.
# Nothing wrong, doubled or stuck; every kind of fault fired often; each planted defect found; the
# same seed twice gives the same hash; three peers explored; a virtual day of churn in which no
# table grows; hostile values that do not last. And the workers that ship, held to the contract with
# the machine on long walks, with more threads than cores: what comes between two steps is the
# system's choice.
#
# The schedules come last, and there are 20,000 of them. On a slow machine there are as many as the
# time allows that is left to all steps, and 4,000 in any case.
schedules=20000 least=5000 walks=120 hostile=10m
must="TestDirectedSchedules TestPlantedDefectsOfTheMachine TestSameSeedSameHash TestExplore TestFigures TestDayOfChurn TestHostileValues TestPlantedDefectOfHours TestPlantedDefectsOfBelief"

red=0
go test -c -o "$OUT/sim.test" ./gridsim
simulate() { (cd gridsim && "$OUT/sim.test" -test.timeout 54m -test.v -test.run "^(${1// /|})\$" -campaign "$2" -hostile $hostile); }
simulate "$must" $schedules || red=1
GOMAXPROCS=8 go test -count=1 -timeout 15m -v -run '^TestWorkersKeepTheContractOnWalks$' ./satin -walks $walks || red=1

sample=200 start=$(date +%s%N)
simulate TestCampaign $sample >/dev/null || true # too few for its minimums
took=$((($(date +%s%N) - start) / 1000000))
fit=$((sample * (DEADLINE - $(date +%s)) * 1000 / took))
if ((fit < schedules)); then schedules=$((fit > least ? fit : least)); fi
echo "$schedules schedules"
simulate TestCampaign $schedules || red=1
for name in TestCampaign $must; do
	grep -q "^--- PASS: $name " "$OUT/log" || { echo "$name did not pass"; red=1; }
done
[[ $(grep -c "siege: .* in ${hostile}0s, " "$OUT/log") == 2 ]] || { echo "the sieges did not last"; red=1; }
grep -q "contract: $((3 * walks)) walks, " "$OUT/log" || { echo "the walks did not end"; red=1; }
planted=$(awk '/[0-9]+ of [0-9]+ planted defects found/ { found += $(NF - 5); all += $(NF - 3) } END { print found + 0 " of " all + 0 " planted defects found" }' "$OUT/log")
part() { grep -o "$1" "$OUT/log" | tail -n 1; }
echo "$(part 'campaign: [0-9]* schedules, [0-9]* failed'); $planted; $(part 'same hash: [0-9]* of [0-9]*'); $(part 'explored: [0-9]* states'); $(part 'contract: [0-9]* walks'); $(part 'siege: [0-9]* hostile messages in [0-9hms]*')" >"$OUT/notes"
exit $red
