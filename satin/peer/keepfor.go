package peer

import (
	"slices"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// keptFor is what a peer remembers of one for which it keeps copies of a run.
type keptFor struct {
	owner life
	round uint64 // the last of its copies
}

// keepCopy takes parts to keep for a member, once the best that they were found under is here.
func (p *Peer) keepCopy(from membership.Member, m Message, c orphan.Copy) {
	r := p.run(c.Run)
	if r == nil && p.isOver(c.Run) {
		return // the sender will hear of that, too
	}
	if r == nil || r.root == nil || !p.takeBest(r, from.ID, m.From, c.Best) {
		p.hold(from.ID, m, c.Run, c.Best)
		return
	}
	owner := life{from.ID, from.Incarnation}
	claim := orphan.Claim{Owner: owner.peer, Incarnation: owner.incarnation, Why: orphan.ForCopy}
	n := slices.IndexFunc(r.keptFor, func(k keptFor) bool { return k.owner == owner })
	if n < 0 {
		if len(r.keptFor) >= membership.MembersMax {
			return
		}
		n = len(r.keptFor)
		r.keptFor = append(r.keptFor, keptFor{owner: owner})
	}
	if c.Round > r.keptFor[n].round && !p.conf.NoFT {
		r.keptFor[n].round = c.Round
		if c.Whole {
			p.store.Release(p.now, c.Run, func(_ steal.Key, o orphan.Claim) bool { return o == claim })
		}
		for _, part := range c.Parts[:min(len(c.Parts), orphan.PartsMax)] {
			if part.Result.Outcome != steal.Panicked {
				p.store.Claim(p.now, c.Run, part.Key, part.Result, claim)
			}
		}
		p.store.ReleaseKeys(p.now, c.Run, c.Gone[:min(len(c.Gone), orphan.EntriesMax)], claim)
	}
	if c.Round == r.keptFor[n].round {
		p.sendTo(from.ID, from.Incarnation, orphan.Copied{Run: c.Run, Round: c.Round, Sum: p.keptSum(c.Run, claim)})
	}
}

// keptSum is the sum of the keys that are kept for a claim.
func (p *Peer) keptSum(run steal.Instance, claim orphan.Claim) (sum uint64) {
	for _, i := range p.store.Items(run) {
		if slices.Contains(i.Claims, claim) {
			sum = orphan.SumOf(sum, i.Key)
		}
	}
	return sum
}

// acknowledged hears that an owner has results. They are kept until its copies cover them:
// otherwise an hour's work of many dies with the owner that received it a moment ago.
func (p *Peer) acknowledged(from membership.Member, numbers []steal.LoanNo) {
	for _, d := range p.ledger.Acknowledged(from.ID, numbers) {
		if p.run(d.Run) != nil && !p.conf.NoFT && isWorth(d.Result) {
			p.store.Claim(p.now, d.Run, d.Key, d.Result,
				orphan.Claim{Owner: from.ID, Incarnation: from.Incarnation, Why: orphan.ForReturn, Loan: d.Number})
		}
	}
}

// askCovered asks the owners of what this peer has returned whether it must be kept any longer.
func (p *Peer) askCovered() {
	for _, r := range p.runs {
		loans := map[membership.PeerID][]steal.LoanNo{}
		var owners []membership.PeerID
		for _, i := range p.store.Items(r.instance) {
			for _, c := range i.Claims {
				if c.Why != orphan.ForReturn || len(loans[c.Owner]) == uncoveredEach {
					continue
				}
				if loans[c.Owner] == nil {
					owners = append(owners, c.Owner)
				}
				loans[c.Owner] = append(loans[c.Owner], c.Loan)
			}
		}
		for _, id := range owners {
			p.send(id, orphan.Uncovered{Run: r.instance, Loans: loans[id]})
		}
	}
}

// notCovered notes that a result came which no copy covers yet.
func (p *Peer) notCovered(r *run, number steal.LoanNo) {
	y := &r.copy
	at, known := slices.BinarySearch(y.uncovered, number)
	switch {
	case known || !p.copies():
	case len(y.uncovered) >= uncoveredMax:
		y.unkept = true
	default:
		y.uncovered = slices.Insert(y.uncovered, at, number)
	}
}

// uncoveredAsked answers a thief that keeps what it has returned.
func (p *Peer) uncoveredAsked(from membership.Member, u orphan.Uncovered) {
	r := p.run(u.Run)
	if r == nil || !p.copies() || r.copy.unkept {
		return
	}
	var covered []steal.LoanNo
	for _, n := range u.Loans[:min(len(u.Loans), uncoveredEach)] {
		if !r.copy.lacks(n) && !p.ledger.IsLent(from.ID, n) {
			covered = append(covered, n)
		}
	}
	if len(covered) > 0 {
		p.sendTo(from.ID, from.Incarnation, orphan.Covered{Run: u.Run, Loans: covered})
	}
}

// lacks tells whether the result of a loan may be in no copy yet.
func (y *copying) lacks(number steal.LoanNo) bool {
	for _, all := range [][]steal.LoanNo{y.uncovered, y.asked, y.covering} {
		if _, ok := slices.BinarySearch(all, number); ok {
			return true
		}
	}
	return false
}

// covered forgets results that this peer has returned and that their owner's copies cover.
func (p *Peer) covered(from membership.Member, c orphan.Covered) {
	c.Loans = c.Loans[:min(len(c.Loans), uncoveredEach)]
	p.store.Release(p.now, c.Run, func(_ steal.Key, o orphan.Claim) bool {
		return o.Why == orphan.ForReturn && o.Owner == from.ID && o.Incarnation == from.Incarnation && slices.Contains(c.Loans, o.Loan)
	})
}
