package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// looks have each run's look-up hear what concerns it, and answer those of others.
type looks struct {
	outbox
	client    bool
	runs      *runs
	members   members
	results   *orphan.Results
	postponed *postponing
	leaves    func() bool // whether this peer is leaving
}

// tick has the workers asked which keys they miss.
func (l *looks) tick(now time.Duration) []membership.Effect {
	may := l.members.Self().State != 0 && !l.leaves() && !l.client
	for _, r := range l.runs.all {
		l.also(r.look.tick(now, may && r.root.isHere()))
	}
	return l.flush()
}

// listed hears that there may be something to find, of any run.
func (l *looks) listed(now time.Duration) {
	for _, r := range l.runs.all {
		r.look.listed(now)
	}
}

// lost ends the fetches from a peer that is gone.
func (l *looks) lost(id membership.PeerID) {
	for _, r := range l.runs.all {
		r.look.lost(id)
	}
}

// unfinished hears the keys of a run's unfinished jobs.
func (l *looks) unfinished(now time.Duration, no RunNo, keys []steal.Key) []membership.Effect {
	if r := l.runs.numbered(no); r != nil {
		return r.look.unfinished(now, keys)
	}
	return nil
}

// hearWantResult answers a peer that looks for a result.
func (l *looks) hearWantResult(by life, w orphan.WantResult) []membership.Effect {
	answer := orphan.ResultIs{Run: w.Run, Key: w.Key}
	if r := l.runs.find(w.Run); r != nil {
		if result, ok := l.results.Get(w.Run, w.Key); ok {
			answer.Stored = r.disk.found(w.Key)
			answer.Found, answer.Result, answer.Best = true, result, r.best.stamp(by.peer, by.incarnation)
		}
	}
	l.send(by, answer)
	return l.flush()
}

// hearResultIs takes a result that this peer has asked for, once the best that it names is here.
func (l *looks) hearResultIs(now time.Duration, a *arrival, b orphan.ResultIs) []membership.Effect {
	r := l.runs.find(b.Run)
	if r == nil || !r.look.awaits(a.life, b.Key) {
		return nil
	}
	if isFound(b) {
		ok, effects := l.postponed.admits(now, a, r, b.Best)
		if l.also(effects); !ok {
			return l.flush()
		}
	}
	l.also(r.look.answered(now, a.life, b))
	return l.flush()
}
