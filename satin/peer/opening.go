package peer

import (
	"time"

	"satingrid/membership"
)

// opening has those told that there may be jobs for this peer now, and parts of its own to copy,
// or none any more: it has come in or leaves, or there is another number of runs.
type opening struct {
	stealing *stealing
	copier   *copier
}

// opens says that there are jobs of another number of runs now.
type opens struct{}

func (o *opening) look(now time.Duration) []membership.Effect {
	effects := o.stealing.opened(now)
	o.copier.opened(now)
	return effects
}
