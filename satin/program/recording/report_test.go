package recording

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

// churned is what happened in ten seconds: b/1 comes, a/2 is killed, the master with it, and b/1
// leaves.
func churned() (looks []Look) {
	for second := range 10 {
		names := []string{"a/2", "a/1"}
		if second >= 2 {
			names = append(names, "b/1")
		}
		l := at(second, names...)
		lost := map[string]int{}
		gone := func(name, how string) {
			lost[how] = 1
			for i, m := range l.Members {
				if m.Name == name {
					l.Members = append(l.Members[:i:i], l.Members[i+1:]...)
					l.Peers = append(l.Peers[:i:i], l.Peers[i+1:]...)
					break
				}
			}
		}
		if second >= 5 {
			gone("a/2", "kill")
			l.Runs[0].Master = "a/1"
		}
		if second >= 8 {
			gone("b/1", "leave")
			l.Runs[0].State = "answered"
		}
		l.Hosts[0].Lost = lost
		looks = append(looks, l)
	}
	return looks
}

// TestReport: who came and went, and how, the run and its masters, and where the time went.
func TestReport(t *testing.T) {
	r, err := Open(recorded(t, churned()...))
	if err != nil {
		t.Fatal(err)
	}
	report, err := Tell(r)
	if err != nil {
		t.Fatal(err)
	}
	var happened []string
	for _, h := range report.Happened {
		happened = append(happened, Clock(h.At)+" "+h.What)
	}
	want := []string{
		"0:00 a/1 and a/2 are here", "0:00 nqueens 17 (01234567) is on; its master is a/2",
		"0:02 b/1 is here",
		"0:05 a/2 is gone (kill)", "0:05 the master of nqueens 17 (01234567) is a/1, after a/2",
		"0:08 b/1 has left", "0:08 nqueens 17 (01234567) is answered",
	}
	if strings.Join(happened, "\n") != strings.Join(want, "\n") {
		t.Errorf("what happened:\n%s", strings.Join(happened, "\n"))
	}
	// a/1 was there for 9 s, a/2 for 4, and b/1 from the third look to the eighth
	all, a := report.Grids, report.Sites[0]
	if all.Workers != 18 || all.Busy != 9 || all.Jobs != 1800 || a.Workers != 13 || all.Near != 18 || all.Peers != 3 || len(report.Sites) != 2 {
		t.Errorf("all: %+v, site a: %+v", all, a)
	}
	if sites := report.Happened[3].Lost; len(sites) != 1 || sites[0] != "a" || report.Happened[5].Lost != nil {
		t.Errorf("a loss at %v, a leave at %v", sites, report.Happened[5].Lost)
	}
	if p := report.Runs[0]; len(report.Runs) != 1 || p.Workers != 9 || p.From != 0 || p.To != 7 || p.State != "answered" {
		t.Errorf("the run: %+v", p)
	}
	if report.Lost["kill"] != 1 || report.Lost["leave"] != 1 || !report.Whole || report.Looks != 10 || report.Seconds != 9 || report.Unseen != 0 {
		t.Errorf("%+v", report)
	}
	sum := 0.0
	for _, strip := range report.Strips {
		for _, n := range strip.Workers {
			sum += n * strip.Length
		}
	}
	if math.Abs(sum-all.Workers) > 1e-6 {
		t.Errorf("the strips have %v s of workers", sum)
	}
}

// TestReportIsPrinted as a text of so many columns, and as a page that needs nothing else.
func TestReportIsPrinted(t *testing.T) {
	looks := churned()
	for i := range looks {
		looks[i].Missing = []string{"the grid of build <f0> does not answer"}
	}
	var cut bytes.Buffer
	cut.Write(recorded(t, looks...).Bytes())
	cut.Truncate(cut.Len() - 30)
	r, err := Open(&cut)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Tell(r)
	if err != nil {
		t.Fatal(err)
	}
	var text, page bytes.Buffer
	report.Print(&console.Printer{W: &text})
	for _, want := range []string{
		"grid lab, ", " went into jobs (50 %)", "2 peers gone (1 kill and 1 leave)", "Lost were peers of a.", "The recording ends after 9.0 s, and not by its recorder",
		"SITE ", "RUN ", "WHAT HAPPENED", "    0:05  a/2 is gone (kill)", "WHAT WAS WRONG", "the grid of build <f0> does not answer",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not told in\n%s", want, &text)
		}
	}
	for _, line := range strings.Split(text.String(), "\n") {
		if len([]rune(line)) > 130 {
			t.Errorf("a long line: %s", line)
		}
	}
	if err := report.Page(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"a/2 is gone (kill)", "&lt;f0&gt;", `<path class="does" d="M0 60.0L`, `class="loss"`, "up to 2 workers"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page has no %q:\n%s", want, &page)
		}
	}
	if n := strings.Count(page.String(), `class="loss"`); n != 1 {
		t.Errorf("%d sites are shown to have lost somebody", n)
	}
	if strings.Contains(page.String(), "http") || strings.Contains(page.String(), "<script") {
		t.Error("the page needs something else")
	}
}

// TestGapsAreTold: while nobody answers nothing is known, and that is said.
func TestGapsAreTold(t *testing.T) {
	again := at(9, "a/1")
	again.Silent = true
	r, err := Open(recorded(t, at(0, "a/1"), at(1, "a/1"), again, at(10, "a/1"), at(60, "a/1")))
	if err != nil {
		t.Fatal(err)
	}
	if report, err := Tell(r); err != nil || report.Unseen != 8 || report.Grids.Workers != 60 {
		t.Errorf("for %v s nobody was seen: %v", report.Unseen, err)
	}
}

// summed is what looks come to.
func summed(looks ...Look) *Report {
	s := NewSummary(Preamble{})
	for _, l := range looks {
		s.Add(l)
	}
	return s.Report()
}

// happened is what a report says has happened.
func (r *Report) happened() string {
	var all []string
	for _, h := range r.Happened {
		all = append(all, Clock(h.At)+" "+h.What)
	}
	return strings.Join(all, "\n")
}

// TestSilentGridIsNotGone: where one of two grids does not answer, nobody of it is gone, and what
// it did meanwhile is in it when it answers again.
func TestSilentGridIsNotGone(t *testing.T) {
	var looks []Look
	for second := range 4 {
		l := at(second, "a/1", "b/1")
		l.Members[1].Build, l.Peers[1].Build, l.Runs[0].Build = "old", "old", "old"
		if second == 1 || second == 2 {
			l.Members, l.Peers, l.Runs = l.Members[:1], l.Peers[:1], nil
			l.Missing = []string{"the grid of build old does not answer"}
		}
		looks = append(looks, l)
	}
	r := summed(looks...)
	if got := r.happened(); got != "0:00 a/1 and b/1 are here\n0:00 nqueens 17 (01234567) is on; its master is a/1" {
		t.Errorf("what happened:\n%s", got)
	}
	if r.Grids.Workers != 6 || r.Runs[0].Workers != 3 {
		t.Errorf("%v s of workers, %v for the run", r.Grids.Workers, r.Runs[0].Workers)
	}
}

// TestNothingIsMissedBetweenLooks: not what one did that did not answer once, nor one that came, or
// came back, since the look before; but what was done before anybody looked.
func TestNothingIsMissedBetweenLooks(t *testing.T) {
	mute := at(1, "a/1")
	mute.Peers[0] = across.Doing{ID: "id-a/1", Name: "a/1", Site: "a", Workers: 1}
	if r := summed(at(0, "a/1"), mute, at(2, "a/1")); r.Grids.Workers != 2 || r.Grids.Jobs != 200 {
		t.Errorf("one that did not answer once: %+v", r.Grids)
	}
	for what, c := range map[string]struct{ uptime, want float64 }{"has come": {6, 6}, "was there, unseen": {600, 0}} {
		l := at(10, "a/1")
		l.Peers[0].Uptime = c.uptime
		nobody := at(0, "a/1")
		nobody.Members, nobody.Peers = nil, nil
		if r := summed(nobody, l); r.Grids.Workers != c.want {
			t.Errorf("one that %s: %+v", what, r.Grids)
		}
	}
	back := at(2, "a/1")
	back.Peers[0].Uptime, back.Peers[0].Totals.Jobs = 0.5, 7
	if r := summed(at(0, "a/1"), at(1, "a/1"), back); r.Grids.Workers != 1.5 || r.Grids.Jobs != 107 {
		t.Errorf("one that came back: %+v", r.Grids)
	}
}

// TestHowTheyWent: what was lost before anybody looked is not counted, and where several ways are
// possible none is said.
func TestHowTheyWent(t *testing.T) {
	with := func(l Look, lost map[string]int) Look {
		l.Hosts[0].Lost = lost
		return l
	}
	first := with(at(0, "a/1", "a/2", "a/3"), map[string]int{"kill": 5})
	r := summed(first, with(at(1, "a/1"), map[string]int{"kill": 6, "leave": 1}))
	if got := r.happened(); !strings.HasSuffix(got, "0:01 a/2 and a/3 are not there any more") || r.Lost["kill"] != 1 || r.Lost["leave"] != 1 {
		t.Errorf("lost %v:\n%s", r.Lost, got)
	}
	// a leave that is counted a look before the member is off the list
	r = summed(first, with(at(1, "a/1", "a/2", "a/3"), map[string]int{"kill": 5, "leave": 1}), with(at(2, "a/1", "a/3"), map[string]int{"kill": 5, "leave": 1}))
	if got := r.happened(); !strings.HasSuffix(got, "0:02 a/2 has left") {
		t.Errorf("what happened:\n%s", got)
	}
	// the master is gone, and the host that tells has its id alone
	nameless := at(1, "a/2")
	nameless.Runs[0].Master = "id-a/1"
	after := at(2, "a/2")
	if got := summed(at(0, "a/1", "a/2"), nameless, after).happened(); !strings.HasSuffix(got, "0:02 the master of nqueens 17 (01234567) is a/2, after a/1") {
		t.Errorf("what happened:\n%s", got)
	}
	if again := at(1, "a/1"); summed(at(0, "a/1"), again).Again != 0 {
		t.Error("jobs are put back")
	}
}

// TestWarningsAreOneWhileTheirFiguresChange: those of two peers are two, and what was wrong for a
// moment is not told.
func TestWarningsAreOneWhileTheirFiguresChange(t *testing.T) {
	tell := NewSummary(Preamble{})
	for second, w := range [][]string{
		{"a/1 has to be gone in 9 min", "site rack1 is silent"}, {"a/1 has to be gone in 8 min", "2 builds", "site rack2 is silent"},
		{"a/1 has to be gone in 7 min", "site rack3 is silent"}, nil,
	} {
		tell.warnings(float64(second), w)
	}
	if got := tell.report.Warnings; len(got) != 1 || got[0] != (WarnedOf{0, 3, "a/1 has to be gone in 9 min"}) {
		t.Errorf("what was wrong: %+v", got)
	}
}

// TestManyRuns: of too many those go first that are over for longest.
func TestManyRuns(t *testing.T) {
	s := NewSummary(Preamble{})
	for i := range runsMax {
		id := fmt.Sprint(i)
		s.runs[id] = &RunSummary{ID: id, State: "answered", From: float64(i), To: float64(i + 1)}
	}
	s.runs["0"].State = "computing"
	if s.makeRoom(); s.runs["0"] == nil || s.runs["1"] != nil || len(s.runs) != runsMax-1 {
		t.Errorf("%d are left, one that is on: %v", len(s.runs), s.runs["0"] != nil)
	}
}

// TestManyNames: the first are named.
func TestManyNames(t *testing.T) {
	l := at(0, "a/1", "a/2", "a/3", "a/4", "a/5", "a/6", "a/7")
	tell := NewSummary(Preamble{})
	tell.tellPeers(observe.Sample{}, l)
	if got := tell.report.Happened[0].What; got != "a/1, a/2, a/3, a/4 and 3 others are here" {
		t.Error(got)
	}
	tell.report.Happened = make([]Incident, happenedMax)
	if tell.say(time.Second, nil, "more"); tell.report.More != 1 || len(tell.report.Happened) != happenedMax {
		t.Errorf("%d are told, and %d more", len(tell.report.Happened), tell.report.More)
	}
	if got := runName(across.RunLine{ID: "0123456789"}); got != "run (01234567)" {
		t.Error(got)
	}
}

// TestFlowsGoByThePlace of who lent a job, whatever a program calls it.
func TestFlowsGoByThePlace(t *testing.T) {
	s := NewSummary(Preamble{})
	for second := range 2 {
		l := at(second, "a/1", "b/1")
		if second == 1 {
			l = l.lent("b/1", loan(1, "desk", 0.5))
		}
		l.Members[0].Name, l.Peers[0].Name = "desk", "desk"
		s.Add(l)
	}
	if got := s.Report().Flows; len(got) != 1 || got[0].From != "a" || got[0].To != "b" {
		t.Errorf("%+v", got)
	}
}

// TestFlows: jobs that went from site to site are told and drawn, live and recorded: a way of its
// own for each direction, as wide as what went there.
func TestFlows(t *testing.T) {
	looks := []Look{
		at(0, "a/1", "b/1", "c/1"),
		at(1, "a/1", "b/1", "c/1").lent("b/1", loan(1, "a/1", 0.5), loan(2, "a/1", 0.9)).lent("c/1", loan(1, "b/1", 0.7)).lent("a/1", loan(1, "", 0.7)),
		at(2, "a/1", "b/1", "c/1").lent("b/1", loan(2, "a/1", 0.9), loan(5, "gone/9", 1.5)).lent("a/1", loan(2, "a/2", 1.1)),
	}
	live := NewSummary(Preamble{})
	for _, l := range looks {
		live.Add(l)
	}
	p, err := Open(recorded(t, looks...))
	if err != nil {
		t.Fatal(err)
	}
	told, err := Tell(p)
	if err != nil {
		t.Fatal(err)
	}
	want := []Flow{{"a", "b", 2, 1, 0}, {"a", "a", 1, 0.5, 0}, {"b", "c", 1, 0.5, 0}, {"gone", "b", 1, 0.5, 0}}
	for what, r := range map[string]*Report{"live": live.Report(), "recorded": told} {
		got := slices.Clone(r.Flows)
		for i := range got {
			if got[i].recent <= 0 {
				t.Errorf("%s: nothing went of late from %s to %s", what, got[i].From, got[i].To)
			}
			got[i].recent = 0
		}
		if !slices.Equal(got, want) || r.Missed != 2 {
			t.Errorf("%s: %+v, %d missed, want %+v", what, got, r.Missed, want)
		}
		for _, now := range []bool{false, true} {
			sites, flows := r.drawFlows(now)
			if len(sites) != 3 || len(flows) != 2 || flows[0].Wide <= flows[1].Wide || flows[0].Path == flows[1].Path {
				t.Errorf("%s, now %v: %+v among %+v", what, now, flows, sites)
			}
		}
	}
	if sites, flows := NewSummary(Preamble{}).Report().drawFlows(true); sites != nil || flows != nil {
		t.Error("of nothing there is a picture")
	}
}
