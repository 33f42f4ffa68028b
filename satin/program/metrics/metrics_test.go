package metrics

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"satingrid/satin"
	"satingrid/satin/program/admin"
)

// told is a node that tells what it is given.
type told struct {
	s  admin.Status
	in bool
}

func (t *told) Status() (admin.Status, bool) { return t.s, t.in }
func (t *told) Lost() map[string]int         { return map[string]int{"kill": 2} }

// aNode is one of two sites, with a run.
func aNode() *told {
	return &told{in: true, s: admin.Status{
		Name: "a/1", ID: "me", Site: "a", Grid: "g", Build: "b1",
		Members: []satin.Member{
			{ID: "me", Site: "a", State: "here", Workers: 2}, {ID: "other", Site: "a", State: "suspected", Workers: 3}, {ID: "third", Site: "b", State: "here", Workers: 4},
		},
		Runs: []satin.RunStats{
			{ID: satin.RunID{1}, Task: "t", State: satin.RunComputing, Progress: 0.5}, {ID: satin.RunID{2}, Task: "t", State: satin.RunAnswered, Progress: 1},
		},
		Totals: satin.Totals{Jobs: 7, Busy: 1.5, LentNear: 3, LentFar: 4, Executing: 1, BytesFar: 9},
	}}
}

// expected is what it tells.
const expected = `# HELP satin_busy_seconds_total Seconds that workers of this node have computed.
# TYPE satin_busy_seconds_total counter
satin_busy_seconds_total 1.5
# HELP satin_jobs_lent_total Jobs that other peers have stolen from this node.
# TYPE satin_jobs_lent_total counter
satin_jobs_lent_total{to="far"} 4
satin_jobs_lent_total{to="near"} 3
# HELP satin_members Peers of the grid as this node sees them.
# TYPE satin_members gauge
satin_members{site="a",state="here"} 1
satin_members{site="a",state="suspected"} 1
satin_members{site="b",state="here"} 1
# HELP satin_node_workers Workers of this node.
# TYPE satin_node_workers gauge
satin_node_workers 2
# HELP satin_peers_lost_total Peers of the grid that this node has seen go.
# TYPE satin_peers_lost_total counter
satin_peers_lost_total{how="kill"} 2
# HELP satin_run_progress_ratio How far a run is, as it guesses; absent until its master has said so.
# TYPE satin_run_progress_ratio gauge
satin_run_progress_ratio{run="RUN",task="t"} 0.5
# HELP satin_runs Runs that the grid computes, and those whose answers it keeps.
# TYPE satin_runs gauge
satin_runs{state="answered"} 1
satin_runs{state="computing"} 1
satin_runs{state="failed"} 0
satin_runs{state="waiting"} 0
# HELP satin_workers Workers of the grid as this node sees it.
# TYPE satin_workers gauge
satin_workers{site="a"} 5
satin_workers{site="b"} 4
`

// TestWhatIsTold: a status is told by names and units as Prometheus has them, and without it only
// that the node is on its way.
func TestWhatIsTold(t *testing.T) {
	n := aNode()
	want := strings.ReplaceAll(expected, "RUN", satin.RunID{1}.Short())
	names := regexp.MustCompile(`(?m)^# TYPE (\S+)`).FindAllStringSubmatch(want, -1)
	var of []string
	for _, name := range names {
		of = append(of, name[1])
	}
	if err := testutil.CollectAndCompare(collector{n}, strings.NewReader(want), of...); err != nil {
		t.Error(err)
	}
	problems, err := testutil.CollectAndLint(collector{n})
	if err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
	n.in = false
	only := "# HELP satin_node_in Whether the node is in its grid: 1, or 0 while it is on its way.\n# TYPE satin_node_in gauge\nsatin_node_in 0\n"
	if err := testutil.CollectAndCompare(collector{n}, strings.NewReader(only)); err != nil {
		t.Error(err)
	}
}

// names are those of all that a node tells.
func names(t *testing.T) (all []string) {
	t.Helper()
	r := prometheus.NewRegistry()
	r.MustRegister(collector{aNode()})
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		all = append(all, f.GetName())
	}
	return all
}

// TestDashboard: each metric of ours that docs/grafana.json shows is told, and each that is told is
// shown.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../../docs/grafana.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	told, shown := names(t), map[string]bool{}
	for _, p := range board.Panels {
		if p.Title == "" || len(p.Targets) == 0 {
			t.Errorf("a panel %q shows nothing", p.Title)
		}
		for _, x := range p.Targets {
			for _, name := range regexp.MustCompile(`satin_\w+`).FindAllString(x.Expr, -1) {
				if shown[name] = true; !slices.Contains(told, name) {
					t.Errorf("%s: %s is told by no node", p.Title, name)
				}
			}
		}
	}
	for _, name := range told {
		if !shown[name] {
			t.Errorf("%s is nowhere on the dashboard", name)
		}
	}
}

// TestExporter: metrics and health are there for who asks, and for nothing but asking.
func TestExporter(t *testing.T) {
	n := aNode()
	n.in = false
	s, err := Listen("localhost:0", n)
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) (int, string) {
		t.Helper()
		r, err := http.Get("http://" + s.Addr() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(text)
	}
	if code, said := get("/readyz"); code != 503 || !strings.Contains(said, "on its way") {
		t.Errorf("before: %d, %s", code, said)
	}
	n.in = true
	for path, want := range map[string]string{
		"/metrics": "\nsatin_jobs_total 7\n", "/healthz": "ok", "/readyz": "ok",
	} {
		if code, said := get(path); code != 200 || !strings.Contains(said, want) {
			t.Errorf("%s: %d, %s", path, code, said)
		}
	}
	if _, said := get("/metrics"); !strings.Contains(said, "\ngo_goroutines ") {
		t.Error("nothing is told of Go")
	}
	n.s.Members[0].State = "leaving"
	if code, said := get("/readyz"); code != 503 || !strings.Contains(said, "a/1 is leaving") {
		t.Errorf("leaving: %d, %s", code, said)
	}
	for path, want := range map[string]int{"/": 404, "/profile/goroutine": 404} {
		if code, _ := get(path); code != want {
			t.Errorf("%s: %d", path, code)
		}
	}
	if r, err := http.Post("http://"+s.Addr()+"/metrics", "", nil); err != nil || r.StatusCode != 405 {
		t.Errorf("something is told: %v, %v", r, err)
	}
	if _, err := Listen(s.Addr(), n); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("an address twice: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := http.Get("http://" + s.Addr() + "/healthz"); err == nil {
		t.Error("it answers when it is closed")
	}
}
