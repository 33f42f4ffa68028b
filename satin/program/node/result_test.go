package node

import (
	"context"
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/ticket"
)

// visited is a host of a grid of that build, as who visits it sees it, and where it is.
func visited(t *testing.T, lab ticket.Ticket, build string, says func(across.Question) across.Response) (addrs []string) {
	t.Helper()
	p, err := satin.Open(t.Context(), satin.Config{
		App: satin.App{Name: "hold", Tasks: []satin.TaskType{satin.Type[Hold]()}}, Workers: 1, Ticket: lab, Listen: []string{"/ip4/127.0.0.1/tcp/0"},
		Visit: func(_ context.Context, _ string, text []byte) []byte {
			q, err := across.Understand(text)
			if err != nil || q.Ask == across.AskGrid {
				return across.Response{Portrait: &across.Portrait{Name: "lab", Grid: across.Grid{Build: build}}}.Text()
			}
			return says(q).Text()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p.Addrs()
}

// TestResultByVisit: what a member prints is the answer, and what it says of why there is none is
// so. A client comes where it has to: for a run of its own build, that is, and for nothing else.
func TestResultByVisit(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	run := jobsOf(someRuns(), appOf).Runs[1]
	var says across.Response
	var builds []string
	for _, build := range []string{identity().Digest, "e8"} {
		builds = append(builds, visited(t, lab, build, func(q across.Question) across.Response {
			if q.Ask == across.AskJobs {
				return across.Response{Jobs: &across.Jobs{Grid: "lab", Runs: []across.RunLine{run}}}
			}
			return says
		})[0])
	}
	lab.Addrs = builds[:1]
	fits := true
	ask := func(word string) (*across.Printed, error) {
		w := &Where{Run: word, con: testConsole(), state: t.TempDir(), by: &Invitation{Ticket: lab, Said: "lab.ticket"}}
		return w.Result(t.Context(), false, func(satin.RunStats) bool { return fits })
	}
	id := run.ID[:8]
	printed := across.Response{Printed: &across.Printed{Text: "7\n"}}
	for _, c := range []struct {
		word     string
		says     across.Response
		fits     bool
		own      string // what is printed or said, of a run of this build
		stranger string // and of another
	}{
		{id, printed, true, "7\n", "7\n"},
		{id, printed, false, "a client", "7\n"},
		{id, across.Response{Error: "no answer yet", Code: 1}, true, "no answer yet", "no answer yet"},
		{id, across.Response{Error: "too long", Code: 1, Fetch: true}, true, "a client", "too long"},
		{"77", printed, true, `there is no run "77"`, `there is no run "77"`},
	} {
		says, fits = c.says, c.fits
		for i, want := range []string{c.own, c.stranger} {
			lab.Addrs = builds[i : i+1]
			result, err := ask(c.word)
			got := "a client"
			switch {
			case err != nil:
				got = err.Error()
			case result != nil:
				got = result.Text
			}
			if !strings.HasPrefix(got, want) {
				t.Errorf("%+v, of build %d: %q, wanted %q", c, i, got, want)
			}
		}
	}
	lab.Addrs = []string{addrOfNobody(t)}
	if result, err := ask(id); result != nil || err != nil {
		t.Errorf("where nobody can be visited: %+v, %v", result, err)
	}
}

// TestStoryOfAnOlderBuild: a host that does not know what is asked is no host without the run.
func TestStoryOfAnOlderBuild(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	has := visited(t, lab, "e8", func(across.Question) across.Response {
		return across.Response{Error: `there is no run "ab"`, Code: 2}
	})
	older := visited(t, lab, "e9", func(across.Question) across.Response {
		return across.Response{Error: "it does not know that", Code: 1}
	})
	lab.Addrs = append(has, older...)
	w := &Where{con: testConsole(), state: t.TempDir(), by: &Invitation{Ticket: lab, Said: "lab.ticket"}}
	g, err := w.reach(t.Context(), satin.App{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.story(t.Context(), "ab", 0); err == nil || !strings.HasSuffix(err.Error(), "it does not know that") || isUsage(err) {
		t.Errorf("it says %v", err)
	}
}
