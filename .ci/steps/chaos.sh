# Real processes under faults. First the campaign: all applications on grids of processes that are
# killed, stopped, told to leave and cut off, every answer compared with that of the same run alone.
# Then nodes on machines of their own, network namespaces, where there are any: founders are lost,
# halves are cut off, addresses change and are swapped, packets are lost; whenever that ends they
# must be one grid again. Then six nodes of one build are replaced by those of another, one by one,
# while a run of each is on; and builds of one revision that differ by a line refuse each other.
# Then nodes are tasks of a whole Slurm, and make room for others; and others are started by ssh on
# machines of which one dies. Then false deaths: peers that have nothing wrong with them but that
# all cores are busy twice over, and that pass a root of 60 MB around. Then losses where dead
# machines answer nothing, the run of a client that was killed, a short run behind a long one, and
# what thousands of runs leave in memory. Then ten thousand small runs, all to be kept, which leave
# no more on disks than they may. Then the page of a run is looked at through Chromium while a site
# is killed. None may run beside anything else. All count their work and are red when they did less:
# the campaigns once they have gone on for three times their length.
source .ci/steps/count.sh
must="TestLongRootOnBusyCores TestMemoryDoesNotGrow TestShortRunBesideALongOne TestRunOfAKilledClient"
if command -v git >/dev/null; then must+=" TestBuildsThatDifferByALine"; fi
red=0
if [[ $(id -u) == 0 ]] && ! command -v slurmctld >/dev/null && command -v apt-get >/dev/null; then
	{ apt-get update && apt-get install -y --no-install-recommends slurm-wlm munge; } || echo "there is no Slurm here"
fi
# Where systemd runs, installing sshd would open the machine to others.
if [[ $(id -u) == 0 && ! -d /run/systemd/system ]] && ! command -v sshd >/dev/null && command -v apt-get >/dev/null; then
	{ apt-get update && apt-get install -y --no-install-recommends openssh-server openssh-client; } || echo "there is no sshd here"
fi
if [[ $(id -u) == 0 ]] && ! command -v chromium >/dev/null && command -v apt-get >/dev/null; then
	{ apt-get update && timeout 300 apt-get install -y --no-install-recommends chromium; } || echo "there is no Chromium here"
fi
SATIN_CAMPAIGN=150s SATIN_FALSE_DEATHS=2m SATIN_CAMPAIGN_SPACES=75s SATIN_UPGRADE=1 SATIN_SLURM=1 SATIN_SSHD=1 SATIN_LOSSES=1 \
	go test -pgo=off -count=1 -timeout 24m -v ./cmd/satin -run \
	'^(TestCampaign|TestCampaignOfMachines|TestFalseDeaths|TestRollingUpgrade|TestBuildsThatDifferByALine|TestSlurm|TestSSHD|TestDeadMachines|TestShortRunBesideALongOne|TestRunOfAKilledClient)$' || red=1
SATIN_BUSY=1 go test -count=1 -timeout 8m -v -run '^TestLongRootOnBusyCores$' ./satin || red=1
small=10000
SATIN_SMALL_RUNS=$small go test -count=1 -timeout 8m -v -run '^TestManySmallRuns$' ./satin || red=1
SATIN_CHURN_RUNS=2000 go test -count=1 -timeout 5m -v -run '^TestMemoryDoesNotGrow$' ./satin || red=1
if command -v chromium >/dev/null; then
	go test -pgo=off -tags browser -count=1 -timeout 5m -v -run '^(TestPageDuringAKill|TestPageKicks)$' ./cmd/satin || red=1
	go test -pgo=off -tags browser -count=1 -timeout 5m -v -run '^TestPicturesMoveNothing$' ./satin/program/dash || red=1
	grep -q '^page: ' "$OUT/log" || { echo "no summary of: page"; red=1; }
fi
tally "$OUT/log"
for name in $must; do
	grep -q "^--- PASS: $name " "$OUT/log" || { echo "$name did not pass"; red=1; }
done
for word in campaign machines "dead machines" "false deaths" upgrade "small runs"; do
	grep -q "^$word: " "$OUT/log" || { echo "no summary of: $word"; red=1; }
done
grep -q "^small runs: $small in " "$OUT/log" || { echo "there were not $small small runs"; red=1; }
# Where this may make machines, not having any is no excuse.
if [[ $(id -u) == 0 && $(uname) == Linux ]] && grep -qE '^(dead )?machines: skipped' "$OUT/log"; then
	echo "root, and no namespaces: are nft and ip installed?"
	red=1
fi
if [[ $(id -u) == 0 ]] && command -v slurmctld munged >/dev/null && ! grep -q '^slurm: ' "$OUT/log"; then
	echo "no summary of: slurm"
	red=1
fi
if [[ $(id -u) == 0 ]] && command -v sshd >/dev/null && ! grep -q '^machines: skipped' "$OUT/log" && ! grep -q '^ssh: ' "$OUT/log"; then
	echo "no summary of: ssh"
	red=1
fi
grep -hE '^(campaign|machines|dead machines|false deaths|upgrade|slurm|ssh|beside|killed client|memory|small runs|page): ' "$OUT/log" | paste -sd ';' - | sed 's/; */; /g' >"$OUT/notes"
echo "$ran_passed $ran_failed" >"$OUT/counts"
exit $red
