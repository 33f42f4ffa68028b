//go:build unix

package satin_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
)

const (
	// churnVariable is how many runs of a grid are judged, while peers come and go; without it
	// there are none.
	churnVariable = "SATIN_CHURN_RUNS"

	// growthMax is what a process may keep of a thousand runs, in bytes. It has to keep
	// something: for two minutes or three which messages have come, some 350 bytes a run.
	growthMax = 1_000_000

	// fillRuns go before: so many that what has a limit has reached it. The longest lists, of
	// tombstones and of [satin.LoansKept], have 4,096 of what is there once a run or more, and
	// are most of what grows while they are filled.
	fillRuns = 5000

	churnEvery = 50 // runs, after which one peer goes and another comes

	// what a process of the grid is asked for: so many runs, and what it holds
	doomedRuns  = "run"
	doomedHolds = "hold"
)

// smallRuns does so many runs one after another, and says how many had their answers, or what
// became of the first that had none.
func smallRuns(p *satin.Peer, many string) string {
	n, err := strconv.Atoi(many)
	if err != nil {
		return err.Error()
	}
	for done := range n {
		got, err := satin.Run(context.Background(), p, fibTask{12 + done%4})
		if want := []int{144, 233, 377, 610}[done%4]; err != nil || got != want {
			return strings.ReplaceAll(fmt.Sprintf("run %d: %d, %v, wanted %d", done+1, got, err, want), "\n", " ")
		}
	}
	return many
}

// held are the bytes that a process has in use when nothing goes on, or how many runs do.
func held(p *satin.Peer) string {
	if !await.Comes(func() bool { return len(p.Runs()) == 0 }) {
		return fmt.Sprintf("%d runs go on", len(p.Runs()))
	}
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprint(m.HeapAlloc + m.StackInuse)
}

// asks tells a process what to do, and answer waits for what it says.
func (p *doomedPeer) asks(t *testing.T, words ...any) {
	t.Helper()
	if _, err := io.WriteString(p.in, fmt.Sprintln(words...)); err != nil {
		t.Fatal(err)
	}
}

func (p *doomedPeer) answer(t *testing.T) int {
	t.Helper()
	select {
	case text := <-p.says:
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
		return n
	case <-time.After(2 * await.Patience): // it waits itself, and says for what in vain
		t.Fatalf("%s does not answer", p.name)
	}
	return 0
}

// TestMemoryDoesNotGrow: small runs follow one another, while peers are killed and join. What
// they leave in the process of their client, of their master and of another member is judged for
// each by itself.
func TestMemoryDoesNotGrow(t *testing.T) {
	text := os.Getenv(churnVariable)
	if text == "" {
		t.Skip(churnVariable + " is not set; .ci/steps/chaos.sh sets it")
	}
	runs, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	g := nobodysGrid(t)
	master, member := g.join("a"), g.join("a")
	client := g.join(doomedClient)
	goer, gone := g.join("b"), 0
	through := func(n int) {
		for ; n > 0; n -= churnEvery {
			client.asks(t, doomedRuns, min(n, churnEvery))
			goer.Process.Kill()
			if p := <-g.gone; p != goer {
				t.Fatalf("%s has ended", p.name)
			}
			goer = g.join("b")
			gone++
			if done := client.answer(t); done != min(n, churnEvery) {
				t.Fatalf("of %d runs %d had their answers", min(n, churnEvery), done)
			}
		}
	}
	all := []*doomedPeer{client, master, member}
	holds := func() (bytes []int) {
		for _, p := range all {
			p.asks(t, doomedHolds)
			bytes = append(bytes, p.answer(t))
		}
		return bytes
	}
	through(fillRuns)
	before := holds()
	began, goneBefore := time.Now(), gone
	through(runs)
	after := holds()
	fmt.Printf("memory: %d runs in %.0f s, %d peers lost and as many joined\n", runs, time.Since(began).Seconds(), gone-goneBefore)
	for i, p := range all {
		growth := float64(after[i]-before[i]) * 1000 / float64(runs)
		fmt.Printf("memory: %s has %d kB, %.0f kB of them from a thousand runs\n", p.name, after[i]/1e3, growth/1e3)
		if growth > growthMax {
			t.Errorf("%s grew by %.0f bytes in a thousand runs, more than %d", p.name, growth, growthMax)
		}
	}
}
