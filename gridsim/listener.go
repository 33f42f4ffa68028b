package gridsim

import (
	"time"

	"satingrid/satin/peer"
)

// listener hears what one host says to another by their session.
type listener struct {
	free    time.Duration // until then it holds the other up
	waiting int           // messages that wait for that
	began   time.Duration // the span in which news are counted …
	news    int           // … and these, as what ships should count them
}

// oncoming is a message on its way to a host, until that has heard it.
type oncoming struct {
	packet
	from, to *host
	mark     uint64
	came     bool // it waits for the loop
}

// oncoming is that of a message that goes on its way. Each takes the room of one that was heard.
func (n *network) oncoming(from, to *host, p packet, mark uint64) *oncoming {
	var a *oncoming
	if last := len(n.spare) - 1; last >= 0 {
		a, n.spare = n.spare[last], n.spare[:last]
	} else {
		a = new(oncoming)
	}
	*a = oncoming{packet: p, from: from, to: to, mark: mark}
	return a
}

// happens has the message come, then the loop hear it.
func (a *oncoming) happens() {
	if !a.came {
		a.came = true
		a.comes()
		return
	}
	from, to, m := a.from, a.to, a.message
	*a = oncoming{}
	to.w.net.spare = append(to.w.net.spare, a)
	to.receive(from, m)
}

// listenerOf is who hears at a host what another says to it. The session by which that comes, if
// there is one, knows it without a look.
func listenerOf(h, to *host, by *session) (r *listener) {
	if by != nil {
		r = by.ears[by.end(h)]
	}
	if r == nil {
		if r = h.listeners[to]; r == nil {
			r = &listener{}
			h.listeners[to] = r
		}
		if by != nil {
			by.ears[by.end(h)] = r
		}
	}
	return r
}

// comes has a message heard that has come, once whoever says it may be heard. What it says
// meanwhile waits, as much as a queue holds; then the connection takes no more.
func (a *oncoming) comes() {
	h, from, w := a.to, a.from, a.to.w
	if a.published {
		h.takesUp(a.mark, a)
		return
	}
	r := listenerOf(h, from, a.by)
	if r.waiting == queueFrames {
		w.report.Full++
		return
	}
	at := max(r.free, w.now)
	held := h.limits.Wait(at, from.id, a.message.Body, a.bytes)
	if held > 0 && !from.loud {
		w.fail("limits", "%s holds %s up for %v at a %T, which says no more than machines do", h.id, from.id, held, a.message.Body)
	}
	if at += held; at == w.now {
		r.counts(a)
		h.takesUp(a.mark, a)
		return
	}
	w.report.HeldUp++
	r.free = at
	r.waiting++
	h.in(at-w.now, a.mark, func() {
		r.waiting--
		r.counts(a)
		h.takesUp(a.mark, a)
	})
}

// What one host may say that is news, as docs/limits.md has it.
const (
	newsPerSecond = 1000
	newsBurst     = 2000
	newsBytes     = 512 // of a list, that count as one
	newsSpan      = 4 * time.Second
)

// counts counts what is heard of one host, in one span after another, and sees that it is not too
// much.
func (r *listener) counts(a *oncoming) {
	h, from, one := a.to, a.from, 1
	switch peer.LoadOf(a.message.Body) {
	case peer.Business:
		return
	case peer.List:
		one = min(1+a.bytes/newsBytes, newsBurst)
	}
	if now := h.w.now; now >= r.began+newsSpan {
		r.began, r.news = now, 0
	}
	if r.news += one; r.news > newsBurst+newsPerSecond*int(newsSpan/time.Second)+one {
		h.w.fail("limits", "%s hears more of %s than that may say: %d news in %v", h.id, from.id, r.news, newsSpan)
	}
}
