package peer

import (
	"time"

	"satingrid/steal"
)

// KeysMax bounds the keys that the workers list at a time.
const KeysMax = 1024

// What a result must have cost to be worth keeping for others: to fetch it takes a round trip, and
// its bytes take their time.
const (
	worthCostMin  = 1       // milliseconds
	worthBytes    = 4 << 10 // a millisecond, as many as a slow link carries
	worthBytesMin = 16 << 10
)

// isWorth tells whether a result is worth keeping for somebody who may need it.
func isWorth(r steal.Result) bool {
	return r.Outcome != steal.Panicked && r.Cost >= worthCostMin && uint64(len(r.Bytes)) <= worthBytesMin+uint64(r.Cost)*worthBytes
}

// orphanFinished keeps what an orphan came to that was never told. Any other job that is not known
// any more was withdrawn while the news was on its way.
func (p *Peer) orphanFinished(borrow steal.Borrow, result steal.Result) {
	o, ok := p.stops.ended(borrow)
	r := p.runs.find(o.run)
	switch {
	case !ok || r == nil:
	case result.Outcome == steal.Panicked:
		p.failed(r, result)
	default:
		p.keepOrphan(o.run, o.key, result)
	}
}

// keepOrphan keeps a result that nobody waits for yet, and advertises it.
func (p *Peer) keepOrphan(run steal.Instance, key steal.Key, r steal.Result) {
	if p.conf.NoFT || p.runs.find(run) == nil || !isWorth(r) {
		return
	}
	p.store.Orphan(p.now, run, key, r)
	p.runs.find(run).look.listed(p.now)
}

// Salvaged hears parts of jobs that were withdrawn with Salvage.
func (p *Peer) Salvaged(now time.Duration, parts []Part) []Effect {
	p.begin(now)
	for _, part := range parts {
		if r := p.runs.numbered(part.Run); r != nil {
			p.keepOrphan(r.instance, part.Key, part.Result)
		}
	}
	return p.end()
}

// Stopped hears that a job that was withdrawn with Salvage will not finish.
func (p *Peer) Stopped(now time.Duration, borrow steal.Borrow) []Effect {
	p.begin(now)
	_, orphan := p.stops.ended(borrow)
	if p.stops.handsBack(borrow) && !orphan {
		p.stopped(borrow)
	}
	p.tickLeave()
	return p.end()
}
