package steal

import (
	"slices"
	"sort"
	"time"

	"satingrid/membership"
)

// Bounds and times of a victim. A request that the workers cannot fill within its patience is
// answered with nothing, so that the thief asks elsewhere; jobs that turn up later go to those
// that wait. A thief that waits has shown itself within the last waitMax, which is twice its own
// longest pause and more.
const (
	asksMax      = 64 // requests open at a time, one a thief
	waitersMax   = 256
	wantMax      = JobsMost // jobs asked of the workers at a time
	lentBytes    = 64       // of a job in its message, beside its fields, at most about
	patienceNear = 20 * time.Millisecond
	patienceFar  = 100 * time.Millisecond
	waitMax      = 5 * time.Second
	wakeMax      = 4 // thieves woken at a time: each that gets work wakes others
)

// WantJobs is the effect that asks the data plane for its N oldest jobs, of Bytes together beyond
// the first. It is answered by Taken, with fewer or none when there are not so many, at the
// workers' next spawns.
//
// With Of, they are jobs of one of these runs, and the answer comes at once, though there be none.
type WantJobs struct {
	N     int
	Bytes int
	Of    []Instance
}

// Victim decides whom to give.
type Victim struct {
	asks    []openAsk // unanswered, in the order of their arrival
	choosy  []openAsk // the same, of those that ask for jobs of certain runs
	waiting []waiter  // asked in vain, in the order in which they did
	wanted  int       // of the WantJobs that is out; 0: none is
	wantsOf openAsk   // the choosy one that it is for, or the last was; zero: for the others
	working bool      // some worker has a job
	out     []membership.Effect
}

// openAsk is a thief's Ask that has not been answered.
type openAsk struct {
	from        membership.PeerID
	incarnation membership.Incarnation
	Ask
	until time.Duration // the victim's patience
}

type waiter struct {
	id          membership.PeerID
	incarnation membership.Incarnation
	since       time.Duration
}

// Gift is the part of what was taken that goes to one thief: jobs First to First+Count-1.
type Gift struct {
	To          membership.PeerID
	Incarnation membership.Incarnation
	// the number of the request, 0 when it has been answered with nothing before
	Answer AskNo
	First  int
	Count  int
}

// HearAsk hears that a thief asks for jobs. room is how many jobs may be lent to it.
func (v *Victim) HearAsk(now time.Duration, from membership.Member, near bool, a Ask, room int) []membership.Effect {
	r := openAsk{from: from.ID, incarnation: from.Incarnation, Ask: a, until: now + patienceFar}
	r.Jobs = min(max(r.Jobs, 1), JobsMost, uint16(max(room, 1)))
	r.Bytes = min(r.Bytes, BytesFar)
	if near {
		r.until = now + patienceNear
	}
	if len(a.Of) > 0 {
		v.askedOf(r, room)
		return v.flush()
	}
	v.asks = slices.DeleteFunc(v.asks, func(r openAsk) bool { return r.from == from.ID })
	if !v.working || len(v.asks) >= asksMax || room < 1 {
		v.deny(now, r)
		return v.flush()
	}
	v.asks = append(v.asks, r)
	v.unwait(from.ID)
	v.want()
	return v.flush()
}

// want asks the data plane for what the requests need, unless it was asked already.
func (v *Victim) want() {
	if v.wanted > 0 || v.wantOf() || len(v.asks) == 0 {
		return
	}
	v.wantsOf = openAsk{}
	w := WantJobs{}
	for _, r := range v.asks {
		if w.N+int(r.Jobs) > wantMax {
			break
		}
		w.N += int(r.Jobs)
		w.Bytes += int(r.Bytes)
	}
	v.wanted = w.N
	v.out = append(v.out, w)
}

// deny answers with nothing, and remembers who asked.
func (v *Victim) deny(now time.Duration, r openAsk) {
	v.out = append(v.out, membership.Send{To: r.from, Incarnation: r.incarnation, Body: Nothing{Number: r.Number}})
	v.unwait(r.from)
	if len(v.waiting) == waitersMax {
		v.waiting = v.waiting[1:]
	}
	v.waiting = append(v.waiting, waiter{r.from, r.incarnation, now})
}

func (v *Victim) unwait(id membership.PeerID) {
	v.waiting = slices.DeleteFunc(v.waiting, func(w waiter) bool { return w.id == id })
}

// Taken hears what the data plane took, by the bytes of each job, and says who gets which. What is
// left over when nobody waits for it any more is the caller's to put back.
func (v *Victim) Taken(now time.Duration, sizes []int) ([]Gift, []membership.Effect) {
	if v.wantsOf.from != "" {
		return v.takenOf(len(sizes)), v.flush()
	}
	full := len(sizes) >= v.wanted && len(sizes) > 0
	v.wanted = 0
	var gifts []Gift
	first, level := 0, v.level(len(sizes))
	for len(v.asks) > 0 && first < len(sizes) {
		r := v.asks[0]
		v.asks = v.asks[1:]
		n := 1
		for bytes := 0; n < min(int(r.Jobs), level) && first+n < len(sizes); n++ {
			if bytes += sizes[first+n] + lentBytes; bytes > int(r.Bytes) {
				break
			}
		}
		gifts = append(gifts, Gift{To: r.from, Incarnation: r.incarnation, Answer: r.Number, First: first, Count: n})
		first += n
	}
	for ; first < len(sizes); first++ {
		w, ok := v.nextWaiter(now)
		if !ok {
			break
		}
		gifts = append(gifts, Gift{To: w.id, Incarnation: w.incarnation, First: first, Count: 1})
	}
	if full {
		v.want()
		v.wake(now)
		return gifts, v.flush()
	}
	for _, r := range v.asks {
		v.deny(now, r)
	}
	v.asks = v.asks[:0]
	v.want()
	return gifts, v.flush()
}

// level is how many jobs each of those that ask may have where there are so many: one that asks for
// hundreds leaves the others what they ask for.
func (v *Victim) level(jobs int) int {
	return max(1, sort.Search(JobsMost, func(l int) bool {
		sum := 0
		for _, r := range v.asks {
			sum += min(int(r.Jobs), l+1)
		}
		return sum > jobs
	}))
}

// nextWaiter is the one that has waited longest, and waits no more.
func (v *Victim) nextWaiter(now time.Duration) (waiter, bool) {
	for len(v.waiting) > 0 {
		w := v.waiting[0]
		v.waiting = v.waiting[1:]
		if now-w.since <= waitMax {
			return w, true
		}
	}
	return waiter{}, false
}

// wake tells a few of those that asked in vain to ask again.
func (v *Victim) wake(now time.Duration) {
	for range wakeMax {
		w, ok := v.nextWaiter(now)
		if !ok {
			return
		}
		v.out = append(v.out, membership.Send{To: w.id, Incarnation: w.incarnation, Body: Wake{}})
	}
}

// Working hears whether some worker has a job. When work arrives, those that asked are woken.
func (v *Victim) Working(now time.Duration, working bool) []membership.Effect {
	came := working && !v.working
	v.working = working
	if came {
		v.wake(now)
	}
	return v.flush()
}

// Started hears that a job from elsewhere was given to the workers, which may bring more.
func (v *Victim) Started(now time.Duration) []membership.Effect {
	v.working = true
	v.wake(now)
	return v.flush()
}

// Lost forgets a peer that is gone.
func (v *Victim) Lost(id membership.PeerID) {
	of := func(r openAsk) bool { return r.from == id }
	v.asks, v.choosy = slices.DeleteFunc(v.asks, of), slices.DeleteFunc(v.choosy, of)
	v.unwait(id)
}

// Void forgets all requests: they were sent to an incarnation that is over.
func (v *Victim) Void() { v.asks, v.choosy, v.waiting = nil, nil, nil }

// Tick lets time pass: requests beyond patience are answered with nothing.
func (v *Victim) Tick(now time.Duration) []membership.Effect {
	v.asks = slices.DeleteFunc(v.asks, func(r openAsk) bool {
		if now < r.until {
			return false
		}
		v.deny(now, r)
		return true
	})
	v.tickOf(now)
	return v.flush()
}

// Deadline is when Tick wants to be called.
func (v *Victim) Deadline() time.Duration {
	at := Never
	for _, all := range [][]openAsk{v.asks, v.choosy} {
		for _, r := range all {
			at = min(at, r.until)
		}
	}
	return at
}

func (v *Victim) flush() []membership.Effect {
	out := v.out
	v.out = nil
	return out
}
