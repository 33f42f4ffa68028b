package peer

import (
	"time"

	"satingrid/steal"
)

// Bounds of facts. They are hints: what does not fit is dropped, and what is lost stays lost. A run
// may publish factsBytes every factsEvery, which is some 80 KB a second to each peer.
const (
	FactMax     = 4 << 10 // of one fact
	factsEvery  = 200 * time.Millisecond
	factsBytes  = 16 << 10 // in one message
	factsAtOnce = 256      // in one message
	factsWait   = 1024     // that wait to be published; the oldest are dropped
	factsKnown  = 8192     // digests that are remembered, so that no job hears a fact twice
	factsHeard  = 2048     // taken from others in a second, for one run
)

// Facts brings facts that jobs of a run told.
type Facts struct {
	Run   steal.Instance
	Facts [][]byte
}

func (Facts) Kind() uint8 { return KindFacts }

// facts are what a peer knows of what jobs of a run have told.
type facts struct {
	known  map[steal.Key]struct{}
	order  []steal.Key // of known, oldest first
	wait   [][]byte    // told here, to be published
	again  time.Duration
	window time.Duration // the second in which heard counts
	heard  int
}

// add remembers a fact and tells whether it is new.
func (f *facts) add(fact []byte) bool {
	key := steal.KeyOf(fact)
	if _, known := f.known[key]; known {
		return false
	}
	if f.known == nil {
		f.known = map[steal.Key]struct{}{}
	}
	if len(f.order) == factsKnown {
		delete(f.known, f.order[0])
		f.order = f.order[1:]
	}
	f.known[key] = struct{}{}
	f.order = append(f.order, key)
	return true
}

// Told hears a fact from a worker.
func (p *Peer) Told(now time.Duration, no RunNo, fact []byte) []Effect {
	p.begin(now)
	r := p.runOf(no)
	if r == nil || len(fact) > FactMax || p.conf.Member.Client || !r.facts.add(fact) {
		return p.end()
	}
	f := &r.facts
	if len(f.wait) == factsWait {
		f.wait = f.wait[1:]
	}
	f.wait = append(f.wait, fact)
	f.again = min(f.again, p.now+factsEvery)
	return p.end()
}

// tickFacts publishes what was told here: the youngest first, which are the most likely to be news.
func (p *Peer) tickFacts(r *run) {
	f := &r.facts
	if p.now < f.again {
		return
	}
	f.again = steal.Never
	var m Facts
	for bytes := 0; len(f.wait) > 0 && len(m.Facts) < factsAtOnce; {
		last := f.wait[len(f.wait)-1]
		if bytes += len(last); bytes > factsBytes {
			break
		}
		m.Facts = append(m.Facts, last)
		f.wait = f.wait[:len(f.wait)-1]
	}
	if len(f.wait) > 0 {
		f.again = p.now + factsEvery
	}
	m.Run = r.instance
	p.publish(m)
}

// heardFacts takes facts from another peer.
func (p *Peer) heardFacts(m Facts) {
	r := p.run(m.Run)
	if r == nil || r.root == nil || p.conf.Member.Client {
		return
	}
	f := &r.facts
	if p.now-f.window >= time.Second {
		f.window, f.heard = p.now, 0
	}
	for _, fact := range m.Facts[:min(len(m.Facts), factsAtOnce)] {
		if f.heard++; f.heard > factsHeard {
			return
		}
		if len(fact) <= FactMax && f.add(fact) {
			p.out = append(p.out, Hear{Run: r.no, Fact: fact})
		}
	}
}
