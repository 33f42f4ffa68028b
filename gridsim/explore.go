package gridsim

import (
	"fmt"
	"time"

	"satingrid/satin/peer"
)

// Explore is a bounded exhaustive exploration: from a moment of a small run on, every order of
// deliveries is tried, and at every step the loss of a message, and the crash of a peer. States
// that come about in several ways are visited once. It is breadth first, so all states within a
// number of steps are visited, or as many as StatesMax says.
//
// A state is reached by playing the choices that lead to it from the beginning: the
// machines need not be copied.
type Explore struct {
	Options   Options       // who is there; links without jitter, loss and faults
	From      time.Duration // until then all happens in the order of time
	Steps     int           // at most so many choices
	StatesMax int           // at most so many states
	Losses    int           // messages that are lost, at most
	Crashes   int           // peers that die, at most
	// one in so many of the last states is played to its end, in the order of time
	Finish int
}

// Explored is what an exploration came to.
type Explored struct {
	States   int // that differ
	Steps    int // all states within so many choices were visited
	Finished int // states that were played to the end
	Plays    int
}

// mail is what is on its way, to be delivered in any order.
type mail struct{ letters []inFlight }

type inFlight struct {
	from, to *host
	message  peer.Message
	sum      uint64
}

func (m *mail) put(from, to *host, message peer.Message) {
	sum := sumOf(message) ^ uint64(from.no)<<8 ^ uint64(to.no)
	m.letters = append(m.letters, inFlight{from, to, message, sum})
}

// choice is one step: deliver a letter, lose it, let a host die, or let time pass.
type choice struct {
	what byte // 'd', 'l', 'c', 't'
	n    int
}

// Run explores. It ends at the first finding, with the choices that lead there.
func (x Explore) Run() (Explored, error) {
	var e Explored
	seen := map[uint64]bool{}
	level := [][]choice{nil}
	for step := 0; step <= x.Steps && len(level) > 0; step++ {
		var next [][]choice
		for _, path := range level {
			w, err := x.replay(path)
			e.Plays++
			if err != nil {
				return e, err
			}
			if sum := w.sum(); seen[sum] {
				continue
			} else if seen[sum] = true; len(seen) >= x.StatesMax {
				e.States = len(seen)
				return e, nil
			}
			for _, c := range x.choices(w, path) {
				next = append(next, append(path[:len(path):len(path)], c))
			}
			if x.Finish > 0 && len(seen)%x.Finish == 0 {
				e.Finished++
				if err := w.finishMail(path); err != nil {
					return e, err
				}
			}
		}
		e.Steps, e.States = step, len(seen)
		level = next
	}
	return e, nil
}

// replay plays a run to its beginning, then the choices.
func (x Explore) replay(path []choice) (*World, error) {
	// which order things come about in is chosen, not decided by what they take
	x.Options.atOnce = true
	w := newWorld(x.Options)
	w.who.asker = w.populate()
	w.after(x.Options.begin(), func() { w.submit(w.who.asker) })
	w.play(x.From, func() bool { return false })
	w.net.mail = &mail{}
	for _, c := range path {
		w.choose(c)
	}
	w.checkAll()
	if w.err != nil {
		return w, fmt.Errorf("%w\nafter %s", w.err, showPath(path))
	}
	return w, nil
}

// choices are what can happen next.
func (x Explore) choices(w *World, path []choice) []choice {
	var out []choice
	losses, crashes := 0, 0
	for _, c := range path {
		switch c.what {
		case 'l':
			losses++
		case 'c':
			crashes++
		}
	}
	once := map[uint64]bool{}
	for n, l := range w.net.mail.letters {
		if once[l.sum] {
			continue
		}
		once[l.sum] = true
		out = append(out, choice{'d', n})
		if losses < x.Losses {
			out = append(out, choice{'l', n})
		}
	}
	if crashes < x.Crashes {
		for n, h := range w.who.hosts {
			if h.up && h != w.who.asker {
				out = append(out, choice{'c', n})
			}
		}
	}
	if len(w.queue) > 0 && (w.left > 0 || !w.who.settled()) {
		out = append(out, choice{'t', 0})
	}
	return out
}

// quietMax is how much time passes at a step at most.
const quietMax = time.Second

// choose takes a step. Time passes until there is a new letter, or a worker has done something.
func (w *World) choose(c choice) {
	switch c.what {
	case 'd', 'l':
		l := w.net.mail.letters[c.n]
		w.net.mail.letters = append(w.net.mail.letters[:c.n:c.n], w.net.mail.letters[c.n+1:]...)
		if c.what == 'd' && l.to.up {
			l.to.receive(l.from, l.message)
		}
	case 'c':
		w.kill(w.who.hosts[c.n], false)
	case 't':
		until, posts, letters := w.now+quietMax, w.posts, len(w.net.mail.letters)
		for len(w.queue) > 0 && w.now < until && w.posts == posts && len(w.net.mail.letters) == letters {
			w.step()
		}
	}
}

// finishMail plays a state to its end, in the order of time: all that is on its way arrives.
func (w *World) finishMail(path []choice) error {
	letters := w.net.mail.letters
	w.net.mail = nil
	for _, l := range letters {
		l.to.in(0, 0, func() { l.to.receive(l.from, l.message) })
	}
	w.net.heals()
	w.demandEnd()
	w.play(w.now+w.opts.Settle, w.who.settled)
	if w.err == nil && !w.who.settled() {
		w.fail("empty", "%s", w.who.leftover())
	}
	if w.err != nil {
		return fmt.Errorf("%w\nto the end after %s", w.err, showPath(path))
	}
	return nil
}

func showPath(path []choice) string {
	s := ""
	for _, c := range path {
		s += fmt.Sprintf("%c%d ", c.what, c.n)
	}
	return s
}

// sum is the state of the world: machines, workers, what is on its way and what will happen.
func (w *World) sum() uint64 {
	sum := uint64(w.left)
	for _, h := range w.who.hosts {
		if h.up {
			sum = mix(sum ^ sumOf(h.peer))
			sum = mix(sum ^ sumOf(h.plane))
		}
		sum = mix(sum + uint64(h.posted))
	}
	var due, mail uint64
	for _, e := range w.queue {
		due += mix(uint64(e.at) ^ e.tag)
	}
	for _, l := range w.net.mail.letters {
		mail += mix(l.sum)
	}
	return mix(sum ^ mix(due) ^ mail)
}
