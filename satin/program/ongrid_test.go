package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/program/console"
	"satingrid/satin/program/node"
	"satingrid/satin/program/runs"
)

// gripped is what a process has of a run on a grid, in the hands of a test.
type gripped struct {
	accepts  chan struct{}
	released bool
}

func (g *gripped) Accepted() <-chan struct{} { return g.accepts }
func (g *gripped) id() string                { return "0123456789abcdef0123456789abcdef" }
func (g *gripped) Release() error {
	g.released = true
	return nil
}

// atLab is where a ticket leads that the environment holds.
func atLab(t *testing.T, state string) *node.Where {
	t.Helper()
	invited(t)
	where, err := node.WhereJoined(&console.Console{Name: "lab", Err: os.Stderr, Terminal: -1}, "", state)
	if err != nil {
		t.Fatal(err)
	}
	return where
}

// TestLeftToItsGrid: an interrupt leaves a run that is to be kept to the grid, once that has
// accepted it, and says how to come back. It is remembered, once.
func TestLeftToItsGrid(t *testing.T) {
	state := t.TempDir()
	g := &gripped{accepts: make(chan struct{})}
	f := &fake{done: make(chan struct{}), partial: valued{5}}
	w, r := f.watch()
	w.leaves = &onGrid{hold: g, where: atLab(t, state), keep: time.Hour, label: "fib 90"}
	r.stop <- os.Interrupt
	time.AfterFunc(20*time.Millisecond, func() { close(g.accepts) })
	code, out, end := ends(w, false)
	const want = "; run 01234567 goes on, and its answer is kept for 1h: lab watch 01234567 --join TICKET"
	if code != 130 || out != "" || end.complete || r.cancelled || !g.released || !strings.HasSuffix(end.err.Error(), want) {
		t.Errorf("exit %d, %q, cancelled: %v, released: %v; it says %q", code, out, r.cancelled, g.released, end.err)
	}
	all := runs.SubmittedIn(state).All()
	if len(all) != 1 || all[0].ID != g.id() || all[0].Grid != "lab" || all[0].Label != "fib 90" {
		t.Errorf("%+v are remembered", all)
	}
}

// TestEndsWithItsProcess: a run that is not to be kept is cancelled by an interrupt. It is
// remembered all the same, for who wants to cancel it from elsewhere.
func TestEndsWithItsProcess(t *testing.T) {
	state := t.TempDir()
	g := &gripped{accepts: make(chan struct{})}
	close(g.accepts)
	w, r := (&fake{done: make(chan struct{}), partial: valued{5}}).watch()
	w.leaves = &onGrid{hold: g, where: atLab(t, state), label: "fib 90"}
	noted := filepath.Join(state, "submitted", g.id()+".json")
	go func() {
		if await.Comes(func() bool { _, err := os.Stat(noted); return err == nil }) {
			r.stop <- os.Interrupt
		}
	}()
	if code, out, _ := ends(w, false); code != 130 || out != "5\n" || !r.cancelled || g.released {
		t.Errorf("exit %d, %q, cancelled: %v, released: %v", code, out, r.cancelled, g.released)
	}
}

// TestAnsweredAtOnce: a run that has its answer when it is first looked at is remembered, too.
func TestAnsweredAtOnce(t *testing.T) {
	state := t.TempDir()
	g := &gripped{accepts: make(chan struct{})}
	close(g.accepts)
	f := &fake{done: make(chan struct{}), answer: valued{8}}
	close(f.done)
	w, _ := f.watch()
	w.leaves = &onGrid{hold: g, where: atLab(t, state)}
	if code, out, _ := ends(w, false); code != 0 || out != "8\n" || len(runs.SubmittedIn(state).All()) != 1 {
		t.Errorf("exit %d, %q, %d are remembered", code, out, len(runs.SubmittedIn(state).All()))
	}
}

// TestWatchIsLeft: who has only come back to a run lets go of it, and it is none of his.
func TestWatchIsLeft(t *testing.T) {
	g := &gripped{accepts: make(chan struct{})}
	close(g.accepts)
	w, r := (&fake{done: make(chan struct{})}).watch()
	w.leaves = &onGrid{hold: g, joined: true}
	r.stop <- os.Interrupt
	code, _, end := ends(w, false)
	if code != 130 || r.cancelled || !g.released || !strings.HasSuffix(end.err.Error(), "; the run goes on") {
		t.Errorf("exit %d, cancelled: %v, released: %v; it says %q", code, r.cancelled, g.released, end.err)
	}
}
