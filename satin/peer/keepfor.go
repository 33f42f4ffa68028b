package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// keeper is what a peer keeps for others: their copies, and what it has returned to them that
// theirs do not cover yet.
type keeper struct {
	outbox
	self      membership.PeerID
	members   members
	runs      *runs
	ledger    *steal.Ledger
	results   *orphan.Results
	postponed *postponing
	isOver    func(steal.Instance) bool // whether a run has ended here
	owners    []copyOwner
	noFT      bool
	used      uint64 // parts kept here for others that became an orphan's result
}

// copyOwner is one for which copies of a run are kept.
type copyOwner struct {
	run   steal.Instance
	owner life
	round uint64 // the last of its copies
}

// hearCopy takes parts to keep for a member, once the best that they were found under is here.
func (k *keeper) hearCopy(now time.Duration, a *arrival, c orphan.Copy) []membership.Effect {
	r := k.runs.find(c.Run)
	switch {
	case r == nil && k.isOver(c.Run): // the sender will hear of that, too
		return nil
	case r == nil || !r.root.isHere():
		return k.postponed.postpone(now, a.peer, a.message, c.Run, c.Best)
	}
	ok, effects := k.postponed.admits(now, a, r, c.Best)
	if k.also(effects); ok {
		k.also(k.copy(now, a.life, c))
	}
	return k.flush()
}

// copy takes parts to keep for a member.
func (k *keeper) copy(now time.Duration, owner life, c orphan.Copy) []membership.Effect {
	x := k.ownerOf(c.Run, owner)
	if x == nil {
		return nil
	}
	whom := orphan.KeptFor{Owner: owner.peer, Incarnation: owner.incarnation, Why: orphan.ForCopy}
	if c.Round > x.round && !k.noFT {
		x.round = c.Round
		if c.Whole {
			k.results.Release(now, c.Run, func(_ steal.Key, o orphan.KeptFor) bool { return o == whom })
		}
		for _, part := range c.Parts[:min(len(c.Parts), orphan.PartsMax)] {
			if part.Result.Outcome != steal.Panicked {
				k.results.KeepFor(now, c.Run, part.Key, part.Result, whom)
			}
		}
		k.results.ReleaseKeys(now, c.Run, c.Gone[:min(len(c.Gone), orphan.EntriesMax)], whom)
	}
	if c.Round == x.round {
		k.send(owner, orphan.Copied{Run: c.Run, Round: c.Round, Sum: k.sum(c.Run, whom)})
	}
	return k.flush()
}

// ownerOf is what is remembered of an owner, or nil when there is no room for one more.
func (k *keeper) ownerOf(run steal.Instance, owner life) *copyOwner {
	owners := 0
	for n := range k.owners {
		switch x := &k.owners[n]; {
		case x.run != run:
		case x.owner == owner:
			return x
		default:
			owners++
		}
	}
	if owners >= membership.MembersMax {
		return nil
	}
	k.owners = append(k.owners, copyOwner{run: run, owner: owner})
	return &k.owners[len(k.owners)-1]
}

// sum is the sum of the keys that are kept for an owner.
func (k *keeper) sum(run steal.Instance, whom orphan.KeptFor) (sum uint64) {
	for _, i := range k.results.Items(run) {
		if slices.Contains(i.Owners, whom) {
			sum = orphan.SumOf(sum, i.Key)
		}
	}
	return sum
}

// hearReturned hears from an owner that it has the results of some loans. A leave may have waited
// for that.
func (k *keeper) hearReturned(now time.Duration, owner life, r steal.Returned) []membership.Effect {
	for _, d := range k.ledger.HearReturned(owner.peer, r.Numbers) {
		if k.runs.find(d.Run) != nil {
			k.returned(now, owner, d)
		}
	}
	k.do(goesOn{})
	return k.flush()
}

// returned keeps a result that its owner has now, until that one's copies cover it: otherwise an
// hour's work of many dies with the owner that received it a moment ago.
func (k *keeper) returned(now time.Duration, owner life, d steal.Done) {
	if !k.noFT && isWorth(d.Result) {
		k.results.KeepFor(now, d.Run, d.Key, d.Result, orphan.KeptFor{
			Owner: owner.peer, Incarnation: owner.incarnation, Why: orphan.ForReturn, Loan: d.Number,
		})
	}
}

// ask asks the owners of what this peer has returned whether it must be kept any longer.
func (k *keeper) ask(run steal.Instance) []membership.Effect {
	loans := map[membership.PeerID][]steal.LoanNo{}
	var owners []membership.PeerID
	for _, i := range k.results.Items(run) {
		for _, c := range i.Owners {
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
		k.do(tells{id, orphan.Uncovered{Run: run, Loans: loans[id]}})
	}
	return k.flush()
}

// hearCovered hears from an owner which of the results that it was returned its copies cover: they
// are kept for it no more.
func (k *keeper) hearCovered(now time.Duration, from life, c orphan.Covered) {
	c.Loans = c.Loans[:min(len(c.Loans), uncoveredEach)]
	k.results.Release(now, c.Run, func(_ steal.Key, o orphan.KeptFor) bool {
		return o.Why == orphan.ForReturn && o.Owner == from.peer && o.Incarnation == from.incarnation && slices.Contains(c.Loans, o.Loan)
	})
}

// ended forgets for whom copies of a run are kept.
func (k *keeper) ended(run steal.Instance) {
	k.owners = slices.DeleteFunc(k.owners, func(x copyOwner) bool { return x.run == run })
}

// lost hears that one is gone for which copies may be kept: they are orphans' results now.
func (k *keeper) lost(now time.Duration, id membership.PeerID) {
	k.used += uint64(k.results.OwnerLost(now, id))
	k.owners = slices.DeleteFunc(k.owners, func(x copyOwner) bool { return x.owner.peer == id })
}

// livesOn hears that one goes on under another incarnation.
func (k *keeper) livesOn(was, is life) {
	for n := range k.owners {
		if k.owners[n].owner == was {
			k.owners[n].owner = is
		}
	}
}

// hearWill takes what a leaver hands on, once the best that it was found under is here. A run that
// is not known here may be one of which the only submission that was known has ended: the leaver,
// which has it, tells of the others, or hears that there are none.
func (k *keeper) hearWill(now time.Duration, a *arrival, w orphan.Will) []membership.Effect {
	if !k.noFT {
		r := k.runs.find(w.Run)
		if r == nil || !r.root.isHere() {
			return k.postponed.postpone(now, a.peer, a.message, w.Run, w.Best)
		}
		ok, effects := k.postponed.admits(now, a, r, w.Best)
		if k.also(effects); !ok {
			return k.flush()
		}
		for _, b := range w.Items[:min(len(w.Items), orphan.PartsMax)] {
			k.inherit(now, w.Run, b)
		}
		r.look.listed(now)
	}
	k.send(a.life, orphan.Willed{Number: w.Number})
	return k.flush()
}

// inherit keeps a result for those for whom the leaver kept it. When such a one is
// gone it is an orphan's.
func (k *keeper) inherit(now time.Duration, run steal.Instance, b orphan.Bequest) {
	if !isWorth(b.Result) {
		return
	}
	isOrphan := b.Orphan
	for _, c := range b.Owners[:min(len(b.Owners), orphan.OwnersMax)] {
		switch {
		case c.Owner == k.self:
		case k.members.Has(c.Owner, c.Incarnation):
			k.results.KeepFor(now, run, b.Key, b.Result, c)
		default:
			isOrphan = true
		}
	}
	if isOrphan {
		k.results.Orphan(now, run, b.Key, b.Result)
	}
}
