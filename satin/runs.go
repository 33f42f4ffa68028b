package satin

import (
	"maps"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// runHere is a run of the grid on this peer, as people are told of it.
type runHere struct {
	no       peer.RunNo
	instance steal.Instance
	at       workers.Run
	hasRoot  bool // the root was given to the workers
	reportAt time.Duration

	submitters []membership.PeerID // who are told of it
	before     peer.Stats          // of the machine, when the run began here,
	bytesFar   int64               // of the carrier
	began      time.Duration
	restarts   *redone // the loss because of which the root is done again here
	rootBytes  int
}

// runStarts notes a run that the workers have been told of, unless they cannot compute it.
func (l *loop) runStarts(e peer.StartRun) {
	at := l.plane.Run(e.Run)
	if at == nil {
		return
	}
	l.runs[e.Run] = &runHere{
		no: e.Run, instance: e.Instance, at: at, before: l.machine.Stats(),
		submitters: []membership.PeerID{e.Instance.First.Submitter},
		bytesFar:   l.farBytes(), began: l.now(), rootBytes: len(e.Root),
	}
	l.promised.Store(max(l.promised.Load(), int64(e.Terms.ResultMax)))
	for _, sub := range l.subs {
		if sub.root.Run == e.Instance.Run {
			sub.run.CompareAndSwap(nil, &at) // until it is known which instance is the submission's
		}
	}
}

// rootStarts notes that a run's root is executed here.
func (l *loop) rootStarts(e peer.Execute) {
	if g := l.runs[e.Run]; g != nil {
		g.hasRoot = true
		if g.restarts != nil {
			g.restarts.of(e.Run).root = true
		}
	}
}

// runEnds forgets a run, which the workers still know.
func (l *loop) runEnds(e peer.EndRun) {
	delete(l.masters, e.Run)
	g := l.runs[e.Run]
	if g == nil {
		return
	}
	l.sendReport(g, true)
	delete(l.runs, e.Run)
	for _, loss := range l.redone {
		delete(loss.runs, e.Run)
	}
	l.giveBack(g.rootBytes)
}

// mastersMax bounds what is remembered of runs whose root never came.
const mastersMax = 4 * peer.RunsMax

// reignBegins tells of a run's master, as soon as its name is known: a record may come before the greeting of one that has just joined.
func (l *loop) reignBegins(no peer.RunNo, master membership.PeerID) {
	if l.nameOf(master) == string(master) {
		if len(l.unnamed) >= mastersMax {
			clear(l.unnamed)
		}
		l.unnamed[master] = no
		return
	}
	l.tell(Event{Kind: EventMaster, Peer: l.nameOf(master), ID: string(master)})
	for nonce, sub := range l.subs {
		if known, ok := l.machine.RunOf(nonce); ok && known == no {
			sub.account.mastered(master, l.nameOf(master))
		}
	}
}

// mastered notes who reigns, and whose loss it is when this peer starts a root that another had.
func (l *loop) mastered(e peer.Mastered) {
	before := l.masters[e.Run]
	if len(l.masters) >= mastersMax {
		maps.DeleteFunc(l.masters, func(no peer.RunNo, _ membership.PeerID) bool { return no < e.Run && l.runs[no] == nil })
	}
	l.masters[e.Run] = e.Master
	l.reignBegins(e.Run, e.Master)
	if g := l.runs[e.Run]; g != nil && e.Master == l.self && before != l.self {
		g.restarts = l.lossOf(before)
	}
}

// reigns tells whether this peer is the run's master and executes the root.
func (l *loop) reigns(g *runHere) bool { return g.hasRoot && l.masters[g.no] == l.self }
