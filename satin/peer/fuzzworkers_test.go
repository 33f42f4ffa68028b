package peer

import (
	"slices"
	"testing"
	"time"

	"satingrid/steal"
)

// workers are the dumbest data plane that keeps the contract: it knows what it was
// given and what it gave.
type workers struct {
	t       *testing.T
	runs    map[RunNo]bool
	failed  map[RunNo]bool // a job panicked here: nothing is heard of their jobs
	borrows []steal.Borrow
	refs    map[steal.Ref]bool
	ref     steal.Ref
	wanted  int
	asked   steal.Nonce            // the submission, if there is one
	told    map[steal.Nonce]bool   // submissions that were answered, or cancelled
	ofRun   map[steal.Borrow]RunNo // each borrow's
	orphans []steal.Borrow         // withdrawn with Salvage, and not told yet
	keys    map[RunNo]bool         // runs whose keys are wanted
	parts   bool                   // the parts are wanted
	compare map[RunNo]steal.Key
}

func newWorkers(t *testing.T) *workers {
	return &workers{
		t: t, runs: map[RunNo]bool{}, failed: map[RunNo]bool{}, refs: map[steal.Ref]bool{}, ofRun: map[steal.Borrow]RunNo{},
		told: map[steal.Nonce]bool{}, keys: map[RunNo]bool{}, compare: map[RunNo]steal.Key{},
	}
}

func (w *workers) take(effects []Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case StartRun:
			w.runs[e.Run] = true
		case EndRun:
			if !w.runs[e.Run] {
				w.t.Fatalf("run %d ends, but never began", e.Run)
			}
			delete(w.runs, e.Run)
			delete(w.keys, e.Run)
			delete(w.failed, e.Run)
			delete(w.compare, e.Run)
		case Execute:
			if !w.runs[e.Run] {
				w.t.Fatalf("a job of run %d, which is not on", e.Run)
			}
			if !w.failed[e.Run] {
				w.borrows = append(w.borrows, e.Borrow)
				w.ofRun[e.Borrow] = e.Run
			}
		case Compare:
			if _, open := w.compare[e.Run]; open || !w.runs[e.Run] {
				w.t.Fatalf("a best of run %d is to be compared, on %v, comparing %v", e.Run, w.runs, w.compare)
			}
			w.compare[e.Run] = e.Best.Digest
		case WantKeys:
			if w.keys[e.Run] || !w.runs[e.Run] {
				w.t.Fatalf("the keys of run %d are wanted, on %v", e.Run, w.runs)
			}
			w.keys[e.Run] = true
		case WantParts:
			if w.parts {
				w.t.Fatal("the parts are wanted twice")
			}
			w.parts = true
		case Use:
			if !w.runs[e.Run] || e.Result.Outcome == steal.Panicked {
				w.t.Fatalf("a result of run %d, which is not on, or a panic's: %v", e.Run, e.Result)
			}
		case Withdraw:
			if e.Salvage && slices.Contains(w.borrows, e.Borrow) {
				w.orphans = append(w.orphans, e.Borrow)
			}
			w.borrows = slices.DeleteFunc(w.borrows, func(b steal.Borrow) bool { return b == e.Borrow })
		case steal.WantJobs:
			if w.wanted != 0 || e.N < 1 || e.N > 32 {
				w.t.Fatalf("%d jobs wanted while %d are", e.N, w.wanted)
			}
			w.wanted = e.N
		case PutBack:
			w.back(e.Ref)
		case Settle:
			if e.Result.Outcome == steal.Panicked {
				w.t.Fatal("a panic settles a job")
			}
			w.back(e.Ref)
		case Deliver:
			if w.told[e.Nonce] {
				w.t.Fatalf("submission %d is answered, but was answered or cancelled before", e.Nonce)
			}
			w.told[e.Nonce] = true
		}
	}
}

func (w *workers) back(ref steal.Ref) {
	if !w.refs[ref] {
		w.t.Fatalf("job %d comes back, but was not away", ref)
	}
	delete(w.refs, ref)
}

// panics lets a job of a run panic, which may have ended meanwhile. Its jobs are stopped, and of
// those that are no orphans nothing is heard any more.
func (w *workers) panics(r *reader, p *Peer, now time.Duration) []Effect {
	no := RunNo(1 + r.n(3))
	if w.runs[no] {
		w.failed[no] = true
		w.borrows = slices.DeleteFunc(w.borrows, func(b steal.Borrow) bool { return w.ofRun[b] == no })
	}
	return p.Panicked(now, no, steal.Result{Outcome: steal.Panicked, Bytes: r.bytes()})
}

// compares answers a Compare, or says of none that was asked for that it is better.
func (w *workers) compares(r *reader, p *Peer, now time.Duration) []Effect {
	no := RunNo(1 + r.n(3)%3)
	digest, open := w.compare[no]
	if !open {
		return p.Compared(now, no, steal.Key{r.byte()}, Better, steal.Result{})
	}
	delete(w.compare, no)
	return p.Compared(now, no, digest, Merit(1+r.n(3)%3), steal.Result{Outcome: steal.Panicked, Bytes: r.bytes()})
}
