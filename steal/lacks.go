package steal

import (
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
)

// LacksMax bounds the runs that one request names.
const LacksMax = 8

// Pauses after a request in vain. By the shortest those that were asked to publish have done so.
// While a run is new here they are short, so that a peer tries some twenty others within the second
// in which it shall work for it; a run of which nothing has come for longer has few jobs.
const (
	lackPauseMin = 5 * time.Millisecond
	lackPauseNew = 40 * time.Millisecond
	lackPauseOld = 500 * time.Millisecond
	lackNew      = 2 * time.Second
)

// gotPause is how long a thief that got a job of a run that it lacked asks for no other: the
// workers must have taken it up by then.
const gotPause = 20 * time.Millisecond

// Lack is a run of which a peer executes less than its part while it could, and the peer that is
// likely to have jobs of it.
type Lack struct {
	Run    Instance
	Likely membership.PeerID
}

// lacks is the third direction of a thief: while its workers are busy with other runs it asks for
// jobs of those that it lacks, of anybody, with one request out at a time. It has pauses of its
// own, since an answer says nothing about jobs of other runs.
type lacks struct {
	lane
	all   []Lack
	turn  int
	since time.Duration     // when a run came to be lacking that was not before, or jobs came
	giver membership.PeerID // who gave last
}

// Lacks hears of which runs the workers execute less than their part, though none of their jobs
// waits here; those that lack most come first.
func (t *Thief) Lacks(now time.Duration, all []Lack) []membership.Effect {
	all = all[:min(len(all), LacksMax)]
	for _, l := range all {
		if !slices.ContainsFunc(t.lacks.all, func(o Lack) bool { return o.Run == l.Run }) {
			t.lacks.refresh() // it may have come this moment
			t.lacks.turn, t.lacks.since = 0, now
		}
	}
	t.lacks.all = slices.Clone(all)
	return t.ask(now)
}

// Ended hears that a run is over: nobody lacks it.
func (t *Thief) Ended(run Instance) {
	t.lacks.all = slices.DeleteFunc(t.lacks.all, func(l Lack) bool { return l.Run == run })
}

// askFor asks for jobs of the runs that are lacking: the one that is likely to have some,
// every other time anybody.
func (t *Thief) askFor(now time.Duration) {
	l := &t.lacks
	n := len(t.near.peers) + len(t.far.peers)
	if !t.open || len(l.all) == 0 || l.asked != "" || n == 0 || now < l.resume {
		return
	}
	v := t.victimAt(t.rng.IntN(n))
	likely := l.all[l.turn/2%len(l.all)].Likely
	if l.turn%4 == 2 && l.giver != "" {
		likely = l.giver
	}
	for _, side := range []*lane{&t.near, &t.far} {
		if at, ok := side.find(likely); ok && l.turn%2 == 0 {
			v = side.peers[at]
		}
	}
	l.turn++
	t.number++
	l.asked, l.number, l.until = v.id, t.number, now+askNearMax
	ask := Ask{Number: t.number, Jobs: JobsNear, Bytes: BytesNear}
	if v.site != t.site {
		ask.Jobs, ask.Bytes = JobsFar, BytesFar
		l.until = now + askFarMax
	}
	for _, lack := range l.all {
		ask.Of = append(ask.Of, lack.Run)
	}
	t.out = append(t.out, membership.Send{To: v.id, Incarnation: v.incarnation, Body: ask})
}

// victimAt is one of all that may be asked.
func (t *Thief) victimAt(n int) victimOf {
	if n < len(t.near.peers) {
		return t.near.peers[n]
	}
	return t.far.peers[n-len(t.near.peers)]
}

// got notes that jobs came in answer to a request of this direction, and tells whether they did.
func (l *lacks) got(now time.Duration, from membership.PeerID, number AskNo) bool {
	if !l.answered(from, number) {
		return false
	}
	l.refresh()
	l.giver, l.resume, l.since = from, now+gotPause, now
	return true
}

// miss pauses after a request in vain, longer and longer.
func (l *lacks) miss(now time.Duration, rng *rand.Rand) {
	most := lackPauseOld
	if now-l.since < lackNew {
		most = lackPauseNew
	}
	l.pause.Bound(most)
	l.resume = now + backoff.Scatter(l.pause.Next(), rng)
}

// tick gives up a request that nobody answers.
func (l *lacks) tick(now time.Duration, rng *rand.Rand) {
	if l.asked != "" && now >= l.until {
		l.asked = ""
		l.miss(now, rng)
	}
}

// lacksDeadline is when the thief wants to look at this direction again.
func (t *Thief) lacksDeadline() time.Duration {
	switch l := &t.lacks; {
	case l.asked != "":
		return l.until
	case t.open && len(l.all) > 0 && len(t.near.peers)+len(t.far.peers) > 0:
		return max(l.resume, t.now)
	}
	return Never
}

// askedOf hears a request for jobs of certain runs. It is not remembered when there are none:
// that thief asks again.
func (v *Victim) askedOf(r openAsk, room int) {
	v.choosy = slices.DeleteFunc(v.choosy, func(o openAsk) bool { return o.from == r.from })
	r.Of = r.Of[:min(len(r.Of), LacksMax)]
	if !v.working || len(v.choosy) >= asksMax || room < int(r.Jobs) {
		v.denyOf(r)
		return
	}
	v.choosy = append(v.choosy, r)
	v.want()
}

func (v *Victim) denyOf(r openAsk) {
	v.out = append(v.out, membership.Send{To: r.from, Incarnation: r.incarnation, Body: Nothing{Number: r.Number}})
}

// wantOf asks the data plane for what the first choosy one needs, in turn with what all others do.
func (v *Victim) wantOf() bool {
	if len(v.choosy) == 0 || len(v.asks) > 0 && v.wantsOf.from != "" {
		return false
	}
	v.wantsOf = v.choosy[0]
	v.wanted = int(v.wantsOf.Jobs)
	v.out = append(v.out, WantJobs{N: v.wanted, Bytes: int(v.wantsOf.Bytes), Of: v.wantsOf.Of})
	return true
}

// takenOf hands the jobs of certain runs to the one that asked for them, if it still waits.
func (v *Victim) takenOf(jobs int) (gifts []Gift) {
	v.wanted = 0
	at := slices.IndexFunc(v.choosy, func(r openAsk) bool { return r.from == v.wantsOf.from && r.Number == v.wantsOf.Number })
	if at >= 0 {
		r := v.choosy[at]
		v.choosy = slices.Delete(v.choosy, at, at+1)
		if jobs == 0 {
			v.denyOf(r)
		} else {
			gifts = []Gift{{To: r.from, Incarnation: r.incarnation, Answer: r.Number, Count: jobs}}
		}
	}
	v.want()
	return gifts
}

// tickOf answers requests beyond patience with nothing.
func (v *Victim) tickOf(now time.Duration) {
	v.choosy = slices.DeleteFunc(v.choosy, func(r openAsk) bool {
		if now >= r.until {
			v.denyOf(r)
		}
		return now >= r.until
	})
}
