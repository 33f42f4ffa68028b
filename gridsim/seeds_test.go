package gridsim

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"

	"satingrid/satin/effort"
)

//go:embed testdata/seeds.txt
var failedSeeds string

// TestSeedsThatFailed plays the schedules that once found something, as they are drawn now, with
// peers that roam, and without what was added since; or of every fourth one of the three, by turns.
func TestSeedsThatFailed(t *testing.T) {
	t.Parallel()
	seeds := 0
	for line := range strings.Lines(failedSeeds) {
		number, why, _ := strings.Cut(strings.TrimSpace(line), " ")
		if number == "#" {
			continue
		}
		seed, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seeds++
		if seeds%slower != 0 {
			continue
		}
		played := map[string]bool{}
		drawn := []Options{Draw(seed), DrawRoaming(seed), drawnFirst(seed)}
		if !effort.Long() {
			if seeds%4 > 0 {
				continue
			}
			drawn = drawn[seeds/4%3:][:1]
		}
		for _, o := range drawn {
			if played[o.String()] {
				continue
			}
			played[o.String()] = true
			if _, err := Run(o); err != nil {
				t.Errorf("%v\nonce failed because %s", err, why)
			}
		}
	}
	if seeds < 10 {
		t.Errorf("%d seeds", seeds)
	}
}
