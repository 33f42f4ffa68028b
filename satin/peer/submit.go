package peer

import (
	"time"

	"satingrid/steal"
)

// Submit asks for a run, and names the submission: Deliver will name it again.
func (p *Peer) Submit(now time.Duration, root Root) (nonce steal.Nonce, effects []Effect, err error) {
	p.begin(now)
	s, err := p.submissions.begin(root)
	if err != nil {
		return 0, p.end(), err
	}
	p.reports.submitted(s.id.Nonce, root.Run)
	p.apply(p.submissions.submit(p.now, s))
	return s.id.Nonce, p.end(), nil
}

// Cancel withdraws a submission. Nothing will be delivered for it.
func (p *Peer) Cancel(now time.Duration, nonce steal.Nonce) []Effect {
	p.begin(now)
	p.apply(p.submissions.cancel(nonce))
	p.reports.cancelled(nonce)
	return p.end()
}

// CancelRun ends a run for all who wait for it, as somebody at this member wants. Each submitter is
// told, and delivers that.
func (p *Peer) CancelRun(now time.Duration, no RunNo) []Effect {
	p.begin(now)
	p.apply(p.endings.cancel(p.now, no))
	return p.end()
}
