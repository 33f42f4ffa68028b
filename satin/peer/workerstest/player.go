package workerstest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// Self is the id of the peer whose data plane is on the bench: it has submitted all runs.
const Self membership.PeerID = "me"

// player plays the machine's part: it orders, and waits for what must be said.
type player struct {
	bench  Bench
	model  *model
	waits  time.Duration // for what must come
	rand   *rand.Rand
	runs   peer.RunNo
	borrow steal.Borrow
	nonce  steal.Nonce
}

// A Script is one course of things. It ends the runs that it starts.
type Script struct {
	Name    string
	Workers int
	waits   time.Duration // for what must come; 0: patience
	play    func(p *player)
}

// Check plays a script with a data plane, and returns the first rule that it broke, a *Broken, or
// what the plane itself has found.
func Check(open Open, s Script, seed uint64) (err error) {
	_, err = check(open, s, seed)
	return err
}

func check(open Open, s Script, seed uint64) (covered map[string]int, err error) {
	m := newModel(s.Workers)
	bench := open(s.Workers, m)
	m.codec = bench
	p := &player{bench: bench, model: m, waits: cmp.Or(s.waits, patience), rand: rand.New(rand.NewPCG(seed, 0x706c616e65))}
	defer func() {
		covered = m.covered
		closed := bench.Close()
		if why := recover(); why != nil {
			broken, ok := why.(*Broken)
			if !ok {
				panic(why)
			}
			err = fmt.Errorf("%s, seed %d: %w", s.Name, seed, broken)
		} else {
			err = closed
		}
	}()
	s.play(p)
	p.end()
	return m.covered, nil
}

// turn lets the machine do something in a turn of the loop.
func (p *player) turn(do func() []peer.Effect) {
	var broken *Broken
	p.bench.Turn(func() []peer.Effect {
		effects := do()
		for _, e := range effects {
			must(workers.Carry(p.model, e), "no order")
		}
		broken = p.model.broken
		return effects
	})
	if broken != nil {
		panic(broken)
	}
}

func (p *player) order(all ...peer.Effect) { p.turn(func() []peer.Effect { return all }) }

// ask tells something of the model.
func (p *player) ask(what func() bool) (is bool) {
	p.turn(func() []peer.Effect {
		is = what()
		return nil
	})
	return is
}

// until waits for what must come. Of what does not, the rule is broken.
func (p *player) until(r Rule, what string, is func() bool) {
	for by := p.bench.Now() + p.waits; !p.ask(is); p.bench.Pass(time.Millisecond) {
		if p.bench.Now() > by {
			panic(&Broken{r, what + ", and does not come"})
		}
	}
}

// pass lets time pass, in which anything may be said that may be.
func (p *player) pass(d time.Duration) {
	for by := p.bench.Now() + d; p.bench.Now() < by; {
		p.bench.Pass(by - p.bench.Now())
		p.ask(func() bool { return true })
	}
}

// start begins a run whose root is that job.
func (p *player) start(root Job) (r *run) {
	p.runs++
	p.order(p.started(root))
	p.ask(func() bool { r = p.model.runs[p.runs]; return true })
	return r
}

// started is the order to start the latest run.
func (p *player) started(root Job) peer.StartRun {
	first := steal.Submission{Submitter: Self, Nonce: steal.Nonce(p.runs)}
	return peer.StartRun{
		Run: p.runs, Task: p.bench.Task(), Root: p.bench.Fields(root),
		Instance: steal.Instance{Run: steal.KeyOf([]byte{'r', byte(p.runs)}), First: first},
		Terms:    peer.Terms{ResultMax: peer.ResultCarried, Share: peer.ShareDefault},
	}
}

// read waits until a run's root has been read, before which no job of it is begun or Taken.
func (p *player) read(r *run) { p.finish(p.execute(r, leaf(99, brief))) }

func (p *player) stop(r *run) { p.order(peer.EndRun{Run: r.no}) }

// executes is the order to execute a job.
func (p *player) executes(r *run, j Job) peer.Execute {
	p.borrow++
	return peer.Execute{Run: r.no, Borrow: p.borrow, Key: p.bench.Key(r.instance, j), Task: p.bench.Task(), Args: p.bench.Fields(j)}
}

// execute gives the workers a job, or a run's root.
func (p *player) execute(r *run, j Job) *borrow {
	e := p.executes(r, j)
	e.IsRoot = j == r.root
	return p.ordered(e)
}

// ordered gives the order, and what it is in the model.
func (p *player) ordered(e peer.Execute) (b *borrow) {
	p.order(e)
	p.ask(func() bool { b = p.model.borrows[e.Borrow]; return true })
	return b
}

// root begins a run and executes its root.
func (p *player) root(j Job) (*run, *borrow) {
	r := p.start(j)
	return r, p.execute(r, j)
}

// result is what a job comes to elsewhere.
func (p *player) result(j Job) steal.Result {
	v, fails := j.alone()
	if fails {
		return steal.Result{Outcome: steal.Failed, Cost: 1, Bytes: p.bench.Failure("it fails")}
	}
	return steal.Result{Cost: 1, Bytes: p.bench.Bytes(Result{j.bare(), v, j.Seen})}
}

func (p *player) settles(x *loan) peer.Settle {
	return peer.Settle{Ref: x.ref, Result: p.result(x.job)}
}

// settle brings the result of what is lent.
func (p *player) settle(x *loan) { p.order(p.settles(x)) }

// attempts is how often something is tried that comes about by chance.
const attempts = 20

// again makes another job for the next attempt, of longer leaves: where the machine is busy, it
// takes that long to take one.
func (j *Job) again() {
	j.Seed++
	j.Leaf = min(2*j.Leaf, long)
}

// outside is a run whose root waits for n children that are in the machine's hands. Where workers
// are faster than their loop, it takes some attempts.
func (p *player) outside(j Job, n int) (*run, *borrow, []*loan) {
	for range attempts {
		r := p.start(j)
		p.read(r)
		b := p.execute(r, j)
		for !p.ask(func() bool { return b.ends > 0 }) {
			if all := p.lent(r); len(all) >= n {
				return r, b, all
			}
			taken := p.take(steal.WantJobs{N: 1, Bytes: 1 << 20})
			if p.ask(func() bool { return len(taken) == 0 && p.model.idle == p.model.workers }) {
				break // it waits for fewer
			}
		}
		p.stop(r)
		j.again()
	}
	panic(&Broken{RuleTaken, "too few jobs are Taken of a tree of long ones"})
}

// lent are the jobs of a run that are in the machine's hands.
func (p *player) lent(r *run) (all []*loan) {
	p.ask(func() bool {
		all = slices.DeleteFunc(p.model.lent(), func(x *loan) bool { return x.state != out || x.run != r })
		return true
	})
	return all
}

// take asks for jobs, and returns what is Taken.
func (p *player) take(e steal.WantJobs) (all []*loan) {
	var before []*loan
	p.ask(func() bool { before = p.model.lent(); return true })
	p.order(e)
	r := RuleOnce
	if e.Of != nil {
		r = RuleAtOnce
	}
	p.until(r, "Taken, which answers WantJobs", func() bool { return p.model.want == nil })
	p.ask(func() bool {
		for _, x := range p.model.lent() {
			if !slices.Contains(before, x) {
				all = append(all, x)
			}
		}
		return true
	})
	return all
}

// gather asks for the parts, and returns them by their jobs.
func (p *player) gather() map[Job]bool {
	p.order(peer.WantParts{})
	p.until(RuleOnce, "Gathered, which answers WantParts", func() bool { return !p.model.wantParts })
	return p.parts()
}

// parts are the jobs of the parts that were said last.
func (p *player) parts() (all map[Job]bool) {
	p.ask(func() bool { all = p.model.parts(); return true })
	return all
}

// finish waits for a job's end.
func (p *player) finish(b *borrow) {
	p.until(RuleFinished, fmt.Sprintf("%d to be Finished", b.no), func() bool { return b.ends > 0 })
}

// end ends all runs, and waits until nothing is left of them.
func (p *player) end() {
	p.turn(func() (all []peer.Effect) {
		for no := peer.RunNo(1); no <= p.runs; no++ {
			if p.model.on(no) != nil {
				all = append(all, peer.EndRun{Run: no})
			}
		}
		return all
	})
	p.until(RuleOnce, "all answers", func() bool { return p.model.want == nil && !p.model.wantParts && len(p.model.differs) == 0 })
	p.until(RuleIdle, "Idle of all workers", func() bool { return p.model.idle == p.model.workers })
	p.until(RuleLacks, "Lacks of nothing", func() bool { return len(p.model.lacking) == 0 })
	p.pass(moment)
}
