package peer

import (
	"time"

	"satingrid/membership"
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
	outbox
	run    steal.Instance
	no     RunNo
	known  map[steal.Key]struct{}
	order  []steal.Key   // of known, oldest first
	wait   [][]byte      // told here, to be published
	again  time.Duration // when that is due; Never: nothing waits
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

// told hears a fact from a worker.
func (f *facts) told(now time.Duration, fact []byte) {
	if len(fact) > FactMax || !f.add(fact) {
		return
	}
	if len(f.wait) == factsWait {
		f.wait = f.wait[1:]
	}
	f.wait = append(f.wait, fact)
	f.again = min(f.again, now+factsEvery)
}

// tick publishes what was told here: the youngest first, which are the most likely to be news.
func (f *facts) tick(now time.Duration) []membership.Effect {
	if now < f.again {
		return nil
	}
	f.again = steal.Never
	m := Facts{Run: f.run}
	for bytes := 0; len(f.wait) > 0 && len(m.Facts) < factsAtOnce; {
		last := f.wait[len(f.wait)-1]
		if bytes += len(last); bytes > factsBytes {
			break
		}
		m.Facts = append(m.Facts, last)
		f.wait = f.wait[:len(f.wait)-1]
	}
	if len(f.wait) > 0 {
		f.again = now + factsEvery
	}
	f.publish(m)
	return f.flush()
}

// hearFacts takes facts from another peer.
func (f *facts) hearFacts(now time.Duration, from membership.PeerID, m Facts) []membership.Effect {
	if now-f.window >= time.Second {
		f.window, f.heard = now, 0
	}
	for _, fact := range m.Facts[:min(len(m.Facts), factsAtOnce)] {
		if f.heard++; f.heard > factsHeard {
			break
		}
		if len(fact) <= FactMax && f.add(fact) {
			f.do(Hear{Run: f.no, From: from, Fact: fact})
		}
	}
	return f.flush()
}
