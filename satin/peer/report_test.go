package peer

import (
	"math"
	"strings"
	"testing"

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
