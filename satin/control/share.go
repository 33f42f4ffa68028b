package control

import (
	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// sharesMax bounds the loans in one message: a thief that has more of one owner has small ones.
const sharesMax = 256

// sendShares tells the owners of the jobs that are executed here how far these are.
func (l *Loop) sendShares() {
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
			panic("control: BUG: " + err.Error())
		}
		l.sendBytes(to, nil, data)
	}
}

// toldShares takes a thief's word on how far its loans are.
func (l *Loop) toldShares(from membership.PeerID, s shares) {
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
