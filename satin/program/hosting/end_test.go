package hosting

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// said is a host that says, from each time on, when it ends nodes; 0 is never, below 0 an error.
type said struct {
	began  time.Time
	period time.Duration
	at     []time.Duration // since it began, one after the other …
	says   []time.Duration
	asked  int
}

func (s *said) String() string { return "it" }

func (s *said) every() time.Duration { return s.period }

func (s *said) notice(context.Context) (e Notice, err error) {
	s.asked++
	for n, at := range s.at {
		if time.Since(s.began) < at {
			continue
		}
		if e, err = (Notice{}), nil; s.says[n] > 0 {
			e = Notice{s.began.Add(s.says[n]), "it is over"}
		} else if s.says[n] < 0 {
			err = errors.New("no answer")
		}
	}
	return e, err
}

// left is after how long one leaves whom hosts may end, and 0 if it does not within a day; and how
// often it is said that one does not answer.
func left(t *testing.T, hosts ...*said) (after time.Duration, misses int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
	defer cancel()
	began := time.Now()
	var p Place
	for _, s := range hosts {
		s.began = began
		p.platforms = append(p.platforms, s)
	}
	var told Notice
	p.Ends = func(e Notice) { told = e }
	e, is := p.AwaitEnd(ctx, 20*time.Second, func(string, ...any) { misses++ })
	if is != (e.Why != "") {
		t.Errorf("%v, %v", e, is)
	}
	if is && told != e {
		t.Errorf("it has to be gone by %v, and says by %v", e, told)
	}
	if !is {
		return 0, misses
	}
	return time.Since(began), misses
}

func TestAwaitEnd(t *testing.T) {
	const sec, hour = time.Second, time.Hour
	for what, c := range map[string]struct {
		hosts     []*said
		from, end time.Duration // within which it leaves
		misses    int
	}{
		"nobody ends it":   {nil, 0, 0, 0},
		"no limit":         {[]*said{{at: []time.Duration{0}, says: []time.Duration{0}}}, 0, 0, 0},
		"a limit":          {[]*said{{at: []time.Duration{0}, says: []time.Duration{hour}}}, hour - 53*sec, hour - 23*sec, 0},
		"one that is over": {[]*said{{at: []time.Duration{0}, says: []time.Duration{sec}}}, 0, 0, 0},
		"it is extended": {[]*said{{at: []time.Duration{0, 30 * time.Minute}, says: []time.Duration{hour, 2 * hour}}},
			2*hour - 53*sec, 2*hour - 23*sec, 0},
		"it answers no more": {[]*said{{at: []time.Duration{0, 30 * time.Minute}, says: []time.Duration{hour, -1}}},
			hour - 53*sec, hour - 23*sec, 0},
		"a notice": {[]*said{{period: 2 * sec, at: []time.Duration{0, hour}, says: []time.Duration{0, hour + 120*sec}}},
			hour + 92*sec, hour + 97*sec, 0},
		"a short notice": {[]*said{{period: 2 * sec, at: []time.Duration{0, hour + sec}, says: []time.Duration{-1, hour + 31*sec}}},
			hour + 6*sec, hour + 8*sec, 1},
		"it answers late": {[]*said{{at: []time.Duration{0, 90 * sec}, says: []time.Duration{-1, hour}},
			{period: 2 * sec, at: []time.Duration{0}, says: []time.Duration{0}}}, hour - 53*sec, hour - 23*sec, 1},
		"it never answers":            {[]*said{{at: []time.Duration{0}, says: []time.Duration{-1}}}, 0, 0, 1},
		"it is away for a moment":     {[]*said{{period: 2 * sec, at: []time.Duration{0, 10 * sec, 60 * sec}, says: []time.Duration{0, -1, 0}}}, 0, 0, 0},
		"it goes away":                {[]*said{{period: 2 * sec, at: []time.Duration{0, hour}, says: []time.Duration{0, -1}}}, 0, 0, 1},
		"a notice that is taken back": {[]*said{{period: 2 * sec, at: []time.Duration{0, hour, hour + 60*sec}, says: []time.Duration{0, hour + 120*sec, 0}}}, 0, 0, 0},
		"the first of two": {[]*said{{at: []time.Duration{0}, says: []time.Duration{hour}},
			{period: 2 * sec, at: []time.Duration{0, sec}, says: []time.Duration{0, 200 * sec}}}, 160 * sec, 177 * sec, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			d, misses := left(t, c.hosts...)
			if d < c.from || d > c.end || misses != c.misses {
				t.Errorf("%s: it leaves after %v, not between %v and %v; that it does not answer is said %d times, not %d", what, d, c.from, c.end, misses, c.misses)
			}
			for _, s := range c.hosts {
				if s.period == 0 && s.says[0] >= 0 && s.asked > 3 {
					t.Errorf("%s: it was asked %d times", what, s.asked)
				}
			}
		})
	}
}

// TestTheyLeaveApart: tasks with one time limit.
func TestTheyLeaveApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var first, last time.Duration
		for n := range 20 {
			w := lookout{hosts: []*watched{{last: Notice{At: began.Add(time.Hour)}}}, leave: 20 * time.Second}
			w.decide()
			d := w.due.Sub(began)
			if n == 0 {
				first, last = d, d
			}
			first, last = min(first, d), max(last, d)
		}
		if last-first < apartMax/3 || last-first > apartMax {
			t.Errorf("20 leave within %v", last-first)
		}
	})
}

// TestItIsDueByTheWallClock: a machine that sleeps does not leave too late by as much. The clock of
// pauses stands still meanwhile, so none is long.
func TestItIsDueByTheWallClock(t *testing.T) {
	w := lookout{hosts: []*watched{{platform: &said{began: time.Now(), at: []time.Duration{0}, says: []time.Duration{time.Hour}}}}}
	w.look(t.Context())
	if w.due.IsZero() || w.due != w.due.Round(0) || w.first.At != w.first.At.Round(0) {
		t.Errorf("it is due at %v, for the end at %v", w.due, w.first.At)
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		w := lookout{hosts: []*watched{{platform: &said{began: began, at: []time.Duration{0}, says: []time.Duration{time.Hour}}}}}
		if w.look(t.Context()); !w.pause(t.Context()) || time.Since(began) != time.Minute {
			t.Errorf("it pauses for %v", time.Since(began))
		}
	})
}

// TestNoticeInWords: clouds tell the time in UTC, and people have clocks.
func TestNoticeInWords(t *testing.T) {
	at := time.Date(2026, 11, 24, 17, 0, 5, 0, time.Local)
	e := Notice{at.In(time.FixedZone("", 11*60*60+17*60)), "it is over"}
	if got := e.String(); got != "17:00:05: it is over" {
		t.Errorf("it is %q", got)
	}
}
