package workerstest

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// What the workers say of jobs that they hand to the machine.

func (m *model) Taken(_ time.Duration, jobs []peer.Job) []peer.Effect {
	m.hears("Taken")
	want := m.want
	if want == nil {
		m.breaks(RuleOnce, "Taken, when no WantJobs is open")
		return nil
	}
	m.want = nil
	if len(jobs) > want.N || m.most > 0 && len(jobs) > m.most {
		m.breaks(RuleHalf, "%d jobs are Taken: %d were wanted, and %d may be had", len(jobs), want.N, m.most)
	}
	bytes := 0
	for i, j := range jobs {
		if bytes > want.Bytes {
			m.breaks(RuleBytes, "%d jobs are Taken, the first %d of %d bytes more than the first has, and %d were wanted", len(jobs), i, bytes, want.Bytes)
		}
		if i > 0 {
			bytes += len(j.Args)
		}
		if j.Run != jobs[0].Run {
			m.breaks(RuleTurn, "jobs of runs %d and %d are Taken at once", jobs[0].Run, j.Run)
		}
		m.taken(want, j)
	}
	return nil
}

func (m *model) taken(want *steal.WantJobs, j peer.Job) {
	m.cover("job taken")
	r := m.runs[j.Run]
	if r == nil || j.Ref == 0 || m.loans[j.Ref] != nil {
		m.breaks(RuleTaken, "a job of run %d is Taken under Ref %d", j.Run, j.Ref)
		return
	}
	job, err := m.codec.ReadFields(j.Args)
	if err != nil || j.Task != m.codec.Task() || r.jobs[job.bare()] == nil || j.Key != m.codec.Key(r.instance, job) {
		m.breaks(RuleTaken, "%+v is Taken, %v, which is no job of run %d, or has another key", job, err, r.no)
		return
	}
	if want.Of != nil && !slices.Contains(want.Of, r.instance) {
		m.breaks(RuleTurn, "a job of run %d is Taken, and others were wanted", r.no)
	}
	x := &loan{ref: j.Ref, run: r, job: job, key: j.Key, verifies: j.Verifies}
	m.loans[j.Ref] = x
	if r.ended {
		return // late
	}
	m.hasSeen(r, job.Seen)
	if j.PassedOn {
		m.passedOn(x)
		return
	}
	tops := slices.DeleteFunc(slices.Clone(r.jobs[job.bare()]), func(b *borrow) bool { return b.job.bare() == job.bare() })
	switch {
	case len(tops) == 0:
		m.breaks(RulePassedOn, "%+v is Taken as a child, and is none", job)
	case !slices.ContainsFunc(tops, func(b *borrow) bool { return b.verifies == j.Verifies }):
		m.breaks(RulePassedOn, "a part of a job that verifies is Taken, and does not, or the other way round: %+v", job)
	case len(tops) == 1 && m.isOut(x):
		m.breaks(RuleTaken, "%+v is Taken twice", job)
	}
}

// lent are all jobs that were ever taken, the first one first.
func (m *model) lent() []*loan {
	return slices.SortedFunc(maps.Values(m.loans), func(a, b *loan) int { return cmp.Compare(a.ref, b.ref) })
}

// isOut tells whether a job is in the machine's hands under another Ref.
func (m *model) isOut(x *loan) bool {
	for _, o := range m.lent() {
		if o != x && o.run == x.run && o.job.bare() == x.job.bare() && o.state == out {
			return true
		}
	}
	return false
}

// passedOn judges a job that is Taken as one that was borrowed.
func (m *model) passedOn(x *loan) {
	for _, b := range x.run.jobs[x.job.bare()] {
		if b.job == x.job && b.passedOn == nil && b.ends == 0 {
			if b.root || b.first != nil {
				m.breaks(RuleTaken, "a root, or a job that is executed to verify another, is Taken")
			}
			if b.verifies != x.verifies {
				m.breaks(RulePassedOn, "a borrowed job verifies: %v, and is Taken with %v", b.verifies, x.verifies)
			}
			m.cover("job passed on")
			x.of, b.passedOn, b.lentOn = b, x, true
			return
		}
	}
	m.breaks(RulePassedOn, "%+v is Taken as borrowed, and no such job waits here", x.job)
}

func (m *model) Abandoned(_ time.Duration, refs []steal.Ref, orphaned bool) []peer.Effect {
	m.hears("Abandoned")
	for _, ref := range refs {
		x := m.loans[ref]
		switch {
		case x == nil:
			m.breaks(RuleAbandoned, "Ref %d is Abandoned, and was never Taken", ref)
			continue
		case x.state == abandoned:
			m.breaks(RuleAbandoned, "Ref %d is Abandoned twice", ref)
			continue
		}
		x.state = abandoned
		if x.of != nil {
			x.of.passedOn = nil
		}
		if r := x.run; !r.ended {
			m.reason(x, orphaned)
		}
	}
	return nil
}

// reason judges why a loan is Abandoned.
func (m *model) reason(x *loan, orphaned bool) {
	r := x.run
	withdrawn := r.failed || r.failures || len(r.used) > 0 || r.root.Does&Errs != 0
	salvaged := false
	for _, b := range m.all(r) {
		// of all: one that runs above another's on a stack stops with it, and starts anew
		withdrawn = withdrawn || b.withdrawn
		salvaged = salvaged || b.salvaged
	}
	switch {
	case orphaned && !salvaged:
		m.breaks(RuleOrphaned, "Ref %d is said to be orphaned, and no job above it was withdrawn with Salvage", x.ref)
	case !orphaned && !withdrawn && salvaged:
		m.breaks(RuleOrphaned, "Ref %d is not said to be orphaned, and was withdrawn with Salvage", x.ref)
	case !withdrawn && !salvaged:
		m.breaks(RuleAbandoned, "Ref %d is Abandoned, and has no reason to", x.ref)
	}
	m.cover("job abandoned")
}
