package satin

import (
	"errors"
	"fmt"
	"sync"

	"github.com/petermattis/goid"

	"satingrid/steal"
)

// What Testing.Strict checks. None of it is for speed: every Spawn and Wait takes the slow path.

// orderSamplesMax is how many of the offered solutions are kept to compare others with: all
// triples are looked at.
const orderSamplesMax = 8

// orderSamples are offered solutions of one run.
type orderSamples[T any] struct {
	mu  sync.Mutex // protects all
	all []T
}

// checkFields fails the run when a job's fields are not what they were at Spawn.
func (r *run) checkFields(h *shared, when string) {
	if !r.pool.strict {
		return
	}
	then, err := h.keyOf()
	now, err2 := r.keyOf(h.job)
	if h.isRoot {
		then, now, err = r.rootKeys(h)
	}
	if errors.Join(err, err2) != nil || now == then {
		return // what cannot be encoded is said where it must travel
	}
	r.failWith(&FaultError{Task: r.pool.app.taskName(h.job), Key: then, Peer: r.pool.name, Why: "a job's fields were changed " + when})
}

// rootKeys are the key of the run as it began, and as it is now: of the root's fields as it has
// them itself, or where those are the same as they are shared.
func (r *run) rootKeys(root *shared) (then, now steal.Key, err error) {
	task := r.pool.app.taskName(root.job)
	if then, err = r.key(); err != nil {
		return then, now, err
	}
	if now, err = r.pool.app.runKey(task, root.job.fields()); err != nil || now != then {
		return then, now, err
	}
	now, err = r.pool.app.runKey(task, r.fields)
	return then, now, err
}

// admit tells why jobs of a type could not travel.
func (p *pool) admit(j slot) error {
	if p.staysHere {
		return nil
	}
	task, result := j.types()
	name := p.app.taskName(j)
	if !p.app.lists(task) {
		return fmt.Errorf("satin: task %s is not in Config.App.Tasks, so no other peer could run it: "+
			"list satin.Type[%s]() there", name, name)
	}
	return carriableTask(name, task, result)
}

// checkOwn panics where a scope is not used by the goroutine of its fiber, as far as that is seen:
// always once the fiber is idle, and under Strict whenever it is another goroutine's.
func (s *Scope) checkOwn(bits uint32) {
	if bits&tripIdle != 0 {
		panic(keptScope)
	}
	if bits&tripStrict != 0 && s.goroutine != goid.Get() {
		panic("satin: a Scope was used by another goroutine than its job's: do not hand it on")
	}
}

// checkSpawned keeps the key of a job as it is now, and fails the run when the job
// would not arrive whole.
func (s *Scope) checkSpawned(j slot) {
	_, err := s.pin(j)
	if s.pool.staysHere {
		return
	}
	var fields []byte
	if err == nil {
		fields, err = marshal(j.fields())
	}
	if err == nil {
		err = argumentsFit(len(fields))
	}
	if err != nil {
		s.run.unfit(j, "fields", err)
	}
}

// argumentsMax bounds the encoded fields of one job that travels. What all jobs share
// belongs in the root.
const argumentsMax = 1 << 20

func argumentsFit(bytes int) error {
	if bytes <= argumentsMax {
		return nil
	}
	return fmt.Errorf("they are %d bytes and %d may travel; put what jobs share into the root", bytes, argumentsMax)
}

// enter looks at the fields of a job that is about to begin, and gives it a copy of them, as if the
// job had travelled: what it writes there its parent does not see.
func (r *run) enter(h *shared) {
	r.checkFields(h, "after Spawn")
	if !r.pool.strict || r.pool.staysHere || h.isRoot {
		return
	}
	if err := h.job.renew(); err != nil {
		r.unfit(h.job, "fields", err)
	}
}

// arrived is what a job came to as if it had travelled. The run fails when it would not arrive
// whole.
func (r *run) arrived(j slot, out result) result {
	if !r.pool.strict || r.pool.staysHere || out == nil || out.failure() != nil {
		return out
	}
	data, err := out.encode(true)
	if err == nil && !r.fits(j, len(data)) {
		return out
	}
	if err == nil {
		var arrived result
		if arrived, err = j.decode(data); err == nil {
			return arrived
		}
	}
	r.unfit(j, "result", err)
	return out
}

// checkOrder panics when Better is not a strict weak order, as far as v and solutions that were
// offered before show.
func checkOrder[T Better[T]](s *Scope, v T) {
	if !s.pool.strict {
		return
	}
	samples := valueOf[*orderSamples[T]](&s.run.values).of(func() *orderSamples[T] { return new(orderSamples[T]) })
	samples.mu.Lock()
	defer samples.mu.Unlock()
	if v.Better(v) {
		panic(fmt.Sprintf("satin: %T.Better is no strict weak order: %+v is better than itself", v, v))
	}
	all := samples.all
	for i, a := range all {
		if a.Better(v) && v.Better(a) {
			panic(fmt.Sprintf("satin: %T.Better is no strict weak order: each of %+v and %+v is better than the other", v, a, v))
		}
		for _, b := range all[:i] {
			for _, t := range [][3]T{{a, b, v}, {a, v, b}, {b, a, v}, {b, v, a}, {v, a, b}, {v, b, a}} {
				checkTriple(t[0], t[1], t[2])
			}
		}
	}
	if samples.all = append(all, v); len(samples.all) > orderSamplesMax {
		samples.all = samples.all[1:]
	}
}

func checkTriple[T Better[T]](a, b, c T) {
	if a.Better(b) && b.Better(c) && !a.Better(c) {
		panic(fmt.Sprintf("satin: %T.Better is no strict weak order: %+v is better than %+v, that than %+v, but not the first than the last", a, a, b, c))
	}
	same := func(x, y T) bool { return !x.Better(y) && !y.Better(x) }
	if same(a, b) && same(b, c) && !same(a, c) {
		panic(fmt.Sprintf("satin: %T.Better is no strict weak order: %+v is as good as %+v, that as %+v, but not the first as the last", a, a, b, c))
	}
}
