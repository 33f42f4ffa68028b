package satin

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// gridRun is a run of the grid on this peer.
type gridRun struct {
	no       peer.RunNo
	instance steal.Instance
	plane    *run
	hands    hands
	ready    bool      // the root's fields have been read
	waiting  []*shared // jobs that came before
	root     *shared   // the root, while it executes here
	reportAt time.Duration

	submitters []membership.PeerID // who are told of it
	before     peer.Stats          // of the machine, when the run began here,
	bytesFar   int64               // of the carrier
	began      time.Duration
	restarts   *redone // the loss because of which the root is done again here
	rootBytes  int
}

var _ workers.Orders = (*loop)(nil)

// StartRun tells the workers of a run.
func (l *loop) StartRun(e peer.StartRun) {
	t, ok := l.app.byName[e.Task]
	if !ok {
		return // the build was checked at the door; a client may know fewer tasks
	}
	j := t.make()
	r, err := l.plane.newRun(l.ctx, j)
	if err != nil {
		return // the pool is closing
	}
	r.resultMax = int(e.Terms.ResultMax)
	l.plane.setShare(r, e.Terms.Share)
	g := &gridRun{
		no: e.Run, instance: e.Instance, plane: r, before: l.machine.Stats(), submitters: []membership.PeerID{e.Instance.First.Submitter},
		bytesFar: l.farBytes(), began: l.now(), rootBytes: len(e.Root),
	}
	r.grid = g
	l.promised.Store(max(l.promised.Load(), int64(r.resultMax)))
	r.key = func() (steal.Key, error) { return e.Instance.Run, nil } // it is in the record: no need to encode the root
	l.runs[e.Run] = g
	for _, sub := range l.subs {
		if sub.root.Run == e.Instance.Run {
			sub.run.CompareAndSwap(nil, r) // until it is known which instance is the submission's
		}
	}
	if l.conf.Client {
		return // its bests are looked at here, and no job is begun
	}
	g.hands.give(&l.crew, func() {
		err := j.load(e.Root)
		l.post(func() { l.rootRead(g, err) })
	})
}

// rootRead lets jobs of the run begin: all of them may ask for the root's fields.
func (l *loop) rootRead(g *gridRun, err error) {
	if l.runs[g.no] != g {
		return
	}
	if err != nil {
		task := l.app.taskName(g.plane.root.job)
		g.plane.failJob(g.plane.root.job, fmt.Errorf("satin: the root task %s cannot be read: %w", task, err))
		return
	}
	g.ready = true
	for _, h := range g.waiting {
		l.plane.submit(h)
	}
	g.waiting = nil
}

// ShareIs gives a run another share of the workers.
func (l *loop) ShareIs(e peer.ShareIs) {
	if g := l.runs[e.Run]; g != nil {
		l.plane.setShare(g.plane, e.Share)
	}
}

// EndRun withdraws all jobs of a run and forgets it.
func (l *loop) EndRun(e peer.EndRun) {
	delete(l.masters, e.Run)
	g := l.runs[e.Run]
	if g == nil {
		return
	}
	l.sendReport(g, true)
	delete(l.runs, e.Run)
	maps.DeleteFunc(l.handed, func(_ steal.Ref, of *gridRun) bool { return of == g })
	for _, loss := range l.redone {
		delete(loss.runs, g.plane)
	}
	for n, b := range l.borrows {
		if b.run == g {
			delete(l.borrows, n)
			b.job.withdraw(false)
		}
	}
	g.plane.fail(ErrWithdrawn)
	l.giveBack(g.rootBytes)
}

// Execute gives the workers a job.
func (l *loop) Execute(e peer.Execute) {
	g := l.runs[e.Run]
	if g == nil {
		return
	}
	h, err := l.plane.borrow(g.plane, e.Task, e.Args, func(h *shared) { l.finished(g, e.Borrow, h) })
	if err != nil {
		result := packText(err.Error())
		l.post(func() { l.do(l.hears.Finished(l.now(), e.Borrow, result)) })
		return
	}
	h.key, h.keyed, h.verifies, h.stays = e.Key, true, e.Verifies, e.Ref != 0
	if first := l.plane.loans.get(e.Ref); first != nil {
		h.job, h.unread = first.job.twin(), first.unread // lent: nobody begins it meanwhile
	}
	if e.IsRoot {
		g.root, h.isRoot = h, true
		if g.restarts != nil {
			g.restarts.of(g.plane).root = true
		}
	}
	l.borrows[e.Borrow] = borrowed{g, h}
	if g.ready {
		l.plane.submit(h)
	} else {
		g.waiting = append(g.waiting, h)
	}
}

// finished is called by a worker when a borrowed job or a root has ended.
func (l *loop) finished(g *gridRun, borrow steal.Borrow, h *shared) {
	out := h.outcome()
	if out == nil && !h.isOrphan() {
		return // withdrawn, and nobody wants to hear of it
	}
	var result steal.Result
	if out != nil {
		var ok bool
		if result, ok = g.plane.pack(h.job, out); !ok {
			return // the run has failed
		}
		result.Cost = milliseconds(h.partNow().cost)
	}
	l.post(func() {
		delete(l.borrows, borrow)
		if out == nil {
			l.do(l.hears.Stopped(l.now(), borrow))
			return
		}
		l.do(l.hears.Finished(l.now(), borrow, result))
	})
}

// milliseconds is a cost as it travels.
func milliseconds(d time.Duration) uint32 { return uint32(min(d.Milliseconds(), math.MaxUint32)) }

// pack encodes what a job came to, for another process. What cannot travel, and more than the run's submitter has
// asked for, fails the run at once: who executes a job must not decide what its run comes to.
func (r *run) pack(j slot, out result) (steal.Result, bool) {
	if err := out.failure(); err != nil {
		result, err := packError(err)
		if err != nil {
			r.failJob(j, err)
			return steal.Result{}, false
		}
		result.Choosing = r.choosing.Load()
		return result, true
	}
	data, err := out.encode(r.pool.strict)
	if err != nil {
		r.failJob(j, fmt.Errorf("satin: the result of a job of task %s cannot travel: %w", r.pool.app.taskName(j), err))
		return steal.Result{}, false
	}
	if len(data) > r.resultMax {
		r.failWith(fmt.Errorf("satin: a result of task %s is %d bytes: %d may travel (Config.ResultMax)",
			r.pool.app.taskName(j), len(data), r.resultMax))
		return steal.Result{}, false
	}
	return steal.Result{Outcome: steal.Value, Choosing: r.choosing.Load(), Bytes: data}, true
}

// Withdraw ends a borrowed job or a root. With salvage it is heard of once more, by finished.
func (l *loop) Withdraw(e peer.Withdraw) {
	b, ok := l.borrows[e.Borrow]
	if !ok {
		return
	}
	if !e.Salvage {
		delete(l.borrows, e.Borrow)
	}
	b.job.withdraw(e.Salvage)
}

// Use gives a value to the jobs with its key: those that others wait for, then all others.
func (l *loop) Use(e peer.Use) {
	g := l.runs[e.Run]
	if g == nil {
		return
	}
	var borrowed []*shared
	for _, b := range l.borrows {
		if b.run == g && b.job.hasKey(e.Key) {
			borrowed = append(borrowed, b.job)
		}
	}
	g.hands.give(&l.crew, func() {
		err := error(nil)
		for _, h := range borrowed {
			err = errors.Join(err, h.give(e.Result))
		}
		if err = errors.Join(err, l.plane.use(g.plane, e.Key, e.Result)); err != nil {
			l.unreadable(g.plane, "a result cannot be read; its job goes on", err)
		}
	})
}

// unreadable tells of a result that came from elsewhere and cannot be read. Builds were compared at the door, so a member lies or is
// broken; where the program's own code panics the run fails.
func (l *loop) unreadable(r *run, what string, err error) {
	var raised *codePanic
	if errors.As(err, &raised) {
		r.failWith(err)
		return
	}
	l.conf.log().Warn(what, "error", err)
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
func (l *loop) reigns(g *gridRun) bool { return g.root != nil && l.masters[g.no] == l.self }

// PutBack gives the workers back a job.
func (l *loop) PutBack(e peer.PutBack) {
	delete(l.handed, e.Ref)
	again := l.again
	if !e.Again {
		again = nil
	}
	l.plane.putBack(e.Ref, again)
}

// Settle gives a waiting job its result.
func (l *loop) Settle(e peer.Settle) {
	delete(l.handed, e.Ref)
	h := l.plane.loans.get(e.Ref)
	if h == nil || h.run.grid == nil {
		return // withdrawn meanwhile
	}
	h.run.grid.hands.give(&l.crew, func() {
		if err := l.plane.settle(e.Ref, e.Result); err != nil {
			l.unreadable(h.run, "a result cannot be read; its job is done again", err)
			l.plane.putBack(e.Ref, nil)
		}
	})
}

// Hear takes a fact for the run's jobs.
func (l *loop) Hear(e peer.Hear) {
	if g := l.runs[e.Run]; g != nil {
		g.plane.facts.add(e.Fact, elsewhereBy)
	}
}

// Idle, Published, Withdrawn, Offered and Failed are called by workers.

func (l *loop) Idle() {
	l.post(func() {
		if n := l.plane.idleWorkers(); n != l.told {
			l.told = n
			l.do(l.hears.Idle(l.now(), n))
		}
		l.answerWant()
	})
}

func (l *loop) Lacks(all []*run) {
	l.post(func() { l.do(l.hears.Lacks(l.now(), lackedBy(all))) })
}

func (l *loop) Published() { l.post(l.answerWant) }

func (l *loop) Withdrawn(ref steal.Ref, orphaned bool) {
	l.post(func() {
		if l.handed[ref] != nil {
			delete(l.handed, ref)
			l.do(l.hears.Abandoned(l.now(), []steal.Ref{ref}, orphaned))
		}
	})
}

func (l *loop) Salvaged(parts []runPart) {
	l.post(func() { l.do(l.hears.Salvaged(l.now(), toParts(parts))) })
}

func (l *loop) Told(r *run, fact []byte) {
	l.post(func() {
		if r.grid != nil {
			l.do(l.hears.Told(l.now(), r.grid.no, fact))
		}
	})
}

func (l *loop) Offered(r *run, best any) {
	stamp := steal.StampOf(mustArrive(best, false))
	l.post(func() {
		if r.grid != nil {
			l.do(l.hears.Offered(l.now(), r.grid.no, stamp))
		}
	})
}

func (l *loop) Failed(r *run, why error) {
	result := packFatal(why)
	l.post(func() {
		if r.grid != nil {
			l.do(l.hears.Panicked(l.now(), r.grid.no, result))
		}
	})
}
