package satin

import (
	"math"
	"reflect"
	"sync"
)

// costs are what the finished children of one job have cost, in seconds of workers.
type costs struct {
	n             int
	sum, most     float64
	logs, squares float64 // sums, of the logarithms and their squares
	first         float64 // logarithm, of the first child
}

// costLeast is taken for less: what has cost nothing has no logarithm, and a clock is no finer.
const costLeast = 1e-6

// deviation is how far a child is from the mean of its elders.
type deviation struct {
	elders     int
	place, log float64 // in the order in which they were waited for, and what it has cost
	weight     float64
}

// add adds a child, and tells how far it is from its elders. The first does not count as one: it
// may have begun before anybody looked.
func (c *costs) add(cost float64) (d deviation, ok bool) {
	log := math.Log(max(cost, costLeast))
	if elders := c.n - 1; elders > 0 {
		d = deviation{elders: elders, place: float64(c.n) - float64(c.n)/2, log: log - (c.logs-c.first)/float64(elders)}
		ok = true
	}
	if c.n == 0 {
		c.first = log
	}
	c.n++
	c.sum += cost
	c.most = max(c.most, cost)
	c.logs += log
	c.squares += log * log
	// large ones are what is to be known, and small ones are many
	d.weight = math.Sqrt(max(cost, c.sum/float64(c.n), costLeast))
	return d, ok
}

// beyond is what a child costs in the mean that has cost so much and is not finished, as its
// siblings have; known says that one of them has cost more.
func (c *costs) beyond(spent float64) (mean float64, known bool) {
	switch average := c.sum / float64(c.n); {
	case spent < average:
		return average, true
	case spent < c.most:
		return (spent + c.most) / 2, true
	}
	return 2 * spent, false // where costs differ by much, what is old lives long
}

// variance is that of the logarithms.
func (c *costs) variance() float64 {
	mean := c.logs / float64(c.n)
	return max(0, (c.squares-float64(c.n)*mean*mean)/float64(c.n-1))
}

// trend is what siblings of one kind of jobs have in common, in one run: by how much each costs
// more than the one that its parent waited for before, and how far they differ beside. A parent
// that spawns on the way down a path waits for the smallest first: each Fibonacci number costs 2.6
// times the one before it.
//
// It is a line through the logarithms of the costs of all siblings, with the slope in common and a
// height for each parent.
type trend struct {
	common *trend // of all kinds of jobs; nil: this is it

	mu sync.Mutex // protects what follows
	// sums, weighted, over children: of the squares of places and logarithms about the means of
	// their siblings, and of their products
	weight, weights2   float64
	places, both, logs float64
	placesTwice        float64 // with the weights squared
}

const (
	// spreadUnknown is the variance of a logarithm of a cost where nothing is known of it, and
	// spreadWeight how many children that weighs as much as.
	spreadUnknown = 1.0
	spreadWeight  = 2
	spreadLeast   = 0.02

	// growthDoubt is how many standard errors a growth has to be from none before it is taken
	// for one, less these: over ten siblings an error of a half is a factor of 150.
	growthDoubt = 3
	growthMost  = 1.5
	// growthNear is how many siblings on growth is held to go on where fewer are known, and
	// logMost how far it may lead up, logBack how far down.
	growthNear = 12
	logMost    = 12
	logBack    = 40
)

// add adds a child.
func (t *trend) add(d deviation) {
	if t.common != nil {
		t.common.add(d)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	w, share := d.weight, float64(d.elders)/float64(d.elders+1)
	t.weight += w
	t.weights2 += w * w
	t.places += w * d.place * d.place * share
	t.both += w * d.place * d.log * share
	t.logs += w * d.log * d.log * share
	t.placesTwice += w * w * d.place * d.place * share
}

// growth is the logarithm of how many times its elder a child costs, and the variance of a child's
// logarithm beside.
func (t *trend) growth() (growth, variance float64) {
	unknown := spreadUnknown
	if t.common != nil {
		_, unknown = t.common.growth()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.places == 0 {
		return 0, unknown
	}
	slope := t.both / t.places
	sure := max(0, math.Abs(slope)-growthDoubt*math.Sqrt(t.about(slope, unknown)*t.placesTwice)/t.places)
	growth = math.Copysign(min(sure, growthMost), slope)
	if t.common == nil {
		growth = 0 // kinds differ in that
	}
	return growth, t.about(growth, unknown)
}

// about is the variance about a line of that slope, where one is held likely without children.
func (t *trend) about(slope, unknown float64) float64 {
	n := t.weight * t.weight / t.weights2
	of := (t.logs - 2*slope*t.both + slope*slope*t.places) / t.weight
	return (n*max(spreadLeast, of) + spreadWeight*unknown) / (n + spreadWeight)
}

// appraisal is what a job has cost so far, in seconds of workers, what it will cost yet, and the
// variance of the logarithm of that.
type appraisal struct{ spent, left, variance float64 }

// share is how much of the job is done.
func (a appraisal) share() float64 {
	if a.spent == 0 {
		return 0
	}
	return a.spent / (a.spent + a.left)
}

// among is the appraisal of a child that runs, with what is known of its finished siblings: each of
// both counts the more the surer it is. A child that is spoken of by its own children alone may
// seem thousands of times too large, as each of its descendants guesses the ones that wait beside
// it by the one that runs.
func (a appraisal) among(c *costs) appraisal {
	const few = 3
	if c.n < few {
		return a
	}
	mean, known := c.beyond(a.spent)
	variance := min(max(0.1, c.variance()), 2) * (1 + 1/float64(c.n))
	if !known {
		variance += 0.5
	}
	least := func(left, all float64) float64 { return math.Log(max(left, 1e-3*all, 1e-9)) }
	own := variance / (variance + a.variance)
	log := own*least(a.left, a.spent+a.left) + (1-own)*least(mean-a.spent, mean)
	return appraisal{a.spent, math.Exp(log), variance * a.variance / (variance + a.variance)}
}

// geometric is the sum of the exponentials of growth times each number from first to last.
func geometric(growth float64, first, last int) float64 {
	switch {
	case last < first:
		return 0
	case math.Abs(growth) < 1e-9:
		return float64(last - first + 1)
	}
	return (math.Exp(growth*float64(last+1)) - math.Exp(growth*float64(first))) / math.Expm1(growth)
}

// trends are those of a run's jobs, by their tasks.
type trends struct {
	common trend

	mu sync.Mutex // protects what follows
	by map[reflect.Type]*trend
}

func (t *trends) of(task reflect.Type) *trend {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by = map[reflect.Type]*trend{}
	}
	if t.by[task] == nil {
		t.by[task] = &trend{common: &t.common}
	}
	return t.by[task]
}
