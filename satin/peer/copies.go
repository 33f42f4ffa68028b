package peer

import (
	"bytes"
	"cmp"
	"math"
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
	at     time.Duration // of the next round; Never: there is no run
	open   bool          // the workers have been asked for their parts
	holder life          // who keeps them; zero: nobody yet
	avoid  membership.PeerID
	moved  time.Duration // no move to another because it keeps less than it should before this
	portion
}

// copying is the same for one run.
type copying struct {
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
	gap      time.Duration
	open     bool // a round is under way
	// something finished is in no copy for want of room: from then on none covers a loan for
	// certain
	unkept bool
}

// copies tells whether this peer has its parts copied at all.
func (p *Peer) copies() bool {
	return !p.conf.NoFT && !p.leaving.active && p.conf.CopyEvery >= 0 && !p.conf.Member.Client && p.entered()
}

// copyPeriod is how long finished parts may be without a copy: what the configuration says, and
// less where peers die often. Copies that each cost c are made best every sqrt(2cM) where a peer
// lives M on average (Young, CACM 17, 1974).
func (p *Peer) copyPeriod() time.Duration {
	period := p.conf.CopyEvery
	if period == 0 {
		period = copyEvery
	}
	dead := p.obituary.within(p.now, churnWindow)
	if dead == 0 {
		return period
	}
	life := churnWindow.Seconds() * float64(1+len(p.view.Others(nil))) / float64(dead)
	best := time.Duration(math.Sqrt(2*copyCost.Seconds()*life) * float64(time.Second))
	return min(period, max(best, copyEveryMin))
}

// copySooner brings the next round forward when a death has made the period shorter.
func (p *Peer) copySooner() {
	if p.copier.at != steal.Never {
		p.copier.at = min(p.copier.at, p.now+p.copyPeriod())
	}
}

// copySoon sees to it that a round comes when there is a run. Its place in the period is drawn, so
// that peers do not march in step.
func (p *Peer) copySoon() {
	if !p.copies() || len(p.runs) == 0 {
		p.copier.at = steal.Never
	} else if p.copier.at == steal.Never {
		half := p.copyPeriod() / 2
		p.copier.at = p.now + half + time.Duration(p.lots.Int64N(int64(half)+1))
	}
}

// tickCopies asks the workers for their parts, and repeats what is not acknowledged.
func (p *Peer) tickCopies() {
	c := &p.copier
	if p.now >= c.at {
		c.at = p.now + p.copyPeriod()
		p.askCovered()
		p.reviewHolder()
		if !c.open && c.holder != (life{}) {
			c.open = true
			for _, r := range p.runs {
				r.copy.asked, r.copy.uncovered = r.copy.uncovered, nil
			}
			p.out = append(p.out, WantParts{})
		}
	}
	for _, r := range p.runs {
		y := &r.copy
		switch {
		case p.now < y.again:
		case p.now >= p.givenUp(y):
			p.copier.avoid = c.holder.peer
			p.moveCopies()
			return
		default:
			p.sendCopy(r)
		}
	}
}

// givenUp is when a holder that has not acknowledged is left for another.
func (p *Peer) givenUp(y *copying) time.Duration {
	return y.since + copyWait + p.copier.patience(copySize(y.out))
}

func copySize(c *orphan.Copy) (size int) {
	for _, part := range c.Parts {
		size += len(part.Result.Bytes)
	}
	return size
}

func (p *Peer) copiesDeadline() time.Duration {
	at := p.copier.at
	for _, r := range p.runs {
		at = min(at, r.copy.again)
	}
	return at
}

// reviewHolder chooses who keeps this peer's parts: one in another site, else any; another when the
// present one is leaving.
func (p *Peer) reviewHolder() {
	m, ok := p.view.Member(p.copier.holder.peer)
	ok = ok && m.Incarnation == p.copier.holder.incarnation
	if ok && m.State != membership.Leaving && m.Site != p.conf.Member.Site {
		return
	}
	next, found := p.drawHolder()
	switch {
	case !found && ok, ok && m.State != membership.Leaving && next.Site == p.conf.Member.Site:
		return // it is as good as any other
	case ok:
		p.dropCopies(m)
	}
	p.copier.holder = life{}
	if found {
		p.copier.holder = life{next.ID, next.Incarnation}
	}
	for _, r := range p.runs {
		r.copy.restart()
	}
}

// drawHolder is a member that stays, drawn among those of other sites, else of this one. The one to
// avoid is taken when there is no other.
func (p *Peer) drawHolder() (membership.Member, bool) {
	var best []membership.Member
	rank := 0
	for _, m := range p.view.Others(nil) {
		n := 1
		if m.Site != p.conf.Member.Site {
			n = 2
		}
		if m.ID != p.copier.avoid {
			n += 2
		}
		if m.State == membership.Leaving || n < rank {
			continue
		}
		if n > rank {
			rank, best = n, best[:0]
		}
		best = append(best, m)
	}
	if len(best) == 0 {
		return membership.Member{}, false
	}
	return best[p.lots.IntN(len(best))], true
}

// dropCopies tells a former holder that it need not keep anything. It is said once: what it keeps
// in vain goes with the run.
func (p *Peer) dropCopies(m membership.Member) {
	for _, r := range p.runs {
		if len(r.copy.has) > 0 || r.copy.out != nil {
			r.copy.round++
			p.sendTo(m.ID, m.Incarnation, orphan.Copy{Run: r.instance, Round: r.copy.round, Whole: true})
		}
	}
}

// moveCopies has all parts kept by another, at once: the present holder is gone, or as good as
// gone.
func (p *Peer) moveCopies() {
	p.copier.holder = life{}
	for _, r := range p.runs {
		r.copy.restart()
	}
	if p.copier.at != steal.Never {
		p.copier.at = p.now
	}
}

// restart forgets what a former holder had.
func (y *copying) restart() {
	y.has, y.out, y.again, y.whole, y.open = nil, nil, steal.Never, true, false
}

// Unkept hears that the workers do not list all that is finished of a run: there was no room for
// it, or it is too long. What others have returned for it they keep from then on, since it may be
// in what is not listed.
func (p *Peer) Unkept(now time.Duration, no RunNo) []Effect {
	p.begin(now)
	if r := p.runOf(no); r != nil {
		r.copy.unkept = true
	}
	return p.end()
}

// Gathered hears all parts of the workers.
func (p *Peer) Gathered(now time.Duration, parts []Part) []Effect {
	p.begin(now)
	p.copier.open = false
	for _, r := range p.runs {
		r.copy.parts = r.copy.parts[:0:0]
		r.copy.open = true
		r.copy.covering = append(r.copy.covering, r.copy.asked...)
		slices.Sort(r.copy.covering)
		if len(r.copy.covering) > uncoveredMax {
			r.copy.covering, r.copy.unkept = r.copy.covering[:uncoveredMax], true
		}
		r.copy.asked = nil
	}
	for _, part := range parts {
		if r := p.runOf(part.Run); r != nil && isWorth(part.Result) {
			r.copy.parts = append(r.copy.parts, orphan.Part{Key: part.Key, Result: part.Result})
		}
	}
	for _, r := range p.runs {
		p.addReturned(r)
		p.copyNext(r)
	}
	return p.end()
}

// addReturned adds results that are no parts any more and that nobody else may have: of jobs whose
// owners have not acknowledged them, and those that this peer keeps because their owners' copies do
// not cover them, of owners in its own site: if that goes with both, they are lost, too.
func (p *Peer) addReturned(r *run) {
	y := &r.copy
	for _, d := range p.ledger.Unacknowledged(r.instance) {
		if isWorth(d.Result) {
			y.parts = append(y.parts, orphan.Part{Key: d.Key, Result: d.Result})
		}
	}
	for _, i := range p.store.Items(r.instance) {
		if slices.ContainsFunc(i.Claims, func(c orphan.Claim) bool {
			m, ok := p.view.Member(c.Owner)
			return c.Why == orphan.ForReturn && ok && m.Site == p.conf.Member.Site && m.ID != p.copier.holder.peer
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
func (p *Peer) copyNext(r *run) {
	y := &r.copy
	if y.out != nil || !y.open || !p.view.Has(p.copier.holder.peer, p.copier.holder.incarnation) || p.isOnlyHere(r) {
		return
	}
	add, gone, rest, cost := y.changes(p.copier.bytes())
	switch {
	case len(add) == 0 && len(gone) == 0 && !(y.whole && y.round > 0):
		y.open = false
		y.covering = nil
		return
	case len(add) > 0 && !rest && cost < copyCostMin:
		y.open = false
		return // not worth a message yet; the loans stay uncovered
	}
	y.round++
	y.out = &orphan.Copy{Run: r.instance, Round: y.round, Whole: y.whole, Parts: add}
	y.after = slices.Clone(y.has)
	if !rest {
		y.out.Gone = gone
		y.after = slices.DeleteFunc(y.after, func(k steal.Key) bool { return hasKey(gone, k) })
	}
	for _, part := range add {
		y.after = append(y.after, part.Key)
	}
	slices.SortFunc(y.after, func(a, b steal.Key) int { return bytes.Compare(a[:], b[:]) })
	p.stats.CopiesSent += uint64(len(add))
	y.since, y.gap = p.now, copyGapMin+timeFor(copySize(y.out))
	p.sendCopy(r)
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
func (p *Peer) sendCopy(r *run) {
	y := &r.copy
	y.again = min(p.now+y.gap, p.givenUp(y))
	y.gap = min(2*y.gap, max(y.gap, copyGapMax))
	to := p.copier.holder
	y.out.Best = r.best.stamp(to.peer, to.incarnation)
	p.sendTo(to.peer, to.incarnation, *y.out)
}

// copied hears that the holder keeps what was sent. When it does not keep what it
// should, another gets all.
func (p *Peer) copied(from life, c orphan.Copied) {
	r := p.run(c.Run)
	if r == nil || r.copy.out == nil || from != p.copier.holder || c.Round != r.copy.out.Round {
		return
	}
	y := &r.copy
	p.copier.took(copySize(y.out), p.now-y.since)
	y.has, y.out, y.after, y.again, y.whole = y.after, nil, nil, steal.Never, false
	var sum uint64
	for _, k := range y.has {
		sum = orphan.SumOf(sum, k)
	}
	if sum == c.Sum || p.now < p.copier.moved {
		p.copyNext(r)
		return
	}
	p.copier.avoid, p.copier.moved = from.peer, p.now+moveEvery
	p.copier.holder = life{}
	for _, r := range p.runs {
		r.copy.restart()
	}
}
