package driver

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// TestWhenOthersAreTold: of a run when it begins and now and then, more often where its root is;
// of loans while any are executed.
func TestWhenOthersAreTold(t *testing.T) {
	var v telling
	v.begins(time.Second, 1, steal.Instance{}, 0)
	v.begins(time.Second, 2, steal.Instance{}, 0)
	v.rooted(2)
	if due := v.due(time.Second - 1); len(due) > 0 || v.deadline(0) != time.Second {
		t.Errorf("%v is due before it has begun, at %v", due, v.deadline(0))
	}
	for _, x := range []struct {
		at  time.Duration
		due []peer.RunNo
	}{
		{0, []peer.RunNo{1, 2}}, {1, nil}, {peer.ProgressEvery, []peer.RunNo{2}},
		{2 * peer.ProgressEvery, []peer.RunNo{2}}, {peer.ReportEvery, []peer.RunNo{1}},
		{3 * peer.ProgressEvery, []peer.RunNo{2}},
	} {
		if due := v.due(time.Second + x.at); !slices.Equal(due, x.due) {
			t.Errorf("after %v %v is due, want %v", x.at, due, x.due)
		}
	}
	v.ends(2)
	v.ends(3)
	if v.of(2) != nil || v.of(1) == nil || v.deadline(0) != time.Second+2*peer.ReportEvery {
		t.Errorf("with the first run alone the next time is %v", v.deadline(0))
	}
	if v.deadline(1) != 0 || !v.sharesDue(time.Second) || v.sharesDue(time.Second+1) {
		t.Error("owners are told at once, and then now and then")
	}
	if at := v.deadline(1); at != time.Second+peer.ProgressEvery {
		t.Errorf("owners are told again at %v", at)
	}
}

// computes is workers that were ordered what is noted, and know run 1.
type computes struct {
	quiet
	on, told []peer.RunNo
	begun    []steal.Borrow
	far      []steal.Ref
}

func (c *computes) StartRun(e peer.StartRun) { c.on = append(c.on, e.Run) }
func (c *computes) EndRun(e peer.EndRun) {
	c.on = slices.DeleteFunc(c.on, func(no peer.RunNo) bool { return no == e.Run })
}
func (c *computes) Execute(e peer.Execute) { c.begun = append(c.begun, e.Borrow) }
func (c *computes) Executing() int         { return len(c.begun) }

func (c *computes) Run(no peer.RunNo) workers.Run {
	if no != 1 || !slices.Contains(c.on, no) {
		return nil
	}
	return halfDone{c}
}

// halfDone is run 1.
type halfDone struct{ c *computes }

func (halfDone) Task() string          { return "t" }
func (halfDone) Progress() float64     { return 0.5 }
func (halfDone) Best() any             { return nil }
func (halfDone) Redone() []peer.Redone { return []peer.Redone{{Loss: 3, Spent: time.Second}} }

func (h halfDone) Counts() workers.Performed {
	h.c.told = append(h.c.told, 1)
	return workers.Performed{Jobs: 7, Aborted: 2, Busy: time.Minute}
}

// TestWorkIsWhole: it has what the workers count, and the bytes since the run began.
func TestWorkIsWhole(t *testing.T) {
	var v telling
	v.begins(0, 1, steal.Instance{}, 100)
	v.rooted(1)
	v.rooted(2) // which nothing is told of
	got := v.of(1).work(halfDone{new(computes)}, 130)
	want := peer.Work{
		Jobs: 7, Aborted: 2, Busy: time.Minute, BytesFar: 30, Root: true, Progress: 0.5,
		Redone: []peer.Redone{{Loss: 3, Spent: time.Second}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it is %+v, want %+v", got, want)
	}
}

func (c *computes) Shares(each func(steal.Borrow, float64)) {
	for _, b := range c.begun {
		each(b, 0.5)
	}
}

func (c *computes) Progressed(ref steal.Ref, _ float64) { c.far = append(c.far, ref) }

// TestTheMachineIsToldOfWork: while the workers know the run, the last time before they forget it.
func TestTheMachineIsToldOfWork(t *testing.T) {
	d, n := alone()
	c := new(computes)
	d.plane = c
	d.Do([]peer.Effect{peer.StartRun{Run: 1}, peer.StartRun{Run: 2}, peer.Execute{Run: 1, Borrow: 3, IsRoot: true}})
	if at := d.Deadline(); at > n.Now() {
		t.Errorf("of a run that has begun somebody is told at %v", at)
	}
	d.Tick()
	if !slices.Equal(c.told, []peer.RunNo{1}) {
		t.Errorf("told is of %v", c.told)
	}
	d.Tick()
	d.Do([]peer.Effect{peer.EndRun{Run: 1}, peer.EndRun{Run: 2}, peer.Progressed{Ref: 5}})
	if !slices.Equal(c.told, []peer.RunNo{1, 1}) || len(c.on) > 0 || len(d.telling.runs) > 0 {
		t.Errorf("told is of %v, and the workers still know %v", c.told, c.on)
	}
	if !slices.Equal(c.far, []steal.Ref{5}) {
		t.Errorf("the workers hear how far %v are", c.far)
	}
}

// quiet is workers that do nothing.
type quiet struct{}

func (quiet) StartRun(peer.StartRun)             {}
func (quiet) EndRun(peer.EndRun)                 {}
func (quiet) ShareIs(peer.ShareIs)               {}
func (quiet) Execute(peer.Execute)               {}
func (quiet) Withdraw(peer.Withdraw)             {}
func (quiet) WantJobs(steal.WantJobs)            {}
func (quiet) PutBack(peer.PutBack)               {}
func (quiet) Settle(peer.Settle)                 {}
func (quiet) Compare(peer.Compare)               {}
func (quiet) Differ(peer.Differ)                 {}
func (quiet) Hear(peer.Hear)                     {}
func (quiet) WantParts(peer.WantParts)           {}
func (quiet) WantKeys(peer.WantKeys)             {}
func (quiet) Use(peer.Use)                       {}
func (quiet) Run(peer.RunNo) workers.Run         { return nil }
func (quiet) Executing() int                     { return 0 }
func (quiet) Shares(func(steal.Borrow, float64)) {}
func (quiet) Progressed(steal.Ref, float64)      {}
