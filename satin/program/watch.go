package program

import (
	"context"
	"fmt"
	"os"
	"time"

	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/recording"
	"satingrid/satin/program/wording"
)

const (
	// lookEvery is how often a run is asked how far it is.
	lookEvery = 200 * time.Millisecond

	// stopMax is how long a run that was told to stop may take to do so, before the
	// process ends under it.
	stopMax = 2 * time.Second
)

// follower follows a run to its end, or stops it.
type follower struct {
	run      Running
	cancel   context.CancelFunc
	start    time.Time
	stop     <-chan os.Signal
	meter    *console.Meter
	log      *eventLines
	feed     *feed         // what happens on the grid; nil alone
	timeout  time.Duration // 0: none
	read     time.Duration // of it, before the run began: what reading the input took
	patience time.Duration // for a run that was told to stop
	easel    *easel        // of --dash; nil: it is not asked for
	mute     bool          // its answers so far say nothing of themselves
	// how many peers of somebody's grid are reached; nil where the run has its own
	peers    func() int
	deserted bool // none
	left     remaining
	leaves   *onGrid // how the run is left to that grid; nil: it is not
}

// runEnd is how a run ended.
type runEnd struct {
	answer   Answer // nil: there is none
	complete bool
	seconds  float64
	err      error  // why there is no complete answer
	how      string // as a recording has it

	fired  int // of a chaos script: how often something happened …
	missed []string
	losses func(peer string) []local.Loss // what is known here of a peer's losses; nil alone
}

// follow returns when the run has ended.
func (w *follower) follow() runEnd {
	if w.feed == nil {
		for _, p := range peerRows(w.run.Stats()) {
			w.log.startedProcess(p.Name, p.Site, os.Getpid())
		}
	}
	w.meter.More = w.brief
	ticker := time.NewTicker(console.Quiet) // the first time, so that something is seen soon
	defer ticker.Stop()
	var expired <-chan time.Time
	if w.timeout > 0 {
		timer := time.NewTimer(max(w.timeout-w.read, 0))
		defer timer.Stop()
		expired = timer.C
	}
	for {
		select {
		case <-w.run.Done():
			return w.answered()
		case <-w.leaves.accepted():
			w.leaves.note()
		case sig := <-w.stop:
			if w.leaves.outlives() {
				return w.detached(sig)
			}
			return w.stopped(console.SignalCode(sig), console.SignalCode(sig), recording.Interrupted)
		case <-expired:
			return w.stopped(console.ExitPartial, console.ExitTimeout, recording.OutOfTime)
		case <-ticker.C:
			ticker.Reset(lookEvery)
			w.look()
		}
	}
}

// look shows how far the run is.
func (w *follower) look() {
	w.lookForPeers()
	w.meter.Say(w.feed.take())
	w.left = remainingOf(w.run)
	w.meter.Show()
	w.log.progress(w.jobs(), w.left)
	if f, ok := w.run.(Follower); ok {
		f.Follow()
	}
	w.easel.look(w.run)
	if w.log.wanted() {
		if best, ok := w.run.Partial(); ok {
			w.log.best(best)
		}
	}
}

// lookForPeers says when no peer of a grid is reached any more, and when one is again: the run
// waits, and its figures stand still.
func (w *follower) lookForPeers() {
	if w.peers == nil {
		return
	}
	n := w.peers()
	if deserted := n == 0; deserted != w.deserted {
		if w.deserted = deserted; deserted {
			w.meter.Say([]string{"no peer of the grid is reached; the run waits for one, and goes on with what is kept"})
		} else {
			w.meter.Say([]string{wording.Count(n, "peer") + " of the grid " + is(n) + " reached again"})
		}
	}
}

// is is the verb that goes with a number of things.
func is(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// brief is what the best answer so far says of itself, and how many jobs were done for it.
func (w *follower) brief() string {
	if w.deserted {
		return "; no peer of the grid is reached"
	}
	told := w.left.String()
	if jobs := w.jobs(); jobs > 0 {
		told = "; " + wording.Count(int(jobs), "job") + told
	}
	if w.mute {
		return told
	}
	best, ok := w.run.Partial()
	if !ok {
		return told
	}
	b, ok := best.(Briefer)
	if !ok {
		w.mute = true // not to be asked again: an answer may be large
		return told
	}
	return "; " + b.Brief() + told
}

// jobs is how many were executed, as far as it was told here.
func (w *follower) jobs() int64 {
	jobs := int64(0)
	for _, p := range w.run.Stats().Peers {
		jobs += p.Jobs
	}
	return jobs
}

func (w *follower) answered() runEnd {
	a, err := w.run.Answer()
	took := time.Since(w.start)
	select {
	case <-w.leaves.accepted():
		w.leaves.note()
	default:
	}
	w.meter.Say(w.feed.take())
	out := runEnd{answer: timed(a, took), complete: err == nil, seconds: took.Seconds(), err: err, how: recording.Failed}
	w.meter.Clear()
	if err == nil {
		out.how = recording.Answered
		w.log.answered(out, w.run.Stats())
	}
	return out
}

// stopped ends the run early, and takes what it has. The exit code depends on
// whether that is something.
func (w *follower) stopped(some, none int, why string) runEnd {
	w.cancel()
	timer := time.NewTimer(w.patience)
	defer timer.Stop()
	select {
	case <-w.run.Done():
	case <-timer.C:
	}
	took := time.Since(w.start)
	out := runEnd{seconds: took.Seconds(), how: why}
	w.meter.Say(w.feed.take())
	w.meter.Clear()
	a, ok := w.run.Partial()
	out.answer = timed(a, took)
	took += w.read
	code, has := none, "no answer yet"
	if ok {
		code, has = some, "this is the best so far"
		if x, ok := a.(Measured); ok {
			has += ": " + x.Extent()
		}
		w.log.answered(out, w.run.Stats())
	}
	if w.leaves.isJoined() { // it was not begun here, nor does it end here
		took, has, out.how = w.timeout, "the run goes on: "+has, recording.GoesOn
	}
	out.err = &console.Error{Code: code, Text: fmt.Sprintf("%s after %s; %s", why, console.Brief(took.Seconds()), has)}
	return out
}

// detached leaves the run to its grid, and says how to come back to it.
func (w *follower) detached(sig os.Signal) runEnd {
	says := w.leaves.leave()
	w.meter.Say(w.feed.take())
	w.meter.Clear()
	took := time.Since(w.start).Seconds()
	return runEnd{seconds: took, how: recording.GoesOn, err: &console.Error{
		Code: console.SignalCode(sig), Text: fmt.Sprintf("interrupted after %s; %s", console.Brief(took), says),
	}}
}

// timed is an answer that knows how long it took, if it wants to.
func timed(a Answer, took time.Duration) Answer {
	if t, ok := a.(Timed); ok {
		return t.In(took)
	}
	return a
}
