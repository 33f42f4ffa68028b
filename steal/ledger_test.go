package steal

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
)

var (
	ownerInc = membership.Incarnation{Join: 1, Random: 7}
	thiefInc = membership.Incarnation{Join: 2, Random: 8}
	someRun  = Instance{Run: Key{1}, First: Submission{Submitter: "client", Nonce: 1}}
)

// pair is an owner's and a thief's ledger with a bad network between them, and a dumb twin of what
// the owner's must hold.
type pair struct {
	t     *testing.T
	rng   *rand.Rand
	now   time.Duration
	owner *Ledger
	thief *Ledger
	wire  []wired
	loss  float64
	ref   Ref

	twin    map[Ref]string  // ref → deque, lent, settled or abandoned
	running map[Borrow]bool // borrowings that the thief's workers have
	history []string
}

type wired struct {
	toThief bool
	body    membership.Body
	at      time.Duration
}

func newPair(t *testing.T, seed uint64, loss float64) *pair {
	return &pair{
		t: t, rng: rand.New(rand.NewPCG(seed, 1)), owner: NewLedger(), thief: NewLedger(), loss: loss,
		twin: map[Ref]string{}, running: map[Borrow]bool{},
	}
}

// send puts a message on the wire: lost, once or twice, after a drawn delay.
func (p *pair) send(toThief bool, b membership.Body) {
	copies := 1
	if p.rng.Float64() < p.loss {
		copies = 0
	} else if p.rng.Float64() < p.loss {
		copies = 2
	}
	for range copies {
		p.wire = append(p.wire, wired{toThief, b, p.now + time.Duration(p.rng.IntN(3000))*time.Millisecond})
	}
}

func (p *pair) say(format string, args ...any) {
	p.history = append(p.history, fmt.Sprintf("%v ", p.now)+fmt.Sprintf(format, args...))
}

func (p *pair) effects(ofThief bool, effects []membership.Effect) {
	for _, e := range effects {
		switch e := e.(type) {
		case membership.Send:
			p.send(!ofThief, e.Body)
		case LoanLost:
			p.move(e.Ref, "lent", "deque")
		case Stop:
			if !p.running[e.Borrow] {
				p.fatal("borrowing %d is stopped, but does not run", e.Borrow)
			}
			delete(p.running, e.Borrow)
		case Orphan: // its owner has ended the loan, or will find it missing
		case Repeat:
			_, _, ret := p.thief.Outgoing(e.Borrow)
			p.send(false, ret)
		default:
			p.fatal("effect %T", e)
		}
	}
}

// move takes a job from one state of the twin to another, and it must have been in that one.
func (p *pair) move(ref Ref, from, to string) {
	if p.twin[ref] != from {
		p.fatal("job %d is %q in the twin and moves from %q to %q", ref, p.twin[ref], from, to)
	}
	p.twin[ref] = to
	p.say("job %d is %s", ref, to)
}

func (p *pair) fatal(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf(format+"\n%s", append(args, fmt.Sprint(p.history))...)
}

// some is a job in that state, drawn.
func (p *pair) some(state string) (Ref, bool) {
	var all []Ref
	for ref, s := range p.twin {
		if s == state {
			all = append(all, ref)
		}
	}
	if len(all) == 0 {
		return 0, false
	}
	slices.Sort(all)
	return all[p.rng.IntN(len(all))], true
}

// act does one of the things that a peer's life consists of.
func (p *pair) act() {
	switch p.rng.IntN(5) {
	case 4:
		p.forsake()
	}
	switch p.rng.IntN(5) {
	case 0, 1: // the workers give a job, new or put back; its reference is new
		if old, ok := p.some("deque"); ok {
			delete(p.twin, old)
		}
		p.ref++
		p.twin[p.ref] = "deque"
		number := p.owner.Lend(p.now, "thief", thiefInc, someRun, Key{byte(p.ref)}, p.ref)
		p.move(p.ref, "deque", "lent")
		p.send(true, Lend{Run: someRun, Jobs: []Lent{{Number: number}}})
	case 2, 3:
		p.finishOne()
	case 4:
		if ref, ok := p.some("lent"); ok && p.rng.IntN(4) == 0 {
			p.effects(false, p.owner.Abandon(p.now, []Ref{ref}, false))
			p.move(ref, "lent", "abandoned")
		}
	}
}

// forsake ends all loans at one side, which the other has not heard of yet, or never will.
func (p *pair) forsake() {
	switch p.rng.IntN(20) {
	case 0:
		p.effects(false, p.owner.Forsaken("thief"))
	case 1:
		p.effects(true, p.thief.Forsaken("owner"))
	}
}

func (p *pair) finishOne() {
	var all []Borrow
	for b := range p.running {
		all = append(all, b)
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	b := all[p.rng.IntN(len(all))]
	delete(p.running, b)
	if p.rng.IntN(6) == 0 { // it leaves
		p.effects(true, p.thief.HandBack(b))
		return
	}
	p.thief.Finish(p.now, b, Result{Bytes: []byte{1}})
	_, _, ret := p.thief.Outgoing(b)
	p.send(false, ret)
}

// deliver brings what is due.
func (p *pair) deliver() {
	for n := 0; n < len(p.wire); n++ {
		w := p.wire[n]
		if w.at > p.now {
			continue
		}
		p.wire = slices.Delete(p.wire, n, n+1)
		n--
		p.say("arrives %T %v", w.body, w.body)
		switch b := w.body.(type) {
		case Lend:
			if p.rng.IntN(20) == 0 {
				p.effects(true, p.thief.Refuse("owner", ownerInc, []LoanNo{b.Jobs[0].Number}))
			} else if borrow, ok := p.thief.Borrow("owner", ownerInc, b.Jobs[0].Number, someRun, Key{}); ok {
				p.running[borrow] = true
			}
		case Return:
			if ref, ok := p.owner.Settle("thief", b.Number, b.Run); ok {
				p.move(ref, "lent", "settled")
			}
			p.send(true, Returned{Numbers: []LoanNo{b.Number}})
		case Returned:
			p.thief.HearReturned("owner", b.Numbers)
		case Withdraw:
			p.effects(true, p.thief.HearWithdraw("owner", ownerInc, b.Numbers, b.Orphaned))
		case Probe:
			p.effects(true, p.thief.HearProbe("owner", ownerInc, b))
		case Missing:
			p.effects(false, p.owner.HearMissing(p.now, "thief", b))
		}
	}
}

func (p *pair) step(act bool) {
	p.now += time.Duration(p.rng.IntN(200)) * time.Millisecond
	if act {
		p.act()
	}
	p.deliver()
	p.effects(false, p.owner.Tick(p.now))
	p.effects(true, p.thief.Tick(p.now))
	for _, l := range []*Ledger{p.owner, p.thief} {
		if err := l.Check(); err != nil {
			p.fatal("%v", err)
		}
	}
	var lent []Ref
	for ref, s := range p.twin {
		if s == "lent" {
			lent = append(lent, ref)
		}
	}
	slices.Sort(lent)
	if !slices.Equal(lent, p.owner.Refs()) {
		p.fatal("the ledger holds %v, the twin %v", p.owner.Refs(), lent)
	}
}

// TestLedgerAgainstTwin plays loans over a network that loses, doubles and reorders, and now and
// then one side ends them all. In every state the owner's ledger is what a dumb map says; when the
// network is well again, every loan comes to its end on both sides.
func TestLedgerAgainstTwin(t *testing.T) {
	for seed := range uint64(60) {
		p := newPair(t, seed, float64(seed%4)*0.15)
		for range 300 {
			p.step(true)
		}
		p.loss = 0
		for range 1200 {
			p.finishOne()
			p.step(false)
		}
		if p.owner.Lent() > 0 || p.thief.Borrowed() > 0 || len(p.running) > 0 {
			p.fatal("seed %d: %d still lent, %d borrowed, %d running", seed, p.owner.Lent(), p.thief.Borrowed(), len(p.running))
		}
		if p.owner.Deadline() != Never || p.thief.Deadline() != Never {
			p.fatal("seed %d: nothing is left, but the ledgers wait for %v and %v", seed, p.owner.Deadline(), p.thief.Deadline())
		}
	}
}

func TestWindowAgainstSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var w window
	seen := map[LoanNo]bool{}
	base := LoanNo(1)
	for range 20000 {
		if rng.IntN(20) == 0 {
			base += LoanNo(rng.Uint64N(seenMax * 3 / 2))
		}
		n := base + LoanNo(rng.Uint64N(seenMax+6))
		behind := w.top >= seenMax && n <= w.top-seenMax
		want := !seen[n] && !behind
		if got := w.add(n); got != want {
			t.Fatalf("add(%d) with top %d is %v", n, w.top, got)
		}
		seen[n] = true
	}
	if w.add(0) {
		t.Error("0 is no loan")
	}
}

// TestSilentThief: ten seconds without an answer to any probe end the loans, and the thief gets no
// more until it answers.
func TestSilentThief(t *testing.T) {
	l := NewLedger()
	l.Lend(0, "thief", thiefInc, someRun, Key{9}, 41)
	var back []Ref
	var last Probe
	var at time.Duration
	for l.Lent() > 0 {
		at = l.Deadline()
		for _, e := range l.Tick(at) {
			switch e := e.(type) {
			case LoanLost:
				back = append(back, e.Ref)
			case membership.Send:
				last = e.Body.(Probe)
			}
		}
	}
	if !slices.Equal(back, []Ref{41}) || at != Lease+ProbeMax {
		t.Errorf("%v went back after %v", back, at)
	}
	if l.Room("thief") != 0 {
		t.Error("the silent thief may have more")
	}
	l.HearMissing(at+time.Second, "thief", Missing{Number: last.Number})
	if l.Room("thief") != LentMax || l.Deadline() != Never {
		t.Errorf("it has answered: room %d, deadline %v", l.Room("thief"), l.Deadline())
	}
}

// TestLossOrder: what a lost peer lent are orphans, the finished with their results, before what
// it borrowed goes back.
func TestLossOrder(t *testing.T) {
	for _, apart := range []bool{false, true} {
		l := NewLedger()
		l.Lend(0, "x", thiefInc, someRun, Key{}, 1)
		b, _ := l.Borrow("x", thiefInc, 1, someRun, Key{7})
		done, _ := l.Borrow("x", thiefInc, 2, someRun, Key{8})
		l.Finish(0, done, Result{Bytes: []byte("8")})
		l.Lend(0, "y", ownerInc, someRun, Key{}, 2)
		var got []membership.Effect
		if apart {
			got = l.OwnerLost("x")
		}
		got = append(got, l.Lost("x")...)
		want := []membership.Effect{
			Stop{Borrow: b, Run: someRun, Key: Key{7}, Orphaned: true},
			Orphan{Run: someRun, Key: Key{8}, Result: Result{Bytes: []byte("8")}}, LoanLost{Ref: 1, Run: someRun},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("effects %v", got)
		}
		if l.Lost("x") != nil || l.Lent() != 1 {
			t.Error("a loss concerns nobody else, and happens once")
		}
	}
}

// FuzzLedger tells the thief and the owner any numbers.
func FuzzLedger(f *testing.F) {
	f.Add([]byte{0, 1, 1, 1, 2, 1, 3, 5, 4, 1, 5, 1})
	f.Fuzz(func(t *testing.T, in []byte) {
		l := NewLedger()
		now := time.Duration(0)
		ref := Ref(0)
		for len(in) >= 2 {
			op, n := in[0], uint64(in[1])
			in = in[2:]
			if n > 250 {
				n = ^uint64(0) - n
			}
			loan := LoanNo(n)
			numbers := []LoanNo{loan, loan / 2, 0, loan + 1}
			switch op % 10 {
			case 0:
				l.Borrow("x", thiefInc, loan, someRun, Key{})
			case 1:
				if ref++; l.Room("x") > 0 {
					l.Lend(now, "x", thiefInc, someRun, Key{}, ref)
				}
			case 2:
				l.Settle("x", loan, someRun)
			case 3:
				l.HearProbe("x", thiefInc, Probe{Number: ProbeNo(n), Before: loan, Numbers: numbers})
			case 4:
				l.HearMissing(now, "x", Missing{Number: ProbeNo(n), Numbers: numbers})
			case 5:
				l.HearWithdraw("x", thiefInc, numbers, false)
			case 6:
				l.HearReturned("x", numbers)
			case 7:
				if _, ok := l.Running(Borrow(n)); ok {
					l.Finish(now, Borrow(n), Result{})
				}
			case 8:
				now += time.Duration(n) * 10 * time.Millisecond
				l.Tick(now)
			case 9:
				l.Abandon(now, []Ref{Ref(n), Ref(n / 2), 0, Ref(n + 1)}, false)
			}
			if err := l.Check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkLoan(b *testing.B) {
	l, th := NewLedger(), NewLedger()
	for b.Loop() {
		n := l.Lend(0, "thief", thiefInc, someRun, Key{}, 1)
		borrow, _ := th.Borrow("owner", ownerInc, n, someRun, Key{})
		th.Finish(0, borrow, Result{})
		_, _, ret := th.Outgoing(borrow)
		l.Settle("thief", ret.Number, someRun)
		th.HearReturned("owner", []LoanNo{n})
	}
}

// TestRepeatsLeaveTheBeat: a result that its owner never gets is sent again at other places of a
// half second, whatever is always sent just before it at one of them.
func TestRepeatsLeaveTheBeat(t *testing.T) {
	const beat = 500 * time.Millisecond
	l := NewLedger()
	borrow, ok := l.Borrow("owner", membership.Incarnation{Join: 1}, 1, Instance{}, Key{1})
	if !ok {
		t.Fatal("nothing is borrowed")
	}
	l.Finish(0, borrow, Result{Bytes: []byte("value")})
	places := map[time.Duration]int{}
	for now := time.Duration(0); now < 2*time.Minute; now = l.Deadline() {
		if len(l.Tick(now)) > 0 {
			places[now%beat]++
		}
	}
	for place, times := range places {
		if times > 2 {
			t.Errorf("it was repeated %d times at %v of a half second", times, place)
		}
	}
	if len(places) < 10 {
		t.Errorf("it was repeated at %d places: %v", len(places), places)
	}
}
