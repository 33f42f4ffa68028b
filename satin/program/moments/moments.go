package moments

import (
	"cmp"
	"context"
	"time"

	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
)

// Moment is what is to be seen of a grid at once.
type Moment struct {
	View    observe.View // what was seen last
	Trouble string       // why that is not so now; "": it is
	Tape    *Position    // where a recording stands; nil: this is a grid that is there

	sum   *recording.Summary
	close *recording.Closing // of a recording, where it stands at its end
}

// momentOf is one of which that was seen, and what has happened until then. Who was lost of late is
// wrong, too, and comes first: what else is wrong may come of it.
func momentOf(v observe.View, sum *recording.Summary) Moment {
	v.Warnings = append(sum.RecentLosses(), v.Warnings...)
	return Moment{View: v, sum: sum}
}

// Report is what has happened until then. It is to be asked for before the next moment is.
func (m Moment) Report() *recording.Report {
	all := m.sum.Report()
	if m.close != nil {
		all.Close(*m.close)
	}
	return all
}

// Stream is where a view has its moments from.
type Stream interface {
	// Next waits until there is something else to be shown. The error is that of the context.
	Next(ctx context.Context) (Moment, error)
}

// Live looks at a grid that is there, again and again.
type Live struct {
	look  func(context.Context) (observe.Sample, error)
	every time.Duration
	began time.Time
	next  time.Time
	last  observe.Sample
	sum   *recording.Summary
}

// Every is how often a grid is looked at.
const Every = time.Second

// NewLive looks at a grid in some way, every so often; 0: [Every].
func NewLive(look func(context.Context) (observe.Sample, error), every time.Duration) *Live {
	now := time.Now()
	every = cmp.Or(every, Every)
	sum := recording.NewSummary(recording.Preamble{Began: now, Every: every.Seconds()})
	return &Live{look: look, every: every, began: now, next: now, sum: sum}
}

// Next looks, when it is time to.
func (l *Live) Next(ctx context.Context) (m Moment, err error) {
	select {
	case <-time.After(time.Until(l.next)):
	case <-ctx.Done():
		return m, context.Cause(ctx)
	}
	l.next = time.Now().Add(l.every)
	is, err := l.look(ctx)
	switch {
	case ctx.Err() != nil:
		return m, context.Cause(ctx)
	case err != nil:
		m = momentOf(observe.Between(l.last, l.last), l.sum)
		m.Trouble = err.Error()
		return m, nil
	}
	l.sum.Add(recording.Look{At: time.Since(l.began), Sample: is})
	m = momentOf(observe.Between(l.last, is), l.sum)
	l.last = is
	return m, nil
}
