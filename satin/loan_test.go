package satin

// Inside the package: each step of a loan is taken alone, and compared with a model.

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"

	"satingrid/steal"
)

// loanLog is the outside that writes down what it is told.
type loanLog struct {
	nobody
	mu        sync.Mutex
	withdrawn map[steal.Ref]int
}

func (b *loanLog) Withdrawn(n steal.Ref, _ bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.withdrawn[n]++
}

// loanModel is the dumb twin of one job's shared part.
type loanModel struct {
	state sharedState
	value int // once done
	loan  steal.Ref
	told  int // how often outside was told that the loan is withdrawn
}

// The states of a job that is lent, put back, claimed, stolen, settled, delivered and
// withdrawn in any order.
func TestLoanStatesAgainstAModel(t *testing.T) {
	app, err := newRegistry(App{Tasks: []TaskType{Type[fibTask]()}})
	if err != nil {
		t.Fatal(err)
	}
	visits := map[sharedState]int{}
	for seed := range uint64(400) {
		log := &loanLog{withdrawn: map[steal.Ref]int{}}
		p := newPool(poolConfig{workers: 1, name: "here", app: app, outside: log})
		r, err := p.newRun(context.Background(), rootJob(fibTask{1}))
		if err != nil {
			t.Fatal(err)
		}
		x := &loanTrial{t: t, p: p, r: r, rng: rand.New(rand.NewPCG(seed, 8)), owner: &newScope(p).fiber, thief: &newScope(p).fiber}
		x.owner.run, x.thief.run = r, r
		x.h = &shared{job: rootJob(fibTask{5}), run: r, owner: x.owner}
		for step := range 25 {
			x.step()
			x.check(seed, step, log)
			visits[x.m.state]++
		}
		x.h.withdraw(false)
		if n := len(p.loans.lent); n != 0 {
			t.Fatalf("seed %d: %d loans are left in the ledger of a job that is withdrawn", seed, n)
		}
		p.close()
	}
	for state := private; state <= withdrawn; state++ {
		if visits[state] < 100 {
			t.Errorf("state %d was seen %d times: the test does less than it claims", state, visits[state])
		}
	}
}

type loanTrial struct {
	t            *testing.T
	p            *pool
	r            *run
	rng          *rand.Rand
	owner, thief *fiber
	h            *shared
	m            loanModel
	old          []steal.Ref
	last         steal.Ref // that anyLoan drew
}

// step does one thing to the job and to the model.
func (x *loanTrial) step() {
	h, m := x.h, &x.m
	open := m.state != done && m.state != withdrawn
	switch x.rng.IntN(12) {
	case 0, 1: // the owner publishes it
		if m.state == private {
			h.offer()
			x.owner.public.push(h)
			m.state = offered
		}
	case 2, 3: // outside borrows it
		got := x.p.lendFrom(x.owner, x.r)
		if (got != nil) != (m.state == offered) {
			x.t.Fatalf("lend in state %d gave %v", m.state, got)
		}
		if got != nil {
			m.state, m.loan = lent, got.Ref
			x.old = append(x.old, got.Ref)
		}
	case 4: // a thief comes
		if got := x.owner.public.take(x.thief); (got == h) != (m.state == offered) {
			x.t.Fatalf("take in state %d gave %v", m.state, got)
		} else if got == h {
			m.state = taken
		}
	case 5: // its parent wants it
		if got := h.claim(x.owner); got != (m.state == private || m.state == offered) {
			x.t.Fatalf("claim in state %d was %v", m.state, got)
		} else if got {
			m.state = private
		}
	case 6, 7: // the loan comes back without a result
		x.p.putBack(x.anyLoan(func() { m.state = offered }), 0)
	case 8: // a result comes; perhaps of a loan that was withdrawn
		data, _ := marshal(8)
		if err := x.p.settle(x.anyLoan(func() { m.state, m.value = done, 8 }), steal.Result{Bytes: data}); err != nil {
			x.t.Fatal(err)
		}
	case 9: // a result that is none
		if err := x.p.settle(x.anyLoan(func() {}), steal.Result{Bytes: []byte{0x61, 'x'}}); (err != nil) != (m.state == lent && m.loan != 0 && x.last == m.loan) {
			x.t.Fatalf("a text for a number in state %d: %v", m.state, err)
		}
	case 10: // the value comes from a third place, as deliver brings it
		if x.rng.IntN(3) == 0 && m.state != private {
			m.told += one(m.state == lent)
			if got := h.fulfil(&outcome[int]{value: 6}, part{}, nil); got != open {
				x.t.Fatalf("fulfil in state %d was %v", m.state, got)
			} else if got {
				m.state, m.value = done, 6
			}
		}
	case 11: // nobody wants it
		if x.rng.IntN(4) == 0 {
			m.told += one(m.state == lent)
			if got := h.withdraw(false); got != open {
				x.t.Fatalf("withdraw in state %d was %v", m.state, got)
			} else if got {
				m.state = withdrawn
			}
		}
	}
}

// anyLoan draws one of the loans there have been; then is what happens if it is
// the one that goes on.
func (x *loanTrial) anyLoan(then func()) steal.Ref {
	x.last = 0
	if len(x.old) == 0 {
		return 0
	}
	x.last = x.old[x.rng.IntN(len(x.old))]
	if x.m.state == lent && x.last == x.m.loan {
		then()
	}
	return x.last
}

func (x *loanTrial) check(seed uint64, step int, log *loanLog) {
	h, m := x.h, &x.m
	if h.state != m.state {
		x.t.Fatalf("seed %d, step %d: state %d, want %d", seed, step, h.state, m.state)
	}
	if o, ok := h.outcome().(*outcome[int]); ok != (m.state == done) || ok && o.value != m.value {
		x.t.Fatalf("seed %d, step %d: outcome %v in state %d, want %d", seed, step, o, m.state, m.value)
	}
	if n := len(x.p.loans.lent); n != one(m.state == lent) {
		x.t.Fatalf("seed %d, step %d: %d loans in the ledger in state %d", seed, step, n, m.state)
	}
	told := 0
	for _, n := range log.withdrawn {
		told += n
	}
	if told != m.told {
		x.t.Fatalf("seed %d, step %d: outside was told %d times that the loan is withdrawn, want %d", seed, step, told, m.told)
	}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lendFrom is lend from one fiber.
func (p *pool) lendFrom(f *fiber, r *run) *lentJob {
	h := f.public.lend(r)
	if h == nil {
		return nil
	}
	x, ok := p.pack(h)
	if !ok {
		return nil
	}
	return &x
}
