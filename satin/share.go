package satin

import (
	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// kindShares is the kind of a message that does not go through the machine: it is about what people see, and
// decides nothing.
const kindShares uint8 = 202

// shares tells an owner how far the jobs are that it has lent to the sender.
type shares struct {
	Numbers []steal.LoanNo // of the loans …
	Done    []float32
}

func (shares) Kind() uint8 { return kindShares }

// sharesMax bounds the loans in one message: a thief that has more of one owner has small ones.
const sharesMax = 256

// sendShares tells the owners of the jobs that are executed here how far these are.
func (l *loop) sendShares() {
	all := map[membership.PeerID]*shares{}
	l.plane.Shares(func(borrow steal.Borrow, done float64) {
		loan, ok := l.machine.Ledger().Loan(borrow)
		if !ok {
			return
		}
		s := all[loan.Owner]
		if s == nil {
			s = &shares{}
			all[loan.Owner] = s
		}
		if len(s.Numbers) < sharesMax {
			s.Numbers, s.Done = append(s.Numbers, loan.Number), append(s.Done, float32(done))
		}
	})
	for to, s := range all {
		data, err := wire.Encode(peer.Message{Body: *s})
		if err != nil {
			panic("satin: BUG: " + err.Error())
		}
		l.sendBytes(to, nil, data)
	}
}

// toldShares takes a thief's word on how far its loans are.
func (l *loop) toldShares(from membership.PeerID, s shares) {
	if len(s.Numbers) != len(s.Done) {
		return
	}
	for i, number := range s.Numbers {
		done := float64(s.Done[i])
		if ref, ok := l.machine.Ledger().Ref(from, number); ok && done >= 0 && done < 1 {
			l.plane.Progressed(ref, done)
		}
	}
}
