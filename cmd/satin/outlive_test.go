//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/program"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// outliver is a grid of nodes that store much and often, and may all be killed and started again.
type outliver struct {
	t     testing.TB
	nodes []*node
}

func newOutliver(t testing.TB, sites ...string) *outliver {
	t.Helper()
	g := &outliver{t: t}
	for n, listen := range listenAt(t, len(sites)) {
		args := []string{"--site", sites[n], "--copies", "50ms", "--listen", listen}
		if n > 0 {
			args = append(args, "--join", g.nodes[0].ticket)
		}
		g.nodes = append(g.nodes, startNodeBy(t, nil, args...))
	}
	g.nodes[0].awaitMembers(t, g.nodes...)
	return g
}

// killAll kills all nodes at once.
func (g *outliver) killAll() {
	for _, n := range g.nodes {
		n.process.Process.Kill()
	}
	for _, n := range g.nodes {
		n.process.Wait()
	}
}

// startAgain starts these nodes again with their folders, all that is left of them.
func (g *outliver) startAgain(nodes ...*node) {
	for k, n := range nodes {
		listen, _, _ := strings.Cut(n.addr, "/p2p/")
		nodes[k] = startNodeWith(g.t, nil, n.folder, "--copies", "50ms", "--listen", listen)
	}
}

// stored are the bytes that nodes have stored of runs.
func (g *outliver) stored() (bytes int64) {
	for _, name := range g.storedFiles() {
		if i, err := os.Stat(name); err == nil {
			bytes += i.Size()
		}
	}
	return bytes
}

// storedFiles are the files that nodes have stored runs in.
func (g *outliver) storedFiles() (all []string) {
	for _, n := range g.nodes {
		names, err := filepath.Glob(filepath.Join(n.folder, "store", "*.run"))
		if err != nil {
			g.t.Fatal(err)
		}
		all = append(all, names...)
	}
	return all
}

// hasAnew has the run's file held open, so that no other is taken for it, and tells whether the
// store has another by now.
func (g *outliver) hasAnew() func() bool {
	f, err := os.Open(g.storedFiles()[0])
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { f.Close() })
	old, err := f.Stat()
	if err != nil {
		g.t.Fatal(err)
	}
	return func() bool {
		now, err := os.Stat(f.Name())
		return err == nil && !os.SameFile(old, now)
	}
}

// storedRun is a row of store list --json.
type storedRun struct {
	State   string
	Results int
}

// storedRuns are what nodes have stored of runs.
func (g *outliver) storedRuns() (all []storedRun) {
	for _, node := range g.nodes {
		var list struct{ Runs []storedRun }
		code, out, said := inProcess("store", "list", "--json", "--state", node.folder)
		if err := json.Unmarshal([]byte(out), &list); err != nil || code != console.ExitOK {
			g.t.Fatalf("exit %d, %v: %q", code, err, said)
		}
		all = append(all, list.Runs...)
	}
	return all
}

// results is how many results nodes have stored of runs.
func (g *outliver) results() (n int) {
	for _, r := range g.storedRuns() {
		n += r.Results
	}
	return n
}

// isUnanswered tells of the only run, when all nodes have ended, whether some of it is stored, and
// no answer.
func (g *outliver) isUnanswered() bool {
	return slices.ContainsFunc(g.storedRuns(), func(r storedRun) bool { return r.State != "answered" })
}

// awaitResults waits until each node has results stored, beside records and roots, which come
// first. It is false where the run was over before.
func (g *outliver) awaitResults(over func() bool) bool {
	g.t.Helper()
	ended := false
	await.UntilOr(g.t, seldom(func() bool {
		ended = over()
		return ended || g.eachHasResults()
	}), func() string { return "nothing is stored" })
	return !ended
}

// hasAnswer is what tells of a run whether a node says that it is answered.
func (g *outliver) hasAnswer(id string) func() bool {
	return func() bool { return hasAnswer(g.nodes[0].status(g.t), id) }
}

// hasAnswer tells of a run, by the beginning of its id, whether a node says that it is answered.
func hasAnswer(s admin.Status, id string) bool {
	return slices.ContainsFunc(s.Runs, func(r satin.RunStats) bool {
		return strings.HasPrefix(r.ID.String(), id) && r.State.HasAnswer()
	})
}

// eachHasResults tells whether each node has results stored.
func (g *outliver) eachHasResults() bool {
	for _, n := range g.nodes {
		if of := (&outliver{g.t, []*node{n}}); of.results() == 0 {
			return false
		}
	}
	return true
}

// run is a client's run, which has not ended.
func (g *outliver) run(words ...string) (end func() (code int, answer string)) {
	var answer bytes.Buffer
	c := exec.Command(binary, append([]string{"run", "--join", g.nodes[0].ticket}, words...)...)
	c.Stdout = &answer
	begin(g.t, c, filepath.Join(g.t.TempDir(), "log"))
	return func() (int, string) {
		c.Wait()
		return c.ProcessState.ExitCode(), answer.String()
	}
}

// runToGiveUp is a client's run that is interrupted before it ends. giveUp returns when the grid
// has no run on.
func (g *outliver) runToGiveUp(words ...string) (giveUp func()) {
	c := exec.Command(binary, append([]string{"run", "--join", g.nodes[0].ticket}, words...)...)
	begin(g.t, c, filepath.Join(g.t.TempDir(), "log"))
	return func() {
		c.Process.Signal(os.Interrupt)
		c.Wait()
		g.awaitNoRun()
	}
}

// submit leaves a run to the grid, whose id it returns.
func (g *outliver) submit(words ...string) (id string) {
	g.t.Helper()
	got := runBinary(g.t, nil, append([]string{"submit", "--join", g.nodes[0].ticket, "--state", filepath.Join(g.t.TempDir(), "home")}, words...)...)
	if got.code != console.ExitOK {
		g.t.Fatalf("submit %v: exit %d, %s", words, got.code, got.err)
	}
	return strings.TrimSpace(got.out)
}

// awaitNoRun waits until the grid has no run on: the next of the same root would join one that is.
func (g *outliver) awaitNoRun() {
	g.nodes[0].await(g.t, "without a run", func(s admin.Status) bool { return len(s.Runs) == 0 })
}

// lasting are the runs of these tests: the first lasts for long enough on most machines.
var lasting = boards[:3]

// TestRunOutlivesAllNodes: all are killed at once in the middle of a run whose client lives, and
// are started again. The run goes on with what they had stored.
func TestRunOutlivesAllNodes(t *testing.T) {
	t.Parallel()
	outlasting(t, lasting, func(w load) bool {
		g := newOutliver(t, "a", "b")
		run := startJoined(t, nil, g.nodes[0].ticket, w.args...)
		if !g.awaitResults(run.over) {
			return false
		}
		g.killAll()
		if run.over() {
			return false
		}
		g.startAgain(g.nodes...)
		got := run.result()
		var d program.Document
		if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.code != console.ExitOK || solutions(d) != w.value {
			t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
		}
		if len(d.Losses) == 0 {
			return false // the answer was on its way
		}
		// one that is in when the run is over says nothing
		if a, b := g.nodes[0].said(t), g.nodes[1].said(t); !strings.Contains(a+b, "stored here") {
			t.Errorf("neither goes on with what it had stored: %s\n%s", a, b)
		}
		await.UntilOr(t, func() bool { return g.stored() == 0 }, func() string { return "what was stored stays when the run is answered" })
		return true
	})
}

// TestSubmittedRunOutlivesAllNodes: one that was left to the grid goes on by itself, though its
// client is gone and not all nodes come back.
func TestSubmittedRunOutlivesAllNodes(t *testing.T) {
	t.Parallel()
	outlasting(t, lasting, func(w load) bool {
		g := newOutliver(t, "a", "b")
		id := g.submit(w.args...)
		if !g.awaitResults(g.hasAnswer(id)) {
			return false
		}
		g.killAll()
		g.nodes = g.nodes[1:]
		if !g.isUnanswered() {
			return false
		}
		g.startAgain(g.nodes...)
		g.nodes[0].awaitSaid(t, "stored here")
		want := fmt.Sprintf("%.0f\n", w.value)
		if got := runBinary(t, nil, "result", id, "--wait", "--state", g.nodes[0].folder); got.code != console.ExitOK || got.out != want {
			t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
		}
		return true
	})
}

// TestGivenUpRunGoesOn: a run that was given up, whose grid was then closed in order, goes on where
// it was when its root is submitted again.
func TestGivenUpRunGoesOn(t *testing.T) {
	t.Parallel()
	for how, giveUp := range map[string]func(t *testing.T, g *outliver, words ...string) bool{
		"interrupted": func(t *testing.T, g *outliver, words ...string) bool {
			run := startJoined(t, nil, g.nodes[0].ticket, words...)
			if !g.awaitResults(run.over) {
				return false
			}
			run.process.Process.Signal(os.Interrupt)
			return run.result().code != console.ExitOK
		},
		"out of time": func(t *testing.T, g *outliver, words ...string) bool {
			// a busy machine has finished nothing in the shortest time
			for timeout := 300 * time.Millisecond; g.results() == 0; timeout *= 2 {
				switch code, _ := g.run(append(words, "--timeout", timeout.String())...)(); code {
				case console.ExitTimeout:
				case console.ExitOK:
					return false
				default:
					t.Fatalf("exit %d of a run that is out of time after %v", code, timeout)
				}
			}
			return true
		},
		"cancelled": func(t *testing.T, g *outliver, words ...string) bool {
			return g.submitToCancel(words...)
		},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			outlasting(t, lasting, func(w load) bool {
				g := newOutliver(t, "a")
				return giveUp(t, g, w.args...) && g.comesBackTo(fmt.Sprintf("%.0f\n", w.value), w.args...)
			})
		})
	}
}

// submitToCancel leaves a run to the grid, and cancels it when something is stored of it. It is
// false where the run had its answer before.
func (g *outliver) submitToCancel(words ...string) bool {
	g.t.Helper()
	id := g.submit(words...)
	if !g.awaitResults(g.hasAnswer(id)) {
		return false
	}
	if code, _, said := inProcess("cancel", id, "--state", g.nodes[0].folder); code != console.ExitOK {
		g.t.Fatalf("exit %d, %q", code, said)
	}
	return true
}

// comesBackTo closes the grid in order, opens it again, and submits a root once more that was given
// up: it is to be computed with what was stored of it, to this answer. It is false where it was not
// given up but answered.
func (g *outliver) comesBackTo(answer string, words ...string) bool {
	g.t.Helper()
	g.awaitNoRun()
	g.nodes[0].stop(g.t)
	if !g.isUnanswered() {
		return false
	}
	g.startAgain(g.nodes...)
	if said := g.nodes[0].said(g.t); strings.Contains(said, "stored here") {
		g.t.Errorf("what nobody asked for goes on: %q", said)
	}
	code, is := g.run(words...)()
	g.nodes[0].awaitSaid(g.t, "stored here")
	if code != console.ExitOK || !strings.Contains(is, answer) {
		g.t.Errorf("exit %d, %q", code, is)
	}
	return true
}

// TestGivenUpSearchGoesOn: of a choosing run what was proved is used under the best that it was
// proved under, which comes back first.
func TestGivenUpSearchGoesOn(t *testing.T) {
	t.Parallel()
	outlasting(t, tours(t), func(w load) bool {
		g := newOutliver(t, "a")
		return g.submitToCancel(w.args...) && g.comesBackTo(fmt.Sprintf("length %.0f, which is optimal", w.value), w.args...)
	})
}

// tours are runs of tsp, through three paths of so many cities between two triangles: a second of
// one core, and several. Each has hundreds of nodes, and more cuts would help little.
func tours(t *testing.T) (all []load) {
	t.Helper()
	for k := 9; k <= 11; k++ {
		file := filepath.Join(t.TempDir(), "paths.tsp")
		writePaths(t, file, k)
		all = append(all, load{[]string{"tsp", file}, "length", float64(4*k - 2)})
	}
	return all
}

// writePaths writes a TSPLIB file of them: how far it is along their edges.
func writePaths(t *testing.T, name string, k int) {
	t.Helper()
	n := 3 * k
	way := make([][]int, n)
	for a := range way {
		way[a] = slices.Repeat([]int{n}, n)
		way[a][a] = 0
	}
	join := func(a, b int) { way[a][b], way[b][a] = 1, 1 }
	for path := range 3 {
		next := (path + 1) % 3
		for c := range k - 1 {
			join(path*k+c, path*k+c+1)
		}
		join(path*k, next*k)
		join(path*k+k-1, next*k+k-1)
	}
	for m := range n {
		for a := range n {
			for b := range n {
				way[a][b] = min(way[a][b], way[a][m]+way[m][b])
			}
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "NAME: paths\nTYPE: TSP\nDIMENSION: %d\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\nEDGE_WEIGHT_SECTION\n", n)
	for _, row := range way {
		fmt.Fprintln(&text, strings.Trim(fmt.Sprint(row), "[]"))
	}
	text.WriteString("EOF\n")
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkOutlivesAllNodes measures what it costs that all nodes are killed at half time and
// started again: go test ./cmd/satin -run NONE -bench OutlivesAllNodes -benchtime 1x. Two cores are
// needed, which do nothing else.
func BenchmarkOutlivesAllNodes(b *testing.B) {
	for range b.N {
		g := newOutliver(b, "a", "b")
		began := time.Now()
		g.run("nqueens", "16")()
		undisturbed := time.Since(began)
		began = time.Now()
		end := g.run("nqueens", "16")
		time.Sleep(undisturbed / 2)
		killed := time.Now()
		g.killAll()
		g.startAgain(g.nodes...)
		down := time.Since(killed)
		if code, answer := end(); code != console.ExitOK || answer != "14772512\n" {
			b.Fatalf("exit %d, %q", code, answer)
		}
		total := time.Since(began)
		b.ReportMetric(undisturbed.Seconds(), "undisturbed-s")
		b.ReportMetric(down.Seconds(), "down-s")
		b.ReportMetric(total.Seconds(), "total-s")
		b.ReportMetric((total-down).Seconds()/undisturbed.Seconds(), "ratio")
		b.ReportMetric(0, "ns/op")
	}
}
