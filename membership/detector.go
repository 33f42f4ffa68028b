package membership

import "time"

// Times of the detector. With all cores computing, gaps of 0.9 s between heartbeats were seen, so
// nobody is suspected under 1 s. The maxima and the probes add up to the times within which a
// silent peer must be dead: 2 s in a site, 4 s across, a tick included.
const (
	HeartbeatEvery = 200 * time.Millisecond
	SilenceMin     = time.Second
	SilenceMaxNear = 1300 * time.Millisecond
	SilenceMaxFar  = 2600 * time.Millisecond
	ProbeNear      = 500 * time.Millisecond
	ProbeFar       = 1100 * time.Millisecond
	tickEvery      = 100 * time.Millisecond
	// ticks that are later than this, in sum, mean that this peer slept
	lateMin = 300 * time.Millisecond
	// shorter gaps are traffic, and say nothing about heartbeats
	gapMin = 150 * time.Millisecond
)

// estimator learns how long a peer's silences are. It keeps the smoothed gap and its smoothed
// deviation, in the manner of TCP's retransmission timer (RFC 6298 section 2).
type estimator struct{ gap, deviation time.Duration }

// heard notes a gap between two signs of life.
func (d *estimator) heard(gap time.Duration) {
	if gap < gapMin {
		return
	}
	gap = min(gap, SilenceMaxFar)
	if d.gap == 0 {
		d.gap, d.deviation = gap, gap/2
		return
	}
	d.deviation += ((gap - d.gap).Abs() - d.deviation) / 4
	d.gap += (gap - d.gap) / 8
}

// allows is the silence after which the peer is suspected.
func (d *estimator) allows(near bool) time.Duration {
	most := SilenceMaxFar
	if near {
		most = SilenceMaxNear
	}
	return min(max(d.gap+4*d.deviation+HeartbeatEvery, SilenceMin), most)
}
