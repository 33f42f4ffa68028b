# Real processes under faults. First the campaign: all applications on grids of processes that are killed, stopped,
# told to leave and cut off, every answer compared with that of the same run alone. Then false deaths: peers that
# have nothing wrong with them but that all cores are busy twice over. Neither may run beside anything else. Both count
# their work and are red when they did less.
source .ci/steps/count.sh
red=0
SATIN_CAMPAIGN=3m SATIN_FALSE_DEATHS=2m go test -count=1 -timeout 15m -v -run '^(TestCampaign|TestFalseDeaths)$' ./cmd/satin || red=1
tally "$OUT/log"
for word in campaign "false deaths"; do
	grep -q "^$word: " "$OUT/log" || { echo "no summary of: $word"; red=1; }
done
grep -hE '^(campaign|false deaths): ' "$OUT/log" | paste -sd ';' - | sed 's/; */; /g' >"$OUT/notes"
echo "$ran_passed $ran_failed" >"$OUT/counts"
exit $red
