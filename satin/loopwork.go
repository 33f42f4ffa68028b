package satin

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// gridRun is a run of the grid on this peer.
type gridRun struct {
	no       peer.RunNo
	instance steal.Instance
	plane    *run
	root     *shared // the root, while it executes here
	reportAt time.Duration

	submitters []membership.PeerID // who are told of it
	before     peer.Stats          // of the machine, when the run began here,
	bytesFar   int64               // of the carrier
	began      time.Duration
	restarts   *redone // the loss because of which the root is done again here
}

// startRun tells the workers of a run.
func (l *loop) startRun(e peer.StartRun) {
	t, ok := l.app.byName[e.Task]
	if !ok {
		return // the build was checked at the door; a client may know fewer tasks
	}
	j, err := t.make(e.Root)
	if err != nil {
		return
	}
	r, err := l.plane.newRun(l.ctx, j)
	if err != nil {
		return // the pool is closing
	}
	g := &gridRun{no: e.Run, instance: e.Instance, plane: r, before: l.machine.Stats(), submitters: []membership.PeerID{e.Instance.First.Submitter}, bytesFar: l.carrier.BytesFar(), began: l.now()}
	r.grid = g
	l.runs[e.Run] = g
	for _, sub := range l.subs {
		if sub.root.Run == e.Instance.Run {
			sub.run.CompareAndSwap(nil, r) // until it is known which instance is the submission's
		}
	}
}

// endRun withdraws all jobs of a run and forgets it.
func (l *loop) endRun(no peer.RunNo) {
	delete(l.masters, no)
	g := l.runs[no]
	if g == nil {
		return
	}
	l.sendReport(g, true)
	delete(l.runs, no)
	for n, b := range l.borrows {
		if b.run == g {
			delete(l.borrows, n)
			b.job.withdraw(false)
		}
	}
	g.plane.fail(ErrWithdrawn)
}

// execute gives the workers a job.
func (l *loop) execute(e peer.Execute) {
	g := l.runs[e.Run]
	if g == nil {
		return
	}
	h, err := l.plane.borrow(g.plane, e.Task, e.Args, func(h *shared) { l.finished(g, e.Borrow, h) })
	if err != nil {
		result := packError(err)
		l.post(func() { l.do(l.machine.Finished(l.now(), e.Borrow, result)) })
		return
	}
	h.key, h.keyed = e.Key, true
	if e.IsRoot {
		g.root, h.isRoot = h, true
		if g.restarts != nil {
			g.restarts.root = true
		}
	}
	l.borrows[e.Borrow] = borrowed{g, h}
	l.plane.submit(h)
}

// finished is called by a worker when a borrowed job or a root has ended.
func (l *loop) finished(g *gridRun, borrow uint64, h *shared) {
	out := h.outcome()
	if out == nil && !h.isOrphan() {
		return // withdrawn, and nobody wants to hear of it
	}
	var result steal.Result
	if out != nil {
		result = g.plane.pack(out)
		result.Cost = milliseconds(h.partNow().cost)
	}
	l.post(func() {
		delete(l.borrows, borrow)
		if out == nil {
			l.do(l.machine.Stopped(l.now(), borrow))
			return
		}
		l.do(l.machine.Finished(l.now(), borrow, result))
	})
}

// milliseconds is a cost as it travels.
func milliseconds(d time.Duration) uint32 { return uint32(min(d.Milliseconds(), math.MaxUint32)) }

// pack encodes what a job came to, for another process.
func (r *run) pack(out result) steal.Result {
	if err := out.failure(); err != nil {
		result := packError(err)
		result.Choosing = r.choosing.Load()
		return result
	}
	data, err := out.encode()
	if err == nil && len(data) > r.pool.resultMax {
		err = fmt.Errorf("satin: a result is %d bytes: %d may travel (Config.ResultMax)", len(data), r.pool.resultMax)
	}
	if err != nil {
		return packError(err)
	}
	return steal.Result{Outcome: steal.Value, Choosing: r.choosing.Load(), Bytes: data}
}

// withdraw ends a borrowed job or a root. With salvage it is heard of once more, by finished.
func (l *loop) withdraw(e peer.Withdraw) {
	b, ok := l.borrows[e.Borrow]
	if !ok {
		return
	}
	if !e.Salvage {
		delete(l.borrows, e.Borrow)
	}
	b.job.withdraw(e.Salvage)
}

// use gives a value to the jobs with its key: those that others wait for, then all others.
func (l *loop) use(e peer.Use) {
	g := l.runs[e.Run]
	if g == nil {
		return
	}
	err := error(nil)
	for _, b := range l.borrows {
		if b.run == g && b.job.hasKey(e.Key) {
			err = errors.Join(err, b.job.give(e.Result))
		}
	}
	if err = errors.Join(err, l.plane.use(g.plane, e.Key, e.Result)); err != nil {
		l.conf.log().Warn("a result cannot be read; its job goes on", "error", err)
	}
}

// gathered answers WantParts.
func (l *loop) gathered() {
	parts := toParts(l.plane.parts())
	l.doPosted() // what the parts may have seen of a best has been said before they are
	for no, g := range l.runs {
		if g.plane.unkept.Load() {
			l.do(l.machine.Unkept(l.now(), no))
		}
	}
	l.do(l.machine.Gathered(l.now(), parts))
}

// unfinished answers WantKeys.
func (l *loop) unfinished(no peer.RunNo) {
	var keys []steal.Key
	if g := l.runs[no]; g != nil {
		keys = l.plane.keys(g.plane)
	}
	l.do(l.machine.Unfinished(l.now(), no, keys))
}

// toParts are parts as the machine knows them.
func toParts(all []runPart) []peer.Part {
	out := make([]peer.Part, 0, len(all))
	for _, x := range all {
		if x.run.grid != nil {
			out = append(out, peer.Part{Run: x.run.grid.no, Key: x.key, Result: steal.Result{
				Choosing: x.run.choosing.Load(), Cost: milliseconds(x.cost), Bytes: x.result,
			}})
		}
	}
	return out
}

// answerWant hands over the oldest jobs, if the machine has asked and there are any, or never will be.
func (l *loop) answerWant() {
	if l.want == nil {
		return
	}
	taken := l.plane.lend(l.want.N, l.want.Bytes)
	if len(taken) == 0 && l.plane.idleWorkers() < l.plane.workers {
		return // Published will say when to look again
	}
	l.want = nil
	l.plane.wanted.Store(false)
	l.doPosted() // what the jobs may have seen of a best has been said before they are
	jobs := make([]peer.Job, 0, len(taken))
	for _, x := range taken {
		if l.plane.loans.get(x.Loan) == nil {
			continue // withdrawn meanwhile, which was said before the machine knew of it
		}
		jobs = append(jobs, peer.Job{Ref: uint64(x.Loan), Run: x.Run.grid.no, Key: x.Key, Task: x.Task, Args: x.Fields})
	}
	l.do(l.machine.Taken(l.now(), jobs))
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

// putBack gives the workers back a job.
func (l *loop) putBack(e peer.PutBack) {
	again := l.again
	if !e.Again {
		again = nil
	}
	l.plane.putBack(loanNumber(e.Ref), again)
}

// settle gives a waiting job its result.
func (l *loop) settle(e peer.Settle) {
	if err := l.plane.settle(loanNumber(e.Ref), e.Result); err != nil {
		// Builds were compared at the door, so this is a member that lies or a broken one. The job is done here.
		l.conf.log().Warn("a result cannot be read; its job is done again", "error", err)
		l.plane.putBack(loanNumber(e.Ref), nil)
	}
}

func (l *loop) improve(e peer.Improve) {
	g := l.runs[e.Run]
	if g == nil {
		return
	}
	if t, ok := l.app.byName[l.app.taskName(g.plane.root.job)]; ok && t.best != nil {
		t.best.put(g.plane, e.Value)
	}
}

// Idle, Published, Withdrawn, Offered and Failed are called by workers.

func (l *loop) Idle() {
	l.post(func() {
		if n := l.plane.idleWorkers(); n != l.told {
			l.told = n
			l.do(l.machine.Idle(l.now(), n))
		}
		l.answerWant()
	})
}

func (l *loop) Published() { l.post(l.answerWant) }

func (l *loop) Withdrawn(loan loanNumber, orphaned bool) {
	l.post(func() { l.do(l.machine.Abandoned(l.now(), []uint64{uint64(loan)}, orphaned)) })
}

func (l *loop) Salvaged(parts []runPart) {
	l.post(func() { l.do(l.machine.Salvaged(l.now(), toParts(parts))) })
}

func (l *loop) Told(r *run, fact []byte) {
	l.post(func() {
		if r.grid != nil {
			l.do(l.machine.Told(l.now(), r.grid.no, fact))
		}
	})
}

func (l *loop) Offered(r *run, best any) {
	data := mustMarshal(best)
	l.post(func() {
		if r.grid != nil {
			l.do(l.machine.Offered(l.now(), r.grid.no, data))
		}
	})
}

func (l *loop) Failed(r *run, why error) {
	result := packFatal(why)
	l.post(func() {
		if r.grid != nil {
			l.do(l.machine.Panicked(l.now(), r.grid.no, result))
		}
	})
}
