package control

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// script is workers that note what they are ordered, and can compute runs below 9.
type script struct {
	workers.Plane
	heard []string
}

func (s *script) hear(what string, no any) { s.heard = append(s.heard, fmt.Sprint(what, " ", no)) }

func (s *script) StartRun(e peer.StartRun)           { s.hear("start", e.Run) }
func (s *script) EndRun(e peer.EndRun)               { s.hear("end", e.Run) }
func (s *script) Execute(e peer.Execute)             { s.hear("execute", e.Borrow) }
func (s *script) PutBack(e peer.PutBack)             { s.hear("put back", e.Ref) }
func (s *script) Redo(ref steal.Ref, _ workers.Loss) { s.hear("redo", ref) }

func (s *script) Run(no peer.RunNo) workers.Run {
	if no < 9 {
		return &halfDone{}
	}
	return nil
}

// halfDone is a run of which seven jobs were done here.
type halfDone struct{ workers.Run }

func (*halfDone) Task() string           { return "t" }
func (*halfDone) Progress() float64      { return 0.5 }
func (*halfDone) Counts() workers.Counts { return workers.Counts{Jobs: 7, Busy: time.Second} }

func aRun(no uint64) steal.Instance { return steal.Instance{Run: steal.Key{byte(no)}} }

// someRuns are those of workers by script, and what was heard of them.
func someRuns() (s *runs, on *script, heard *[]string) {
	on, heard = new(script), new([]string)
	s = &runs{
		Plane: on, on: map[peer.RunNo]*runHere{}, losses: new(losses),
		far:   &farSites{site: "a", sites: map[membership.PeerID]membership.Site{"far": "b"}},
		begun: func(r *runHere, promised uint32) { *heard = append(*heard, fmt.Sprint("begun ", r.no, promised)) },
		ended: func(no peer.RunNo, rootBytes int) { *heard = append(*heard, fmt.Sprint("ended ", no, rootBytes)) },
	}
	return s, on, heard
}

// TestRunsAreNoted: workers get all orders, in their order; what was done for a run is told while
// they know it, and of one that they cannot compute nothing is.
func TestRunsAreNoted(t *testing.T) {
	s, on, heard := someRuns()
	s.far.went("far", 10)
	s.StartRun(peer.StartRun{Run: 1, Instance: aRun(1), Root: make([]byte, 3), Terms: peer.Terms{ResultMax: 5}})
	s.StartRun(peer.StartRun{Run: 9, Instance: aRun(9)})
	s.far.went("far", 100)
	s.Execute(peer.Execute{Run: 1, Borrow: 4})
	if w, ok := s.Work(1); !ok || w.Jobs != 7 || w.Busy != time.Second || w.BytesFar != 100 || w.Root || w.Progress != 0.5 {
		t.Errorf("done is %+v, %v", w, ok)
	}
	s.Execute(peer.Execute{Run: 1, Borrow: 5, IsRoot: true})
	if w, _ := s.Work(1); !w.Root {
		t.Error("the root is executed here, and that is not told")
	}
	if _, ok := s.Work(9); ok {
		t.Error("of a run that nobody computes something is told")
	}
	if r := s.on[1].stats(true, true); r.Task != "t" || !r.Mine || !r.Here || r.Progress != 0.5 || r.Jobs != 7 || r.Busy != 1 {
		t.Errorf("people see %+v", r)
	}
	if r := s.on[1].stats(false, false); r.Mine || r.Here || r.Progress != 0 {
		t.Errorf("of a run whose master is another, people see %+v", r)
	}
	s.EndRun(peer.EndRun{Run: 1})
	s.EndRun(peer.EndRun{Run: 9})
	if _, ok := s.Work(1); ok {
		t.Error("of a run that has ended something is told")
	}
	if want := []string{"begun 1 5", "ended 1 3", "ended 9 0"}; !slices.Equal(*heard, want) {
		t.Errorf("heard %q, want %q", *heard, want)
	}
	if want := []string{"start 1", "start 9", "execute 4", "execute 5", "end 1", "end 9"}; !slices.Equal(on.heard, want) {
		t.Errorf("the workers heard %q, want %q", on.heard, want)
	}
}

// TestWhatALossPutsBackIsRedone: what is put back while its effects are carried out; and a root
// that is started because its master is gone is put down to the loss of that one.
func TestWhatALossPutsBackIsRedone(t *testing.T) {
	s, on, _ := someRuns()
	s.StartRun(peer.StartRun{Run: 1, Instance: aRun(1)})
	s.PutBack(peer.PutBack{Ref: 1, Again: true})
	s.losses.begins(membership.Member{ID: "x"})
	s.PutBack(peer.PutBack{Ref: 2, Again: true})
	s.PutBack(peer.PutBack{Ref: 3})
	s.losses.over()
	s.succeeds(1, "x")
	s.succeeds(2, "x") // a run whose root has not come
	s.Execute(peer.Execute{Run: 1, Borrow: 4, IsRoot: true})
	if want := []string{"start 1", "put back 1", "redo 2", "put back 3", "execute 4"}; !slices.Equal(on.heard, want) {
		t.Errorf("the workers heard %q, want %q", on.heard, want)
	}
	if w, _ := s.Work(1); len(w.Redone) != 1 || !w.Redone[0].Root || w.Redone[0].Peer != "x" {
		t.Errorf("the loss of the master has cost %+v", w.Redone)
	}
	s.EndRun(peer.EndRun{Run: 1})
	if all := s.losses.in(1); len(all) > 0 {
		t.Errorf("a run that has ended was struck: %+v", all)
	}
}
