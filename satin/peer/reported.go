package peer

import (
	"time"
)

// Did hears what was done for a run here, and tells those who have submitted it: one that has gone
// may have come back under another id. After EndRun it is to be said once more, which is the last.
func (p *Peer) Did(now time.Duration, no RunNo, w Work) []Effect {
	p.begin(now)
	if !p.gone && !p.conf.Member.Client {
		p.apply(p.contributed.did(p.now, no, w))
	}
	return p.end()
}
