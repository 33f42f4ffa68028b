package peer

import (
	"math"
	"strings"
	"testing"
	"time"
)

// TestAskedIsSound: what stands on one line of a screen, of bounded length, and a date that there
// is. All else nobody is shown.
func TestAskedIsSound(t *testing.T) {
	for about, c := range map[string]struct {
		asked Asked
		sound bool
	}{
		"nothing":              {Asked{}, true},
		"as people say it":     {Asked{By: "ann@desk", At: 1_700_000_000, Label: "raytracer balls.nff – 640×480"}, true},
		"the longest":          {Asked{By: strings.Repeat("x", AskedByMax), At: askedAtMax - 1, Label: strings.Repeat("x", LabelMax)}, true},
		"bytes count":          {Asked{By: strings.Repeat("ä", AskedByMax/2+1)}, false},
		"too long a name":      {Asked{By: strings.Repeat("x", AskedByMax+1)}, false},
		"too long a label":     {Asked{Label: strings.Repeat("x", LabelMax+1)}, false},
		"another line":         {Asked{Label: "a\nb"}, false},
		"a terminal's command": {Asked{By: "\x1b[2J"}, false},
		"no text":              {Asked{Label: "\xff\xfe"}, false},
		"before there was one": {Asked{At: -1}, false},
		"no date":              {Asked{At: askedAtMax}, false},
		"a person alone":       {Asked{By: "ann"}, true},
		"a time alone":         {Asked{At: 1}, true},
		"far from that":        {Asked{At: math.MaxInt64}, false},
	} {
		if c.asked.Sound() != c.sound {
			t.Errorf("%s: it is sound: %v", about, !c.sound)
		}
	}
}

// TestSecondsTravel: in whole ones, none of what is to come, and at most as many as can be said.
func TestSecondsTravel(t *testing.T) {
	for _, c := range []struct {
		at, now time.Duration
		want    uint32
	}{{0, 0, 0}, {0, 1999 * ms, 1}, {-time.Hour, 0, 3600}, {time.Second, 0, 0}, {0, KeepMax, 604_800},
		{0, 1 << 33 * time.Second, math.MaxUint32 - 1}} {
		if got := secondsSince(c.at, c.now); got != c.want {
			t.Errorf("from %v to %v are %d seconds", c.at, c.now, got)
		}
	}
}
