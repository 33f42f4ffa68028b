package peer

import (
	"math"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Work is what was done for a run here, as only the workers and the carrier know it.
type Work struct {
	Jobs     int64 // spawned here
	Aborted  int64 // given up by the program
	Busy     time.Duration
	BytesFar int64 // sent to other sites since the run began here

	Root     bool    // it was executed here …
	Progress float64 // … and is done to this extent
	Redone   []Redone
}

// Redone is the work on a run that a loss has made the workers do again here.
type Redone struct {
	Loss    LossNo
	Spent   time.Duration // by workers, on what had been done before, about
	Longest time.Duration // that the lost peer had worked on one of the jobs
}

// contribution is what must be known of a run to tell its submitters what was done for it here.
type contribution struct {
	no         RunNo
	run        steal.Instance
	since      time.Duration // it began here
	before     Crossed       // of the peer, when it did
	submitters []membership.PeerID
	told       uint64 // the number of the last report; 0: nothing was told
	over       bool   // what is told next is the last

	verified, resumed time.Duration // see Report
}

// contributions are those of the runs that are on, and of those that have ended and of which the
// last is to be told.
type contributions struct {
	outbox
	members members
	runs    *runs
	losses  *losses
	reports *reports
	stats   func() Crossed

	all  []*contribution
	told uint64 // reports, of whatever run
}

// overMax bounds the runs that have ended of which the last was not told: the loop does that at
// once.
const overMax = RunsMax

// began hears of a run that the workers are told of.
func (c *contributions) began(now time.Duration, no RunNo, run steal.Instance, before Crossed) {
	c.all = append(c.all, &contribution{
		no: no, run: run, since: now, before: before, submitters: []membership.PeerID{run.First.Submitter},
	})
}

// ended hears that a run has ended, and what worker time was on the disk. Of one of which nothing
// was told there is nothing to add.
func (c *contributions) ended(no RunNo, resumed time.Duration) {
	over := 0
	for _, o := range c.all {
		if o.no == no {
			o.over, o.resumed = true, resumed
		}
		if o.over {
			over++
		}
	}
	c.all = slices.DeleteFunc(c.all, func(o *contribution) bool {
		drop := o.over && (over > overMax || o.told == 0)
		if drop {
			over--
		}
		return drop
	})
}

// verifies is the effect that a job was executed once more to verify it, at that cost.
type verifies struct {
	run  steal.Instance
	cost uint32
}

// verified hears of one.
func (c *contributions) verified(e verifies) {
	for _, o := range c.all {
		if o.run == e.run {
			o.verified = added(o.verified, milliseconds(e.cost))
		}
	}
}

// milliseconds is a cost as it travels.
func milliseconds(cost uint32) time.Duration { return time.Duration(cost) * time.Millisecond }

// added is the sum of two such times, or the longest that there is: others say what results cost.
func added(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// gone hears that a submitter of a run is gone.
func (c *contributions) gone(e tellsNoMore) {
	for _, o := range c.all {
		if o.no == e.run {
			o.submitters = slices.DeleteFunc(slices.Clone(o.submitters), func(id membership.PeerID) bool { return id == e.who })
		}
	}
}

// did hears what was done for a run here, and tells those who wait for its answer. How far it is
// concerns all, who may be asked.
func (c *contributions) did(now time.Duration, no RunNo, w Work) []membership.Effect {
	r := c.runs.numbered(no)
	isLast := r != nil && r.over // a run that is kept goes on, and nobody works on it
	o := c.tells(no, c.runs.submitters(no), isLast)
	if o == nil {
		return nil
	}
	if r != nil {
		o.resumed = r.disk.resumed
	}
	self := c.members.Self()
	m := o.report(self, c.stats(), c.losses.reports(no), w)
	m.Final = o.over || isLast
	if r != nil && w.Root && r.master == self.ID {
		m.Master, m.Progress = true, w.Progress
	}
	told := o.submitters
	if m.Final {
		o.submitters = nil
	}
	for _, to := range told {
		if to == self.ID {
			c.also(c.reports.hearReport(life{to, self.Incarnation}, m))
		} else {
			c.send(life{peer: to}, m) // in whatever life
		}
	}
	if m.Master && r.extent.reached(now, w.Progress) {
		c.publish(r.record(now))
	}
	return c.flush()
}

// tells is the report on a run, and whom to tell: those who wait for its answer, or, when it has
// that, who were told before. It is for people to see; nil when the run is not known.
func (c *contributions) tells(no RunNo, waiting []membership.PeerID, isLast bool) *contribution {
	n := slices.IndexFunc(c.all, func(o *contribution) bool { return o.no == no })
	if n < 0 {
		return nil
	}
	o := c.all[n]
	c.told++
	o.told = c.told
	if waiting != nil && (len(waiting) > 0 || !isLast) {
		o.submitters = waiting
	}
	if o.over {
		c.all = slices.Delete(c.all, n, n+1)
	}
	return o
}

// report is what is told of a run.
func (o *contribution) report(self membership.Member, now Crossed, lost []LossReport, w Work) Report {
	m := Report{Run: o.run, Number: o.told, Verified: o.verified, Resumed: o.resumed, Stats: PeerStats{
		Name: self.Name, Site: string(self.Site), State: self.State.String(), Workers: int(self.Workers),
		Jobs: w.Jobs, Aborted: w.Aborted, Busy: w.Busy.Seconds(), BytesFar: w.BytesFar,
		LentNear: int64(now.LentNear - o.before.LentNear), LentFar: int64(now.LentFar - o.before.LentFar),
		Advertised: int64(now.Advertised - o.before.Advertised), Fetched: int64(now.Fetched - o.before.Fetched),
		CopiesSent: int64(now.CopiesSent - o.before.CopiesSent), CopiesUsed: int64(now.CopiesUsed - o.before.CopiesUsed),
	}}
	for _, x := range lost {
		m.Stats.Again += int64(x.Restarted)
		// who hears of a run when its master is lost may begin its root again
		if s := x.share(w.Redone); s.Costs() || s.Noticed > 0 && x.At >= o.since {
			m.Losses = append(m.Losses, s)
		}
	}
	m.Losses = m.Losses[max(0, len(m.Losses)-lossSharesMax):]
	return m
}

// share is what a loss has cost here, with what the workers know of it.
func (x *LossReport) share(all []Redone) LossShare {
	s := LossShare{
		Peer: x.Peer, Life: LifeOf(x.Incarnation), Name: x.Name, Site: string(x.Site), How: x.How, Noticed: x.Noticed,
		Restarted: x.Restarted, Reused: x.Reused, Saved: x.Saved, Root: x.Root,
	}
	for _, r := range all {
		if r.Loss == x.Number {
			s.Spent, s.Longest = r.Spent, r.Longest
		}
	}
	return s
}
