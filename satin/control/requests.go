package control

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

const (
	// askedMax bounds the requests that are remembered. A thief has one under way within its
	// site, and few outside it.
	askedMax = 16

	// askedFor is how long an answer may take: what has none by then is lost with its victim.
	askedFor = 5 * time.Second
)

// requests is how this peer's requests for jobs fare. The loop has it.
type requests struct {
	far    *farSites
	asked  []unanswered // that have no answer yet, in the order in which they were sent
	looked time.Duration
	spent  time.Duration // before it was looked: when at least one was under way
	trips  [2]answeredIn // of answers from the own site, and from others
}

// unanswered is a request that was sent.
type unanswered struct {
	number steal.AskNo
	at     time.Duration
}

// answeredIn is how long requests took that were answered.
type answeredIn struct {
	answered uint64
	took     time.Duration // all of them together
}

// sent hears of a request.
func (a *requests) sent(now time.Duration, number steal.AskNo) {
	a.look(now)
	if len(a.asked) == askedMax {
		a.asked = slices.Delete(a.asked, 0, 1)
	}
	a.asked = append(a.asked, unanswered{number, now})
}

// came hears of what others send.
func (a *requests) came(now time.Duration, from membership.PeerID, m peer.Message) {
	var number steal.AskNo
	switch body := m.Body.(type) {
	case steal.Lend:
		number = body.Answer
	case steal.Nothing:
		number = body.Number
	default:
		return
	}
	a.look(now)
	i := slices.IndexFunc(a.asked, func(x unanswered) bool { return x.number == number })
	if i < 0 {
		return
	}
	t := &a.trips[0]
	if a.far.isFar(from) {
		t = &a.trips[1]
	}
	t.answered++
	t.took += now - a.asked[i].at
	a.asked = slices.Delete(a.asked, i, i+1)
}

// look adds up the time since the last look, and forgets requests that nobody answers.
func (a *requests) look(now time.Duration) {
	if len(a.asked) > 0 { // the last one ends last
		a.spent += max(min(now, a.asked[len(a.asked)-1].at+askedFor)-a.looked, 0)
	}
	a.looked = now
	a.asked = slices.DeleteFunc(a.asked, func(x unanswered) bool { return now-x.at >= askedFor })
}
