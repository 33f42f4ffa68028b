# All tests, counted by name. Those that must not be skipped or lost are named here.
source .ci/steps/count.sh
must="TestImports TestImportsNoticeViolations TestMachinesArePure TestMachinesArePureNoticesViolations TestSizes TestHotPathAllocatesNothing"
if [[ $(go env GOARCH) == amd64 ]]; then must+=" TestHotPathMakesNoUnexpectedCall"; fi

red=0
go test -count=1 -timeout 8m -v ./... || red=1
tally "$OUT/log"
for name in $must; do
	grep -q "^--- PASS: $name " "$OUT/log" || { echo "$name did not pass"; red=1; hot=" BUT NOT $name"; }
done
echo "$ran_passed passed, $ran_failed failed, $ran_skipped skipped; hot path (no call, no allocation) and architecture checked${hot:-}" >"$OUT/notes"
echo "$ran_passed $ran_failed" >"$OUT/counts"
exit $red
