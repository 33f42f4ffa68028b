package peer

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// told is what a component wants done, in words.
func told(effects []membership.Effect) (all []string) {
	for _, e := range effects {
		switch e := e.(type) {
		case membership.Send:
			all = append(all, fmt.Sprintf("%s: %s", e.To, tellBody(e.Body)))
		case membership.Publish:
			all = append(all, "all: "+tellBody(e.Body))
		case tells:
			all = append(all, fmt.Sprintf("%s: %s", e.to, tellBody(e.body)))
		case answers:
			all = append(all, "answers itself "+tellResult(e.result))
		case entersAlone:
			word := "enters alone"
			if e.asked {
				word += ", all were asked"
			}
			all = append(all, word)
		case Stranded:
			all = append(all, fmt.Sprintf("is stranded, reached %v", e.Reached))
		case WentOn:
			all = append(all, "goes on alone")
		case submits:
			all = append(all, "itself: "+tellBody(e.Submit))
		case buries:
			all = append(all, fmt.Sprintf("buries %d", len(e.Submissions)))
		case Reported:
			all = append(all, fmt.Sprintf("%d is told by %s", e.Nonce, e.From))
		case AllReported:
			all = append(all, fmt.Sprintf("all is told of %d", e.Nonce))
		case employs:
			all = append(all, "employs")
		case verifies:
			all = append(all, fmt.Sprintf("verifies for %d ms", e.cost))
		case settles:
			all = append(all, fmt.Sprintf("settles job %d with %s", e.ref, tellResult(e.result)))
		case reuses:
			all = append(all, tellEffect(e.Use))
		case leaves:
			all = append(all, tellEffect(Left(e)))
		case stays:
			all = append(all, "stays")
		case handsOver:
			all = append(all, "hands on runs")
		case fails:
			all = append(all, "fails: "+tellResult(e.result))
		case unblocks:
			all = append(all, "unblocks")
		case dials:
			all = append(all, "dials "+string(e.ID))
		case RunOver: // TestHowRunsEnd and the scripts have it
		case KeepAddresses:
			all = append(all, "keeps addresses")
		case lists:
			all = append(all, "lists")
		default:
			all = append(all, tellEffect(e))
		}
	}
	return all
}

// does holds what a component wants done against what it should.
func does(t *testing.T, event string, effects []membership.Effect, want ...string) {
	t.Helper()
	if got := told(effects); !slices.Equal(got, want) {
		t.Errorf("%s: it does %q, want %q", event, got, want)
	}
}

// in is the first life of a peer.
func in(id membership.PeerID) life { return life{id, membership.Incarnation{Join: 1}} }

// present is who is present, each in its first life at the site that its name begins with.
type present map[membership.PeerID]membership.Member

func presentOf(ids ...membership.PeerID) present {
	c := present{}
	for _, id := range ids {
		c[id] = membership.Member{
			ID: id, Site: membership.Site(id[:1]), Incarnation: in(id).incarnation, State: membership.Here,
		}
	}
	return c
}

func (c present) Member(id membership.PeerID) (membership.Member, bool) {
	m, ok := c[id]
	return m, ok
}

func (c present) Has(id membership.PeerID, i membership.Incarnation) bool {
	m, ok := c[id]
	return ok && m.Incarnation == i
}

func (c present) Present() iter.Seq[*membership.Member] {
	return func(yield func(*membership.Member) bool) {
		for _, m := range c.others() {
			if !yield(&m) {
				return
			}
		}
	}
}

func (c present) others() []membership.Member {
	return slices.SortedFunc(maps.Values(c), func(a, b membership.Member) int { return cmp.Compare(a.ID, b.ID) })
}

func (c present) Len() int { return len(c) }

// Self is a peer that leaves.
func (c present) Self() membership.Member {
	return membership.Member{ID: "me", State: membership.Leaving, Grace: 5000}
}

// failing is Config.Failure as components get it in tests.
func failing(task string, key steal.Key, peer, text string) steal.Result {
	return steal.Result{Outcome: steal.Panicked, Bytes: []byte(peer + ": " + text)}
}

const ms = time.Millisecond

// TestRefusal: a run that is not begun is told as the configuration says, or else as one that
// fails, of no job.
func TestRefusal(t *testing.T) {
	refusing := func(text string) steal.Result { return steal.Result{Bytes: []byte("no: " + text)} }
	for want, c := range map[string]Config{
		"no: full": {Failure: failing, Refusal: refusing},
		": full":   {Failure: failing},
		"full":     {},
	} {
		if got := c.refusal("full"); string(got.Bytes) != want {
			t.Errorf("it is told as %q, not %q", got.Bytes, want)
		}
	}
}
