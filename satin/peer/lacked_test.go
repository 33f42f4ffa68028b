package peer

import (
	"testing"
	"time"

	"satingrid/membership"
)

// TestRunIsLackedForLong: by the word of the one that counts, again and again for more than a
// minute, and of no other; of one that counts no more nothing is left.
func TestRunIsLackedForLong(t *testing.T) {
	type word struct {
		now          time.Duration
		from, counts membership.PeerID
	}
	for name, c := range map[string]struct {
		words   []word
		tooLong bool
	}{
		"once":                     {[]word{{1, "a1", "a1"}}, false},
		"for a minute":             {[]word{{1, "a1", "a1"}, {unknownMax + 1, "a1", "a1"}}, false},
		"for longer":               {[]word{{1, "a1", "a1"}, {unknownMax + 2, "a1", "a1"}}, true},
		"by anybody":               {[]word{{1, "a1", anyMember}, {unknownMax + 2, "b1", anyMember}}, true},
		"then by another":          {[]word{{1, "a1", "a1"}, {unknownMax + 2, "b1", "a1"}}, false},
		"another counts":           {[]word{{1, "a1", "a1"}, {unknownMax + 2, "b1", "b1"}}, false},
		"… and counted in between": {[]word{{1, "a1", "a1"}, {2, "a1", "b1"}, {unknownMax + 3, "a1", "a1"}}, false},
		"long ago":                 {[]word{{1, "a1", "a1"}, {UnheardMax + 2, "a1", "a1"}}, false},
	} {
		x, tooLong := lacked{}, false
		for _, w := range c.words {
			tooLong = x.hears(w.now, w.from, w.counts)
		}
		if tooLong != c.tooLong {
			t.Errorf("%s: it was lacked for too long: %v", name, tooLong)
		}
	}
}
