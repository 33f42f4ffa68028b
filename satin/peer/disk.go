package peer

import "time"

// Remembered takes what this process's disk has from an earlier life: which submissions have ended
// that kept runs, and the records of runs. It is to be told before the peer founds or joins a grid.
func (p *Peer) Remembered(now time.Duration, ended []Tombstone, all []Recorded) []Effect {
	p.begin(now)
	p.ends.remembered(p.now, ended)
	for _, rec := range all {
		p.apply(p.records.remembered(p.now, rec))
	}
	p.runs.pause(p.now, all)
	return p.end()
}

// Stored answers WantStored.
func (p *Peer) Stored(now time.Duration, no RunNo, found Stored) []Effect {
	p.begin(now)
	p.apply(p.storing.stored(p.now, no, found))
	return p.end()
}

// Saved answers Save: it is written, or, ok is false, nothing of it is.
func (p *Peer) Saved(now time.Duration, ok bool) []Effect {
	p.begin(now)
	p.apply(p.storing.saved(p.now, ok))
	return p.end()
}
