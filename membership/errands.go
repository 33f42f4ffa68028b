package membership

import "slices"

// errandsMax bounds the pings that a peer sends for others, so that a flood of requests cannot grow
// its memory.
const errandsMax = 64

// errands are the pings that this peer has sent for others, who do not hear their targets, the
// latest last.
type errands struct{ all []errand }

type errand struct {
	PingFor
	asker PeerID
}

// take notes one more. Who asks again is the latest, and when there are too many the first is let
// go.
func (e *errands) take(asker PeerID, p PingFor) {
	one := errand{p, asker}
	if n := slices.Index(e.all, one); n >= 0 {
		e.all = slices.Delete(e.all, n, n+1)
	}
	if len(e.all) == errandsMax {
		e.all = slices.Delete(e.all, 0, 1)
	}
	e.all = append(e.all, one)
}

// answered hears that a target lives, and tells who wants to know that of it.
func (e *errands) answered(target PeerID, i Incarnation) (askers []PeerID) {
	for _, o := range e.all {
		if o.Target == target && o.Incarnation == i {
			askers = append(askers, o.asker)
		}
	}
	e.all = slices.DeleteFunc(e.all, func(o errand) bool { return o.Target == target })
	return askers
}

// lost ends the errands for and about a peer that is gone.
func (e *errands) lost(id PeerID) {
	e.all = slices.DeleteFunc(e.all, func(o errand) bool { return o.Target == id || o.asker == id })
}
