package gridsim

import (
	"maps"
	"slices"
	"testing"
	"time"
)

// TestDayOfChurn plays so much of a day that everything which is kept for minutes or an hour has
// gone more than once; with -day 24h, the whole of it.
func TestDayOfChurn(t *testing.T) {
	if *campaignFlag == 0 && *dayFlag < 24*time.Hour {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it; -day 24h plays a whole day alone")
	}
	t.Parallel()
	d := Day{Seed: 1, Lasts: *dayFlag, Warm: 62 * time.Minute}
	if d.Lasts <= d.Warm {
		t.Fatalf("-day %v: tables fill for %v before anything is compared", d.Lasts, d.Warm)
	}
	r, err := d.Run()
	t.Logf("%v: %v", d.Lasts, r)
	for _, path := range slices.Sorted(maps.Keys(r.Sizes[1])) {
		if early, late := r.Sizes[0][path], r.Sizes[1][path]; early > 8 || late > 8 {
			t.Logf("%6d %6d %s", early, late, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(r.Levels[1])) {
		if early, late := r.Levels[0][path], r.Levels[1][path]; late > early+1 {
			t.Logf("%6.1f %6.1f %s", early, late, path)
		}
	}
	if err != nil {
		t.Error(err)
	}
	if least := int(d.Lasts / churnEvery); r.Killed < least*8/10 || r.Answered < int(d.Lasts/runEvery)*9/10 {
		t.Errorf("%d died of %d, %d runs were answered", r.Killed, least, r.Answered)
	}
	if r.Returned < r.Killed/5 || r.Fetched < int(d.Lasts/leftEvery)/3 || r.Forsaken < int(d.Lasts/goneEvery)*9/10 {
		t.Errorf("%d came back with their disks, %d answers were fetched, %d clients went for good", r.Returned, r.Fetched, r.Forsaken)
	}
}

// TestSessionsEnd plays some minutes in which machines die: no session with one of them lasts.
func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	d := Day{Seed: 1, Lasts: 5 * time.Minute, Warm: time.Minute, Idle: true}
	if r, err := d.Run(); err != nil || r.Silenced == 0 {
		t.Errorf("%d sessions were silenced: %v", r.Silenced, err)
	}
}
