package satin

import (
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"satingrid/steal"
)

// tracked is what is known of a special running job: one that a tick found unfinished, that was
// withdrawn, or that asked for its random source. While the current job is tracked, its every Wait
// takes the slow path.
type tracked struct {
	slot          int
	marked        bool // a tick found it unfinished: it keeps its children's keys and results
	parentSpecial bool // its parent became special while this job ran
	keyed         bool // it has a key, and is not withdrawn

	costs    costs         // of the children seen to end since it was marked
	trend    *trend        // of jobs of its task
	markedAt time.Duration // by the fiber's clock
	key      steal.Key
	parts    []part
	value    result // for a withdrawn job whose value arrived from elsewhere
	came     part   // that value as it came
	rand     *rand.Rand
}

// checkpoint is what others may read of a fiber, at any time: it may be parked, or compute for
// minutes without a Spawn or Wait. The fiber writes to it, and whoever brings the result of
// one of its children.
//
// A job's mutex may be held when this one is taken, never the other way round.
type checkpoint struct {
	room *room // of the peer's parts

	// protects what follows; tracked, against all but the fiber's own reading
	mu      sync.Mutex
	run     *run
	tracked []*tracked // what is known of special running jobs, by slot, ascending
	arrived []*shared  // children that others have done, and that were not waited for yet
	guesses []guess    // of how far the jobs are that this fiber has taken
	// the oldest children that nobody had started, with their keys, as a tick last saw them
	waiting []*shared
}

// at is what is known of the running job in slot i, if it is tracked. They are ascending by
// slot, and the one asked for is at the end or near it.
func (c *checkpoint) at(i int) *tracked {
	for k := len(c.tracked) - 1; k >= 0 && c.tracked[k].slot >= i; k-- {
		if c.tracked[k].slot == i {
			return c.tracked[k]
		}
	}
	return nil
}

// last is what is known of the current job, which is tracked.
func (c *checkpoint) last() *tracked { return c.tracked[len(c.tracked)-1] }

// track makes the running job in slot i tracked, if it is not.
func (c *checkpoint) track(i int) *tracked {
	at, found := slices.BinarySearchFunc(c.tracked, i, func(t *tracked, i int) int { return t.slot - i })
	if found {
		return c.tracked[at]
	}
	t := &tracked{slot: i}
	c.mu.Lock()
	c.tracked = slices.Insert(c.tracked, at, t)
	c.mu.Unlock()
	return t
}

// pop removes and returns what is known of the job in slot i, which ends.
func (c *checkpoint) pop(i int) *tracked {
	if len(c.tracked) == 0 || c.last().slot < i {
		return nil
	}
	t := c.last()
	if t.slot > i {
		panic("satin: BUG: a job outlived its parent")
	}
	c.drop()
	return t
}

// drop removes the last. The job's parts go with it: what holds them is the job's own result.
func (c *checkpoint) drop() {
	t := c.last()
	c.mu.Lock()
	c.tracked[len(c.tracked)-1] = nil
	c.tracked = c.tracked[:len(c.tracked)-1]
	c.mu.Unlock()
	c.forgetParts(t)
}

// forgetParts forgets those of a job.
func (c *checkpoint) forgetParts(t *tracked) {
	for _, x := range t.parts {
		c.room.free(x)
	}
	t.parts = nil
}

// marked tells whether the current job, known to be special, keeps its children's results.
func (c *checkpoint) marked() bool { return len(c.tracked) > 0 && c.last().marked }

// mark makes a job keep the parts of its children from now on.
func (c *checkpoint) mark(t *tracked, now time.Duration, key steal.Key, keyed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t.marked, t.markedAt, t.key, t.keyed = true, now, key, keyed
}

// unkey says that nobody needs the values of the jobs in slot i and above any more.
func (c *checkpoint) unkey(i int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.tracked {
		t.keyed = t.keyed && t.slot < i
	}
}

// add keeps a part of the current job.
func (c *checkpoint) add(x part) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last().parts = append(c.last().parts, x)
}

// arrive enters a child that somebody else has done.
func (c *checkpoint) arrive(h *shared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.arrived = append(c.arrived, h)
	h.arrival = len(c.arrived)
}

// use strikes out a child whose result its parent takes, or that is given up.
func (c *checkpoint) use(h *shared) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if h.arrival == 0 {
		return
	}
	last := len(c.arrived) - 1
	c.arrived[last].arrival = h.arrival
	c.arrived[h.arrival-1] = c.arrived[last]
	c.arrived[last] = nil
	c.arrived = c.arrived[:last]
	h.arrival = 0
	c.room.free(h.part)
}

// open and shut begin and end the checkpoint of a run.

func (c *checkpoint) open(r *run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run = r
}

func (c *checkpoint) shut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.run, c.waiting, c.guesses = nil, nil, nil
	if len(c.arrived) != 0 {
		panic("satin: BUG: a result is left of a job that has ended")
	}
}

// parts are all finished children of the fiber's unfinished jobs. Any goroutine may ask.
func (c *checkpoint) parts() (all []runPart) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.run == nil || c.run.isOver() {
		return nil
	}
	for _, t := range c.tracked {
		for _, x := range t.parts {
			all = append(all, runPart{c.run, x})
		}
	}
	for _, h := range c.arrived {
		all = append(all, runPart{c.run, h.part})
	}
	return all
}

// giveOut forgets the parts of the jobs in slot i and above, and returns them.
func (c *checkpoint) giveOut(i int) (all []runPart) {
	c.mu.Lock()
	for _, t := range c.tracked {
		if t.slot >= i {
			for _, x := range t.parts {
				all = append(all, runPart{c.run, x})
			}
			c.forgetParts(t)
		}
	}
	arrived := slices.Clone(c.arrived)
	c.mu.Unlock()
	for _, h := range arrived {
		if h.job.head().index > i {
			all = append(all, runPart{c.run, h.partNow()})
			c.use(h)
		}
	}
	return all
}

// keys are those of the running and of the waiting jobs of the fiber, as far as
// ticks have made them.
func (c *checkpoint) keys(r *run) (running, waiting []steal.Key) {
	c.mu.Lock()
	if c.run != r {
		c.mu.Unlock()
		return nil, nil
	}
	for _, t := range c.tracked {
		if t.keyed {
			running = append(running, t.key)
		}
	}
	children := slices.Clone(c.waiting)
	c.mu.Unlock()
	for _, h := range children {
		if key, ok := h.keyIfPrivate(); ok {
			waiting = append(waiting, key)
		}
	}
	return running, waiting
}

// has tells whether a job in the fiber's deque has the key, as far as ticks have made it.
func (c *checkpoint) has(r *run, key steal.Key) bool {
	running, waiting := c.keys(r)
	return slices.Contains(running, key) || slices.Contains(waiting, key)
}
