package scenario

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/gridsim"
	"satingrid/satin/program/across"
	"satingrid/satin/program/local"
	"satingrid/satin/program/recording"
)

// folder has files by their names.
type folder map[string][]byte

func (f folder) open(name string) (io.ReadCloser, error) {
	text, ok := f[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return io.NopCloser(bytes.NewReader(text)), nil
}

// replayed is a scenario of two sites, with a third to which others may come.
const replayed = `
sites: {a: {peers: 3}, b: {peers: 3}, c: {peers: 0, workers: 2}}
workload: {tree: {depth: 5, leaf: 20ms}}
repetitions: 1
trace: log.csv
`

// TestTraceMistakes: each is told with its file and its line.
func TestTraceMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "log.csv: there is no line such as 60.5,kill,b,1",
		"seconds,what,who\n":            "log.csv: there is no line such as 60.5,kill,b,1",
		"1,kill\n":                      "log.csv: line 1: seconds, what, who and maybe a count and a notice are expected",
		"1,kill,b,1,,\n":                "log.csv: line 1: seconds, what, who and maybe",
		"# a\n\n1,kill,b\nx,kill,b":     `log.csv: line 4: "x": a number of seconds from 0 to `,
		"-1,kill,b":                     `log.csv: line 1: "-1": a number of seconds`,
		"NaN,kill,b":                    `log.csv: line 1: "NaN": a number of seconds`,
		"1e99,kill,b":                   `log.csv: line 1: "1e99": a number of seconds`,
		"1,kil,b":                       `log.csv: line 1: "kil": one of join, leave, kill, stop, cont and latency is expected`,
		"1,kill,any":                    `log.csv: line 1: "any": a site or a peer of one is expected`,
		"1,kill,b/0":                    "log.csv: line 1: \"b/0\": the number of a peer, from 1",
		"1,kill,b,0":                    `log.csv: line 1: "0": a number of peers from 1 to 1000 is expected`,
		"1,kill,b/1,2":                  `log.csv: line 1: "2": b/1 is one peer`,
		"1,kill,b,1,5":                  "log.csv: line 1: kill has no notice",
		"1,leave,b,1,-5":                `log.csv: line 1: "-5": a number of seconds`,
		"1,join,c,0":                    `log.csv: line 1: "0": a number of peers from 1`,
		"1,join,c,1x0":                  "log.csv: line 1: \"1x0\": a number of workers from 1",
		"1,join,b/1":                    "log.csv: line 1: \"b/1\" is no name of a site",
		"1,latency,a,b,5":               "log.csv: line 1: latency has no notice",
		"1,latency,a,5":                 `log.csv: line 1: "a": two sites are expected, as in a|b`,
		"1,latency,a|a,5":               `log.csv: line 1: "a|a": two sites are expected`,
		"1,latency,a|b":                 `log.csv: line 1: "": milliseconds from 0 to 60000 are expected`,
		"1,latency,a|b,60001":           `log.csv: line 1: "60001": milliseconds`,
		"1,latency,a>z,1":               `log.csv: line 1: there is no site "z"; where others come to it, sites has z: {peers: 0}`,
		"1,kill,b\n1,kill,d":            `log.csv: line 2: there is no site "d"`,
		"1,kill,\"b\n\n":                "log.csv: line ",
		strings.Repeat("#", traceBytes): "log.csv: there is no line",
		strings.Repeat("#", traceBytes) + "\n1,kill,b": "log.csv: a trace has at most ",
		strings.Repeat("1,kill,b\n", happeningMax+1):   "log.csv: line 100001: more than 100000 lines",
		"\x1f\x8bno":        "log.csv: it is no recording",
		string(recorded(t)): "log.csv: nobody was seen in it",
		string(recorded(t, look(0, nil, "x y/1", "any/1"))):    `log.csv: site "any" cannot be simulated: `,
		string(recorded(t, look(0, nil, crowd("a", 1001)...))): "log.csv: it has more than 1000 peers",
	} {
		_, err := Read([]byte(replayed), folder{"log.csv": []byte(text)}.open)
		if err == nil || !strings.HasPrefix(err.Error(), "line 5: trace: "+want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.80q: %v, wanted %q", text, err, want)
		}
	}
	for more, want := range map[string]string{
		"":                                 "line 5: trace: log.csv: file does not exist",
		"x, x, x, x, x, x, x, x, x":        "line 5: trace: more than 8 files",
		"log.csv\nsites: {a: {peers: 0}}":  "sites: it is there twice",
		"log.csv\ncases: {x: {trace: no}}": "line 6: trace: no: file does not exist",
	} {
		text := strings.Replace(replayed, "log.csv", "["+strings.Replace(more+"\n", "\n", "]\n", 1), 1)
		if more == "" {
			text = replayed
		}
		files := folder{}
		if more != "" {
			files = folder{"log.csv": []byte("1,kill,b"), "x": []byte("1,kill,b")}
		}
		if _, err := Read([]byte(text), files.open); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, wanted %q", more, err, want)
		}
	}
	if _, err := Read([]byte(replayed), nil); err == nil || err.Error() != "line 5: trace: no files are read here" {
		t.Error(err)
	}
}

// playedTrace plays the scenario with a trace once, and lists what happened there.
func playedTrace(t *testing.T, lines string) (Played, []string) {
	t.Helper()
	s, err := Read([]byte(replayed), folder{"log.csv": []byte(lines)}.open)
	if err != nil {
		t.Fatal(err)
	}
	return listed(t, s)
}

// listed plays a scenario once, and lists who is there whenever that changes.
func listed(t *testing.T, s *Scenario) (Played, []string) {
	t.Helper()
	var all []string
	was := ""
	out, err := s.grids[0].play(t.Context(), s.Seed, func(r *gridsim.Rehearsal) {
		var names []string
		for _, a := range r.Actors() {
			name := a.Name
			if a.Stopped {
				name += " stopped"
			}
			if d := r.Did(a.Name); d.Workers > 1 {
				name += fmt.Sprintf("x%d", d.Workers)
			}
			names = append(names, name)
		}
		if is := strings.Join(names, ", "); is != was {
			was = is
			all = append(all, fmt.Sprintf("%v: %s", r.Now(), is))
		}
	})
	if err != nil || !out.Ended {
		t.Fatalf("%v: %+v", err, out)
	}
	return out, all
}

// TestTraceHappens: each line at its time, to as many as it says; what can happen to nobody is
// told.
func TestTraceHappens(t *testing.T) {
	out, got := playedTrace(t, `seconds,what,who,count,notice
# joins come sorted into what else there is
0.5,join,c,2
0.2,kill,a/2
0.2,kill,a/2
0.3,stop,b/1
0.4,cont,b
0.6,join,c,1x4
0.7,kill,b,3
1,leave,c/1,,0
1,latency,a|c,80.5
1.1,kill,b
`)
	want := []string{
		"0s: a/1, a/2, a/3, b/1, b/2, b/3",
		"200ms: a/1, a/3, b/1, b/2, b/3",
		"300ms: a/1, a/3, b/1 stopped, b/2, b/3",
		"400ms: a/1, a/3, b/1, b/2, b/3",
		"500ms: a/1, a/3, b/1, b/2, b/3, c/1x2, c/2x2",
		"600ms: a/1, a/3, b/1, b/2, b/3, c/1x2, c/2x2, c/3x4",
		"700ms: a/1, a/3, c/1x2, c/2x2, c/3x4",
		"1.01s: a/1, a/3, c/2x2, c/3x4",
	}
	if !slices.Equal(got, want) {
		t.Errorf("there were\n%s\nwanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if missed := []string{"kill a/2 (log.csv: line 5)", "kill 1 of b (log.csv: line 12)"}; out.Losses != 4 || out.Leaves != 1 || !slices.Equal(out.Missed, missed) {
		t.Errorf("%v were lost, %v have left, and missed was %q", out.Losses, out.Leaves, out.Missed)
	}
}

// TestTraceIsDrawnFromTheSeed: who of a site is hit; the same seed, the same bytes.
func TestTraceIsDrawnFromTheSeed(t *testing.T) {
	const lines = "0.1,kill,a\n0.2,leave,b,1,0.5\n0.3,join,c,3\n0.4,latency,a>b,40\n0.5,kill,c"
	first, then := playedTrace(t, lines)
	again, _ := playedTrace(t, lines)
	if first.Sum != again.Sum || first.Time != again.Time {
		t.Errorf("%+v, and then %+v", first, again)
	}
	differ := false
	for seed := 2; seed < 6; seed++ {
		s, err := Read(fmt.Appendf(nil, "%sseed: %d", replayed, seed), folder{"log.csv": []byte(lines)}.open)
		if err != nil {
			t.Fatal(err)
		}
		_, now := listed(t, s)
		differ = differ || now[1] != then[1]
	}
	if !differ {
		t.Errorf("whatever the seed, %s", then[1])
	}
}

// TestMissedAreBounded: of many lines that could not happen some are told, and how many more.
func TestMissedAreBounded(t *testing.T) {
	out, _ := playedTrace(t, strings.Repeat("0.1,cont,a/1\n", missedMax+3))
	if len(out.Missed) != missedMax+1 || out.Missed[missedMax] != "what 3 lines more say" {
		t.Errorf("%q", out.Missed)
	}
}

// look is one of a recording: of peers by their names, of two workers each; the first is the run's
// master, unless no run is on.
func look(second int, change func(*recording.Look), names ...string) recording.Look {
	l := recording.Look{At: time.Duration(second) * time.Second}
	for _, name := range names {
		site, _, _ := strings.Cut(name, "/")
		l.Members = append(l.Members, across.Peer{Name: name, ID: "id of " + name, Site: site, State: "here", Workers: 2})
	}
	l.Runs = []across.RunLine{{ID: "7", State: "computing", Master: "id of " + names[0]}}
	l.Hosts = []across.Activity{{By: "x", Lost: map[string]int{}}}
	if change != nil {
		change(&l)
	}
	return l
}

// crowd are so many names at a site.
func crowd(site string, n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprintf("%s/%d", site, i))
	}
	return names
}

// recorded is a recording of some looks.
func recorded(t testing.TB, looks ...recording.Look) []byte {
	t.Helper()
	var b bytes.Buffer
	w := recording.NewRecorder(&b, epoch, time.Second)
	for _, l := range looks {
		if err := w.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if len(looks) == 0 {
		z := gzip.NewWriter(&b)
		fmt.Fprintln(z, `{"satin":"recording","schema":1,"grid":"lab","every":1}`)
		z.Close()
		return b.Bytes()
	}
	if err := w.Close(time.Minute); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// lines are those of a trace.
func lines(all []occurrence) (text []string) {
	for _, h := range all {
		who := h.who.Site
		if h.who.Number > 0 {
			who = fmt.Sprintf("%s/%d", who, h.who.Number)
		}
		text = append(text, fmt.Sprintf("%v %s %s", h.at.Seconds(), h.verb, who))
		if h.workers > 0 {
			text[len(text)-1] += fmt.Sprintf(" x%d", h.workers)
		}
	}
	return text
}

// TestTraceOfARecording: who was there when the run began, its master first, and who came and went
// until it was over; how those went of whom that is not plain, hosts tell.
func TestTraceOfARecording(t *testing.T) {
	noRun := func(l *recording.Look) { l.Runs = nil }
	state := func(name, is string) func(*recording.Look) {
		return func(l *recording.Look) {
			for n := range l.Members {
				if l.Members[n].Name == name {
					l.Members[n].State = is
				}
			}
		}
	}
	sizes := func(l *recording.Look) {
		l.Members[1].Workers, l.Members[2].Workers = 2, 1
		l.Members = append(l.Members, across.Peer{Name: "client", ID: "c", Site: "far", State: "here"})
	}
	all := []string{"lab.x/m", "far/1", "far/2", "lab.x/1", "lab.x/2"}
	text := recorded(t,
		look(0, noRun, "far/0", "far/1"), // before the run
		look(1, func(l *recording.Look) { noRun(l); sizes(l) }, append(all, "far/0")...),
		look(2, sizes, all...),
		look(4, state("lab.x/2", "leaving"), all...),
		look(5, nil, all[:4]...),
		look(7, func(l *recording.Look) { l.Members, l.Missing = nil, []string{"the grid"} }, all...),
		look(8, func(l *recording.Look) { l.Hosts[0].Lost["kill"] = 1 }, append(all[1:4:4], "new/1")...),
		look(9, func(l *recording.Look) {
			l.Hosts[0].Lost = map[string]int{"kill": 1, "leave": 1}
			l.Runs[0].Master = "far/1"
		}, "far/1", "lab.x/1", "new/1", "far/2b"),
		look(10, state("new/1", "suspected"), "far/1", "lab.x/1", "new/1", "far/2b"),
		look(11, noRun, "far/1"), // after it
	)
	tr, err := ofRecording(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	sites := []local.Site{{Name: "lab-x", Peers: 3, Workers: 2}, {Name: "far", Peers: 1, Workers: 2}, {Name: "new", Workers: 2}}
	want := []string{"0 join far x1", "6 kill lab-x/1", "2 leave lab-x/3", "6 join new x2", "7 leave far/2", "7 join far x2"}
	got := lines(tr.all)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(tr.sites, sites) || !slices.Equal(got, want) {
		t.Errorf("%+v\n%s\nwanted\n%+v\n%s", tr.sites, strings.Join(got, "\n"), sites, strings.Join(want, "\n"))
	}
}

// TestYesterdayAgain: a simulated grid that was recorded is played again from its recording alone,
// by another policy: the same peers come and go, at the next look at the latest.
func TestYesterdayAgain(t *testing.T) {
	s, err := Read([]byte(strings.Replace(replayed, "leaf: 20ms", "leaf: 100ms", 1)), folder{"log.csv": []byte("1.2,kill,b/2\n3.5,join,c,2\n5.5,kill,a/1\n7,leave,c/1")}.open)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Record(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	again, err := Read([]byte("workload: {tree: {depth: 5, leaf: 100ms}}\nrepetitions: 1\ntrace: lab.rec\npolicy: {stealing: rs}"), folder{"lab.rec": b.Bytes()}.open)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(again.grids[0].sites), "[a:3 b:3 c:0x2]"; got != want {
		t.Errorf("%s, wanted %s", got, want)
	}
	out, there := listed(t, again)
	var who []string
	for _, line := range there {
		_, names, _ := strings.Cut(line, ": ")
		who = append(who, names)
	}
	want := []string{
		"a/1, a/2, a/3, b/1, b/2, b/3", "a/1, a/2, a/3, b/1, b/3", "a/1, a/2, a/3, b/1, b/3, c/1x2, c/2x2",
		"a/2, a/3, b/1, b/3, c/1x2, c/2x2", "a/2, a/3, b/1, b/3, c/2x2",
	}
	if !slices.Equal(who, want) || out.Losses != 2 || out.Leaves != 1 {
		t.Errorf("%v lost, %v left\n%s\nwanted\n%s", out.Losses, out.Leaves, strings.Join(who, "\n"), strings.Join(want, "\n"))
	}
}

// FuzzTrace: whatever a file has, lines or a recording, it is read to an end: a trace within its
// bounds, or a mistake of one line.
func FuzzTrace(f *testing.F) {
	f.Add([]byte("seconds,what,who,count,notice\n60.5,leave,b,2,30\n61,kill,b/3\n90,join,a,2x4\n100,latency,a|b,120\n"), false)
	f.Add([]byte("# no\n1,stop,a/1\n1e3,cont,a\n\n 2 , kill , b , 7 \n3,latency,\"a>b\",0"), false)
	f.Add([]byte(`{"t":1,"is":{"members":{"x":{"id":"x","site":"a b","state":"here","workers":3}},"runs":{"r":{"id":"r","state":"computing","master":"x"}},"order":["r"]}}`+
		"\n"+`{"t":2,"is":{"members":{"x":null,"y":{"id":"y","site":"b","state":"leaving","workers":99999999}},"hosts":{"h":{"by":"h","lost":{"leave":-9}}}}}`), true)
	f.Fuzz(func(t *testing.T, text []byte, isRecording bool) {
		if isRecording {
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			fmt.Fprintln(z, `{"satin":"recording","schema":1,"grid":"lab","every":1}`)
			z.Write(text)
			z.Close()
			text = b.Bytes()
		}
		s, err := Read([]byte("workload: {tree: {depth: 1}}\ntrace: log"), folder{"log": text}.open)
		var m *Mistake
		if err != nil {
			if !errors.As(err, &m) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is no mistake of one line", err)
			}
			return
		}
		g := s.grids[0]
		if len(g.sites) > sitesMax || !slices.IsSortedFunc(g.trace, func(a, b occurrence) int { return int(a.at - b.at) }) {
			t.Errorf("%d sites, %d lines that are not sorted", len(g.sites), len(g.trace))
		}
		for _, h := range g.trace {
			if h.at < 0 || h.count > PeersMax || h.workers > local.WorkersMax || h.verb != latency && !g.hasSite(h.who.Site) {
				t.Errorf("%+v", h)
			}
		}
	})
}
