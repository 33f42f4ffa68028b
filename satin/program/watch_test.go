package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// fake is a run in the hands of a test.
type fake struct {
	done    chan struct{}
	answer  Answer
	err     error
	partial Answer
	jobs    int64 // that it has executed
}

func (f *fake) Done() <-chan struct{}       { return f.done }
func (f *fake) Progress() float64           { return 0.42 }
func (f *fake) Answer() (Answer, error)     { return f.answer, f.err }
func (f *fake) Partial() (Answer, bool)     { return f.partial, f.partial != nil }
func (f *fake) watch() (*follower, *recipe) { return newWatch(f) }
func (f *fake) Stats() satin.Stats {
	return satin.Stats{Peers: []satin.PeerStats{{Jobs: f.jobs / 2}, {Jobs: f.jobs - f.jobs/2}}}
}

// valued is an answer that says nothing of itself.
type valued struct {
	Value int64 `json:"value"`
}

func (v valued) JSON() any { return v }
func (v valued) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, v.Value)
	return err
}

// recipe is what a test does to a watch.
type recipe struct {
	stop      chan os.Signal
	said      bytes.Buffer
	cancelled bool
}

func newWatch(f *fake) (*follower, *recipe) {
	r := &recipe{stop: make(chan os.Signal, 1)}
	con := &console.Console{Name: "satin", Out: io.Discard, Err: &r.said, Terminal: -1}
	_, cancel := context.WithCancel(context.Background())
	return &follower{
		run:      f,
		cancel:   func() { cancel(); r.cancelled = true },
		start:    time.Now(),
		stop:     r.stop,
		meter:    con.NewMeter("test", time.Now()),
		patience: time.Millisecond,
	}, r
}

// ends runs a watch to its end and shows the outcome as the command would.
func ends(w *follower, asJSON bool) (code int, out string, o runEnd) {
	var printed, said bytes.Buffer
	con := &console.Console{Name: "satin", Out: &printed, Err: &said, Terminal: -1}
	o = w.follow()
	return con.Report(show(con, "test", "in", asJSON, satin.Stats{}, o)), printed.String(), o
}

func TestAnswered(t *testing.T) {
	f := &fake{done: make(chan struct{}), answer: valued{8}}
	close(f.done)
	w, _ := f.watch()
	if code, out, o := ends(w, false); code != 0 || out != "8\n" || !o.complete {
		t.Errorf("exit %d, %q, %+v", code, out, o)
	}
}

// TestFailed prints no answer of a run that failed, but with --json what became of it: a script
// must see its losses.
func TestFailed(t *testing.T) {
	f := &fake{done: make(chan struct{}), err: errors.New("satin: a result is 9 bytes: 8 may travel (Config.ResultMax)")}
	close(f.done)
	w, _ := f.watch()
	if code, out, _ := ends(w, false); code != console.ExitFailed || out != "" {
		t.Errorf("exit %d, %q", code, out)
	}
	w, _ = f.watch()
	var printed, said bytes.Buffer
	con := &console.Console{Name: "satin", Out: &printed, Err: &said, Terminal: -1}
	s, known := lossesOfRun()
	o := w.follow()
	o.losses = known.losses
	if code := con.Report(show(con, "test", "in", true, s, o)); code != console.ExitFailed {
		t.Errorf("exit %d", code)
	}
	var d struct {
		Answer   any
		Complete bool
		Error    string
		Losses   []LossRow
	}
	if err := json.Unmarshal(printed.Bytes(), &d); err != nil || d.Complete || d.Answer != nil || len(d.Losses) != len(s.Losses) || !strings.Contains(printed.String(), `"answer":null,"complete":false,"error":"a result`) {
		t.Errorf("%v: %s", err, &printed)
	}
	if last := "satin: " + d.Error + "\n"; d.Error != "a result is 9 bytes: 8 may travel (--result-max)" || !strings.HasSuffix(said.String(), last) {
		t.Errorf("the document has the error %q, and stderr %q", d.Error, &said)
	}
}

// brieved is an answer that says how good it is.
type brieved struct{ valued }

func (brieved) Brief() string { return "best 8, bound 9, gap 12 %" }

// TestBrief: the best so far is told with the jobs, where answers say something of themselves.
func TestBrief(t *testing.T) {
	for _, c := range []struct {
		partial Answer
		jobs    int64
		want    string
	}{
		{nil, 0, ""}, {valued{8}, 0, ""}, {brieved{}, 0, "; best 8, bound 9, gap 12 %"},
		{nil, 1, "; 1 job"}, {valued{8}, 30, "; 30 jobs"}, {brieved{}, 30, "; best 8, bound 9, gap 12 %; 30 jobs"},
	} {
		w, _ := (&fake{partial: c.partial, jobs: c.jobs}).watch()
		for range 2 {
			if got := w.brief(); got != c.want {
				t.Errorf("%v so far: %q, wanted %q", c.partial, got, c.want)
			}
		}
	}
}

// TestStopped stops runs by a signal and by the clock, with and without an answer so far.
func TestStopped(t *testing.T) {
	for _, c := range []struct {
		name    string
		signal  os.Signal
		partial Answer
		code    int
		out     string
	}{
		{"interrupt with a best", os.Interrupt, valued{5}, 130, "5\n"},
		{"interrupt without", os.Interrupt, nil, 130, ""},
		{"terminate with a best", syscall.SIGTERM, valued{5}, 143, "5\n"},
		{"timeout with a best", nil, valued{5}, console.ExitPartial, "5\n"},
		{"timeout without", nil, nil, console.ExitTimeout, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{done: make(chan struct{}), partial: c.partial}
			w, r := f.watch()
			if c.signal != nil {
				r.stop <- c.signal
			} else {
				w.timeout, w.read = time.Hour, time.Hour // reading took all of it
			}
			code, out, o := ends(w, false)
			if code != c.code || out != c.out || o.complete || !r.cancelled {
				t.Errorf("exit %d, %q, %+v, cancelled %v", code, out, o, r.cancelled)
			}
			if !strings.Contains(o.err.Error(), " after ") || strings.Contains(o.err.Error(), " after 60 min") != (c.signal == nil) || strings.Contains(o.err.Error(), "%") {
				t.Errorf("it says %q", o.err)
			}
		})
	}
}

// TestPartialDocument has the best so far as the answer of an incomplete run.
func TestPartialDocument(t *testing.T) {
	f := &fake{done: make(chan struct{}), partial: valued{5}}
	w, r := f.watch()
	r.stop <- os.Interrupt
	if _, out, _ := ends(w, true); !strings.Contains(out, `"answer":{"value":5},"complete":false`) {
		t.Errorf("the document is %s", out)
	}
}

// TestBestEvents writes a best once, however often it is seen.
func TestBestEvents(t *testing.T) {
	name := t.TempDir() + "/events"
	log, err := openEvents(&console.Console{Name: "satin"}, name)
	if err != nil {
		t.Fatal(err)
	}
	w, _ := (&fake{partial: valued{5}}).watch()
	w.log = log
	w.look()
	w.look()
	w.run.(*fake).partial = valued{6}
	w.look()
	log.close()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), `"event":"best"`); n != 2 || !strings.Contains(string(text), `"best":{"value":6}`) {
		t.Errorf("%d bests in %s", n, text)
	}
}

// TestProgressEvents: an event says how many jobs were executed, when these have grown by a
// hundredth, and no share of the whole, whatever the run guesses.
func TestProgressEvents(t *testing.T) {
	name := t.TempDir() + "/events"
	log, err := openEvents(&console.Console{Name: "satin"}, name)
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{}
	w, _ := f.watch()
	w.log = log
	for _, f.jobs = range []int64{0, 0, 1, 1, 2, 1000, 1010, 1011, 1000, 5000} {
		w.look()
	}
	log.close()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var told []float64
	for lines := json.NewDecoder(file); lines.More(); {
		var e map[string]any
		if err := lines.Decode(&e); err != nil {
			t.Fatal(err)
		}
		if n, ok := e["jobs"].(float64); ok && len(e) == 3 && e["event"] == "progress" {
			told = append(told, n)
			continue
		}
		t.Errorf("an event is %v", e)
	}
	if want := []float64{1, 2, 1000, 1011, 5000}; !slices.Equal(told, want) {
		t.Errorf("%v are told of, wanted %v", told, want)
	}
}

// kept is an answer whose file cannot be written.
type kept struct{ valued }

func (kept) Keep() error { return errors.New("disk full") }

func TestNotKept(t *testing.T) {
	f := &fake{done: make(chan struct{}), answer: kept{}}
	close(f.done)
	w, _ := f.watch()
	if code, out, _ := ends(w, false); code != console.ExitFailed || out != "" {
		t.Errorf("exit %d, %q", code, out)
	}
}

// TestPanicIsToldWithItsStack: whoever mends an application needs to know where it broke.
func TestPanicIsToldWithItsStack(t *testing.T) {
	var said bytes.Buffer
	con := &console.Console{Name: "satin", Out: io.Discard, Err: &said, Terminal: -1}
	code := con.Report(&satin.PanicError{Task: "fib.Fib", Peer: "a/1", Value: "broke", Stack: []byte("goroutine 7\nfib.go:12\n")})
	if lines := strings.Split(said.String(), "\n"); code != console.ExitFailed || len(lines) != 4 || !strings.HasSuffix(lines[0], "panicked: broke") || lines[2] != "fib.go:12" {
		t.Errorf("exit %d: %q", code, said.String())
	}
}

// foretelling is a run that tells how long it will take.
type foretelling struct {
	fake
	left  satin.Remaining
	known bool
}

func (f *foretelling) Remaining() (satin.Remaining, bool) { return f.left, f.known }

func (f *foretelling) Stats() satin.Stats {
	return satin.Stats{Done: 0.4, Peers: []satin.PeerStats{{Busy: 4}, {Busy: 5}}}
}

// heldBy is a hold on such a run.
type heldBy struct{ *foretelling }

func (heldBy) Accepted() <-chan struct{} { return nil }
func (heldBy) Release() error            { return nil }
func (heldBy) id() string                { return "" }

// TestTimeLeft: what is not known is said to be so, on the screen and by events.
func TestTimeLeft(t *testing.T) {
	f := &foretelling{left: satin.Remaining{Least: 2 * time.Minute, Likely: 3 * time.Minute, Most: 4 * time.Minute}}
	if got := remainingOf(f); got.String() != "; 42 % done, time left unknown" || got.seconds() != nil {
		t.Errorf("%q, %v", got, got.seconds())
	}
	f.known = true
	for _, r := range []Running{f, shownRun{Running: f}} {
		if got := remainingOf(r); got.String() != "; 42 % done, 2 to 4 min left" || !slices.Equal(got.seconds(), []float64{120, 240}) {
			t.Errorf("%q, %v", got, got.seconds())
		}
	}
	name := t.TempDir() + "/events"
	log, err := openEvents(&console.Console{Name: "satin"}, name)
	if err != nil {
		t.Fatal(err)
	}
	log.start = log.start.Add(-time.Minute)
	log.progress(1, remainingOf(f))
	log.close()
	text, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(text), `"done":0.42,"left_seconds":[120,240],"likely_seconds":180,"busy_seconds":9,"guess":0.4}`) {
		t.Errorf("%s, %v", text, err)
	}
	if got := remainingOf(shownRun{Running: &fake{}, hold: heldBy{f}}); !got.known {
		t.Errorf("of a run that tells, in a view that does not: %q", got)
	}
	if got := remainingOf(&fake{}); got.String() != "" || got.seconds() != nil {
		t.Errorf("of a run that does not tell: %q", got)
	}
	if got := remainingOf(shownRun{Running: &fake{}}); got.known {
		t.Errorf("of a run that does not tell, on a grid: %q", got)
	}
}
