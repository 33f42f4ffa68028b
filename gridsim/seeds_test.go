package gridsim

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/seeds.txt
var failedSeeds string

// TestSeedsThatFailed plays the schedules that once found something, as they are drawn now, and without what was added since.
func TestSeedsThatFailed(t *testing.T) {
	played := 0
	for line := range strings.Lines(failedSeeds) {
		number, why, _ := strings.Cut(strings.TrimSpace(line), " ")
		if number == "#" {
			continue
		}
		seed, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		drawn := []Options{Draw(seed), drawnFirst(seed)}
		if drawn[0].String() == drawn[1].String() {
			drawn = drawn[1:]
		}
		for _, o := range drawn {
			if _, err := Run(o); err != nil {
				t.Errorf("%v\nonce failed because %s", err, why)
			}
		}
		played++
	}
	if played < 10 {
		t.Errorf("%d seeds", played)
	}
}
