package chaos

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"satingrid/satin/program/local"
)

// Ground is what a script is played on.
type Ground interface {
	Alive() []local.Peer // in a fixed order, stopped ones too
	Master() string      // the name of the run's master, or "" while that is not known
	Kill(name string) error
	Stop(name string) error
	Cont(name string) error
	Leave(name string) error
	Join(site string, workers int) (name string, err error)
	Cut(local.Cut)
	Heal()
}

// Engine plays a script. It belongs to one goroutine.
type Engine struct {
	ground Ground
	sites  []local.Site // from which any is drawn
	most   int          // peers that may be there
	rng    *rand.Rand
	said   func(text string, e Fault) // told of everything that happened
	events []planned
	fired  int
}

// planned is an event and what has become of it.
type planned struct {
	Fault
	next  time.Duration // of a period: when it is due next
	fired int
}

// New makes an engine whose draws come from seed. It tells said what it did: "kill b/1".
func New(script []Fault, ground Ground, sites []local.Site, seed int64, said func(text string, e Fault)) *Engine {
	e := &Engine{ground: ground, sites: sites, most: local.PeersMax, said: said, rng: rand.New(rand.NewPCG(uint64(seed), 0x63686f73))}
	for _, x := range script {
		e.events = append(e.events, planned{Fault: x, next: x.When.Every})
	}
	return e
}

// PeersMost says how many peers there may be on a ground that is no process each; those that would
// join beyond do not.
func (e *Engine) PeersMost(most int) { e.most = most }

// Look fires what is due when that much time has gone and the run is that far. An event
// that cannot happen yet, because there is nobody whom it could hit, stays due; a period
// waits for its next turn.
func (e *Engine) Look(gone time.Duration, progress float64) {
	for i := range e.events {
		p := &e.events[i]
		if !p.due(gone, progress) {
			continue
		}
		if e.fire(p.Fault) {
			p.fired++
			e.fired++
		}
		if p.When.Every > 0 {
			if p.next += p.When.Every; p.next <= gone {
				// turns that were slept through are left out
				p.next = gone + p.When.Every
			}
		}
	}
}

func (p *planned) due(gone time.Duration, progress float64) bool {
	switch w := p.When; {
	case w.Every > 0:
		return gone >= p.next
	case p.fired > 0:
		return false
	case w.ByProgress:
		return progress >= w.Progress
	default:
		return gone >= w.After
	}
}

// Report tells how often something happened, and which events never did.
func (e *Engine) Report() (fired int, missed []string) {
	missed = []string{}
	for _, p := range e.events {
		if p.fired == 0 {
			missed = append(missed, p.Text)
		}
	}
	return e.fired, missed
}

// fire lets one event happen, and tells whether anything did.
func (e *Engine) fire(x Fault) bool {
	switch x.Verb {
	case Join:
		return e.join(x)
	case Cut:
		e.ground.Cut(x.Cut)
		arrow := ">"
		if x.Cut.Both {
			arrow = "|"
		}
		e.said("cut "+x.Cut.From+arrow+x.Cut.To, x)
		return true
	case Heal:
		e.ground.Heal()
		e.said("heal", x)
		return true
	}
	act := map[Verb]func(string) error{Kill: e.ground.Kill, Stop: e.ground.Stop, Cont: e.ground.Cont, Leave: e.ground.Leave}[x.Verb]
	happened := false
	for _, name := range e.whom(x) {
		if err := act(name); err != nil {
			continue // it has ended in this moment; the event stays due
		}
		e.said(string(x.Verb)+" "+name, x)
		happened = true
	}
	return happened
}

func (e *Engine) join(x Fault) bool {
	s := x.Site
	if s.Name == "" {
		s = e.sites[e.rng.IntN(len(e.sites))]
		s.Peers = 1
	}
	happened := false
	for range s.Peers {
		if len(e.ground.Alive()) >= e.most {
			break
		}
		name, err := e.ground.Join(s.Name, s.Workers)
		if err != nil {
			e.said(fmt.Sprintf("join %s failed: %v", name, err), x)
			continue
		}
		e.said("join "+name, x)
		happened = true
	}
	return happened
}

// whom are the names of those whom an event hits now.
func (e *Engine) whom(x Fault) []string {
	var fit []string
	for _, p := range e.ground.Alive() {
		if !can(p, x.Verb) || !e.meant(x.Who, p) {
			continue
		}
		fit = append(fit, p.Name)
	}
	if x.Who.Any && len(fit) > 0 {
		return []string{fit[e.rng.IntN(len(fit))]}
	}
	return fit
}

// can tells whether a verb would change anything about a peer. One that is stopped cannot hear
// that it shall leave.
func can(p local.Peer, v Verb) bool {
	switch v {
	case Stop:
		return !p.Stopped
	case Cont:
		return p.Stopped
	case Leave:
		return !p.Stopped && !p.Leaving
	}
	return true
}

func (e *Engine) meant(w Whom, p local.Peer) bool {
	switch {
	case w.Any:
		return true
	case w.Master:
		return p.Name == e.ground.Master()
	case w.Number == 0:
		return p.Site == w.Site
	default:
		site, number, _ := strings.Cut(p.Name, "/")
		return site == w.Site && number == fmt.Sprint(w.Number)
	}
}
