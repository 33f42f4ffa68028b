package peer

import (
	"testing"
	"time"

	"satingrid/membership"
)

// TestHelloSaysWhereOneIs: whoever says it of itself is known, and where it is; of another nobody
// says it.
func TestHelloSaysWhereOneIs(t *testing.T) {
	for from, itself := range map[membership.PeerID]bool{"a1": true, "b1": false} {
		s := newOfRuns(t, "b1")
		m := someone("a1", 9)
		m.Addrs = []string{addrOf("a1")}
		s.presence.hearHello(0, from, membership.Hello{Member: m})
		if _, known := s.view.Member("a1"); known != itself {
			t.Errorf("%s says that a1 is here: it is known: %v", from, known)
		}
		if at := s.book.Addrs("a1"); (len(at) == 1) != itself {
			t.Errorf("%s says where a1 is, and it is at %v", from, at)
		}
	}
}

// TestGoneIsHeard: by the view, and then whoever asks for jobs and follows masters looks again,
// also where it was known.
func TestGoneIsHeard(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	m, _ := s.view.Member("a1")
	m.State, m.How = membership.Left, membership.Went
	for _, event := range []string{"it has left", "again"} {
		s.mastership.due = false
		effects := s.presence.hearGone(time.Second, membership.Gone{Member: m})
		if last, ok := effects[len(effects)-1].(spares); !ok || last.who != "a1" || !s.mastership.due {
			t.Errorf("%s: it does %v, and looks at masters: %v", event, told(effects), s.mastership.due)
		}
	}
	if _, present := s.view.Member("a1"); present {
		t.Error("it is here")
	}
}

// TestPongIsWaitedFor by a leave that is bound to its site, which goes on then; by no other.
func TestPongIsWaitedFor(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	from := func(id membership.PeerID) []membership.Effect {
		return s.presence.hearPong(time.Second, s.from(id, membership.Pong{}), membership.Pong{})
	}
	does(t, "it does not leave", from("a1"))
	s.leaving.begin(0, time.Minute, "a", true)
	s.leaving.pingAt = 1
	does(t, "of another site", from("b1"))
	if effects := from("a1"); len(effects) != 1 || effects[0] != (goesOn{}) {
		t.Errorf("the leave does not go on: %v", effects)
	}
}
