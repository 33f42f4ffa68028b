package steal

import "fmt"

// Check says what is wrong with the ledger, for tests and the simulator: every loan is in both
// books, once, in order.
func (l *Ledger) Check() error {
	lent, borrowed := 0, 0
	for n, a := range l.accounts {
		if n > 0 && l.accounts[n-1].peer >= a.peer {
			return fmt.Errorf("steal: the account of %q is out of place", a.peer)
		}
		for m, e := range a.lent {
			if l.byRef[e.ref] != e || e.thief != a || m > 0 && a.lent[m-1].number >= e.number || e.number > l.number {
				return fmt.Errorf("steal: loan %d to %q is not in both books", e.number, a.peer)
			}
		}
		for m, b := range a.borrowed {
			if l.byBorrow[b.borrow] != b || b.owner != a || m > 0 && a.borrowed[m-1].number >= b.number {
				return fmt.Errorf("steal: loan %d from %q is not in both books", b.number, a.peer)
			}
		}
		lent += len(a.lent)
		borrowed += len(a.borrowed)
		if len(a.lent) > LentMax {
			return fmt.Errorf("steal: %d jobs lent to %q", len(a.lent), a.peer)
		}
	}
	if lent != len(l.byRef) || borrowed != len(l.byBorrow) || borrowed > BorrowedMax {
		return fmt.Errorf("steal: %d lent and %d by reference, %d borrowed and %d by number", lent, len(l.byRef), borrowed, len(l.byBorrow))
	}
	return nil
}
