package steal_test

import (
	"fmt"
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// A job is lent, computed and returned. Another one is lent to a peer that dies.
func ExampleLedger() {
	owner, thief := steal.NewLedger(), steal.NewLedger()
	run := steal.Instance{Run: steal.KeyOf([]byte("what is computed"))}
	first, second := steal.KeyOf([]byte("a job")), steal.KeyOf([]byte("another"))
	life := membership.Incarnation{Join: 1}

	// The owner's workers know the jobs as 7 and 8.
	loan := owner.Lend(0, "thief", life, run, first, 7)
	owner.Lend(0, "thief", life, run, second, 8)
	borrow, ok := thief.Borrow("owner", life, loan, run, first)
	fmt.Println("loan", loan, "is borrowed:", ok)
	_, ok = thief.Borrow("owner", life, loan, run, first)
	fmt.Println("it is doubled on its way, and borrowed again:", ok)

	thief.Finish(time.Second, borrow, steal.Result{Outcome: steal.Value, Bytes: []byte("42")})
	_, _, ret := thief.Outgoing(borrow)
	ref, ok := owner.Settle("thief", ret.Number, ret.Run)
	fmt.Println("job", ref, "is settled:", ok)
	_, ok = owner.Settle("thief", ret.Number, ret.Run)
	fmt.Println("it is returned again, and settled again:", ok)

	for _, e := range owner.Lost("thief") {
		if back, ok := e.(steal.LoanLost); ok {
			fmt.Println("the thief is lost: job", back.Ref, "is put back")
		}
	}
	// Output:
	// loan 1 is borrowed: true
	// it is doubled on its way, and borrowed again: false
	// job 7 is settled: true
	// it is returned again, and settled again: false
	// the thief is lost: job 8 is put back
}

// A worker is idle. The peer of the site is asked first, and has nothing; then one outside it.
func ExampleThief() {
	t := steal.NewThief("delft", steal.CRS, rand.New(rand.NewPCG(1, 2)))
	near := membership.Member{ID: "near", Site: "delft"}
	far := membership.Member{ID: "far", Site: "paris"}
	t.Joined(near)
	t.Joined(far)
	asked := func(effects []membership.Effect) (number steal.AskNo) {
		for _, e := range effects {
			if s, ok := e.(membership.Send); ok {
				ask := s.Body.(steal.Ask)
				fmt.Printf("ask %s for up to %d jobs\n", s.To, ask.Jobs)
				number = ask.Number
			}
		}
		return number
	}
	t.Open(0, true) // there is a run
	number := asked(t.Idle(time.Second, 1))
	number = asked(t.HearNothing(time.Second+time.Millisecond, near, number))
	asked(t.Got(time.Second+20*time.Millisecond, far, number, 4))
	// Output:
	// ask near for up to 1 jobs
	// ask far for up to 4 jobs
}
