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
	all []Lack
	// of these, who began to lack and whose likely peer was not asked since, latest last
	young  []Instance
	served bool // the last request was for a young one
	turn   int  // requests since one began to lack
	// requests that were not for a young one, ever: what is named of many goes round by it
	rounds int
	since  time.Duration     // when a run came to be lacking that was not before, or jobs came
	giver  membership.PeerID // who gave last
}

// Lacks hears of which runs the workers execute less than their part, though none of their jobs
// waits here; those that lack most come first. There may be as many as there are runs.
func (t *Thief) Lacks(now time.Duration, all []Lack) []membership.Effect {
	l := &t.lacks
	for _, lack := range all {
		if _, known := find(l.all, lack.Run); !known {
			l.refresh() // it may have come this moment
			l.turn, l.since = 0, now
			l.young = append(l.young, lack.Run)
		}
	}
	l.all = slices.Clone(all)
	l.dropYoung()
	return t.ask(now)
}

func find(all []Lack, run Instance) (at int, ok bool) {
	at = slices.IndexFunc(all, func(l Lack) bool { return l.Run == run })
	return at, at >= 0
}

// Ended hears that a run is over: nobody lacks it.
func (t *Thief) Ended(run Instance) {
	t.lacks.all = slices.DeleteFunc(t.lacks.all, func(l Lack) bool { return l.Run == run })
	t.lacks.dropYoung()
}

// dropYoung drops from the young ones who lacks no more.
func (l *lacks) dropYoung() {
	l.young = slices.DeleteFunc(l.young, func(run Instance) bool {
		_, lacks := find(l.all, run)
		return !lacks
	})
}

// asks notes that a peer is asked: nobody is young whose likely peer that is.
func (l *lacks) asks(named []Lack, peer membership.PeerID) {
	l.young = slices.DeleteFunc(l.young, func(run Instance) bool {
		at, is := find(named, run)
		return is && named[at].Likely == peer
	})
}

// next is what the next request names, and who is likely to have some of it; "": that is for chance
// to say. Of more than one request can name, each has its turn: those that nobody has anything of,
// such as one that has a single job, would hide the others for ever.
//
// One that has just begun to lack comes first, but not twice in a row: where one of short jobs
// begins to lack again and again, the others have their turn.
func (l *lacks) next() (named []Lack, likely membership.PeerID) {
	if l.served = len(l.young) > 0 && !l.served; l.served {
		at, _ := find(l.all, l.young[0])
		l.young = l.young[1:]
		return l.window(at / LacksMax), l.all[at].Likely
	}
	turn, n := l.turn, l.windows()
	if n > 1 {
		turn = l.rounds / n
	}
	named = l.window(l.rounds % n)
	l.rounds++
	switch {
	case turn%2 == 1:
		return named, ""
	case turn%4 == 2 && l.giver != "":
		return named, l.giver
	}
	return named, named[turn/2%len(named)].Likely
}

// windows is how many requests name all.
func (l *lacks) windows() int { return (len(l.all) + LacksMax - 1) / LacksMax }

// window is what one of these names.
func (l *lacks) window(i int) []Lack {
	return l.all[i*LacksMax : min((i+1)*LacksMax, len(l.all))]
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
	named, likely := l.next()
	for _, side := range []*lane{&t.near, &t.far} {
		if at, ok := side.find(likely); ok {
			v = side.peers[at]
		}
	}
	l.asks(named, v.id)
	l.turn++
	t.number++
	l.asked, l.number, l.until = v.id, t.number, now+askNearMax
	ask := Ask{Number: t.number, Jobs: JobsNear, Bytes: BytesNear}
	if v.site != t.site {
		ask.Jobs, ask.Bytes = JobsFar, BytesFar
		l.until = now + askFarMax
	}
	for _, lack := range named {
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
	most := lackPauseOld / time.Duration(max(1, l.windows())) // so that each is named as often
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
