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

// left is after how long one leaves whom hosts may end, and 0 if it does not within a day.
func left(t *testing.T, hosts ...*said) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
	defer cancel()
	began := time.Now()
	var p Place
	for _, s := range hosts {
		s.began = began
		p.hosts = append(p.hosts, s)
	}
	e, is := p.AwaitEnd(ctx, 20*time.Second)
	if is != (e.Why != "") {
		t.Errorf("%v, %v", e, is)
	}
	if !is {
		return 0
	}
	return time.Since(began)
}

func TestAwaitEnd(t *testing.T) {
	const sec, hour = time.Second, time.Hour
	for what, c := range map[string]struct {
		hosts     []*said
		from, end time.Duration // within which it leaves
	}{
		"nobody ends it":   {nil, 0, 0},
		"no limit":         {[]*said{{at: []time.Duration{0}, says: []time.Duration{0}}}, 0, 0},
		"a limit":          {[]*said{{at: []time.Duration{0}, says: []time.Duration{hour}}}, hour - 53*sec, hour - 23*sec},
		"one that is over": {[]*said{{at: []time.Duration{0}, says: []time.Duration{sec}}}, 0, 0},
		"it is extended": {[]*said{{at: []time.Duration{0, 30 * time.Minute}, says: []time.Duration{hour, 2 * hour}}},
			2*hour - 53*sec, 2*hour - 23*sec},
		"it answers no more": {[]*said{{at: []time.Duration{0, 30 * time.Minute}, says: []time.Duration{hour, -1}}},
			hour - 53*sec, hour - 23*sec},
		"a notice": {[]*said{{period: 2 * sec, at: []time.Duration{0, hour}, says: []time.Duration{0, hour + 120*sec}}},
			hour + 92*sec, hour + 97*sec},
		"a short notice": {[]*said{{period: 2 * sec, at: []time.Duration{0, hour + sec}, says: []time.Duration{-1, hour + 31*sec}}},
			hour + 6*sec, hour + 8*sec},
		"a notice that is taken back": {[]*said{{period: 2 * sec, at: []time.Duration{0, hour, hour + 60*sec}, says: []time.Duration{0, hour + 120*sec, 0}}}, 0, 0},
		"the first of two": {[]*said{{at: []time.Duration{0}, says: []time.Duration{hour}},
			{period: 2 * sec, at: []time.Duration{0, sec}, says: []time.Duration{0, 200 * sec}}}, 160 * sec, 177 * sec},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := left(t, c.hosts...)
			if d < c.from || d > c.end {
				t.Errorf("%s: it leaves after %v, not between %v and %v", what, d, c.from, c.end)
			}
			for _, s := range c.hosts {
				if s.period == 0 && s.asked > 3 {
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
			w := lookout{last: []Notice{{At: began.Add(time.Hour)}}, leave: 20 * time.Second}
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
