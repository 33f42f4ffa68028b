package control

import (
	"fmt"
	"slices"
	"testing"
	"time"

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

func (s *script) StartRun(e peer.StartRun) { s.hear("start", e.Run) }
func (s *script) EndRun(e peer.EndRun)     { s.hear("end", e.Run) }
func (s *script) Execute(e peer.Execute)   { s.hear("execute", e.Borrow) }

func (s *script) Run(no peer.RunNo) workers.Run {
	if no < 9 {
		return &halfDone{}
	}
	return nil
}

// halfDone is a run of which seven jobs were done here.
type halfDone struct{ workers.Run }

func (*halfDone) Task() string              { return "t" }
func (*halfDone) Progress() float64         { return 0.5 }
func (*halfDone) Counts() workers.Performed { return workers.Performed{Jobs: 7, Busy: time.Second} }
func (*halfDone) Redone() []peer.Redone {
	return []peer.Redone{{Spent: time.Second / 4}, {Spent: time.Second / 4}}
}

func aRun(no uint64) steal.Instance { return steal.Instance{Run: steal.Key{byte(no)}} }

// someRuns are those of workers by script, and what was heard of them.
func someRuns() (s *runs, on *script, heard *[]string) {
	on, heard = new(script), new([]string)
	s = &runs{
		Plane: on, on: map[peer.RunNo]*runHere{},
		begun: func(r *runHere, promised uint32) { *heard = append(*heard, fmt.Sprint("begun ", r.no, promised)) },
		ended: func(rootBytes int) { *heard = append(*heard, fmt.Sprint("ended ", rootBytes)) },
	}
	return s, on, heard
}

// TestRunsAreNoted: workers get all orders, in their order; people are told of a run while the
// workers know it, and of one that they cannot compute nothing.
func TestRunsAreNoted(t *testing.T) {
	s, on, heard := someRuns()
	s.StartRun(peer.StartRun{Run: 1, Instance: aRun(1), Root: make([]byte, 3), Terms: peer.Terms{ResultMax: 5}})
	s.StartRun(peer.StartRun{Run: 9, Instance: aRun(9)})
	s.Execute(peer.Execute{Run: 1, Borrow: 4})
	if s.on[1].hasRoot {
		t.Error("the root is said to be executed here")
	}
	s.Execute(peer.Execute{Run: 1, Borrow: 5, IsRoot: true})
	if !s.on[1].hasRoot {
		t.Error("the root is executed here, and that is not noted")
	}
	s.EndRun(peer.EndRun{Run: 1})
	s.EndRun(peer.EndRun{Run: 9})
	if s.over.Jobs != 7 || s.over.Busy != 1 || s.over.Repairing != 0.5 {
		t.Errorf("what was done for the run is gone with it: %+v", s.over)
	}
	if len(s.on) > 0 {
		t.Errorf("%d runs are known when all have ended", len(s.on))
	}
	if want := []string{"begun 1 5", "ended 3", "ended 0"}; !slices.Equal(*heard, want) {
		t.Errorf("heard %q, want %q", *heard, want)
	}
	if want := []string{"start 1", "start 9", "execute 4", "execute 5", "end 1", "end 9"}; !slices.Equal(on.heard, want) {
		t.Errorf("the workers heard %q, want %q", on.heard, want)
	}
}
