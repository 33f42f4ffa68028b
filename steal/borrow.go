package steal

import (
	"cmp"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
)

// How results are repeated until they are acknowledged. A big one takes its time on the way, so it
// gets time for its bytes before it is sent again.
const (
	repeatMin = time.Second
	repeatMax = 8 * time.Second
	// more than that each time, so that it does not stay in step with what goes every half
	// second: where a queue has room for one message it would be dropped for ever
	offBeat = 37 * time.Millisecond
	// bytes of a result that a slow link is trusted to carry in a second
	repeatPerSecond = 4 << 20
)

// NextBorrow numbers a job that is to be executed here: a borrowed one or a root.
func (l *Ledger) NextBorrow() Borrow {
	l.borrow++
	return l.borrow
}

// Borrow enters a job that arrived, and numbers the borrowing. It refuses a loan that was
// seen or denied before, and what is above the limit: a refused loan is one that the next
// probe finds missing.
func (l *Ledger) Borrow(owner membership.PeerID, i membership.Incarnation, number LoanNo, run Instance, key Key) (borrow Borrow, ok bool) {
	if len(l.byBorrow) >= BorrowedMax {
		return 0, false
	}
	a := l.account(owner, i)
	if !a.seen.add(number) {
		return 0, false
	}
	b := &borrowed{number: number, borrow: l.NextBorrow(), run: run, key: key, owner: a}
	at, _ := findBorrowed(a.borrowed, number)
	a.borrowed = slices.Insert(a.borrowed, at, b)
	l.byBorrow[b.borrow] = b
	return b.borrow, true
}

func findBorrowed(all []*borrowed, number LoanNo) (int, bool) {
	return slices.BinarySearchFunc(all, number, func(b *borrowed, n LoanNo) int { return cmp.Compare(b.number, n) })
}

// Finish takes the result of a borrowed job, to be sent to its owner and repeated until it is
// acknowledged. The job must be Running: what a withdrawn one returns is no result.
func (l *Ledger) Finish(now time.Duration, borrow Borrow, r Result) {
	b := l.byBorrow[borrow]
	if b == nil || b.result != nil {
		panic("steal: BUG: a job finished that is not running")
	}
	b.result = &r
	b.gap = backoff.New(repeatMin+time.Duration(len(r.Bytes))*time.Second/repeatPerSecond, repeatMax)
	b.again = now + b.gap.Next() + offBeat
}

// Running is the run of a borrowed job that is not finished.
func (l *Ledger) Running(borrow Borrow) (Instance, bool) {
	b := l.byBorrow[borrow]
	if b == nil || b.result != nil {
		return Instance{}, false
	}
	return b.run, true
}

// Loan is what a borrowed job is to its owner. A root, which nobody has lent, is none.
func (l *Ledger) Loan(borrow Borrow) (Loan, bool) {
	b := l.byBorrow[borrow]
	if b == nil {
		return Loan{}, false
	}
	return Loan{Owner: b.owner.peer, Incarnation: b.owner.incarnation, Number: b.number}, true
}

// Outgoing is a finished job as it is to be returned: to whom, and what. The stamp is the
// caller's to fill in.
func (l *Ledger) Outgoing(borrow Borrow) (to membership.PeerID, i membership.Incarnation, r Return) {
	b := l.byBorrow[borrow]
	if b == nil || b.result == nil {
		panic("steal: BUG: a result that is not there is to be sent")
	}
	return b.owner.peer, b.owner.incarnation, Return{Run: b.run, Number: b.number, Result: *b.result}
}

// Unacknowledged lists the finished jobs of a run whose owners may not have the results yet.
func (l *Ledger) Unacknowledged(run Instance) (done []Done) {
	for _, a := range l.accounts {
		for _, b := range a.borrowed {
			if b.result != nil && b.run == run {
				done = append(done, Done{b.run, b.key, b.number, *b.result})
			}
		}
	}
	return done
}

// Done is a borrowed job that has a result.
type Done struct {
	Run    Instance
	Key    Key
	Number LoanNo // of the loan
	Result Result
}

// HearReturned hears that the owner has the results, and tells which those are: what is done with
// them now is the caller's.
func (l *Ledger) HearReturned(owner membership.PeerID, numbers []LoanNo) (done []Done) {
	a := l.with(owner)
	if a == nil {
		return nil
	}
	for _, n := range numbers {
		if at, ok := findBorrowed(a.borrowed, n); ok && a.borrowed[at].result != nil {
			b := a.borrowed[at]
			done = append(done, Done{b.run, b.key, b.number, *b.result})
			delete(l.byBorrow, b.borrow)
			a.borrowed = slices.Delete(a.borrowed, at, at+1)
		}
	}
	return done
}

// HandBack gives a job back to its owner that will not be done here, and promises never to accept
// it. It does nothing when the borrowing is over.
func (l *Ledger) HandBack(borrow Borrow) []membership.Effect {
	b := l.byBorrow[borrow]
	if b == nil || b.result != nil {
		return nil
	}
	a := b.owner
	at, _ := findBorrowed(a.borrowed, b.number)
	delete(l.byBorrow, borrow)
	a.borrowed = slices.Delete(a.borrowed, at, at+1)
	l.out = append(l.out, membership.Send{To: a.peer, Incarnation: a.incarnation, Body: Missing{Numbers: []LoanNo{b.number}}})
	return l.flush()
}

// Borrowings lists the jobs of others that are here and not finished, in the
// order of their arrival.
func (l *Ledger) Borrowings() (all []Borrow) {
	for _, a := range l.accounts {
		for _, b := range a.borrowed {
			if b.result == nil {
				all = append(all, b.borrow)
			}
		}
	}
	slices.Sort(all)
	return all
}

// Refuse promises never to accept these loans, and tells their owner so.
func (l *Ledger) Refuse(owner membership.PeerID, i membership.Incarnation, numbers []LoanNo) []membership.Effect {
	a := l.account(owner, i)
	h := Missing{}
	for _, n := range numbers {
		a.seen.add(n)
		if _, ok := findBorrowed(a.borrowed, n); !ok {
			h.Numbers = append(h.Numbers, n)
		}
	}
	l.out = append(l.out, membership.Send{To: owner, Incarnation: i, Body: h})
	return l.flush()
}

// HearWithdraw hears that the owner does not want the jobs any more. A job that has not arrived yet
// never will.
func (l *Ledger) HearWithdraw(owner membership.PeerID, i membership.Incarnation, numbers []LoanNo, orphaned bool) []membership.Effect {
	a := l.account(owner, i)
	for _, n := range numbers {
		a.seen.add(n)
		if at, ok := findBorrowed(a.borrowed, n); ok {
			l.stop(a, at, orphaned)
		}
	}
	return l.flush()
}

// stop ends a borrowing whose job nobody wants.
func (l *Ledger) stop(a *account, at int, orphaned bool) {
	b := a.borrowed[at]
	delete(l.byBorrow, b.borrow)
	a.borrowed = slices.Delete(a.borrowed, at, at+1)
	switch {
	case b.result == nil:
		l.out = append(l.out, Stop{Borrow: b.borrow, Run: b.run, Key: b.key, Orphaned: orphaned})
	case orphaned:
		l.out = append(l.out, Orphan{Run: b.run, Key: b.key, Result: *b.result})
	}
}

// HearProbe hears that an owner asks which of its loans are here, answers that, and ends those that
// it does not name.
func (l *Ledger) HearProbe(owner membership.PeerID, i membership.Incarnation, p Probe) []membership.Effect {
	a := l.account(owner, i)
	held := Missing{Number: p.Number}
	for _, n := range p.Numbers {
		if _, ok := findBorrowed(a.borrowed, n); !ok && len(held.Numbers) < LentMax {
			a.seen.add(n) // denied: it is not accepted if it comes after all
			held.Numbers = append(held.Numbers, n)
		}
	}
	for at := len(a.borrowed) - 1; at >= 0; at-- {
		n := a.borrowed[at].number
		if _, named := slices.BinarySearch(p.Numbers, n); n < p.Before && !named {
			l.stop(a, at, false)
		}
	}
	l.out = append(l.out, membership.Send{To: owner, Incarnation: i, Body: held})
	return l.flush()
}

// seenMax is how many loan numbers of an owner are remembered: as many as it may have lent, for one
// request may bring hundreds and be overtaken by the next.
const seenMax = LentMax

// window remembers which loan numbers of an owner were offered or denied. Numbers that lie far
// behind the greatest count as seen: to refuse a loan is always safe.
type window struct {
	top  LoanNo
	bits [seenMax / 64]uint64 // bit n%seenMax: n was seen, of those that are not far behind
}

// add notes a number and tells whether it is new.
func (w *window) add(n LoanNo) bool {
	if n == 0 || n <= w.top && w.top-n >= seenMax {
		return false
	}
	if n > w.top {
		for k := range min(n-w.top, seenMax) {
			w.set(n-k, false)
		}
		w.top = n
	} else if w.bits[n%seenMax/64]>>(n%64)&1 == 1 {
		return false
	}
	w.set(n, true)
	return true
}

// set notes whether a number was seen.
func (w *window) set(n LoanNo, seen bool) {
	word, bit := &w.bits[n%seenMax/64], uint64(1)<<(n%64)
	if *word &^= bit; seen {
		*word |= bit
	}
}
