package observe

import (
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
)

// Rates are what is done in a second, and where the time goes. Each is nil where two samples do not
// tell.
type Rates struct {
	Busy      *float64 `json:"busy"`      // the part of the workers that computes …
	Repairing *float64 `json:"repairing"` // … what others had done that were lost, about
	Asking    *float64 `json:"asking"`    // the part of the time in which a peer asks for jobs
	Jobs      *float64 `json:"jobs_per_second"`
	LentNear  *float64 `json:"lent_near_per_second"`
	LentFar   *float64 `json:"lent_far_per_second"`
	BytesNear *float64 `json:"bytes_near_per_second"`
	BytesFar  *float64 `json:"bytes_far_per_second"`
	// until such a request was answered, on average; of a peer that has asked
	TripNear *float64 `json:"trip_near_seconds"`
	TripFar  *float64 `json:"trip_far_seconds"`

	near, far mean // those trips
}

// mean is an average of what weighs differently.
type mean struct{ sum, weight float64 }

func (m *mean) add(n *float64, weight float64) {
	if n != nil {
		m.sum, m.weight = m.sum+*n*weight, m.weight+weight
	}
}

func (m *mean) join(o mean) { m.sum, m.weight = m.sum+o.sum, m.weight+o.weight }

// value is the average; nil: of nothing.
func (m mean) value() *float64 {
	if m.weight <= 0 {
		return nil
	}
	v := console.Round(m.sum / m.weight)
	return &v
}

// rates are those of a peer.
func rates(before, now across.Doing) (r Rates) {
	took := between(before, now)
	if took == 0 {
		return r
	}
	per := func(n float64) *float64 {
		n = console.Round(max(n, 0) / took)
		return &n
	}
	part := func(of float64) *float64 {
		p := per(of)
		*p = min(*p, 1)
		return p
	}
	a, b := before.Totals, now.Totals
	r.Jobs = per(float64(b.Jobs - a.Jobs))
	r.LentNear, r.LentFar = per(float64(b.LentNear)-float64(a.LentNear)), per(float64(b.LentFar)-float64(a.LentFar))
	r.BytesNear, r.BytesFar = per(float64(b.BytesNear-a.BytesNear)), per(float64(b.BytesFar-a.BytesFar))
	if now.Workers > 0 {
		r.Busy = part((b.Busy - a.Busy) / float64(now.Workers))
		r.Repairing = part((b.Repairing - a.Repairing) / float64(now.Workers))
		r.Asking = part(b.Asking - a.Asking)
	}
	r.near = mean{max(b.TripsNear-a.TripsNear, 0), float64(b.AskedNear) - float64(a.AskedNear)}
	r.far = mean{max(b.TripsFar-a.TripsFar, 0), float64(b.AskedFar) - float64(a.AskedFar)}
	r.TripNear, r.TripFar = r.near.value(), r.far.value()
	return r
}

// several are the rates of several peers together.
type several struct {
	Rates
	busy, repairing, asking mean
}

func (s *several) add(p PeerView) {
	workers := float64(p.Workers)
	s.busy.add(p.Busy, workers)
	s.repairing.add(p.Repairing, workers)
	s.asking.add(p.Asking, 1)
	s.near.join(p.near)
	s.far.join(p.far)
	for _, sum := range []struct {
		to **float64
		n  *float64
	}{
		{&s.Jobs, p.Jobs}, {&s.LentNear, p.LentNear}, {&s.LentFar, p.LentFar}, {&s.BytesNear, p.BytesNear}, {&s.BytesFar, p.BytesFar},
	} {
		add(sum.to, sum.n)
	}
	s.Busy, s.Repairing, s.Asking = s.busy.value(), s.repairing.value(), s.asking.value()
	s.TripNear, s.TripFar = s.near.value(), s.far.value()
}

// add adds a figure that may not be known.
func add(to **float64, n *float64) {
	if n == nil {
		return
	}
	both := *n
	if *to != nil {
		both += **to
	}
	*to = &both
}

// sitesOf are the sites of some peers, which are sorted by them.
func sitesOf(peers []PeerView) []SiteView {
	sites := []SiteView{}
	var all several
	for _, p := range peers {
		if len(sites) == 0 || sites[len(sites)-1].Site != p.Site {
			sites, all = append(sites, SiteView{Site: p.Site}), several{}
		}
		s := &sites[len(sites)-1]
		s.Peers++
		s.Workers += p.Workers
		if p.Answers {
			s.Answers++
		}
		all.add(p)
		s.Rates = all.Rates
	}
	return sites
}
