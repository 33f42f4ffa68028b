package peer

import (
	"bytes"
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/orphan"
	"satingrid/steal"
)

// Times and bounds of copies.
const (
	copyEvery    = 10 * time.Second
	copyEveryMin = 500 * time.Millisecond
	// of a round, for this peer, its holder and the way between them: a guess
	copyCost    = 20 * time.Millisecond
	churnWindow = 2 * time.Minute // for which deaths count
	// milliseconds of work in a bundle that is worth a message
	copyCostMin  = 100
	copyWait     = 10 * time.Second // what stays unanswered for so long goes to another
	copyGapMin   = time.Second
	copyGapMax   = 8 * time.Second
	uncoveredMax = 1 << 16 // settled loans of a run that no copies cover yet
	partsMax     = 1 << 13 // of a run, the dearest
	// a holder that keeps less than it should is left for another so often: all may be full
	moveEvery     = time.Minute
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
	holder   life          // who keeps them; zero: nobody yet
	avoid    membership.PeerID
	// no move to another because it keeps less than it should before this
	moved time.Duration
	runs  []*copying
	sent  uint64 // parts
	portion
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
	round uint64
	whole bool        // the holder has nothing yet, or nothing that is right
	has   []steal.Key // what the holder has acknowledged, sorted
	parts []orphan.Part
	// loans whose results came after the workers were last asked for their parts, sorted,
	uncovered []steal.LoanNo
	asked     []steal.LoanNo // … before they were asked, and they have not answered yet,
	// … and those that these parts cover, when all of them are acknowledged
	covering []steal.LoanNo
	out      *orphan.Copy
	after    []steal.Key // what the holder has then
	since    time.Duration
	again    time.Duration // when to send it once more; Never: it is not out
	gap      backoff.Backoff
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
	y.restart()
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

// lost moves all copies when their holder is gone, or does not have them any more.
func (c *copier) lost(now time.Duration, id membership.PeerID) {
	if c.holder.peer == id {
		c.move(now)
	}
}

// livesOn hears that one goes on under another incarnation, and keeps what it has.
func (c *copier) livesOn(was, is life) {
	if c.holder == was {
		c.holder = is
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
		c.reviewHolder()
		if !c.open && (c.stores || c.holder != (life{})) {
			c.open = true
			for _, y := range c.runs {
				if c.holder != (life{}) {
					y.asked, y.uncovered = y.uncovered, nil
				}
			}
			c.do(WantParts{})
		}
	}
	for _, y := range c.runs {
		switch {
		case now < y.again:
		case now >= c.givenUp(y):
			c.avoid = c.holder.peer
			c.move(now)
			return c.flush()
		default:
			c.sendCopy(now, y)
		}
	}
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

func copySize(c *orphan.Copy) (size int) {
	for _, part := range c.Parts {
		size += len(part.Result.Bytes)
	}
	return size
}

// deadline is when tick has something to do.
func (c *copier) deadline() time.Duration {
	at := c.at
	for _, y := range c.runs {
		at = min(at, y.again)
	}
	return at
}

// restart forgets what a former holder had.
func (y *copying) restart() {
	y.has, y.out, y.again, y.whole = nil, nil, steal.Never, true
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
		c.copyNext(now, y)
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
			return whom.Why == orphan.ForReturn && ok && m.Site == c.site && m.ID != c.holder.peer
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

// copyNext sends what the holder lacks of the present parts, as much as one message may bring, and
// takes back in the last of them what the present parts replace. When it lacks nothing the round is
// over. While the answer is nowhere else nothing is taken back: it has replaced all parts, and a
// copy of it, which may be big, would come no sooner than whoever is to keep it has it.
func (c *copier) copyNext(now time.Duration, y *copying) {
	if y.out != nil || !c.members.Has(c.holder.peer, c.holder.incarnation) || y.of.isOnlyHere() {
		return
	}
	add, gone, rest, cost := y.changes(c.bytes())
	switch {
	case len(add) == 0 && len(gone) == 0 && !(y.whole && y.round > 0):
		y.covering = nil
		return
	case len(add) > 0 && !rest && cost < copyCostMin:
		return // not worth a message yet; the loans stay uncovered
	}
	y.round++
	y.out = &orphan.Copy{Run: y.run, Round: y.round, Whole: y.whole, Parts: add}
	y.after = slices.Clone(y.has)
	if !rest {
		y.out.Gone = gone
		y.after = slices.DeleteFunc(y.after, func(k steal.Key) bool { return hasKey(gone, k) })
	}
	for _, part := range add {
		y.after = append(y.after, part.Key)
	}
	slices.SortFunc(y.after, func(a, b steal.Key) int { return bytes.Compare(a[:], b[:]) })
	c.sent += uint64(len(add))
	y.since, y.gap = now, backoff.New(copyGapMin+timeFor(copySize(y.out)), copyGapMax)
	c.sendCopy(now, y)
}

// changes is what the holder lacks, as much as goes into one message of so many bytes, and what it
// has in vain. rest says that it lacks still more.
func (y *copying) changes(bytesMax int) (add []orphan.Part, gone []steal.Key, rest bool, cost uint64) {
	size := 0
	for _, part := range y.parts {
		if hasKey(y.has, part.Key) {
			continue
		}
		if len(add) == orphan.PartsMax || len(add) > 0 && size+len(part.Result.Bytes) > bytesMax {
			return add, nil, true, cost
		}
		add = append(add, part)
		size += len(part.Result.Bytes)
		cost += uint64(part.Result.Cost)
	}
	for _, k := range y.has {
		_, current := slices.BinarySearchFunc(y.parts, k, func(p orphan.Part, k steal.Key) int { return bytes.Compare(p.Key[:], k[:]) })
		if !current && len(gone) < orphan.EntriesMax {
			gone = append(gone, k)
		}
	}
	return add, gone, false, cost
}

func hasKey(sorted []steal.Key, k steal.Key) bool {
	_, ok := slices.BinarySearchFunc(sorted, k, func(a, b steal.Key) int { return bytes.Compare(a[:], b[:]) })
	return ok
}

// sendCopy sends what is out, for the first time or again.
func (c *copier) sendCopy(now time.Duration, y *copying) {
	y.again = min(now+y.gap.Next(), c.givenUp(y))
	to := c.holder
	y.out.Best = y.of.stamp(to.peer, to.incarnation)
	c.send(to, *y.out)
}

// hearCopied hears that the holder keeps what was sent. When it does not keep what it should,
// another gets all.
func (c *copier) hearCopied(now time.Duration, from life, m orphan.Copied) []membership.Effect {
	y := c.of(m.Run)
	if y == nil || y.out == nil || from != c.holder || m.Round != y.out.Round {
		return nil
	}
	c.took(copySize(y.out), now-y.since)
	y.has, y.out, y.after, y.again, y.whole = y.after, nil, nil, steal.Never, false
	var sum uint64
	for _, k := range y.has {
		sum = orphan.SumOf(sum, k)
	}
	if sum == m.Sum || now < c.moved {
		c.copyNext(now, y)
		return c.flush()
	}
	c.avoid, c.moved = from.peer, now+moveEvery
	c.holder = life{}
	for _, y := range c.runs {
		y.restart()
	}
	return c.flush()
}
