package observe

import (
	"fmt"
	"strings"
	"testing"

	"satingrid/satin/program/across"
)

// hostsOf are samples of hosts that have been up for so long, and tell who has gone.
func hostsOf(up map[string]float64, gone map[string][]across.Absentee) (s Sample) {
	for _, name := range []string{"a/1", "b/1"} {
		s.Peers = append(s.Peers, across.Doing{Name: name, ID: name, Site: name[:1], Answers: up[name] > 0, Uptime: up[name]})
		s.Hosts = append(s.Hosts, across.Activity{By: name, Lost: map[string]int{"kill": len(gone[name])}, Gone: gone[name]})
	}
	return s
}

// TestGone: what two hosts have seen is told once, by the clock of who saw it first, and in the
// words of who noticed it. Who goes twice is told twice, and who does not answer tells nothing.
func TestGone(t *testing.T) {
	s := hostsOf(map[string]float64{"a/1": 100, "b/1": 50}, map[string][]across.Absentee{
		"a/1": {{Peer: "c/1", ID: "c1", Site: "c", How: "silent", At: 96}, {Peer: "c/2", ID: "c2", Site: "c", How: "leave", Late: true, At: 20}},
		"b/1": {{Peer: "c/1", ID: "c1", Site: "c", How: "kill", At: 47, Noticed: 0.25}, {Peer: "c/1", ID: "c1", Site: "c", How: "kill", At: 10}},
	})
	v := Between(Sample{}, s)
	want := []string{
		"c/1 of site c was killed, 4.0 s ago, noticed after 0.2 s", "c/1 of site c was killed, 40 s ago",
		"c/2 of site c left before it had handed over everything, 80 s ago", "of what was before 100 s ago no host that was asked knows",
	}
	if got := v.GoneLines(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	s = hostsOf(map[string]float64{"b/1": 50}, map[string][]across.Absentee{"a/1": {{Peer: "c/1"}}})
	if got := Between(Sample{}, s).GoneLines(); len(got) != 1 || got[0] != "who they were, the hosts that were asked do not tell" {
		t.Errorf("of a host that does not answer: %q", got)
	}
	if got := Between(Sample{}, hostsOf(map[string]float64{"a/1": 1}, nil)); len(got.GoneLines()) != 0 || got.Gone == nil {
		t.Errorf("where nobody is gone: %q", got.GoneLines())
	}
}

// TestGoneAreAHandful: the latest, and how many more.
func TestGoneAreAHandful(t *testing.T) {
	var all []across.Absentee
	for n := range across.GoneMax {
		all = append(all, across.Absentee{Peer: fmt.Sprint("c/", n), ID: fmt.Sprint(n), Site: "c", How: "kill", At: float64(90 - n)})
	}
	s := hostsOf(map[string]float64{"a/1": 100}, map[string][]across.Absentee{"a/1": all})
	s.Hosts[0].Lost["kill"] = 1000
	got := Between(Sample{}, s).GoneLines()
	if len(got) != goneShown+2 || got[0] != "c/0 of site c was killed, 10 s ago" || got[goneShown] != "and 995 more" {
		t.Errorf("%q", got)
	}
}
