package satin

import (
	"math"
	"reflect"
	"sync"
)

// costs are what the finished children of one job have cost, in seconds of workers.
type costs struct {
	n    int
	sum  float64
	logs float64 // sum of the logarithms
	cut  bool    // the first child began before anybody looked, and seems to have cost less, …
	less float64 // … whose logarithm is this
}

// costLeast is taken for less: what has cost nothing has no logarithm, and a clock is no finer.
const costLeast = 1e-6

// deviation is how far a child is from the mean of its elders.
type deviation struct {
	elders     int
	place, log float64 // in the order in which they were waited for, and what it has cost
	weight     float64
}

// add adds a child, and tells how far it is from its elders. One that is cut does not count as one:
// only the first may be.
func (c *costs) add(cost float64, cut bool) (d deviation, ok bool) {
	log := math.Log(max(cost, costLeast))
	elders, logs := c.n, c.logs
	if c.cut {
		elders, logs = elders-1, logs-c.less
	}
	if elders > 0 {
		d = deviation{elders: elders, place: float64(elders+1) / 2, log: log - logs/float64(elders)}
		ok = true
	}
	if c.n == 0 && cut {
		c.cut, c.less = true, log
	}
	c.n++
	c.sum += cost
	c.logs += log
	// large ones are what is to be known, and small ones are many
	d.weight = math.Sqrt(max(cost, c.sum/float64(c.n), costLeast))
	return d, ok
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
	spreadWeight  = 1
	spreadLeast   = 0.02

	// growthDoubt is how many standard errors a growth has to be from none before it is taken
	// for one, less these: over ten siblings an error of a half is a factor of 150.
	growthDoubt = 2
	growthMost  = 1.5
	// growthNear is how many siblings on growth is held to go on, and logMost how far it may
	// lead up, logBack how far down.
	growthNear = 16
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

// growth is the logarithm of how many times its elder a child costs, the variance of a child's
// logarithm beside, and the standard error of the former.
func (t *trend) growth() (growth, variance, slip float64) {
	unknown := spreadUnknown
	if t.common != nil {
		_, unknown, _ = t.common.growth()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.places == 0 {
		return 0, unknown, 0
	}
	slope := t.both / t.places
	slip = math.Sqrt(t.about(slope, unknown)*t.placesTwice) / t.places
	growth = math.Copysign(min(max(0, math.Abs(slope)-growthDoubt*slip), growthMost), slope)
	if t.common == nil {
		growth = 0 // kinds differ in that
	}
	return growth, t.about(growth, unknown), slip
}

// about is the variance about a line of that slope, where one is held likely without children.
func (t *trend) about(slope, unknown float64) float64 {
	n := t.weight * t.weight / t.weights2
	of := (t.logs - 2*slope*t.both + slope*slope*t.places) / t.weight
	return (n*max(spreadLeast, of) + spreadWeight*unknown) / (n + spreadWeight)
}

// appraisal is what a job has cost so far, in seconds of workers, what it will cost yet, and the
// variance of the logarithm of that. One that is blind has no children by which to tell.
type appraisal struct {
	spent, left, variance float64
	blind                 bool
}

// share is how much of the job is done.
func (a appraisal) share() float64 {
	if a.spent == 0 {
		return 0
	}
	return a.spent / (a.spent + a.left)
}

// among is the appraisal of a child that is not done, with what is known of its siblings: what each
// costs in the mean, the variance of the logarithm of that, and how unsure the mean is, likewise.
// Each of both counts the more the surer it is. A child that is spoken of by its own children alone
// may seem thousands of times too large or too small: each of its descendants guesses the ones that
// wait beside it by the one that runs, which may have begun a moment ago.
func (a appraisal) among(mean, variance, unsure float64) appraisal {
	left, doubt := outlived(a.spent, mean, variance)
	doubt += unsure
	if a.blind {
		return appraisal{spent: a.spent, left: left, variance: doubt}
	}
	least := func(left, all float64) float64 { return math.Log(max(left, leftLeast*all, 1e-9)) }
	own := doubt / (doubt + a.variance)
	log := own*least(a.left, a.spent+a.left) + (1-own)*least(left, a.spent+left)
	return appraisal{spent: a.spent, left: math.Exp(log), variance: doubt * a.variance / (doubt + a.variance)}
}

const (
	// leftLeast is the part of its cost that a job that is not done has left at least.
	leftLeast = 1e-3

	// outlivedMost is by how many standard deviations a cost may be above the median before
	// these are held to be larger, and doubtMost the largest variance of what is left.
	outlivedMost = 2
	doubtMost    = 4
)

// outlived is what a job has left, in the median, that has cost so much and is not done, among such
// that cost a mean with a variance of the logarithm; and the variance of the logarithm of what is
// left. What has outlived the others by far lives long.
func outlived(spent, mean, variance float64) (left, doubt float64) {
	deviation, median := math.Sqrt(variance), mean*math.Exp(-variance/2)
	all := median
	if spent > 0 {
		if spent > median {
			deviation = max(deviation, math.Log(spent/median)/outlivedMost)
		}
		longer := math.Erfc(math.Log(spent/median) / deviation / math.Sqrt2)
		all = median * math.Exp(deviation*math.Sqrt2*math.Erfcinv(longer/2))
	}
	left = max(all-spent, leftLeast*all)
	return left, min(doubtMost, variance*(all/left)*(all/left))
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
