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

// arrives has a message heard that has come, once whoever says it may be heard. What it says
// meanwhile waits, as much as a queue holds; then the connection takes no more.
func (p packet) arrives(from, h *host, mark uint64) {
	w := h.w
	if p.published {
		p.heard(from, h, mark)
		return
	}
	r := h.listeners[from]
	if r == nil {
		r = &listener{}
		h.listeners[from] = r
	}
	if r.waiting == queueFrames {
		w.report.Full++
		return
	}
	at := max(r.free, w.now)
	held := h.limits.Wait(at, from.id, p.message.Body, p.bytes)
	if held > 0 && !from.loud {
		w.fail("limits", "%s holds %s up for %v at a %T, which says no more than machines do", h.id, from.id, held, p.message.Body)
	}
	if at += held; at == w.now {
		r.counts(h, from, p)
		p.heard(from, h, mark)
		return
	}
	w.report.HeldUp++
	r.free = at
	r.waiting++
	h.in(at-w.now, mark, func() {
		r.waiting--
		r.counts(h, from, p)
		p.heard(from, h, mark)
	})
}

// heard brings the message to the loop.
func (p packet) heard(from, h *host, mark uint64) {
	h.takesUp(mark, func() { h.receive(from, p.message) })
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
func (r *listener) counts(h, from *host, p packet) {
	one := 1
	switch peer.LoadOf(p.message.Body) {
	case peer.Business:
		return
	case peer.List:
		one = min(1+p.bytes/newsBytes, newsBurst)
	}
	if now := h.w.now; now >= r.began+newsSpan {
		r.began, r.news = now, 0
	}
	if r.news += one; r.news > newsBurst+newsPerSecond*int(newsSpan/time.Second)+one {
		h.w.fail("limits", "%s hears more of %s than that may say: %d news in %v", h.id, from.id, r.news, newsSpan)
	}
}
