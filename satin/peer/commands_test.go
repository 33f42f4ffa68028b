package peer

import (
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// gives has somebody here want something done to a run.
func (s *ofRuns) gives(now time.Duration, r *run, what Commanded) (CommandNo, []membership.Effect) {
	s.t.Helper()
	no, effects, err := s.commands.give(now, r.id, what)
	if err != nil {
		s.t.Fatal(err)
	}
	return no, effects
}

// done tells which commands are done, among what is to be done.
func done(effects []membership.Effect) (all []CommandDone) {
	for _, e := range effects {
		if d, ok := e.(CommandDone); ok {
			all = append(all, d)
		}
	}
	return all
}

// TestRunIsCancelledHere: at its master, with all who wait and what keeps it, at once.
func TestRunIsCancelledHere(t *testing.T) {
	s, r, _ := keptRun(t, "a1")
	no, effects := s.gives(0, r, Cancel{})
	does(t, "cancelled", effects, "the ends are to be kept", "end run 1", "all: Ended 2", "u: Ended 2", "command 1 is done")
	if all := done(effects); len(all) != 1 || all[0] != (CommandDone{Command: no}) {
		t.Errorf("done are %v", all)
	}
}

// TestRunIsCancelledByItsMaster: a member passes it on to the master, who alone knows all who wait,
// and repeats it, also by way of others; when the master is gone it does it itself.
func TestRunIsCancelledByItsMaster(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	r := s.of("a1", keptAsks(1))
	_, effects := s.gives(0, r, Cancel{})
	does(t, "to the master", effects, "a1: Cancel")
	does(t, "not yet again", s.commands.tick(commandGapMin-1))
	again := s.commands.deadline()
	if effects = s.commands.tick(again); len(effects) != 1 || again < commandGapMin {
		t.Errorf("at %v it does %q", again, told(effects))
	}
	s.endings.bury(again, endOf(r.all(), EndWithdrawn).Submissions)
	if all := done(s.commands.tick(again)); len(all) != 1 || all[0].Failed || len(s.commands.given) > 0 {
		t.Errorf("the run has ended, and done are %v", all)
	}
	other := s.of("a1", asks("v", 2, "other"))
	s.gives(0, other, Cancel{})
	if all := done(s.commands.tick(commandMax)); len(all) != 1 || !all[0].Failed {
		t.Errorf("nobody has done it, and done are %v", all)
	}
	s.dies("a1")
	does(t, "the master is gone", s.commands.hearCancel(0, "b1", Cancel{Run: other.instance}), "end run 2", "all: Ended 1", "a1: Ended 1", "v: Ended 1")
}

// TestCommandOfWhoBecomesMaster: who has become the run's master since it was given a command does
// that itself, and says nothing to itself.
func TestCommandOfWhoBecomesMaster(t *testing.T) {
	for tries := range 3 {
		s := newOfRuns(t, "a1", "b1")
		r := s.of("a1", keptAsks(1))
		s.gives(0, r, Cancel{})
		for range tries {
			s.commands.tick(s.commands.deadline())
		}
		s.dies("a1")
		r.master = s.commands.self
		does(t, "it is master", s.commands.tick(s.commands.deadline()), "end run 1", "all: Ended 1", "u: Ended 1", "command 1 is done")
	}
	s := newOfRuns(t, "a1")
	r := s.of("a1", asks("u", 1, "root"))
	s.gives(0, r, Cancel{})
	r.master = s.commands.self
	s.commands.given[0].body = Reshare{Run: r.instance, No: 7} // no share: it is refused
	does(t, "it is refused here", s.commands.tick(s.commands.deadline()))
}

// TestCancelIsPassedOn: once, to the master, and not back to it; who asks about a run that is over
// is told so.
func TestCancelIsPassedOn(t *testing.T) {
	s := newOfRuns(t, "a1", "b1")
	m := asks("u", 1, "root")
	r := s.of("a1", m)
	c := Cancel{Run: r.instance}
	does(t, "a client's", s.commands.hearCancel(0, "c", c), "a1: Cancel")
	does(t, "the master's own", s.commands.hearCancel(0, "a1", c))
	c.Hops = 1
	does(t, "passed on before", s.commands.hearCancel(0, "b1", c))
	own := s.own(asks("v", 2, "mine"))
	does(t, "of its own", s.commands.hearCancel(0, "c", Cancel{Run: own.instance}), "end run 2", "all: Ended 1", "v: Ended 1")
	does(t, "again", s.commands.hearCancel(0, "c", Cancel{Run: own.instance}), "c: Ended 1")
	does(t, "of nothing", s.commands.hearCancel(0, "c", Cancel{}))
	s.commands.client = true
	does(t, "at a client", s.commands.hearCancel(0, "c", Cancel{Run: r.instance}))
	does(t, "a share at a client", s.commands.hearReshare(0, "c", Reshare{Run: r.instance, No: 1, Share: 7}))
}

// TestSharesAreOrdered: the later order holds, of two of one number the greater share; a submission
// orders nothing. What no share can be, and a number that nobody can have come to, is ignored.
func TestSharesAreOrdered(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	m.Terms = Terms{}.settled()
	r := s.own(m)
	const record = `all: Record epoch 1 master me submissions 1 root "root"`
	_, effects := s.gives(0, r, Reshare{Share: 300})
	does(t, "more", effects, "peer.ShareIs", record, "command 1 is done")
	_, effects = s.gives(0, r, Reshare{Share: 50})
	does(t, "less", effects, "peer.ShareIs", record, "command 2 is done")
	if r.terms.Share != 50 || r.terms.ShareNo != 2 {
		t.Fatalf("its terms are %+v", r.terms)
	}
	for about, c := range map[string]struct {
		order Reshare
		share uint16
	}{
		"an older one":          {Reshare{No: 1, Share: 900}, 50},
		"one beside, less":      {Reshare{No: 2, Share: 40}, 50},
		"one beside, more":      {Reshare{No: 2, Share: 60}, 60},
		"none":                  {Reshare{No: 3}, 50},
		"too much":              {Reshare{No: 3, Share: ShareMax + 1}, 50},
		"a later one":           {Reshare{No: 3, Share: 1}, 1},
		"out of all proportion": {Reshare{No: membership.CounterMax, Share: 9}, 50},
	} {
		r.terms.Share, r.terms.ShareNo = 50, 2
		c.order.Run = r.instance
		s.commands.hearReshare(0, "c", c.order)
		if r.terms.Share != c.share {
			t.Errorf("%s: its share is %d", about, r.terms.Share)
		}
	}
	r.terms.Share, r.terms.ShareNo = 50, 2
	again := asks("v", 1, "root")
	again.Terms = m.Terms
	again.Terms.Share, again.Terms.ShareNo = 900, 99
	if s.submit(0, again); r.terms.Share != 50 || r.terms.ShareNo != 2 {
		t.Errorf("by a submission it comes to %+v", r.terms)
	}
	does(t, "of one that is over", s.commands.hearReshare(0, "c", Reshare{No: 1, Share: 7}))
}

// TestSharesOfOthersRuns: a member orders one where it is, and everybody hears; a client tells the
// master, and hears from the record that it was done.
func TestSharesOfOthersRuns(t *testing.T) {
	s := newOfRuns(t, "a1")
	m := asks("u", 1, "root")
	m.Terms = Terms{}.settled()
	r := s.of("a1", m)
	_, effects := s.gives(0, r, Reshare{Share: 7})
	does(t, "a member", effects, "peer.ShareIs", `all: Record epoch 1 master a1 submissions 1 root "root"`, "command 1 is done")
	s.commands.client = true
	_, effects = s.gives(0, r, Reshare{Share: 8})
	does(t, "a client", effects, "a1: Reshare")
	h := r.head(0)
	h.Terms.Share, h.Terms.ShareNo = 8, 2
	s.learns(time.Second, "a1", h, "")
	if all := done(s.commands.tick(time.Second)); len(all) != 1 || all[0].Failed {
		t.Errorf("done are %v", all)
	}
}

// TestCommandsAreBounded: somebody who wants too much at once is told so.
func TestCommandsAreBounded(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.of("a1", asks("u", 1, "root"))
	for range commandsMax {
		s.gives(0, r, Cancel{})
	}
	if _, _, err := s.commands.give(0, r.id, Cancel{}); err != ErrCommands {
		t.Errorf("one more: %v", err)
	}
	if err := s.Sight().Check(); err != nil {
		t.Error(err)
	}
	s.endings.bury(0, endOf(r.all(), EndWithdrawn).Submissions)
	if all := done(s.commands.tick(0)); len(all) != commandsMax || s.Sight().commands.deadline() < time.Hour {
		t.Errorf("%d are done", len(all))
	}
}

// TestCommandsOutliveLoss: whatever is lost on the way, and whoever dies, what a client wants is
// done, once what is said arrives; and what is done is said to be done to the client alone.
func TestCommandsOutliveLoss(t *testing.T) {
	for _, lost := range []int{0, 1, 2, 5} {
		master, client := newOfRuns(t, "a1"), newOfRuns(t, "a1")
		m := keptAsks(1)
		run := client.of("a1", m)
		master.submit(0, m)
		own := master.runs.all[0]
		client.commands.client = true
		_, effects := client.gives(0, run, Cancel{})
		now := time.Duration(0)
		for said := 0; own.isWanted(); said++ {
			for _, e := range effects {
				if to, ok := e.(tells); ok && said >= lost {
					c := to.body.(Cancel)
					c.Run = own.instance
					master.commands.hearCancel(now, "c", c)
				}
			}
			if now = client.commands.deadline(); now >= commandMax {
				t.Fatalf("%d are lost, and at %v it is not done", lost, now)
			}
			effects = client.commands.tick(now)
		}
		client.endings.bury(now, endOf(run.all(), EndWithdrawn).Submissions)
		if all := done(client.commands.tick(now)); len(all) != 1 || all[0].Failed {
			t.Errorf("%d are lost: done are %v", lost, all)
		}
		if len(master.commands.given) > 0 {
			t.Errorf("%d are lost: the master repeats %v", lost, master.commands.given)
		}
	}
}

// TestNothingIsCommandedOfUnknownRuns: whoever commands something of a run that is not heard of is
// told so after a while.
func TestNothingIsCommandedOfUnknownRuns(t *testing.T) {
	for _, what := range []Commanded{Cancel{}, Reshare{Share: 7}} {
		s := newOfRuns(t, "a1")
		no, effects, err := s.commands.give(0, steal.Key{9}, what)
		if err != nil || len(effects) > 0 || !s.commands.waits() || s.commands.deadline() != commandHeard {
			t.Errorf("%T: %v, %v", what, told(effects), err)
		}
		does(t, "not yet", s.commands.tick(commandHeard-1))
		effects = s.commands.tick(commandHeard)
		if all := done(effects); len(all) != 1 || all[0] != (CommandDone{Command: no, NoRun: true}) || s.commands.waits() {
			t.Errorf("%T: done are %v", what, all)
		}
	}
}

// TestCommandWaitsForItsRun: one that is given before its run is heard of begins when it is, and
// has all its time then.
func TestCommandWaitsForItsRun(t *testing.T) {
	s := newOfRuns(t, "a1")
	r := s.of("a1", keptAsks(1))
	id := r.id
	r.id = steal.Key{9} // so that it is not found
	if _, effects, err := s.commands.give(0, id, Cancel{}); err != nil || len(effects) > 0 {
		t.Errorf("%v, %v", told(effects), err)
	}
	r.id = id
	does(t, "it is heard of", s.commands.tick(time.Millisecond), "a1: Cancel")
	if s.commands.waits() || s.commands.given[0].until != commandMax+time.Millisecond {
		t.Errorf("%+v", s.commands.given)
	}
}
