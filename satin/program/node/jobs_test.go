package node

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
	"satingrid/satin/ticket"
)

// someRuns are as a grid has them.
func someRuns() jobList {
	all := []satin.RunStats{
		{
			Task: "tsp.Solve", State: satin.RunComputing, By: "ann@a-machine-with-a-name", At: time.Unix(1e9, 0), Label: "tsp " + strings.Repeat("ü", 60),
			Age: 90 * time.Minute, Share: 10000, Progress: 0.314, Master: "a/1", Waits: 2,
		},
		{Task: "fib.Fib", State: satin.RunAnswered, Age: 3 * time.Second, Share: 100, Progress: 1, Keep: time.Hour, Kept: time.Hour - time.Second},
		{Task: "other.Task", State: satin.RunWaiting, Age: 72 * time.Hour, Share: 1},
	}
	for n := range all {
		all[n].ID[0], all[n].Key[0] = byte(n+1), byte(0xf0+n)
	}
	return jobList{grid: "lab", build: "e7a43e10151a", runs: all}
}

func appOf(task string) string { return map[string]string{"fib.Fib": "fib"}[task] }

// TestJobsPage fits on a screen, whatever is said of runs.
func TestJobsPage(t *testing.T) {
	var out bytes.Buffer
	jobsPage(&console.Printer{W: &out}, someRuns(), appOf)
	const want = `grid lab, build e7a43e10
RUN      STATE     APP       INPUT            WHO               AGE  DONE SHARE
01000000 computing tsp       üüüüüüüüüüüüüüü… ann@a-machi…   90 min  31 % 10000
02000000 answered  fib                                        3.0 s 100 %   100
03000000 waiting   other.Ta…                               3.0 days     -     1
`
	if out.String() != want {
		t.Errorf("it prints\n%swanted\n%s", &out, want)
	}
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%q is wider than a screen", line)
		}
	}
	held := someRuns()
	held.runs[2].Ends = 5
	out.Reset()
	jobsPage(&console.Printer{W: &out}, held, appOf)
	if line := "03000000 waits while there is one node, which it seems to have ended 5 times\n"; out.String() != want+line {
		t.Errorf("of a root that is held it prints\n%s", &out)
	}
	if text := (across.Response{Jobs: jobsOf(held, appOf)}).Text(); bytes.Count(text, []byte(`"lives_ended":5}`)) != 1 {
		t.Errorf("of a root that is held it tells %s", text)
	}
	out.Reset()
	jobsPage(&console.Printer{W: &out}, jobList{grid: "lab", build: "e7"}, appOf)
	if out.String() != "grid lab, build e7: no run is on, and no answer is kept\n" {
		t.Errorf("without runs it prints %q", &out)
	}
}

// TestJobsDocument has all that is known of a run, and null for a date that nobody has said.
func TestJobsDocument(t *testing.T) {
	got := across.Response{Jobs: jobsOf(someRuns(), appOf)}.Text()
	for _, want := range []string{
		`{"schema":1,"grid":"lab","runs":[{"id":"01000000000000000000000000000000","key":"f0000000000000000000000000000000","app":"tsp","input":"üü`,
		`"task":"tsp.Solve","state":"computing","who":"ann@a-machine-with-a-name","when":"2001-09-09T01:46:40Z","age_seconds":5400,"progress":0.314,` +
			`"left_seconds":[3553.324327,39168.920792],"share":10000,"master":"a/1","waiting":2,"keep_seconds":0,"kept_seconds":0,"build":"e7a43e10151a"}`,
		`"app":"fib","input":"","task":"fib.Fib","state":"answered","who":"","when":null,"age_seconds":3,"progress":1,`,
		`"keep_seconds":3600,"kept_seconds":3599,`,
		`"app":"other.Task",`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("there is no %s in %s", want, got)
		}
	}
	if got := (across.Response{Jobs: jobsOf(jobList{grid: "lab"}, appOf)}).Text(); string(got) != `{"schema":1,"grid":"lab","runs":[]}` {
		t.Errorf("without runs it is %s", got)
	}
}

// TestRunsOfAnotherBuild are the same once they were told of, but for the word for what a run is
// that said nothing of itself.
func TestRunsOfAnotherBuild(t *testing.T) {
	all := someRuns()
	for i, j := range jobsOf(all, appOf).Runs {
		want := all.runs[i]
		if want.Label == "" {
			want.Label = j.App
		}
		if got, err := runOf(j); err != nil || !got.At.Equal(want.At) || !reflect.DeepEqual(withoutAt(got), withoutAt(want)) {
			t.Errorf("%+v, %v, wanted %+v", got, err, want)
		}
	}
	for _, j := range []across.RunLine{{}, {ID: "ab", Key: strings.Repeat("a", 32)}, {ID: strings.Repeat("a", 32), Key: strings.Repeat("x", 32)}} {
		if r, err := runOf(j); err == nil {
			t.Errorf("%+v is taken for %+v", j, r)
		}
	}
}

func withoutAt(r satin.RunStats) satin.RunStats {
	r.At = time.Time{}
	return r
}

// TestRunsThatAreMissing: what a grid of another build does not tell is not passed over. What is
// there is listed, and found.
func TestRunsThatAreMissing(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	host := func(build string, says across.Response) []string {
		return visited(t, lab, build, func(across.Question) across.Response { return says })
	}
	run := jobsOf(someRuns(), appOf).Runs[1]
	tells := host("e8", across.Response{Jobs: &across.Jobs{Grid: "lab", Runs: []across.RunLine{run}}})
	w := &Where{Run: run.ID[:8], con: testConsole(), state: t.TempDir(), by: &Invitation{Ticket: lab, Said: "lab.ticket"}}
	for says, odd := range map[string]across.Response{
		"not now":                                {Error: "not now", Code: 1},
		"its answer names none":                  {},
		"it tells of one that is none: \"x\" is": {Jobs: &across.Jobs{Runs: []across.RunLine{{ID: "x"}}}},
	} {
		says = "lab.ticket: the grid of build e9 does not tell its runs: " + says
		silent := host("e9", odd)
		w.by.Ticket.Addrs = slices.Concat(silent, tells)
		g, err := w.reach(t.Context(), satin.App{})
		if err != nil {
			t.Fatal(err)
		}
		all, err := g.list(t.Context())
		if err != nil || len(all.runs) != 1 || all.buildOf(0) != "e8" || all.missing == nil || !strings.HasPrefix(all.missing.Error(), says) {
			t.Errorf("%+v, %v; wanted that %s", all, err, says)
		}
		if doc := jobsOf(all, appOf); !strings.HasPrefix(doc.Missing, says) {
			t.Errorf("the document says %q", doc.Missing)
		}
		if r, err := w.findIn(all); err != nil || r.ID.String() != run.ID {
			t.Errorf("%+v, %v", r, err)
		}
		var told *console.Error
		elsewhere := &Where{Run: "77"}
		if _, err := elsewhere.findIn(all); !errors.As(err, &told) || told.Code != console.ExitRefused || !strings.Contains(told.Text, `no run "77"; `) || !strings.Contains(told.Text, "; and "+says) {
			t.Errorf("a run that is not there: %v", err)
		}
	}

	// Who watches looks for hosts again after a while: those that were there may be gone.
	w.by.Ticket.Addrs = tells
	v, err := w.atOnce(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v.grids[0].Addrs = []string{addrOfNobody(t)}
	if all, err := v.list(t.Context()); err == nil {
		t.Errorf("nobody tells %+v", all)
	}
	var told *console.Error
	if err := v.cancel(t.Context(), satin.RunStats{}); !errors.As(err, &told) || told.Code != console.ExitRefused || !strings.HasPrefix(told.Text, "lab.ticket: nobody answers there") {
		t.Errorf("nobody is there to cancel anything: %v", err)
	}
	v.found = v.found.Add(-newGridsEvery)
	if all, err := v.list(t.Context()); err != nil || len(all.runs) != 1 {
		t.Errorf("%+v, %v", all, err)
	}
}

// addrOfNobody is an address at which nobody listens.
func addrOfNobody(t *testing.T) string {
	id, err := p2p.PeerID(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return "/ip4/127.0.0.1/tcp/1/p2p/" + id
}

// TestByAClient: where nobody can be visited, a client comes in.
func TestByAClient(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	app := satin.App{Name: "hold", Tasks: []satin.TaskType{satin.Type[Hold]()}}
	p, err := satin.Open(t.Context(), satin.Config{App: app, Workers: 1, Ticket: lab, Listen: []string{"/ip4/127.0.0.1/tcp/0"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	lab.Addrs = p.Addrs()
	w := &Where{con: testConsole(), state: t.TempDir(), by: &Invitation{Ticket: lab, Said: "lab.ticket"}}
	g, err := w.reach(t.Context(), app)
	if err != nil {
		t.Fatal(err)
	}
	defer g.close()
	if all, err := g.list(t.Context()); err != nil || all.grid != "lab" || all.build != identity().Digest {
		t.Errorf("%+v, %v", all, err)
	}
	if _, ok := g.(*byClient); !ok {
		t.Errorf("it is reached by a %T", g)
	}
}

// scripted is a grid that tells a run's story piece by piece.
type scripted struct {
	reached
	asked []string
	left  []runs.Story
}

func (*scripted) tailEvery() time.Duration { return time.Millisecond }

func (s *scripted) story(_ context.Context, word string, from int) (runs.Story, error) {
	s.asked = append(s.asked, word)
	if len(s.left) == 0 {
		return runs.Story{}, console.Usage("there is no run %q", word)
	}
	next := s.left[0]
	if s.left = s.left[1:]; from != next.Next-len(next.Lines) {
		return next, io.ErrUnexpectedEOF
	}
	return next, nil
}

// TestTail prints a run's story as it grows, to its end. It asks by the run's id, once that is
// known: another run may begin with the same letters later.
func TestTail(t *testing.T) {
	line := func(what string) runs.Happening {
		return runs.Happening{Schema: 1, At: time.Unix(0, 0).UTC(), Run: "abcd", Event: "share", What: what}
	}
	g := &scripted{left: []runs.Story{
		{Run: "abcd", Lines: []runs.Happening{line("one"), line("two")}, Next: 2},
		{Run: "abcd", Next: 2},
		{Run: "abcd", Lines: []runs.Happening{line("three")}, Next: 3, Over: true},
	}}
	var out bytes.Buffer
	con := testConsole()
	con.Out = &out
	w := &Where{Run: "ab", con: con}
	if err := w.tail(context.Background(), g, true); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || lines[0] != `{"schema":1,"at":"1970-01-01T00:00:00Z","run":"abcd","event":"share","what":"one"}` || strings.Join(g.asked, " ") != "ab abcd abcd" {
		t.Errorf("%q, asked for %q", lines, g.asked)
	}
	if err := w.tail(context.Background(), g, true); err == nil || err.Error() != `there is no run "ab"` {
		t.Error(err)
	}
}

// TestTailByAnother: where the host that tells is gone, another goes on, whose lines have other
// numbers: with what has happened since.
func TestTailByAnother(t *testing.T) {
	line := func(at int64, what string) runs.Happening {
		return runs.Happening{At: time.Unix(at, 0).UTC(), Event: "share", What: what}
	}
	g := &scripted{left: []runs.Story{
		{By: "a", Run: "abcd", Lines: []runs.Happening{line(1, "one"), line(3, "three")}, Next: 2},
		{By: "b", Run: "abcd", Next: 2},
		{By: "b", Run: "abcd", Lines: []runs.Happening{line(3, "three"), line(4, "four")}, Next: 2},
		{By: "b", Run: "abcd", Lines: []runs.Happening{line(5, "five")}, Next: 3, Over: true},
	}}
	var out bytes.Buffer
	con := testConsole()
	con.Out = &out
	if err := (&Where{Run: "ab", con: con}).tail(t.Context(), g, false); err != nil {
		t.Fatal(err)
	}
	var told []string
	for text := range strings.Lines(out.String()) {
		told = append(told, strings.Fields(text)[1])
	}
	if got := strings.Join(told, " "); got != "one three four five" {
		t.Errorf("it tells %q", got)
	}
}

// TestFindRun tells one that was never there from one that was submitted from here and is over.
func TestFindRun(t *testing.T) {
	all := someRuns().runs
	w := &Where{Run: "0100"}
	if r, err := w.findRun(all); err != nil || r.Task != "tsp.Solve" {
		t.Errorf("%+v, %v", r, err)
	}
	over := []runs.One{{ID: "7700000000", Label: "fib 3"}}
	for want, w := range map[string]*Where{
		`there is no run "77"; there are `:                                      {Run: "77"},
		`there is no run "7"; there are `:                                       {Run: "7", ones: append(over, runs.One{ID: "7800000000"})},
		"run 77000000 (fib 3) is not on any more, and no answer of it is kept":  {Run: "77", ones: over},
		`several runs begin with "0": `:                                         {Run: "0", ones: over},
		"run 01007700 (fib 3) is not on any more":                               {Run: "0100", ones: []runs.One{{ID: "0100770000", Label: "fib 3"}}},
		`there is no run "0100" of those that were submitted from here; on the`: {Run: "0100", ones: []runs.One{{ID: "0100770000"}, {ID: "0100780000"}}},
	} {
		if _, err := w.findRun(all); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, wanted %q", err, want)
		}
	}
}
