package steal

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
)

// Limits of a ledger. A thief with a thousand unfinished jobs of one owner needs no more; together
// they bound the memory that loans can take and the length of a probe (8 KiB).
const (
	LentMax     = 1024 // to one thief
	BorrowedMax = 4096 // from all owners together
)

// Ref is the data plane's reference to a job that is in the hands of the machine.
type Ref uint64

// Borrow is this peer's number for a job that it was given to execute, from 1: one of another peer,
// a root, or a second execution.
type Borrow uint64

// Ledger holds what this peer has lent to whom, and borrowed from whom.
type Ledger struct {
	// by id; one for each peer with which there ever were loans, until it is lost
	accounts []*account
	byRef    map[Ref]*lent        // what is lent, by the data plane's reference
	byBorrow map[Borrow]*borrowed // what is borrowed and not yet acknowledged
	number   LoanNo               // of the last loan
	borrow   Borrow               // of the last borrowing
	expired  uint64               // loans whose thieves did not answer
	out      []membership.Effect
}

// account is what there is between this peer and one incarnation of another.
type account struct {
	peer        membership.PeerID
	incarnation membership.Incarnation
	lent        []*lent     // ascending by number
	borrowed    []*borrowed // ascending by number
	seen        window      // of the loans that this peer was offered
	lease       lease
}

// lent is a job that is in the ledger, and nowhere else at its owner.
type lent struct {
	number LoanNo
	ref    Ref
	run    Instance
	key    Key
	at     time.Duration
	thief  *account
}

// borrowed is a job of another peer, until that peer acknowledged its result.
type borrowed struct {
	number LoanNo // of the loan
	borrow Borrow // of this borrowing
	run    Instance
	key    Key
	owner  *account
	result *Result       // nil until it is finished
	again  time.Duration // when to repeat the result
	gap    backoff.Backoff
}

// LoanLost is the effect that a lent job goes back to where it can be taken again: its loan is
// over, and nobody has its result.
type LoanLost struct {
	Ref Ref
	Run Instance
	Key Key
}

// Stop is the effect that a borrowed job is withdrawn: nobody waits for it any more. Orphaned says
// that its owner is gone, or has itself lost the one that waited: what is finished of it may be of
// use to whoever does it again.
type Stop struct {
	Borrow   Borrow
	Run      Instance
	Key      Key
	Orphaned bool
}

// Orphan is the effect that a borrowed job's result has lost its owner before that acknowledged it.
type Orphan struct {
	Run    Instance
	Key    Key
	Result Result
}

// Repeat is the effect that a result is to be sent once more.
type Repeat struct{ Borrow Borrow }

// NewLedger makes an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{byRef: map[Ref]*lent{}, byBorrow: map[Borrow]*borrowed{}}
}

// account is the one with this incarnation of the peer; it is opened when there is none. Whoever
// was there before under that id is dead, and must have been lost before.
func (l *Ledger) account(p membership.PeerID, i membership.Incarnation) *account {
	at, ok := l.find(p)
	if ok {
		if l.accounts[at].incarnation != i {
			panic("steal: BUG: an account with two incarnations")
		}
		return l.accounts[at]
	}
	a := &account{peer: p, incarnation: i}
	l.accounts = slices.Insert(l.accounts, at, a)
	return a
}

func (l *Ledger) find(p membership.PeerID) (int, bool) {
	return slices.BinarySearchFunc(l.accounts, p, func(a *account, p membership.PeerID) int {
		return strings.Compare(string(a.peer), string(p))
	})
}

// with is the account with a peer, or nil.
func (l *Ledger) with(p membership.PeerID) *account {
	if at, ok := l.find(p); ok {
		return l.accounts[at]
	}
	return nil
}

// Room is how many more jobs may be lent to the peer: none while it does not answer probes.
func (l *Ledger) Room(thief membership.PeerID) int {
	a := l.with(thief)
	if a == nil {
		return LentMax
	}
	if a.lease.shunned {
		return 0
	}
	return LentMax - len(a.lent)
}

// Lend enters a job that was just taken from a deque, and numbers the loan.
func (l *Ledger) Lend(now time.Duration, thief membership.PeerID, i membership.Incarnation, run Instance, key Key, ref Ref) LoanNo {
	if l.byRef[ref] != nil {
		panic("steal: BUG: a job is lent twice")
	}
	a := l.account(thief, i)
	if len(a.lent) == 0 {
		a.lease.begin(now)
	}
	l.number++
	e := &lent{number: l.number, ref: ref, run: run, key: key, at: now, thief: a}
	a.lent = append(a.lent, e)
	l.byRef[ref] = e
	return e.number
}

// Settle ends a loan by its result, which its thief returned, and tells which job it was. It is not
// there when the result came twice, or when the job was put back or withdrawn before.
func (l *Ledger) Settle(thief membership.PeerID, number LoanNo, run Instance) (ref Ref, ok bool) {
	a := l.with(thief)
	if a == nil {
		return 0, false
	}
	at, ok := findLent(a.lent, number)
	if !ok || a.lent[at].run != run {
		return 0, false
	}
	ref = a.lent[at].ref
	l.end(a, at)
	return ref, true
}

// Ref is the data plane's reference to a job that is lent.
func (l *Ledger) Ref(thief membership.PeerID, number LoanNo) (Ref, bool) {
	a := l.with(thief)
	if a == nil {
		return 0, false
	}
	at, ok := findLent(a.lent, number)
	if !ok {
		return 0, false
	}
	return a.lent[at].ref, true
}

// IsLent tells whether a loan to that peer is not over.
func (l *Ledger) IsLent(thief membership.PeerID, number LoanNo) bool {
	a := l.with(thief)
	if a == nil {
		return false
	}
	_, ok := findLent(a.lent, number)
	return ok
}

// Abandon ends loans that nobody here waits for any more, and tells their thieves; orphaned is why.
func (l *Ledger) Abandon(now time.Duration, refs []Ref, orphaned bool) []membership.Effect {
	for _, ref := range refs {
		e := l.byRef[ref]
		if e == nil {
			continue // it was settled while the news was on its way
		}
		a := e.thief
		at, ok := findLent(a.lent, e.number)
		if !ok {
			panic("steal: BUG: a loan without an account")
		}
		l.end(a, at)
		a.lease.tell(now, !a.asks())
		l.out = append(l.out, membership.Send{To: a.peer, Incarnation: a.incarnation, Body: Withdraw{Orphaned: orphaned, Numbers: []LoanNo{e.number}}})
	}
	return l.flush()
}

// end takes a loan out of both books.
func (l *Ledger) end(a *account, at int) {
	e := a.lent[at]
	if l.byRef[e.ref] != e {
		panic("steal: BUG: a loan that is not in the book")
	}
	delete(l.byRef, e.ref)
	a.lent = slices.Delete(a.lent, at, at+1)
}

func findLent(all []*lent, number LoanNo) (int, bool) {
	return slices.BinarySearchFunc(all, number, func(e *lent, n LoanNo) int { return cmp.Compare(e.number, n) })
}

// OwnerLost ends what a peer lent that is dead or left: its jobs here are orphans.
func (l *Ledger) OwnerLost(p membership.PeerID) []membership.Effect {
	if a := l.with(p); a != nil {
		l.orphan(a)
	}
	return l.flush()
}

// Lost ends all loans with a peer that is dead or left, in the order of a crash: what it borrowed
// from us goes back last.
func (l *Ledger) Lost(p membership.PeerID) []membership.Effect {
	at, ok := l.find(p)
	if !ok {
		return nil
	}
	a := l.accounts[at]
	l.accounts = slices.Delete(l.accounts, at, at+1)
	l.orphan(a)
	l.putBack(a)
	return l.flush()
}

// LivesOn hears that a peer goes on under another incarnation. Loans are numbered by the process,
// so those with it stay what they were.
func (l *Ledger) LivesOn(p membership.PeerID, i membership.Incarnation) {
	if a := l.with(p); a != nil {
		a.incarnation = i
	}
}

// Forsaken ends all loans with a peer that has ended them at its side. The account stays: what was
// seen of the peer's loans must not be accepted again.
func (l *Ledger) Forsaken(p membership.PeerID) []membership.Effect {
	if a := l.with(p); a != nil {
		l.orphan(a)
		l.putBack(a)
		a.lease = lease{number: a.lease.number}
	}
	return l.flush()
}

// orphan ends all that a peer has lent to this one.
func (l *Ledger) orphan(a *account) {
	for len(a.borrowed) > 0 {
		l.stop(a, 0, true)
	}
}

// putBack ends all that is lent to a peer.
func (l *Ledger) putBack(a *account) {
	for _, e := range a.lent {
		delete(l.byRef, e.ref)
		l.out = append(l.out, LoanLost{Ref: e.ref, Run: e.run, Key: e.key})
	}
	a.lent = nil
}

// Drop forgets all loans of a run that has ended, in silence: the run's end tells everybody.
func (l *Ledger) Drop(run Instance) {
	for _, a := range l.accounts {
		a.lent = slices.DeleteFunc(a.lent, func(e *lent) bool {
			if e.run == run {
				delete(l.byRef, e.ref)
			}
			return e.run == run
		})
		a.borrowed = slices.DeleteFunc(a.borrowed, func(b *borrowed) bool {
			if b.run == run {
				delete(l.byBorrow, b.borrow)
			}
			return b.run == run
		})
	}
}

func (l *Ledger) flush() []membership.Effect {
	out := l.out
	l.out = nil
	return out
}
