package observe

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/mattn/go-runewidth"

	"satingrid/satin"
	"satingrid/satin/golden"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
)

// number is a figure that is known.
func number(n float64) *float64 { return &n }

// two are samples of a grid with many things wrong.
func two() (before, now Sample) {
	run := func(busy float64, root bool) across.RunShare {
		return across.RunShare{ID: "3f2a1b9c00000000", App: "tsp", Share: 100, Progress: 0.31, Root: root, Jobs: 5, Busy: busy}
	}
	peer := func(name, state string, at float64, jobs int64, busy float64, runs ...across.RunShare) across.Doing {
		return across.Doing{
			Name: name, ID: "id of " + name, Site: name[:strings.IndexByte(name, '/')], State: state, Workers: 2, Build: "e7a43e10151a6540", Answers: true,
			Uptime: at, Totals: satin.Totals{Jobs: jobs, Busy: busy, LentNear: uint64(jobs / 1000), LentFar: uint64(jobs / 10000), BytesFar: jobs, Again: 2, Reused: 1},
			Memory: 300e6, Room: 8e9, Load: number(1.5), Runs: append([]across.RunShare{}, runs...),
		}
	}
	before.Peers = []across.Doing{
		peer("delft/aaaaaa", "here", 100, 1e6, 50, run(50, true)), peer("delft/bbbbbb", "here", 90, 2e6, 60, run(60, false)),
		peer("paris/cccccc", "here", 80, 3e6, 70), peer("paris/dddddd", "here", 500, 9e9, 999), peer("rome/eeeeee", "here", 5, 0, 0),
	}
	now.Peers = []across.Doing{
		peer("delft/aaaaaa", "here", 102, 5e6, 54, run(53, true)), peer("delft/bbbbbb", "leaving", 92, 4e6, 62, run(61, false)),
		peer("paris/cccccc", "here", 82, 3e6, 70), peer("paris/dddddd", "here", 3, 7, 1), {Name: "rome/eeeeee", ID: "e", Site: "rome", State: "here", Workers: 4, Build: "e7a43e10151a6540"},
		{Name: "rome/ffffff", ID: "f", Site: "rome", State: "suspected", Workers: 4, Build: "e7a43e10151a6540"},
	}
	now.Peers[1].Left, now.Peers[2].Left = number(720), number(7200)
	now.Peers[3].Memory = 7e9
	now.Grid = "lab"
	now.Runs = []across.RunLine{
		{ID: "3f2a1b9c00000000", App: "tsp", Input: "berlin52.tsp", State: "computing", Who: "ann@delft", Age: 90, Progress: 0.31, Left: []float64{70, 1300}, Share: 100, Master: "delft/aaaaaa", Build: "e7a43e10151a6540"},
		{ID: "77770000", App: "märchen", Input: "東京から京都まで、そして大阪へ", State: "waiting", Who: "bob", Age: 7200, Share: 50, Build: "e7a43e10151a6540"},
		{ID: "99990000", App: "fib", Input: "38", State: "answered", Who: "ann@delft", Age: 9, Progress: 1, Share: 100, Build: "e7a43e10151a6540"},
	}
	now.Hosts = []across.Activity{
		{By: "delft/aaaaaa", Sees: []across.SiteSeen{{Site: "delft", Peers: 2}, {Site: "paris", Peers: 2}, {Site: "rome", Peers: 1, Away: 1}}, Lost: map[string]int{"kill": 2, "silent": 1}, Gone: []across.Absentee{
			{Peer: "rome/gggggg", ID: "g", Site: "rome", How: "silent", At: 90, Noticed: 3.91}, {Peer: "paris/hhhhhh", ID: "h", Site: "paris", How: "kill", At: 30},
		}},
		{By: "paris/cccccc", Sees: []across.SiteSeen{{Site: "delft", Peers: 2}, {Site: "paris", Peers: 2}, {Site: "rome", Away: 2}}, Lost: map[string]int{"kill": 1}},
	}
	now.Mute = []Untold{{Site: "rome", Build: "e7a43e10151a6540", Peers: 2}}
	return before, now
}

// TestRates are differences by the peers' own clocks. One that has begun anew, or does not answer,
// has none.
func TestRates(t *testing.T) {
	v := Between(two())
	a := v.Peers[0]
	if *a.Busy != 1 || *a.Jobs != 2e6 || *a.LentNear != 2000 || *a.LentFar != 200 || *a.BytesFar != 2e6 {
		t.Errorf("%+v", a.Rates)
	}
	if p := v.Peers[2]; *p.Busy != 0 || *p.Jobs != 0 {
		t.Errorf("%+v", p.Rates)
	}
	for _, i := range []int{3, 4, 5} {
		if p := v.Peers[i]; p.Rates != (Rates{}) {
			t.Errorf("%s has %+v", p.Name, p.Rates)
		}
	}
	if s := v.Sites[0]; s.Site != "delft" || s.Peers != 2 || s.Workers != 4 || *s.Busy != 0.75 || *s.Jobs != 3e6 {
		t.Errorf("%+v", s)
	}
	if s := v.Sites[2]; s.Answers != 0 || s.Peers != 2 || s.Busy != nil || s.Jobs != nil {
		t.Errorf("%+v", s)
	}
	if r := v.Runs[0]; *r.Workers != 2 || v.Runs[1].Workers != nil {
		t.Errorf("%+v", r)
	}
	if v.Again != 8 || v.Reused != 4 || v.Lost["kill"] != 2 {
		t.Errorf("%d, %d, %v", v.Again, v.Reused, v.Lost)
	}
	_, now := two()
	for _, p := range Between(Sample{}, now).Peers {
		if p.Rates != (Rates{}) {
			t.Errorf("at the first look %s has %+v", p.Name, p.Rates)
		}
	}
}

// TestWhereTimeGoes: what was asked for weighs by peers, what was done again by workers, and a
// round trip by how many there were.
func TestWhereTimeGoes(t *testing.T) {
	at := func(up float64, name string, workers int, totals satin.Totals) across.Doing {
		return across.Doing{Name: name, ID: name, Site: "a", Workers: workers, Answers: true, Uptime: up, Totals: totals}
	}
	before := Sample{Peers: []across.Doing{at(1, "x", 1, satin.Totals{AskedNear: 5, TripsNear: 9}), at(1, "y", 3, satin.Totals{})}}
	now := Sample{Peers: []across.Doing{
		at(3, "x", 1, satin.Totals{Busy: 1, Repairing: 1, Asking: 0.5, AskedNear: 6, TripsNear: 9.002, BytesNear: 200}),
		at(3, "y", 3, satin.Totals{Busy: 6, Asking: 1.5, AskedNear: 3, TripsNear: 0.002, AskedFar: 1, TripsFar: 0.1, BytesNear: 100}),
	}}
	v := Between(before, now)
	if x := v.Peers[0].Rates; *x.Busy != 0.5 || *x.Repairing != 0.5 || *x.Asking != 0.25 || *x.TripNear != 0.002 || x.TripFar != nil || *x.BytesNear != 100 {
		t.Errorf("%+v", x)
	}
	for _, s := range []SiteView{v.Sites[0], v.Whole()} {
		if *s.Busy != 0.875 || *s.Repairing != 0.125 || *s.Asking != 0.5 || *s.TripNear != 0.001 || *s.TripFar != 0.1 || *s.BytesNear != 150 {
			t.Errorf("%+v", s)
		}
	}
	wide := v.SitesTable().Fit(200)
	if head, row := wide.Head(), wide.Row(wide.Lines[0].Cells); !strings.HasSuffix(head, "  ASKS  AGAIN    TRIP FAR TRIP NEAR B/S") ||
		!strings.HasSuffix(row, "  50 %   12 % 1.00 ms   100 ms    150 B") {
		t.Errorf("%s\n%s", head, row)
	}
}

// TestPage fits on a screen, whatever is said.
func TestPage(t *testing.T) {
	var out bytes.Buffer
	v := Between(two())
	v.Print(&console.Printer{W: &out})
	golden.Same(t, "page.txt", out.String())
	for line := range strings.Lines(out.String()) {
		if !strings.HasPrefix(line, "! ") && runewidth.StringWidth(strings.TrimSuffix(line, "\n")) > pageWidth {
			t.Errorf("%q is wider than a screen", line)
		}
	}
	v.Schema = console.Schema
	text, err := json.Marshal(v)
	if err != nil || !bytes.Contains(text, []byte(`"sites":[{"site":"delft","peers":2,"answers":2,"workers":4,"busy":0.75,"repairing":0,"asking":0,"jobs_per_second":3000000,`)) {
		t.Errorf("%s, %v", text, err)
	}
	out.Reset()
	Between(Sample{}, Sample{}).Print(&console.Printer{W: &out})
	if want := "grid ?: 0 peers at 0 sites with 0 workers\nthere is no peer\nno run is on, and no answer is kept\n"; out.String() != want {
		t.Errorf("without anybody it shows %q", &out)
	}
}

// TestWarnings: what is wrong is said in words, and nothing where nothing is.
func TestWarnings(t *testing.T) {
	one := func(change func(s *Sample)) Sample {
		_, s := two()
		s.Peers, s.Mute, s.Hosts = s.Peers[:1], nil, s.Hosts[:1]
		s.Hosts[0].Sees = s.Hosts[0].Sees[:1]
		s.Runs = nil
		change(&s)
		return s
	}
	for want, s := range map[string]Sample{
		"": one(func(*Sample) {}),
		"run 3f2a1b9c has one peer: nothing of it is copied to another": one(func(s *Sample) { _, more := two(); s.Runs = more.Runs[:1] }),
		"run 3f2a1b9c has no second site for its copies": one(func(s *Sample) {
			_, more := two()
			s.Runs, s.Peers = more.Runs[:1], slices.Repeat(s.Peers, 2)
		}),
		"the grid of build e8 does not answer: why": one(func(s *Sample) { s.Missing = []string{"the grid of build e8 does not answer: why"} }),
		"peers of build e7a43e10151a do not tell what they do: it is an older one": one(func(s *Sample) {
			s.Mute = []Untold{{Site: "delft", Build: s.Peers[0].Build, Peers: 1, Refuses: true}}
			s.Peers[0].Answers = false
		}),
		"there are 2 builds, each a grid of its own: e7a43e10151a with 1 peer and e8 with 1 peer": one(func(s *Sample) {
			s.Peers = slices.Repeat(s.Peers, 2)
			s.Peers[1].Build, s.Peers[1].Site = "e8", "elsewhere"
		}),
	} {
		if got := strings.Join(Between(Sample{}, s).Warnings, "\n"); got != want {
			t.Errorf("it warns of %q, wanted %q", got, want)
		}
	}
}

// TestMachine: what a machine tells of itself can be so.
func TestMachine(t *testing.T) {
	if m := Memory(); m < 1<<20 || m > 1<<40 {
		t.Errorf("this process has %d bytes", m)
	}
	if room, load := Machine(); room < 0 || load != nil && *load < 0 {
		t.Errorf("%d bytes, a load of %v", room, load)
	}
}

// TestFigures are short.
func TestFigures(t *testing.T) {
	for n, want := range map[float64]string{0: "0", 0.25: "0.2", 2: "2", 9.94: "9.9", 9.96: "10", 9999: "9999", 12345: "12.3 k", 33.12e6: "33.1 M", 999.6e6: "1.00 G", 1e30: "many"} {
		if got := Amount(n); got != want {
			t.Errorf("%v is %s, wanted %s", n, got, want)
		}
	}
	for n, want := range map[float64]string{0: "0 B", 999: "999 B", 1000: "1.00 kB", 25.3e9: "25.3 GB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%v is %s, wanted %s", n, got, want)
		}
	}
}
