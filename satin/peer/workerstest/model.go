package workerstest

import (
	"fmt"
	"slices"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// model is what the machine knows of its workers: what it has ordered, and what they have said. It
// judges each event by that. All of it belongs to the loop's turns.
type model struct {
	codec   Codec
	workers int
	broken  *Broken // the first rule that was broken
	said    int     // events
	covered map[string]int

	runs    map[peer.RunNo]*run
	borrows map[steal.Borrow]*borrow
	loans   map[steal.Ref]*loan
	want    *steal.WantJobs
	most    int // jobs that may be had, when that is known; 0: it is not
	differs map[steal.Nonce]bool

	wantParts bool
	idle      int
	lacking   []peer.RunNo
	gotten    []peer.Part // the latest parts, …
	keys      []steal.Key // … and keys
}

// run is one run.
type run struct {
	no        peer.RunNo
	instance  steal.Instance
	root      Job
	ended     bool
	late      int  // jobs that were Finished since
	failed    bool // a job of it panicked
	jobs      map[Job][]*borrow
	keyOf     map[steal.Key]Job
	used      map[steal.Key]bool
	failures  bool // a job was settled with one
	best      Result
	bestBytes []byte
	comparing *steal.Stamp
	wantKeys  bool
	facts     map[string]bool
}

// borrow is a job that the workers were told to execute.
type borrow struct {
	no        steal.Borrow
	run       *run
	job       Job
	root      bool
	first     *loan // that is executed again
	verifies  bool
	withdrawn bool
	salvaged  bool
	ends      int
	// when the latest parts were wanted it had ended, and nobody below it was to be told
	over     bool
	by       steal.Result
	saved    map[Job]bool // the jobs of the parts that were said before it Stopped
	passedOn *loan        // it is in the machine's hands again
	lentOn   bool         // it was, and its result may come yet
}

// loan is a job that was taken.
type loan struct {
	ref      steal.Ref
	run      *run
	job      Job
	key      steal.Key
	of       *borrow // that was passed on
	verifies bool
	state    loanState
}

type loanState uint8

const (
	out loanState = iota
	settled
	back
	abandoned
)

func newModel(workers int) *model {
	return &model{
		workers: workers, covered: map[string]int{}, runs: map[peer.RunNo]*run{}, borrows: map[steal.Borrow]*borrow{},
		loans: map[steal.Ref]*loan{}, differs: map[steal.Nonce]bool{},
	}
}

var _ workers.Calls = (*model)(nil)
var _ workers.Events = (*model)(nil)

func (m *model) breaks(r Rule, format string, args ...any) {
	if m.broken == nil {
		m.broken = &Broken{r, fmt.Sprintf(format, args...)}
	}
}

// must holds the machine's part of the contract, which is this package's own.
func must(ok bool, what string) {
	if !ok {
		panic("workerstest: BUG: " + what)
	}
}

// What the machine orders.

func (m *model) StartRun(e peer.StartRun) {
	must(e.Run != 0 && m.runs[e.Run] == nil, "a run's number is used twice")
	root, err := m.codec.ReadFields(e.Root)
	must(err == nil, "a root that cannot be read")
	m.runs[e.Run] = &run{
		no: e.Run, instance: e.Instance, root: root, jobs: map[Job][]*borrow{}, keyOf: map[steal.Key]Job{},
		used: map[steal.Key]bool{}, facts: map[string]bool{},
	}
}

func (m *model) EndRun(e peer.EndRun) {
	must(m.on(e.Run) != nil, "a run ends that is not on")
	m.runs[e.Run].ended = true
}

func (m *model) ShareIs(e peer.ShareIs) { must(m.on(e.Run) != nil, "a share of no run") }

func (m *model) Execute(e peer.Execute) {
	r := m.on(e.Run)
	job, err := m.codec.ReadFields(e.Args)
	must(r != nil && err == nil && e.Borrow != 0 && m.borrows[e.Borrow] == nil, "Execute")
	b := &borrow{no: e.Borrow, run: r, job: job, root: e.IsRoot, verifies: e.Verifies, first: m.loans[e.Ref]}
	m.borrows[e.Borrow] = b
	job.below(func(j Job) {
		r.jobs[j] = append(r.jobs[j], b)
		r.keyOf[m.codec.Key(r.instance, j)] = j
	})
}

func (m *model) Withdraw(e peer.Withdraw) {
	b := m.borrows[e.Borrow]
	must(b != nil && !b.withdrawn && !b.salvaged && !b.run.ended, "Withdraw")
	if b.withdrawn = !e.Salvage; e.Salvage {
		b.salvaged = true
	}
}

func (m *model) WantJobs(e steal.WantJobs) {
	must(m.want == nil && e.N > 0, "a second WantJobs")
	m.want = &e
}

func (m *model) PutBack(e peer.PutBack) { m.ends(e.Ref, back) }

func (m *model) Settle(e peer.Settle) {
	m.ends(e.Ref, settled)
	if e.Result.Outcome != steal.Value {
		m.loans[e.Ref].run.failures = true
	}
}

func (m *model) ends(ref steal.Ref, how loanState) {
	x := m.loans[ref]
	must(x != nil && x.state == out && !x.run.ended, "a Ref that is not in the machine's hands")
	x.state = how
	if x.of != nil {
		x.of.passedOn = nil
		x.of.lentOn = x.of.lentOn && how != back
	}
}

func (m *model) Compare(e peer.Compare) {
	r := m.on(e.Run)
	must(r != nil && r.comparing == nil, "Compare")
	r.comparing = &e.Best
}

func (m *model) Differ(e peer.Differ) {
	_, open := m.differs[e.Nonce]
	must(!open, "Differ")
	a, errA := m.codec.ReadBytes(e.A)
	b, errB := m.codec.ReadBytes(e.B)
	must(errA == nil && errB == nil, "Differ")
	m.differs[e.Nonce] = a.Better(b) || b.Better(a)
}

func (m *model) WantParts(peer.WantParts) {
	must(!m.wantParts, "WantParts")
	m.wantParts = true
	for no := steal.Borrow(1); m.borrows[no] != nil; no++ {
		b := m.borrows[no]
		told := !b.withdrawn && !b.salvaged && len(b.run.used) == 0 && !b.run.failures && b.run.root.Does&Errs == 0
		b.over = b.ends > 0 && told
	}
}

func (m *model) WantKeys(e peer.WantKeys) {
	r := m.on(e.Run)
	must(r != nil && !r.wantKeys, "WantKeys")
	r.wantKeys = true
}

func (m *model) Use(e peer.Use) {
	r := m.on(e.Run)
	must(r != nil, "Use")
	r.used[e.Key] = true
}

func (m *model) Hear(e peer.Hear) { must(m.on(e.Run) != nil, "Hear") }

// on is a run that is on, or nil.
func (m *model) on(no peer.RunNo) *run {
	if r := m.runs[no]; r != nil && !r.ended {
		return r
	}
	return nil
}

// right judges a result of a job.
func (m *model) right(r *run, key steal.Key, job Job, x steal.Result, bare bool) bool {
	v, fails := job.alone()
	switch x.Outcome {
	case steal.Failed:
		if !fails && !r.failures {
			m.breaks(RuleRight, "%+v has failed, and has no reason to", job)
		}
		return true
	case steal.Value:
	default:
		m.breaks(RuleRight, "%+v came to %v", job, x.Outcome)
		return false
	}
	got, err := m.codec.ReadBytes(x.Bytes)
	if err != nil || fails || got.Of != job.bare() || got.V != v {
		m.breaks(RuleRight, "%+v came to %+v, %v, and is %d (fails: %v)", job, got, err, v, fails)
		return false
	}
	if bare && r.root.Does&Searches == 0 && key != m.codec.Key(r.instance, job.bare()) {
		m.breaks(RuleRight, "the result of %+v has the key of another job", job)
	}
	m.hasSeen(r, got.Seen)
	return true
}

// hasSeen judges the best that a job has seen.
func (m *model) hasSeen(r *run, best uint64) {
	if best > r.best.V {
		m.breaks(RuleSaidBefore, "a job has seen the best %d when %d was said", best, r.best.V)
	}
}

// parts are the jobs of the parts that were said last.
func (m *model) parts() map[Job]bool {
	all := map[Job]bool{}
	for _, x := range m.gotten {
		if got, err := m.codec.ReadBytes(x.Result.Bytes); err == nil {
			all[got.Of] = true
		}
	}
	return all
}

// partRight judges a part, and tells whose it is. An orphan that was lent on may be one itself,
// when its result comes late.
func (m *model) partRight(x peer.Part, salvaged bool) *run {
	r := m.runs[x.Run]
	if r != nil && x.Result.Outcome == steal.Failed { // which need not be kept, and may
		job, ok := r.keyOf[x.Key]
		if _, fails := job.alone(); !ok || !fails && !r.failures {
			m.breaks(RuleParts, "an error is a part of run %d, of no job that fails", x.Run)
		}
		return r
	}
	got, err := m.codec.ReadBytes(x.Result.Bytes)
	if r == nil || err != nil || x.Result.Outcome != steal.Value {
		m.breaks(RuleParts, "a part of run %d, which is %v, says %v", x.Run, x.Result.Outcome, err)
		return nil
	}
	tops := r.jobs[got.Of]
	if tops == nil {
		m.breaks(RuleParts, "a part of run %d says %+v, which is no job there", x.Run, got)
		return nil
	}
	if !slices.ContainsFunc(tops, func(b *borrow) bool {
		return b.job.bare() != got.Of || salvaged && b.salvaged && b.lentOn
	}) {
		m.breaks(RuleParts, "%+v is no part: no job waits for it here", got)
	}
	m.right(r, x.Key, got.Of, x.Result, true)
	return r
}
