package satin

// Inside the package: the components of a pool and of a fiber are told events alone.

import (
	"testing"
	"time"

	"satingrid/steal"
)

// twoRuns are of a pool whose one worker finds nothing.
func twoRuns(t *testing.T) (p *pool, one, two *run) {
	t.Helper()
	p = openWorkers(t, 1).pool
	for i, r := range []**run{&one, &two} {
		var err error
		if *r, err = p.newRun(t.Context(), rootJob(fibTask{i})); err != nil {
			t.Fatal(err)
		}
	}
	return p, one, two
}

func queued(r *run) *shared { return &shared{job: rootJob(fibTask{1}), run: r, state: offered} }

// What waits for a worker is served the oldest first, of a run where one is asked for, and what is
// withdrawn is dropped on the way.
func TestBacklogServesTheOldest(t *testing.T) {
	p, one, two := twoRuns(t)
	by := &newScope(p).fiber
	gone, a, b, c := queued(one), queued(one), queued(two), queued(one)
	q := &backlog{inbox: []*shared{gone, a, b, c}}
	gone.withdraw(false)
	if q.jobs(nil) != 4 || q.jobs(two) != 1 {
		t.Errorf("%d jobs, %d of the second run", q.jobs(nil), q.jobs(two))
	}
	if q.claimOf(by, two) != b || q.claimOf(by, two) != nil {
		t.Error("the second run's job is not served, or twice")
	}
	if q.claim(by) != a || q.claim(by) != c || q.claim(by) != nil || len(q.inbox) != 0 {
		t.Error("the first run's jobs are not served in order")
	}
}

// A root stays where its master is, and a job that verifies where its fields are; of a run that has
// failed nothing leaves.
func TestBacklogLends(t *testing.T) {
	p, one, two := twoRuns(t)
	root, stays, failed, goes := queued(one), queued(one), queued(two), queued(one)
	root.isRoot, stays.stays = true, true
	q := &backlog{inbox: []*shared{root, stays, failed, goes}}
	two.fail(ErrClosed)
	if q.lend(two) != nil {
		t.Error("a job of a run that is over was lent")
	}
	if q.lend(nil) != goes || q.lend(nil) != nil || len(q.inbox) != 3 {
		t.Error("another job than the one that may go was lent")
	}
	if goes.claim(&newScope(p).fiber) {
		t.Error("a job is lent and claimed")
	}
}

// The ready fiber that is taken is active, and the others keep their order.
func TestBacklogPops(t *testing.T) {
	p, one, two := twoRuns(t)
	a, b, c := &newScope(p).fiber, &newScope(p).fiber, &newScope(p).fiber
	a.run, b.run, c.run = one, two, one
	q := &backlog{ready: []*fiber{a, b, c}}
	for _, f := range q.ready {
		f.state = fiberReady
	}
	if q.readyOf(two) != 1 || q.pop(1) != b || b.state != fiberActive || q.readyOf(two) >= 0 {
		t.Error("the second run's fiber is not taken out of the middle")
	}
	if q.pop(0) != a || q.pop(0) != c || len(q.ready) != 0 {
		t.Error("the others have changed places")
	}
}

// The run that has had less of the workers comes first, and one that nothing waits of has no turn.
func TestTurnsOfTwoRuns(t *testing.T) {
	p, one, two := twoRuns(t)
	work := &newScope(p).fiber
	work.state = fiberActive
	work.serves.Store(one)
	p.mu.Lock() // the pool's own worker looks at these runs, too
	defer p.mu.Unlock()
	x := turns{backlog: new(backlog), fibers: new(fiberList)}
	x.fibers.add(work)
	x.enter(one)
	if x.enter(two); !x.many.Load() || x.next() != nil {
		t.Error("nothing waits, and somebody has a turn")
	}
	x.backlog.inbox = []*shared{queued(one), queued(two)}
	x.looked = time.Now().Add(-turnPeriod) // in which the first run had the worker
	x.charge()
	if x.next() != two || x.furthestAhead(two) != one {
		t.Error("it is not the turn of the run that had nothing")
	}
	x.looked = time.Now().Add(-time.Hour)
	if x.charge(); len(x.displace()) != 0 || !work.displaced || work.wire&tripYield == 0 {
		t.Error("the worker is not asked of the run that is far ahead")
	}
	x.backlog.inbox = x.backlog.inbox[:1] // nothing of the second waits here
	if x.charge(); len(x.displace()) != 1 {
		t.Error("a run that lacks workers is not named")
	}
	x.leave(two)
	if x.many.Load() || x.next() != nil || x.nextReady() != 0 {
		t.Error("one run is left, and takes turns")
	}
}

// Whoever is waited for is brought to the top, and the bounds within which thieves and slow returns
// look follow.
func TestDequeRaises(t *testing.T) {
	p, one, _ := twoRuns(t)
	s := newScope(p)
	s.run = one
	for range 3 {
		j := rootJob(fibTask{1})
		j.word, j.index = waiting, s.deque.top
		s.deque.slots[s.deque.top] = j
		s.deque.top++
	}
	first, last := s.deque.slots[0], s.deque.slots[2]
	s.aside(first)
	s.deque.low = 1
	if s.deque.raise(0); s.deque.slots[2] != first || s.deque.slots[0] != last || first.head().index != 2 {
		t.Error("the first is not at the top")
	}
	if s.deque.high != 2 || s.deque.low != 0 {
		t.Errorf("what is special ends at %d, what is plain begins at %d", s.deque.high, s.deque.low)
	}
	if s.deque.refloor(false); s.deque.floor != 2 || s.deque.special() {
		t.Error("the top slot is special, and its Wait would be fast")
	}
	if s.deque.cut(2); s.deque.top != 2 || s.deque.high != 1 || !s.deque.more() {
		t.Error("two plain jobs are left")
	}
	if s.deque.forget(); len(s.deque.slots) != slotsMin || s.deque.slots[0] != nil {
		t.Error("job objects are left")
	}
}

// A checkpoint is told of unfinished jobs in any order, keeps their parts, and gives them out once.
func TestCheckpointKeepsAndGivesOut(t *testing.T) {
	p, one, _ := twoRuns(t)
	c := &newScope(p).checkpoint
	c.open(one)
	for _, slot := range []int{4, 0, 2, 4} {
		c.track(slot)
	}
	if len(c.tracked) != 3 || c.last().slot != 4 || c.at(2) == nil || c.at(3) != nil || c.marked() {
		t.Fatal("the jobs are not tracked once each, the lowest first")
	}
	for i, x := range c.tracked {
		c.mark(x, 0, steal.Key{byte(1 + i)}, true)
	}
	c.unkey(4)
	if running, _ := c.keys(one); len(running) != 2 || c.has(one, steal.Key{3}) || !c.has(one, steal.Key{1}) {
		t.Errorf("keys %v, of all but the withdrawn job", running)
	}
	x := part{key: steal.Key{9}, result: make([]byte, 100)}
	p.room.take(100)
	c.add(x)
	if c.pop(5) != nil || len(c.parts()) != 1 {
		t.Error("a job that is not tracked has ended, or the part is not there")
	}
	if all := c.giveOut(3); len(all) != 1 || all[0].run != one || len(c.parts()) != 0 || p.room.bytes.Load() != 0 {
		t.Errorf("%d parts are given out, and %d bytes are taken", len(all), p.room.bytes.Load())
	}
	if top := c.pop(4); top == nil || c.last().slot != 2 {
		t.Error("the job that has ended is tracked")
	}
}

// Parts have so much room together, and what was freed may be taken again.
func TestRoomOfParts(t *testing.T) {
	var r room
	if !r.take(partBytesTotalMax) || r.take(1) {
		t.Fatal("there is more room, or less")
	}
	r.free(part{result: make([]byte, 2)})
	if !r.take(2) || r.take(1) {
		t.Error("what was freed is not there again")
	}
}

// A loan that is entered is there until it is dropped; a withdrawn job is not lent.
func TestLoansAreEntered(t *testing.T) {
	_, one, two := twoRuns(t)
	l := loans{lent: map[steal.Ref]*shared{}}
	a, b := queued(one), queued(one)
	a.lend()
	ref, ok := l.enter(a)
	if !ok || l.get(ref) != a || len(l.all(one)) != 1 || len(l.all(two)) != 0 {
		t.Error("a job that was lent is not among the loans of its run")
	}
	b.withdraw(false)
	if other, ok := l.enter(b); ok || l.get(other) != nil {
		t.Error("a withdrawn job is lent")
	}
	if l.drop(ref) != a || l.drop(ref) != nil {
		t.Error("a loan ends twice")
	}
}
