package steal

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
)

// Policy says how a thief chooses its victims.
type Policy uint8

// The policies. RS asks any peer, one at a time; CRS asks within the site while one far
// request is on its way. The others are for comparison: see the package documentation.
const (
	CRS Policy = iota
	RS
	PlainCRS
	CHS
)

// What one request may bring. A near one fetches what is needed now. A far one makes the way worth
// while. Where jobs do not last, both ask for more, up to JobsMost; the answer fits in one frame of
// 64 KiB.
const (
	JobsNear  = 1
	JobsFar   = 4
	JobsMost  = 512
	BytesNear = 48 << 10
	BytesFar  = 48 << 10
)

// Times of a thief. An unanswered request is given up after askNearMax or askFarMax: the
// message was lost, or its victim is in trouble; a reply that comes later is welcome. Pauses
// double from the shortest to the longest, so that a grid with nothing to give is nearly silent
// even where a wake-up was lost.
const (
	askNearMax   = 500 * time.Millisecond
	askFarMax    = 3 * time.Second
	pauseNearMin = time.Millisecond
	pauseNearMax = 500 * time.Millisecond
	pauseFarMin  = 20 * time.Millisecond
	pauseFarMax  = time.Second
	sureAfter    = 100 * time.Millisecond
	poorFor      = 20 * time.Millisecond // after its own site had nothing, or …
	// … did not answer for so long, a thief asks outside it
	slowNear = 5 * time.Millisecond
	// requests in vain before a pause, or fewer where there are fewer peers
	triesMax = 4
)

// Thief decides whom to ask for jobs while workers are idle.
type Thief struct {
	site   membership.Site
	policy Policy
	rng    *rand.Rand
	idle   int           // workers without a job, as far as is known
	told   int           // … as the workers said last
	sure   time.Duration // when jobs that came since must have shown in what the workers say
	now    time.Duration // of the last event
	open   bool          // there is a run, so there may be jobs
	number AskNo
	near   lane
	far    lane
	lacks  lacks
	stock  stock
	tree   hierarchy
	out    []membership.Effect
}

// lane is one of the directions in which at most one request is out: near, far, and lacks.
type lane struct {
	peers  []victimOf // whom this lane may ask, by id
	asked  membership.PeerID
	number AskNo             // of the request that is out
	until  time.Duration     // when it is given up
	hint   membership.PeerID // to be asked next
	// had nothing the last time, so another is asked where there is one
	shy     membership.PeerID
	misses  int
	missed  time.Duration // the last miss; 0: there was none
	pause   backoff.Backoff
	resume  time.Duration // no request before this
	helping helping
	bytes   uint32
	askMax  time.Duration
}

type victimOf struct {
	id          membership.PeerID
	incarnation membership.Incarnation
	site        membership.Site
}

// NewThief makes a thief that knows nobody.
func NewThief(site membership.Site, policy Policy, rng *rand.Rand) *Thief {
	t := &Thief{site: site, policy: policy, rng: rng}
	t.near = lane{helping: newHelping(JobsNear), bytes: BytesNear, askMax: askNearMax, pause: backoff.New(pauseNearMin, pauseNearMax)}
	t.far = lane{helping: newHelping(JobsFar), bytes: BytesFar, askMax: askFarMax, pause: backoff.New(pauseFarMin, pauseFarMax)}
	t.lacks.lane = lane{pause: backoff.New(lackPauseMin, lackPauseOld)}
	if policy == RS {
		t.near.askMax = askFarMax
	}
	return t
}

// lane is the one that a peer of that site is asked in.
func (t *Thief) lane(s membership.Site) *lane {
	if t.policy == RS || s == t.site {
		return &t.near
	}
	return &t.far
}

// Joined hears of a member that may be asked.
func (t *Thief) Joined(m membership.Member) {
	l := t.lane(m.Site)
	at, ok := l.find(m.ID)
	if ok {
		l.peers[at].incarnation = m.Incarnation
		return
	}
	l.peers = slices.Insert(l.peers, at, victimOf{m.ID, m.Incarnation, m.Site})
	t.tree.turn = 0
}

// Lost hears that a member is not to be asked any more; a request to it is not awaited.
func (t *Thief) Lost(now time.Duration, m membership.Member) []membership.Effect {
	l := t.lane(m.Site)
	if at, ok := l.find(m.ID); ok {
		l.peers = slices.Delete(l.peers, at, at+1)
		t.tree.turn = 0
	}
	for _, l := range []*lane{l, &t.lacks.lane} {
		if l.asked == m.ID {
			l.asked = ""
		}
	}
	return t.ask(now)
}

func (l *lane) find(id membership.PeerID) (int, bool) {
	return slices.BinarySearchFunc(l.peers, id, func(v victimOf, id membership.PeerID) int {
		return strings.Compare(string(v.id), string(id))
	})
}

// Open hears whether there is any run. Without one nobody is asked.
func (t *Thief) Open(now time.Duration, open bool) []membership.Effect {
	if open && !t.open {
		for _, l := range []*lane{&t.near, &t.far} {
			l.refresh()
			l.helping.forget()
		}
	}
	t.open = open
	return t.ask(now)
}

// Idle hears how many workers have no job.
func (t *Thief) Idle(now time.Duration, workers int) []membership.Effect {
	if t.idle, t.told, t.sure = workers, workers, 0; workers == 0 && t.tree.passes == 0 {
		t.tree.turn = 0
	}
	return t.ask(now)
}

// Got hears that jobs arrived, and who sent them. A giver is asked first the next time, for it is
// likely to have more.
func (t *Thief) Got(now time.Duration, from membership.Member, number AskNo, jobs int) []membership.Effect {
	if !t.lacks.got(now, from.ID, number) {
		l := t.lane(from.Site)
		l.helping.came(now, l.answered(from.ID, number), jobs)
		t.stock.add(l, jobs)
		l.refresh()
		l.hint, l.shy = from.ID, ""
		if t.tree.turn, t.tree.passes = 0, 0; t.policy == CHS {
			l.hint = "" // it begins below it each time
		}
	}
	if jobs > 0 && t.idle > 0 {
		t.idle, t.sure = max(0, t.idle-jobs), now+sureAfter
	}
	return t.ask(now)
}

// Finished hears that a job that came has ended.
func (t *Thief) Finished(now time.Duration) []membership.Effect {
	t.stock.jobs = max(0, t.stock.jobs-1)
	return t.ask(now)
}

// HearNothing hears that a victim has nothing now.
func (t *Thief) HearNothing(now time.Duration, from membership.Member, number AskNo) []membership.Effect {
	l := t.lane(from.Site)
	if t.lacks.answered(from.ID, number) {
		t.lacks.miss(now, t.rng)
	} else if l.answered(from.ID, number) {
		l.shy = from.ID
		t.miss(now, l)
	}
	return t.ask(now)
}

// miss counts a request in vain.
func (t *Thief) miss(now time.Duration, l *lane) {
	if t.policy == CHS {
		t.missOfTree(now, l)
		return
	}
	l.miss(now, t.rng)
}

// HearWake hears that a peer that was asked in vain has work now.
func (t *Thief) HearWake(now time.Duration, from membership.Member) []membership.Effect {
	l := t.lane(from.Site)
	l.refresh()
	l.hint, l.shy = from.ID, ""
	t.tree.turn = 0
	return t.ask(now)
}

// Void forgets the requests that are out: their answers go to an incarnation of
// this peer that is over.
func (t *Thief) Void(now time.Duration) []membership.Effect {
	t.near.asked, t.far.asked, t.lacks.asked = "", "", ""
	return t.ask(now)
}

// Prefer names the peer to ask first: on joining, the one that is connected already.
func (t *Thief) Prefer(from membership.Member) { t.lane(from.Site).hint = from.ID }

// Tick lets time pass: unanswered requests are given up, pauses end.
func (t *Thief) Tick(now time.Duration) []membership.Effect {
	for _, l := range []*lane{&t.near, &t.far} {
		if l.asked != "" && now >= l.until {
			l.shy, l.asked = l.asked, ""
			t.miss(now, l)
		}
	}
	t.lacks.tick(now, t.rng)
	if t.sure != 0 && now >= t.sure {
		t.idle, t.sure = t.told, 0
	}
	return t.ask(now)
}

// ask sends a request where there is reason and room for one. The far one does not wait for the
// answers of the site (CRS): while its answer is on its way, the worker has long got something
// near, and finds more when that is done. But while the site has what its own need, nobody asks
// outside it: the peers of a site that is rich would fetch back what they have given to a poor one.
func (t *Thief) ask(now time.Duration) []membership.Effect {
	t.now = now
	switch {
	case !t.open:
	case t.idle > 0:
		t.stock = stock{}
		t.near.helping.used(now)
		t.far.helping.used(now)
		if t.policy == CHS {
			t.askTree(now)
			break
		}
		t.askIn(now, &t.near)
		if t.poor(now) {
			t.askIn(now, &t.far)
		}
	case t.passesOn(now):
		t.askBelow(now)
	case t.stock.runsOut() && t.policy != CHS:
		t.stock.early = false
		t.askIn(now, t.stock.from)
	}
	t.askFor(now)
	out := t.out
	t.out = nil
	return out
}

// poor tells whether the thief's own site has had nothing for it lately.
func (t *Thief) poor(now time.Duration) bool {
	l := &t.near
	return t.policy == PlainCRS || len(l.peers) == 0 || now < l.resume || l.missed != 0 && now < l.missed+poorFor || l.asked != "" && now >= l.slow()
}

// slow is from when on the request that is out counts as slow.
func (l *lane) slow() time.Duration { return l.until - l.askMax + slowNear }

func (t *Thief) askIn(now time.Duration, l *lane) {
	if l.asked != "" || len(l.peers) == 0 || now < l.resume {
		return
	}
	var v victimOf
	if t.policy == CHS {
		v = t.chooseOfTree(l)
	} else {
		v = l.choose(t.rng)
	}
	t.number++
	l.asked, l.number, l.until = v.id, t.number, now+l.askMax
	ask := Ask{Number: t.number, Jobs: l.helping.jobs, Bytes: l.bytes}
	if t.policy == RS && v.site != t.site {
		ask.Jobs, ask.Bytes = max(ask.Jobs, JobsFar), BytesFar
	}
	l.helping.asked, l.helping.sent = ask.Jobs, now
	t.out = append(t.out, membership.Send{To: v.id, Incarnation: v.incarnation, Body: ask})
}

// choose is the hint, once, else anybody but the one that had nothing.
func (l *lane) choose(rng *rand.Rand) victimOf {
	hint := l.hint
	l.hint = ""
	if at, ok := l.find(hint); ok {
		return l.peers[at]
	}
	n := rng.IntN(len(l.peers))
	if l.peers[n].id == l.shy {
		n = (n + 1) % len(l.peers)
	}
	return l.peers[n]
}

// answered frees the lane when the answer is to its request. A late one frees nothing.
func (l *lane) answered(from membership.PeerID, number AskNo) bool {
	if l.asked != from || l.number != number || number == 0 {
		return false
	}
	l.asked = ""
	return true
}

// miss counts a request in vain, and pauses after as many as there are peers to try. The pause is
// drawn from its second half, so that idle peers do not march in step.
func (l *lane) miss(now time.Duration, rng *rand.Rand) {
	l.misses++
	l.missed = now
	if l.misses < min(triesMax, len(l.peers)) {
		return
	}
	l.misses = 0
	l.resume = now + backoff.Scatter(l.pause.Next(), rng)
}

// refresh ends the pause.
func (l *lane) refresh() {
	l.misses, l.resume = 0, 0
	l.pause.Reset()
}

// Deadline is when Tick wants to be called.
func (t *Thief) Deadline() time.Duration {
	if t.policy == CHS {
		return t.treeDeadline()
	}
	at := t.lacksDeadline()
	if t.sure != 0 {
		at = min(at, t.sure)
	}
	for _, l := range []*lane{&t.near, &t.far} {
		switch {
		case l.asked != "":
			at = min(at, l.until)
		case t.idle > 0 && t.open && len(l.peers) > 0 && (l == &t.near || l.resume > t.now && t.poor(l.resume)):
			at = min(at, l.resume)
		case l == &t.far && t.near.asked != "" && t.idle > 0 && t.open && len(l.peers) > 0:
			at = min(at, max(t.near.slow(), l.resume))
		}
	}
	return at
}
