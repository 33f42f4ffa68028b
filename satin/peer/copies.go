package peer

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// Times and bounds of copies.
const (
	copyEvery    = 10 * time.Second
	copyEveryMin = 500 * time.Millisecond
	// of a round, for this peer, its holder and the way between them: a guess
	copyCost      = 20 * time.Millisecond
	churnWindow   = 2 * time.Minute // for which deaths count
	uncoveredMax  = 1 << 16         // settled loans of a run that no copies cover yet
	partsMax      = 1 << 13         // of a run, the dearest
	uncoveredEach = steal.LentMax
)

// copier is how a peer has its finished parts kept by another.
type copier struct {
	outbox
	site     membership.Site // this peer's
	every    time.Duration   // Config.CopyEvery; negative: never
	members  members
	ledger   *steal.Ledger
	results  *orphan.Results
	obituary *obituary
	keeper   *keeper
	leaves   func() bool // whether this peer is leaving
	stores   bool        // the disk has what is copied, too
	lots     *rand.Rand
	on       bool          // this peer has its parts copied at all
	at       time.Duration // of the next round; Never: there is no run
	open     bool          // the workers have been asked for their parts
	held     [2]custody    // of all parts, and of the dearest once more
	once     bool          // Config.CopyOnce: nobody keeps the dearest once more
	runs     []*copying
	sent     uint64 // parts
}

// copiedRun is what is asked of a run whose parts are copied.
type copiedRun interface {
	stamp(to membership.PeerID, i membership.Incarnation) steal.Stamp
	isOnlyHere() bool // its answer
}

// copying is the same for one run.
type copying struct {
	run   steal.Instance
	no    RunNo
	of    copiedRun
	round uint64        // of the last message to any holder
	parts []orphan.Part // by key
	dear  []orphan.Part // the dearest of them
	with  [2]entrusted  // the holders
	// loans whose results came after the workers were last asked for their parts, sorted,
	uncovered []steal.LoanNo
	asked     []steal.LoanNo // … before they were asked, and they have not answered yet,
	// … and those that these parts cover, when all of them are acknowledged
	covering []steal.LoanNo
	// something finished is in no copy for want of room: from then on none covers a loan for
	// certain
	unkept bool
}

// draws hears by which source it draws from now on.
func (c *copier) draws(lots *rand.Rand) { c.lots = lots }

// opened sees to it that a round comes when there is a run and parts are copied at all. Its place
// in the period is drawn, so that peers do not march in step.
func (c *copier) opened(now time.Duration) {
	c.on = c.every >= 0 && !c.leaves() && c.members.Self().State != 0
	if !c.on || len(c.runs) == 0 {
		c.at = steal.Never
	} else if c.at == steal.Never {
		half := c.period(now) / 2
		c.at = now + half + time.Duration(c.lots.Int64N(int64(half)+1))
	}
}

// began hears of a run.
func (c *copier) began(run steal.Instance, no RunNo, of copiedRun) {
	y := &copying{run: run, no: no, of: of}
	for n := range y.with {
		y.with[n].restart()
	}
	c.runs = append(c.runs, y)
}

// ended forgets a run.
func (c *copier) ended(run steal.Instance) {
	c.runs = slices.DeleteFunc(c.runs, func(y *copying) bool { return y.run == run })
}

// find is what is known of a run, or nil.
func (c *copier) find(is func(*copying) bool) *copying {
	if n := slices.IndexFunc(c.runs, is); n >= 0 {
		return c.runs[n]
	}
	return nil
}

func (c *copier) of(run steal.Instance) *copying {
	return c.find(func(y *copying) bool { return y.run == run })
}

// period is how long finished parts may be without a copy: what the configuration says, and
// less where peers die often. Copies that each cost c are made best every sqrt(2cM) where a peer
// lives M on average (Young, CACM 17, 1974).
func (c *copier) period(now time.Duration) time.Duration {
	period := c.every
	if period == 0 {
		period = copyEvery
	}
	dead := c.obituary.within(now, churnWindow)
	if dead == 0 {
		return period
	}
	life := churnWindow.Seconds() * float64(1+c.members.Len()) / float64(dead)
	best := time.Duration(math.Sqrt(2*copyCost.Seconds()*life) * float64(time.Second))
	return min(period, max(best, copyEveryMin))
}

// died brings the next round forward when a death has made the period shorter.
func (c *copier) died(now time.Duration) {
	if c.at != steal.Never {
		c.at = min(c.at, now+c.period(now))
	}
}

// tick asks the workers for their parts, and repeats what is not acknowledged. As often as copies
// are made, it is asked whether what was returned is in others'.
func (c *copier) tick(now time.Duration) []membership.Effect {
	if now >= c.at {
		for _, y := range c.runs {
			c.also(c.keeper.ask(y.run))
		}
		c.at = now + c.period(now)
		c.reviewHolders()
		if !c.open && (c.stores || c.held[0].holder != (life{})) {
			c.open = true
			for _, y := range c.runs {
				if c.held[0].holder != (life{}) {
					y.asked, y.uncovered = y.uncovered, nil
				}
			}
			c.do(WantParts{})
		}
	}
	c.repeat(now)
	return c.flush()
}

// listed are the parts of a run that the workers listed last, and what was returned and is
// nowhere else.
func (c *copier) listed(run steal.Instance) []orphan.Part {
	if y := c.of(run); y != nil {
		return y.parts
	}
	return nil
}

// deadline is when tick has something to do.
func (c *copier) deadline() time.Duration {
	at := c.at
	for _, y := range c.runs {
		for n := range y.with {
			at = min(at, y.with[n].again)
		}
	}
	return at
}

// unkept hears that the workers do not list all that is finished of a run: there was no room for
// it, or it is too long. What others have returned for it they keep from then on, since it may be
// in what is not listed.
func (c *copier) unkept(no RunNo) {
	if y := c.find(func(y *copying) bool { return y.no == no }); y != nil {
		y.unkept = true
	}
}

// gathered hears all parts of the workers.
func (c *copier) gathered(now time.Duration, parts []Part) []membership.Effect {
	c.open = false
	for _, y := range c.runs {
		y.parts = y.parts[:0:0]
		y.covering = append(y.covering, y.asked...)
		slices.Sort(y.covering)
		if len(y.covering) > uncoveredMax {
			y.covering, y.unkept = y.covering[:uncoveredMax], true
		}
		y.asked = nil
	}
	for _, part := range parts {
		y := c.find(func(y *copying) bool { return y.no == part.Run })
		if y != nil && isWorth(part.Result) {
			y.parts = append(y.parts, orphan.Part{Key: part.Key, Result: part.Result})
		}
	}
	for _, y := range c.runs {
		c.addReturned(y)
		y.dear = dearest(y.parts)
		for n := range c.held {
			y.with[n].all = false
			c.copyNext(now, y, n)
		}
	}
	return c.flush()
}

// addReturned adds results that are no parts any more and that nobody else may have: of jobs whose
// owners have not acknowledged them, and those that this peer keeps because the copies of owners in
// its own site do not cover them. If that site goes with both, they are lost, too.
func (c *copier) addReturned(y *copying) {
	for _, d := range c.ledger.Unacknowledged(y.run) {
		if isWorth(d.Result) {
			y.parts = append(y.parts, orphan.Part{Key: d.Key, Result: d.Result})
		}
	}
	for _, i := range c.results.Items(y.run) {
		if slices.ContainsFunc(i.Owners, func(whom orphan.KeptFor) bool {
			m, ok := c.members.Member(whom.Owner)
			return whom.Why == orphan.ForReturn && ok && m.Site == c.site && m.ID != c.held[0].holder.peer
		}) {
			y.parts = append(y.parts, orphan.Part{Key: i.Key, Result: i.Result})
		}
	}
	if len(y.parts) > partsMax {
		slices.SortStableFunc(y.parts, func(a, b orphan.Part) int { return cmp.Compare(b.Result.Cost, a.Result.Cost) })
		y.parts, y.unkept = y.parts[:partsMax], true
	}
	slices.SortStableFunc(y.parts, func(a, b orphan.Part) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	y.parts = slices.CompactFunc(y.parts, func(a, b orphan.Part) bool { return a.Key == b.Key })
}
