package peer

import (
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
)

// reportOf is a report that a peer may say.
func reportOf(change func(*Report)) Report {
	m := Report{
		Stats:  PeerStats{Name: "b/1", Site: "b", State: "here", Workers: 2, Jobs: 3, Busy: 1.5},
		Losses: []LossShare{{Peer: "x", Name: "x", Site: "a", Restarted: 1}},
	}
	if change != nil {
		change(&m)
	}
	return m
}

// TestReportsAreSound: what people are shown can be printed and added up, whoever says it.
func TestReportsAreSound(t *testing.T) {
	for name, change := range map[string]func(*Report){
		"as peers say it": nil,
		"of nothing":      func(m *Report) { *m = Report{} },
		"all is done":     func(m *Report) { m.Progress = 1 },
		"many losses":     func(m *Report) { m.Losses = make([]LossShare, lossSharesMax) },
		"no site":         func(m *Report) { m.Stats.Site = "" },
	} {
		if m := reportOf(change); !m.sound() {
			t.Errorf("%s is not sound", name)
		}
	}
	for name, change := range map[string]func(*Report){
		"progress that is no number":  func(m *Report) { m.Progress = math.NaN() },
		"less progress than none":     func(m *Report) { m.Progress = -0.1 },
		"more progress than all":      func(m *Report) { m.Progress = 1.1 },
		"time that is no number":      func(m *Report) { m.Stats.Busy = math.NaN() },
		"time without end":            func(m *Report) { m.Stats.Busy = math.Inf(1) },
		"more time than there is":     func(m *Report) { m.Stats.Busy = 1e18 },
		"all the time that there is":  func(m *Report) { m.Stats.Busy = time.Duration(math.MaxInt64).Seconds() },
		"less time than none":         func(m *Report) { m.Stats.Busy = -1 },
		"less jobs than none":         func(m *Report) { m.Stats.Jobs = -1 },
		"less workers than none":      func(m *Report) { m.Stats.Workers = -1 },
		"less bytes than none":        func(m *Report) { m.Stats.BytesFar = math.MinInt64 },
		"a name that is a book":       func(m *Report) { m.Stats.Name = strings.Repeat("x", membership.NameBytesMax+1) },
		"a name that moves":           func(m *Report) { m.Stats.Name = "\x1b[2J" },
		"a site of two lines":         func(m *Report) { m.Stats.Site = "a\nb" },
		"a state that is none":        func(m *Report) { m.Stats.State = "\xff" },
		"too many losses":             func(m *Report) { m.Losses = make([]LossShare, lossSharesMax+1) },
		"a loss of less than nothing": func(m *Report) { m.Losses[0].Saved = -1 },
		"less restarts than none":     func(m *Report) { m.Losses[0].Restarted = -1 },
		"a loss of a book":            func(m *Report) { m.Losses[0].Peer = membership.PeerID(strings.Repeat("x", 1000)) },
	} {
		if m := reportOf(change); m.sound() {
			t.Errorf("%s is sound", name)
		}
	}
}

// TestEveryFieldOfAReportIsBounded: whatever number of a report, or of a loss that it tells of, is
// below nothing or no number at all, and whatever text of it moves a cursor, nobody is shown any
// of it. A field that is added must be among those that are looked at.
func TestEveryFieldOfAReportIsBounded(t *testing.T) {
	free := map[string]bool{"How": true, "Life": true, "Root": true} // any is one
	spoils := func(v reflect.Value, is func(*Report) reflect.Value) {
		for n := range v.NumField() {
			name := v.Type().Field(n).Name
			m := reportOf(nil)
			switch f := is(&m).Field(n); f.Kind() {
			case reflect.Int, reflect.Int64:
				f.SetInt(-1)
			case reflect.Float64:
				f.SetFloat(math.NaN())
			case reflect.String:
				f.SetString("\r")
			default:
				if !free[name] {
					t.Errorf("%s is of kind %v, of which nobody has thought", name, f.Kind())
				}
			}
			if m.sound() != free[name] {
				t.Errorf("with a bad %s a report is sound: %v", name, m.sound())
			}
		}
	}
	spoils(reflect.ValueOf(PeerStats{}), func(m *Report) reflect.Value { return reflect.ValueOf(&m.Stats).Elem() })
	spoils(reflect.ValueOf(LossShare{}), func(m *Report) reflect.Value { return reflect.ValueOf(&m.Losses[0]).Elem() })
}

// TestLastLossMayBeUnsound: one bad loss among good ones is enough.
func TestLastLossMayBeUnsound(t *testing.T) {
	for n := range lossSharesMax {
		m := reportOf(func(m *Report) { m.Losses = make([]LossShare, lossSharesMax) })
		if m.Losses[n].Longest = -1; m.sound() {
			t.Errorf("loss %d is bad, and the report is sound", n)
		}
	}
}

// TestCountsAddUp: what as many peers tell as may is a number in sum, whatever they have counted,
// and a peer has no more workers than a member may have.
func TestCountsAddUp(t *testing.T) {
	counts := func(m *Report) (all []reflect.Value) {
		for _, v := range []reflect.Value{reflect.ValueOf(&m.Stats).Elem(), reflect.ValueOf(&m.Losses[0]).Elem()} {
			for n := range v.NumField() {
				if f := v.Field(n); f.CanInt() && f.Type() != reflect.TypeFor[time.Duration]() {
					all = append(all, f)
				}
			}
		}
		return all
	}
	workers := 0
	for n := range counts(new(reportOf(nil))) {
		var sum int64
		for _, told := range []int64{0, 1, math.MaxUint16, countMax, countMax + 1, math.MaxInt64} {
			m := reportOf(nil)
			if counts(&m)[n].SetInt(told); m.sound() {
				sum = told
			}
		}
		if sum == math.MaxUint16 {
			workers++
		} else if sum != countMax || sum > math.MaxInt64/reportersMax {
			t.Errorf("count %d may be %d, and %d of these are %d", n, sum, reportersMax, sum*reportersMax)
		}
	}
	if workers != 1 {
		t.Errorf("%d of the counts are bounded like workers", workers)
	}
}
