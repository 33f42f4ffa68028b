package gridsim

import (
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Rehearsal is a run of which people ask how it would go, in virtual time, as whoever makes things
// happen there sees it. The submitter is a client at the first site.
type Rehearsal struct {
	w       *World
	began   time.Duration // the run was submitted
	names   []string      // of all hosts that there ever were, but clients
	perSite map[membership.Site]int
	needs   int64 // work that the workers who were there could not have done so far, …
	ideal   time.Duration
	power   int64 // … and what they do in a moment, in thousandths of one
	over    bool  // nobody wants its answer any more
}

// Rehearsed is what a rehearsal came to.
type Rehearsed struct {
	Report
	Answered bool // within the limit
	Failed   bool // … and the answer is that the run has failed
	// in how long the workers that were there could have done all, each as long as it was, had
	// they had nothing else to do
	Ideal time.Duration
}

// Times of a rehearsal.
const (
	// LookEvery is how often whoever makes things happen may look.
	LookEvery = 10 * time.Millisecond
	// so long after all have started the run is submitted though not all have met
	meetMax = time.Minute
)

// lenient are the checkers that look for what a network may be too slow for, where people ask of
// one that is.
var lenient = map[string]bool{"apart": true, "way in": true, "turns": true, "limits": true, "statistics": true}

// Rehearse plays a run until its answer has come, or until so much time has gone. It is submitted
// when all peers have met. From then on look is called again and again, and makes things happen.
// All that package gridsim checks is checked, but for what comes after the answer.
func Rehearse(o Options, limit time.Duration, look func(*Rehearsal)) (Rehearsed, error) {
	w := newWorld(o)
	w.hidden, w.admitted = true, lenient
	w.values.many = o.Jobs > measureMax
	w.who.asker = w.populate()
	for w.err == nil && w.now < o.begin()+meetMax && (w.now < o.begin() || w.who.whole() != "") {
		until := w.now + LookEvery
		w.after(LookEvery, func() {})
		w.play(until, func() bool { return w.now >= until })
	}
	r := &Rehearsal{w: w, began: w.now, perSite: map[membership.Site]int{}, needs: int64(o.Work) * speedOfOne}
	w.rehearsal = r
	// what it took to meet is no part of the run
	w.report.Messages, w.report.BytesFar, w.report.Mistaken = 0, 0, 0
	w.submit(w.who.asker)
	r.looks(look)
	w.play(r.began+limit, func() bool { return w.left == 0 || r.over })
	w.report.Took = w.now - r.began
	out := Rehearsed{Answered: w.left == 0, Failed: w.report.Bereft+w.report.Poisoned > 0, Ideal: r.ideal}
	if r.ideal == 0 {
		out.Ideal = w.report.Took + time.Duration(r.needs/max(r.power, 1))
	}
	w.checkRedone()
	w.checkAll()
	out.Report = w.finish()
	return out, w.err
}

// GiveUp ends it, as if so much time had gone as it may take.
func (r *Rehearsal) GiveUp() { r.over = true }

// looks lets things happen now, and again and again until the answer has come.
func (r *Rehearsal) looks(look func(*Rehearsal)) {
	if r.w.left == 0 {
		return
	}
	look(r)
	r.power = 0
	for _, h := range r.w.who.hosts {
		if h.up && !h.client && h.asleep <= r.w.now {
			r.power += int64(h.plane.workers()) * int64(h.speed)
		}
	}
	if done := r.power * int64(LookEvery); done < r.needs {
		r.needs -= done
	} else if r.ideal == 0 {
		r.ideal = r.Now() + time.Duration(r.needs/r.power)
	}
	r.w.after(LookEvery, func() { r.looks(look) })
}

// Now is how long ago the run was submitted.
func (r *Rehearsal) Now() time.Duration { return r.w.now - r.began }

// Done is the share of the work that has been done, all that was done twice included.
func (r *Rehearsal) Done() float64 {
	busy := time.Duration(0)
	for _, h := range r.w.who.hosts {
		busy += h.plane.busy
	}
	return min(float64(busy)/float64(r.w.opts.Work), 1)
}

// Actor is a peer that lives.
type Actor struct {
	Name    string // the name of its site, a slash, and its number there, from 1
	Site    membership.Site
	Stopped bool
	Leaving bool
}

// Actors are the peers that live, in the order of their start.
func (r *Rehearsal) Actors() (all []Actor) {
	for n, h := range r.w.who.hosts {
		if h.up && !h.client {
			all = append(all, Actor{r.name(n), h.site, h.halted, h.leaveBy > 0})
		}
	}
	return all
}

// name is that of a host: clients have none.
func (r *Rehearsal) name(n int) string {
	for _, h := range r.w.who.hosts[len(r.names):] {
		if h.client {
			r.names = append(r.names, "")
			continue
		}
		r.perSite[h.site]++
		r.names = append(r.names, fmt.Sprintf("%s/%d", h.site, r.perSite[h.site]))
	}
	return r.names[n]
}

// Master is the name of the run's master; "": there is none just now.
func (r *Rehearsal) Master() string {
	for n, h := range r.w.who.hosts {
		if h.up && h.plane.roots() > 0 {
			return r.name(n)
		}
	}
	return ""
}

// living is the peer of a name, if it lives.
func (r *Rehearsal) living(name string) *host {
	for n, h := range r.w.who.hosts {
		if h.up && !h.client && r.name(n) == name {
			return h
		}
	}
	return nil
}

// Kill lets a peer's process die.
func (r *Rehearsal) Kill(name string) bool {
	h := r.living(name)
	if h != nil {
		r.w.kill(h, false)
	}
	return h != nil
}

// Leave tells a peer to leave within some time.
func (r *Rehearsal) Leave(name string, within time.Duration) bool {
	h := r.living(name)
	if h == nil || h.halted {
		return false
	}
	h.leaves(within, "")
	h.do(h.peer.Leave(r.w.now, r.w.now+within, ""))
	return true
}

// Stop stops a peer's process until Continue.
func (r *Rehearsal) Stop(name string) bool {
	h := r.living(name)
	if h == nil || h.halted {
		return false
	}
	h.halted, h.asleep = true, steal.Never
	r.w.note(h, "stops", 0, 0, 0)
	r.w.net.goesSilent(func(s *session) bool { return h.up && h.halted && (s.ends[0] == h || s.ends[1] == h) })
	return true
}

// Continue lets a peer go on that was stopped, with all that has come meanwhile.
func (r *Rehearsal) Continue(name string) bool {
	h := r.living(name)
	if h == nil || !h.halted {
		return false
	}
	h.halted, h.asleep, h.away = false, r.w.now, r.w.now
	r.w.note(h, "goes on", 0, 0, 0)
	for _, e := range h.held {
		r.w.put(0, e)
	}
	h.held = nil
	return true
}

// Join starts a peer at a site, and tells what it is called.
func (r *Rehearsal) Join(site membership.Site, workers int) string {
	r.w.start(site, workers, false, r.w.who.contact(nil))
	return r.name(len(r.w.who.hosts) - 1)
}

// Cut lets nothing pass from one site to another, and with both nothing back.
func (r *Rehearsal) Cut(from, to membership.Site, both bool) {
	n := &r.w.net
	c := &cut{kind: CutOneWay, until: steal.Never, oneWay: !both, apart: func(a, b *host) bool {
		x, y := n.shared.siteOf(a), n.shared.siteOf(b)
		return x == from && y == to || both && x == to && y == from
	}}
	n.cuts = append(n.cuts, c)
	n.everCut = append(n.everCut, c)
	n.cutEnds(c)
}

// Heal ends all cuts.
func (r *Rehearsal) Heal() { r.w.net.cuts = nil }

// Slow gives a peer's workers another speed, in thousandths of what costs are of: that of the jobs
// that they begin from now on.
func (r *Rehearsal) Slow(name string, speed int) bool {
	h := r.living(name)
	if h != nil {
		h.speed = max(speed, 1)
	}
	return h != nil
}
