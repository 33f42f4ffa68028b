package control

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// runStarts notes a run that the workers have been told of, unless they cannot compute it.
func (l *Loop) runStarts(e peer.StartRun) {
	at := l.plane.Run(e.Run)
	if at == nil {
		return
	}
	l.runs[e.Run] = &runHere{
		no: e.Run, instance: e.Instance, at: at,
		bytesFar: l.farBytes(), rootBytes: len(e.Root),
	}
	l.promised.Store(max(l.promised.Load(), int64(e.Terms.ResultMax)))
	for _, sub := range l.subs {
		if sub.root.Run == e.Instance.Run {
			// until it is known which instance is the submission's
			sub.run.CompareAndSwap(nil, &at)
		}
	}
}

// rootStarts notes that a run's root is executed here.
func (l *Loop) rootStarts(e peer.Execute) {
	if g := l.runs[e.Run]; g != nil {
		g.hasRoot = true
		if g.restarts != nil {
			g.restarts.of(e.Run).root = true
		}
	}
}

// runEnds forgets a run, which the workers still know.
func (l *Loop) runEnds(e peer.EndRun) {
	delete(l.masters, e.Run)
	g := l.runs[e.Run]
	if g == nil {
		return
	}
	l.did(g)
	delete(l.runs, e.Run)
	for _, loss := range l.redone {
		delete(loss.runs, e.Run)
	}
	l.giveBack(g.rootBytes)
}

// mastersMax bounds what is remembered of runs whose root never came.
const mastersMax = 4 * peer.RunsMax

// reignBegins tells of a run's master, as soon as its name is known: a record may come before the
// greeting of one that has just joined.
func (l *Loop) reignBegins(no peer.RunNo, master membership.PeerID) {
	if l.nameOf(master) == string(master) {
		if len(l.unnamed) >= mastersMax {
			clear(l.unnamed)
		}
		l.unnamed[master] = no
		return
	}
	l.tell(Event{Kind: EventMaster, Peer: l.nameOf(master), ID: string(master)})
	for nonce, sub := range l.subs {
		if known, ok := l.machine.Sight().RunOf(nonce); ok && known == no {
			sub.runStats.mastered(master, l.nameOf(master))
		}
	}
}

// mastered notes who reigns, and whose loss it is when this peer starts a root that another had.
func (l *Loop) mastered(e peer.Mastered) {
	before := l.masters[e.Run]
	if len(l.masters) >= mastersMax {
		maps.DeleteFunc(l.masters, func(no peer.RunNo, _ membership.PeerID) bool {
			return no < e.Run && l.runs[no] == nil
		})
	}
	l.masters[e.Run] = e.Master
	l.reignBegins(e.Run, e.Master)
	if g := l.runs[e.Run]; g != nil && e.Master == l.self && before != l.self {
		g.restarts = l.lossOf(before)
	}
}

// reigns tells whether this peer is the run's master and executes the root.
func (l *Loop) reigns(g *runHere) bool { return g.hasRoot && l.masters[g.no] == l.self }

// RunStats is one run of the grid, as this peer sees it.
type RunStats struct {
	ID       steal.Key // of this run; CancelRun takes it
	Key      steal.Key // of what it computes: another run of the same has the same
	Task     string    // the root task's name
	Mine     bool      // it was submitted here
	Here     bool      // the root executes here …
	Progress float64   // … and is done to this extent, as Submission.Progress guesses
	Jobs     int64     // started here
	Busy     float64   // worker seconds spent here
}

// Runs are the runs that the grid computes now, by key.
func (l *Loop) Runs() []RunStats {
	var list []RunStats
	l.ask(func() {
		for _, g := range l.runs {
			counts := g.at.Counts()
			r := RunStats{
				ID: g.instance.ID(), Key: g.instance.Run, Task: g.at.Task(),
				Jobs: counts.Jobs, Busy: counts.Busy.Seconds(),
			}
			for nonce := range l.subs {
				if no, ok := l.machine.Sight().RunOf(nonce); ok && no == g.no {
					r.Mine = true
				}
			}
			if l.reigns(g) {
				r.Here, r.Progress = true, g.at.Progress()
			}
			list = append(list, r)
		}
	})
	slices.SortFunc(list, func(a, b RunStats) int {
		return strings.Compare(a.Key.String(), b.Key.String())
	})
	return list
}

// CancelRun withdraws a run of the grid, whoever has submitted it, and tells whether it was on. A
// client withdraws its own submissions of it.
func (l *Loop) CancelRun(id steal.Key) (found bool) {
	l.ask(func() { found = l.cancelRun(id) })
	return found
}

// cancelRun withdraws a run, and tells whether it was on.
func (l *Loop) cancelRun(id steal.Key) (found bool) {
	for no, g := range l.runs {
		if g.instance.ID() != id {
			continue
		}
		if !l.conf.Client {
			l.do(l.machine.CancelRun(l.now(), no))
			return true
		}
		for nonce, sub := range l.subs {
			if its, ok := l.machine.Sight().RunOf(nonce); ok && its == no {
				l.cancelSub(sub, errCancelled)
				found = true
			}
		}
	}
	return found
}

var errCancelled = errors.New("satin: the run was cancelled")
