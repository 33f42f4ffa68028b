package workerstest

import (
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// A Plant is a violation of the contract that is planted between a data plane and the machine's
// part: a rule that no plant breaks is one that cannot fail.
type Plant struct {
	Name   string
	Breaks Rule
	Script string // that finds it
	says   func(workers.Events) workers.Events
	hears  func(peer.Effect) peer.Effect // nil: the order is lost
	asked  func(workers.Plane) workers.Plane
}

// Find plays a plant's script with it, and returns what is found.
func (x Plant) Find(open Open) error {
	spoiled := func(n int, to workers.Events) Bench {
		if x.says != nil {
			to = x.says(to)
		}
		return spoiledBench{open(n, to), x.hears, x.asked}
	}
	i := slices.IndexFunc(Scripts(), func(s Script) bool { return s.Name == x.Script })
	s := Scripts()[i]
	s.waits = plantPatience
	return Check(spoiled, s, 1)
}

// spoiledBench has some orders lost or changed on their way.
type spoiledBench struct {
	Bench
	hears func(peer.Effect) peer.Effect
	asked func(workers.Plane) workers.Plane
}

func (b spoiledBench) Plane() workers.Plane {
	if b.asked == nil {
		return b.Bench.Plane()
	}
	return b.asked(b.Bench.Plane())
}

func (b spoiledBench) Turn(do func() []peer.Effect) {
	b.Bench.Turn(func() (heard []peer.Effect) {
		for _, e := range do() {
			if b.hears != nil {
				e = b.hears(e)
			}
			if e != nil {
				heard = append(heard, e)
			}
		}
		return heard
	})
}

// lost has all orders of a type lost.
func lost[E peer.Effect](e peer.Effect) peer.Effect {
	if _, ok := e.(E); ok {
		return nil
	}
	return e
}

// changed has orders of a type changed.
func changed[E peer.Effect](change func(*E)) func(peer.Effect) peer.Effect {
	return func(e peer.Effect) peer.Effect {
		if x, ok := e.(E); ok {
			change(&x)
			return x
		}
		return e
	}
}

// An ear is what stands between the workers and who hears them: fields that are set hear instead of
// him.
type ear struct {
	workers.Events
	idle       func(n int)
	lacks      func(runs []peer.RunNo)
	taken      func(jobs []peer.Job)
	abandoned  func(refs []steal.Ref, orphaned bool)
	finished   func(b steal.Borrow, x steal.Result)
	panicked   func()
	salvaged   func(parts []peer.Part)
	stopped    func(b steal.Borrow)
	offered    func(run peer.RunNo, s steal.Stamp)
	compared   func(run peer.RunNo, d steal.Key, v peer.Merit)
	differed   func(n steal.Nonce, differ bool)
	told       func(run peer.RunNo, fact []byte)
	gathered   func(parts []peer.Part)
	unfinished func(run peer.RunNo, keys []steal.Key)
}

func (e *ear) Idle(now time.Duration, n int) []peer.Effect {
	if e.idle == nil {
		return e.Events.Idle(now, n)
	}
	e.idle(n)
	return nil
}

func (e *ear) Lacks(now time.Duration, runs []peer.RunNo) []peer.Effect {
	if e.lacks == nil {
		return e.Events.Lacks(now, runs)
	}
	e.lacks(runs)
	return nil
}

func (e *ear) Taken(now time.Duration, jobs []peer.Job) []peer.Effect {
	if e.taken == nil {
		return e.Events.Taken(now, jobs)
	}
	e.taken(slices.Clone(jobs))
	return nil
}

func (e *ear) Abandoned(now time.Duration, refs []steal.Ref, orphaned bool) []peer.Effect {
	if e.abandoned == nil {
		return e.Events.Abandoned(now, refs, orphaned)
	}
	e.abandoned(refs, orphaned)
	return nil
}

func (e *ear) Finished(now time.Duration, b steal.Borrow, x steal.Result) []peer.Effect {
	if e.finished == nil {
		return e.Events.Finished(now, b, x)
	}
	e.finished(b, x)
	return nil
}

func (e *ear) Panicked(now time.Duration, run peer.RunNo, x steal.Result) []peer.Effect {
	if e.panicked == nil {
		return e.Events.Panicked(now, run, x)
	}
	e.panicked()
	return nil
}

func (e *ear) Salvaged(now time.Duration, parts []peer.Part) []peer.Effect {
	if e.salvaged == nil {
		return e.Events.Salvaged(now, parts)
	}
	e.salvaged(parts)
	return nil
}

func (e *ear) Stopped(now time.Duration, b steal.Borrow) []peer.Effect {
	if e.stopped == nil {
		return e.Events.Stopped(now, b)
	}
	e.stopped(b)
	return nil
}

func (e *ear) Offered(now time.Duration, run peer.RunNo, s steal.Stamp) []peer.Effect {
	if e.offered == nil {
		return e.Events.Offered(now, run, s)
	}
	e.offered(run, s)
	return nil
}

func (e *ear) Compared(now time.Duration, run peer.RunNo, d steal.Key, v peer.Merit, why steal.Result) []peer.Effect {
	if e.compared == nil {
		return e.Events.Compared(now, run, d, v, why)
	}
	e.compared(run, d, v)
	return nil
}

func (e *ear) Differed(now time.Duration, n steal.Nonce, differ bool) []peer.Effect {
	if e.differed == nil {
		return e.Events.Differed(now, n, differ)
	}
	e.differed(n, differ)
	return nil
}

func (e *ear) Told(now time.Duration, run peer.RunNo, fact []byte) []peer.Effect {
	if e.told == nil {
		return e.Events.Told(now, run, fact)
	}
	e.told(run, fact)
	return nil
}

func (e *ear) Gathered(now time.Duration, parts []peer.Part) []peer.Effect {
	if e.gathered == nil {
		return e.Events.Gathered(now, parts)
	}
	e.gathered(slices.Clone(parts))
	return nil
}

func (e *ear) Unfinished(now time.Duration, run peer.RunNo, keys []steal.Key) []peer.Effect {
	if e.unfinished == nil {
		return e.Events.Unfinished(now, run, keys)
	}
	e.unfinished(run, slices.Clone(keys))
	return nil
}
