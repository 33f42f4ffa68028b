package program

import (
	"context"
	"fmt"
	"os"
	"time"

	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

const (
	// lookEvery is how often a run is asked how far it is.
	lookEvery = 200 * time.Millisecond

	// stopMax is how long a run that was told to stop may take to do so, before the
	// process ends under it.
	stopMax = 2 * time.Second
)

// watch follows a run to its end, or stops it.
type watch struct {
	run      Running
	cancel   context.CancelFunc
	start    time.Time
	stop     <-chan os.Signal
	meter    *console.Meter
	log      *events
	feed     *feed         // what happens on the grid; nil alone
	timeout  time.Duration // 0: none
	patience time.Duration // for a run that was told to stop
	mute     bool          // its answers so far say nothing of themselves
	// how many peers of somebody's grid are reached; nil where the run has its own
	peers    func() int
	deserted bool // none
}

// outcome is how a run ended.
type outcome struct {
	answer   Answer // nil: there is none
	complete bool
	seconds  float64
	err      error // why there is no complete answer

	fired  int // of a chaos script: how often something happened …
	missed []string
	losses func(peer string) []local.Loss // what is known here of a peer's losses; nil alone
}

// follow returns when the run has ended.
func (w *watch) follow() outcome {
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
		timer := time.NewTimer(w.timeout)
		defer timer.Stop()
		expired = timer.C
	}
	for {
		select {
		case <-w.run.Done():
			return w.answered()
		case sig := <-w.stop:
			return w.stopped(console.SignalCode(sig), console.SignalCode(sig), "interrupted")
		case <-expired:
			return w.stopped(console.ExitPartial, console.ExitTimeout, "out of time")
		case <-ticker.C:
			ticker.Reset(lookEvery)
			w.look()
		}
	}
}

// look shows how far the run is.
func (w *watch) look() {
	w.lookForPeers()
	w.meter.Say(w.feed.take())
	w.meter.Show()
	w.log.progress(w.jobs())
	if f, ok := w.run.(Follower); ok {
		f.Follow()
	}
	if w.log.wanted() {
		if best, ok := w.run.Partial(); ok {
			w.log.best(best)
		}
	}
}

// lookForPeers says when no peer of a grid is reached any more, and when one is again: the run
// waits, and its figures stand still.
func (w *watch) lookForPeers() {
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
func (w *watch) brief() string {
	if w.deserted {
		return "; no peer of the grid is reached"
	}
	told := ""
	if jobs := w.jobs(); jobs > 0 {
		told = "; " + wording.Count(int(jobs), "job")
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
func (w *watch) jobs() int64 {
	jobs := int64(0)
	for _, p := range w.run.Stats().Peers {
		jobs += p.Jobs
	}
	return jobs
}

func (w *watch) answered() outcome {
	a, err := w.run.Answer()
	w.meter.Say(w.feed.take())
	out := outcome{answer: a, complete: err == nil, seconds: w.elapsed(), err: err}
	w.meter.Clear()
	if err == nil {
		w.log.answered(out)
	}
	return out
}

// stopped ends the run early, and takes what it has. The exit code depends on
// whether that is something.
func (w *watch) stopped(some, none int, why string) outcome {
	w.cancel()
	timer := time.NewTimer(w.patience)
	defer timer.Stop()
	select {
	case <-w.run.Done():
	case <-timer.C:
	}
	out := outcome{seconds: w.elapsed()}
	w.meter.Say(w.feed.take())
	w.meter.Clear()
	a, ok := w.run.Partial()
	out.answer = a
	code, has := none, "no answer yet"
	if ok {
		code, has = some, "this is the best so far"
		if x, ok := a.(Measured); ok {
			has += ": " + x.Extent()
		}
		w.log.answered(out)
	}
	out.err = &console.Error{Code: code, Text: fmt.Sprintf("%s after %s; %s", why, console.Brief(w.elapsed()), has)}
	return out
}

func (w *watch) elapsed() float64 { return time.Since(w.start).Seconds() }
