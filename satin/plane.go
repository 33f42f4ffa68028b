package satin

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"time"

	"satingrid/satin/control"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// plane is the workers as the machine knows them: it carries out what the machine orders, and says
// what has become of it. All of it belongs to the loop's goroutine, but for what workers call,
// which posts. Nothing slow is done there, and none of the program's code: roots, results and bests
// are read, written and compared by hands and workers.
type plane struct {
	ctx    context.Context // of the runs
	pool   *pool
	app    *registry
	loop   workers.Loop
	hears  workers.Events
	log    *slog.Logger
	client bool // bests are looked at here, and no job is begun

	runs       map[peer.RunNo]*gridRun
	executions map[steal.Borrow]execution
	want       *steal.WantJobs       // open
	short      bool                  // more were asked for than lay open for it
	reported   map[steal.Ref]*shared // the jobs whose loans the machine knows
	finder     control.Hands         // looks for a run that has jobs to lend
	looks      uint64                // how often it was asked to
	looking    uint64                // the look that is to answer; 0: none …
	looksAgain bool                  // … and more may lie open than were seen
	// the number of idle workers that the machine was last told
	idleTold int
}

var _ workers.Plane = (*plane)(nil)

// gridRun is a run of the grid on this peer.
type gridRun struct {
	no       peer.RunNo
	instance steal.Instance
	run      *run
	hands    control.Hands
	lender   control.Hands // takes jobs from the workers, and lists their keys
	packing  bool          // jobs are being taken
	ready    bool          // the root's fields have been read
	waiting  []*shared     // jobs that came before
	root     *shared       // the root, while it executes here
}

// execution is a job that the machine told the workers to execute.
type execution struct {
	run  *gridRun
	job  *shared
	from string // the name of whose job it is; "": a root
}

// newPlane makes workers that a loop orders. What they know of the peer is in c.
func newPlane(ctx context.Context, c poolConfig, loop workers.Loop, hears workers.Events) *plane {
	d := &plane{
		ctx: ctx, app: c.app, loop: loop, hears: hears, log: c.log, client: c.workers == 0,
		runs:       map[peer.RunNo]*gridRun{},
		executions: map[steal.Borrow]execution{},
		reported:   map[steal.Ref]*shared{},
	}
	c.outside = d
	d.pool = newPool(c)
	return d
}

// StartRun tells the workers of a run.
func (d *plane) StartRun(e peer.StartRun) {
	t, ok := d.app.byName[e.Task]
	if !ok {
		return // the build was checked at the handshake; a client may know fewer tasks
	}
	j := t.make()
	r, err := d.pool.newRun(d.ctx, j)
	if err != nil {
		return // the pool is closing
	}
	r.resultMax = int(e.Terms.ResultMax)
	d.pool.setShare(r, e.Terms.Share)
	g := &gridRun{no: e.Run, instance: e.Instance, run: r}
	r.no = e.Run
	// the root need not be encoded
	r.key = func() (steal.Key, error) { return e.Instance.Run, nil }
	d.runs[e.Run] = g
	if d.client {
		return
	}
	g.hands.Give(d.loop, func() {
		if err := j.load(e.Root); err != nil {
			// here: its text is the program's own code, too
			g.run.failJob(j, fmt.Errorf("satin: the root task %s cannot be read: %w", g.Task(), err))
			return
		}
		d.loop.Post(func() { d.rootRead(g) })
	})
}

// rootRead lets jobs of the run begin: all of them may ask for the root's fields.
func (d *plane) rootRead(g *gridRun) {
	if d.runs[g.no] != g {
		return
	}
	g.ready = true
	for _, h := range g.waiting {
		d.pool.enqueue(h)
	}
	g.waiting = nil
}

// ShareIs gives a run another share of the workers.
func (d *plane) ShareIs(e peer.ShareIs) {
	if g := d.runs[e.Run]; g != nil {
		d.pool.setShare(g.run, e.Share)
	}
}

// EndRun withdraws all jobs of a run and forgets it.
func (d *plane) EndRun(e peer.EndRun) {
	g := d.runs[e.Run]
	if g == nil {
		return
	}
	delete(d.runs, e.Run)
	maps.DeleteFunc(d.reported, func(_ steal.Ref, h *shared) bool { return h.run == g.run })
	d.endHere(g.run, ErrWithdrawn)
}

// endHere ends a run on this peer. First: nothing of it is begun once its borrowed jobs are
// withdrawn, one by one.
func (d *plane) endHere(r *run, why error) {
	r.fail(why)
	d.withdrawBorrowed(r)
}

// withdrawBorrowed withdraws all jobs of a run that the machine told the workers to execute: nobody
// here waits for those that were passed on, who would.
func (d *plane) withdrawBorrowed(r *run) {
	for n, b := range d.executions {
		if b.run.run == r {
			delete(d.executions, n)
			b.job.withdraw(false)
		}
	}
}

// unreadable tells of a result that came from elsewhere and cannot be read. Builds were compared at
// the handshake, so a member lies or is broken; where the program's own code panics the run fails.
func (d *plane) unreadable(r *run, what string, err error) {
	if isOfCode(err) {
		r.failWith(err)
		return
	}
	d.log.Warn(what, "error", err)
}

// What people are told.

func (d *plane) Run(no peer.RunNo) workers.Run {
	if g := d.runs[no]; g != nil {
		return g
	}
	return nil
}

func (g *gridRun) Task() string { return g.run.pool.app.taskName(g.run.root.job) }

func (g *gridRun) Best() any { return g.run.best.load() }

func (g *gridRun) Counts() workers.Performed {
	r := g.run
	return workers.Performed{
		Jobs: r.jobs.Load(), Aborted: r.aborted.Load(), Busy: time.Duration(r.busy.Load()),
	}
}

func (g *gridRun) Progress() float64 {
	if g.root == nil {
		return 0
	}
	return math.Float64frombits(g.root.progress.Load())
}

func (g *gridRun) Redone() []peer.Redone { return g.run.redone.list() }

func (d *plane) Executing() int { return len(d.executions) }

// Shares leaves out what nobody has started: that it is told of says that it was.
func (d *plane) Shares(each func(borrow steal.Borrow, done float64)) {
	for borrow, b := range d.executions {
		done := math.Float64frombits(b.job.progress.Load())
		if done < 1 && (done > 0 || b.job.isTaken()) {
			each(borrow, done)
		}
	}
}

func (d *plane) Progressed(ref steal.Ref, done float64) {
	if h := d.pool.loans.get(ref); h != nil {
		h.begins()
		h.progressed(done)
	}
}
