package peer

import (
	"time"

	"satingrid/steal"
)

// KeysMax bounds the keys that the workers list at a time.
const KeysMax = 1024

// Gathered hears all parts of the workers.
func (p *Peer) Gathered(now time.Duration, _ []Part) []Effect {
	p.begin(now)
	return p.end()
}

// Unfinished hears the keys of a run's unfinished jobs.
func (p *Peer) Unfinished(now time.Duration, _ RunNo, _ []steal.Key) []Effect {
	p.begin(now)
	return p.end()
}

// Salvaged hears parts of jobs that were withdrawn with Salvage.
func (p *Peer) Salvaged(now time.Duration, _ []Part) []Effect {
	p.begin(now)
	return p.end()
}

// Stopped hears that a job that was withdrawn with Salvage will not finish.
func (p *Peer) Stopped(now time.Duration, _ uint64) []Effect {
	p.begin(now)
	return p.end()
}
