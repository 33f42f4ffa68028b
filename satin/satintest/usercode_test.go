package satintest_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// Moody is a solution that cannot be compared.
type Moody struct{ N int }

func (Moody) Better(Moody) bool { panic("moody") }

// Absent is one whose comparison ends the goroutine.
type Absent struct{ N int }

func (Absent) Better(Absent) bool { return exits() }

// exits ends the goroutine, as a testing.T's FailNow does.
func exits() bool {
	runtime.Goexit()
	return false
}

// MoodyHunt offers a solution wherever none is known. The first leaves wait for each other, so
// that several peers do.
type MoodyHunt struct{ Depth, N int }

var hunters atomic.Int32

func (m MoodyHunt) Run(s *satin.Scope) (Moody, error) {
	return hunt(s, m.Depth, Moody{m.N}, func(bit int) MoodyHunt { return MoodyHunt{m.Depth - 1, 2*m.N + bit} })
}

func hunt[T satin.Task[R], R satin.Better[R]](s *satin.Scope, depth int, found R, half func(bit int) T) (R, error) {
	if depth == 0 {
		hunters.Add(1)
		computesUntil(s, func() bool { return hunters.Load() >= 3 })
		if _, known := satin.Best[R](s); !known {
			satin.Offer(s, found)
		}
		return found, nil
	}
	x := satin.Spawn(s, half(0))
	computes(10 * time.Millisecond) // thieves ask meanwhile, and solutions travel
	y := satin.Spawn(s, half(1))
	if out, err := y.Wait(s); err != nil {
		return out, err
	}
	return x.Wait(s)
}

// AbsentHunt is the same with solutions that are Absent.
type AbsentHunt struct{ Depth, N int }

func (m AbsentHunt) Run(s *satin.Scope) (Absent, error) {
	return hunt(s, m.Depth, Absent{m.N}, func(bit int) AbsentHunt { return AbsentHunt{m.Depth - 1, 2*m.N + bit} })
}

// startWith is a grid of four peers that know some tasks more.
func startWith(t *testing.T, tasks ...satin.TaskType) *satintest.Grid {
	return startToldWith(t, nil, tasks...)
}

// startToldWith is startWith with a log.
func startToldWith(t *testing.T, log *slog.Logger, tasks ...satin.TaskType) *satintest.Grid {
	return satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "usercode", Tasks: append(tasks, satin.Type[Tree]())},
		Sites: []satintest.Site{{Name: "a", Peers: 2}, {Name: "b", Peers: 2}},
		Peer: func(c *satin.Config) {
			if log != nil {
				c.Log = log
			}
		},
	})
}

// failsWith runs a task whose program panics, demands that the run fails by that, and that all
// peers are still there and compute. It returns how the run failed.
func failsWith[T satin.Task[R], R any](t *testing.T, g *satintest.Grid, task T, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	_, err := satin.Run[T, R](ctx, g.Client, task)
	var panicked *satin.PanicError
	if !errors.As(err, &panicked) || !strings.Contains(err.Error(), text) {
		t.Errorf("%T: %v, want a PanicError that says %q", task, err, text)
	}
	tree := Tree{5, 1, time.Millisecond}
	if n, err := satin.Run[Tree, uint64](ctx, g.Client, tree); err != nil || n != tree.Value() {
		t.Errorf("after %T a tree comes to %d, %v", task, n, err)
	}
	if n := len(g.Names()); n != 4 {
		t.Errorf("after %T there are %d peers", task, n)
	}
	return fmt.Sprint(err)
}

// TestBetterThatPanics: two peers have found solutions that the program cannot compare. The run
// fails, and names the order. One that came from outside is dropped, and its sender is named, by
// the error and in the log of whom it came to.
func TestBetterThatPanics(t *testing.T) {
	t.Parallel()
	log := new(safeBuffer)
	g := startToldWith(t, slog.New(slog.NewTextHandler(log, nil)), satin.Type[MoodyHunt](), satin.Type[AbsentHunt]())
	names := regexp.MustCompile(` on ([ab]/\d) panicked at .*: comparing the best from ([ab]/\d): moody`)
	var found []string
	for range 5 { // a worker's own may be compared first
		hunters.Store(0)
		if found = names.FindStringSubmatch(failsWith[MoodyHunt, Moody](t, g, MoodyHunt{6, 1}, "moody")); found != nil {
			break
		}
	}
	if found == nil || found[1] == found[2] {
		t.Fatalf("no error names whose best cannot be compared: %q", found)
	}
	isIt := func(line string) bool {
		return strings.Contains(line, `msg="a best was dropped" peer=`+found[2]+" ") && strings.Contains(line, "comparing the best from "+found[2]+": moody")
	}
	if !slices.ContainsFunc(strings.Split(log.String(), "\n"), isIt) {
		t.Errorf("no log names %s: %s", found[2], log)
	}
	hunters.Store(0)
	failsWith[AbsentHunt, Absent](t, g, AbsentHunt{6, 1}, "Goexit")
}

// safeBuffer is what all peers log.
type safeBuffer struct {
	mu   sync.Mutex // protects text
	text strings.Builder
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Grim is a value whose encoding panics, as How says: "write" when it is written,
// "read" when it is read.
type Grim struct{ How string }

func (g Grim) MarshalBinary() ([]byte, error) {
	switch g.How {
	case "write":
		panic("grim to write")
	case "write and exit":
		exits()
	case "write and lie":
		return nil, (*lying)(nil)
	}
	return []byte(g.How), nil
}

// lying is an error that is none: whoever looks at it panics.
type lying struct{ text string }

func (e *lying) Error() string { return e.text }
func (e *lying) Unwrap() error { return errors.New(e.text) }

func (g *Grim) UnmarshalBinary(data []byte) error {
	g.How = string(data)
	if n := grimReads.Add(1); g.How == "read" || g.How == "later" && n >= grimFrom.Load() {
		panic("grim to read")
	}
	if g.How == "read and exit" || g.How == "exit later" && grimReads.Load() >= grimFrom.Load() {
		exits()
	}
	if g.How == "read and lie" || g.How == "lie later" && grimReads.Load() >= grimFrom.Load() {
		return (*lying)(nil)
	}
	return nil
}

// grimReads counts those since the test said from which on they panic: where a value leaves it is
// read once, to see that it arrives.
var grimReads, grimFrom atomic.Int32

func grimFromRead(n int32) {
	grimReads.Store(0)
	grimFrom.Store(n)
}

// GrimRoot is a root that has one.
type GrimRoot struct{ G Grim }

func (GrimRoot) Run(*satin.Scope) (int, error) { return 1, nil }

// GrimJob is a job that has one in its fields, and one in its result.
type GrimJob struct{ Fields, Result Grim }

func (g GrimJob) Run(*satin.Scope) (Grim, error) {
	computes(5 * time.Millisecond)
	return g.Result, nil
}

// GrimJobs spawns many of them, or answers with one.
type GrimJobs struct{ Fields, Result, Answer string }

func (g GrimJobs) Run(s *satin.Scope) (Grim, error) {
	jobs := make([]GrimJob, 64)
	for n := range jobs {
		jobs[n] = GrimJob{Grim{g.Fields}, Grim{g.Result}}
	}
	_, err := satin.All(s, jobs)
	return Grim{g.Answer}, err
}

// GrimAnswer answers with one.
type GrimAnswer struct{ How string }

func (g GrimAnswer) Run(*satin.Scope) (Grim, error) { return Grim(g), nil }

// TestEncodingThatPanics: a root, fields, results and an answer whose encoding panics, or the error
// of which does, where they are written or read: at the client, the master, an owner or a thief.
func TestEncodingThatPanics(t *testing.T) {
	t.Parallel()
	g := startWith(t, satin.Type[GrimRoot](), satin.Type[GrimJob](), satin.Type[GrimJobs](), satin.Type[GrimAnswer]())
	texts := map[string]string{
		"write": "grim to write", "read": "grim to read", "write and exit": "Goexit", "read and exit": "Goexit",
		"write and lie": "nil pointer", "read and lie": "nil pointer",
	}
	for _, how := range slices.Sorted(maps.Keys(texts)) {
		failsWith[GrimRoot, int](t, g, GrimRoot{Grim{how}}, texts[how])
		failsWith[GrimJobs, Grim](t, g, GrimJobs{Fields: how}, texts[how])
		failsWith[GrimJobs, Grim](t, g, GrimJobs{Result: how}, texts[how])
		failsWith[GrimJobs, Grim](t, g, GrimJobs{Answer: how}, texts[how])
	}
	for later, text := range map[string]string{"later": "grim to read", "exit later": "Goexit", "lie later": "nil pointer"} {
		grimFromRead(3) // the run's key is made of it, too
		failsWith[GrimRoot, int](t, g, GrimRoot{Grim{later}}, text)
		grimFromRead(2) // at the client
		failsWith[GrimAnswer, Grim](t, g, GrimAnswer{later}, text)
		grimFromRead(3)
		failsWith[GrimJobs, Grim](t, g, GrimJobs{Result: later}, text)
	}
}

// Raising calls functions of its own that panic, as How says, in one of many jobs.
type Raising struct {
	How   string
	Depth int
	Last  bool
}

type derived struct{}

// wordless is an error that panics, or ends the goroutine, when it is asked for its text.
type wordless struct{ exit bool }

func (w wordless) Error() string {
	if w.exit {
		exits()
	}
	panic("wordless")
}

func (r Raising) Run(s *satin.Scope) (int, error) {
	if r.Depth > 0 {
		x := satin.Spawn(s, Raising{r.How, r.Depth - 1, false})
		y := satin.Spawn(s, Raising{r.How, r.Depth - 1, r.Last})
		if _, err := y.Wait(s); err != nil {
			return 0, err
		}
		return x.Wait(s)
	}
	computes(2 * time.Millisecond)
	switch {
	case !r.Last:
	case r.How == "derive":
		satin.Derive(s, func() derived { panic("derive") })
	case r.How == "local":
		satin.Local(s, func() derived { panic("local") })
	case r.How == "ok":
		_, err := satin.First(s, []Raising{{}, {}, {}, {}}, func(int) bool { panic("ok") })
		return 0, err
	case r.How == "exit":
		exits()
	case r.How == "exit and panic":
		defer func() { panic("on the way out") }()
		exits()
	case r.How == "derive exits":
		satin.Derive(s, func() derived { exits(); return derived{} })
	case r.How == "local exits":
		satin.Local(s, func() derived { exits(); return derived{} })
	case r.How == "ok exits":
		_, err := satin.First(s, []Raising{{}, {}, {}, {}}, func(int) bool { return exits() })
		return 0, err
	case strings.HasPrefix(r.How, "error"):
		return 0, wordless{r.How == "error exits"}
	case strings.HasPrefix(r.How, "value"):
		panic(wordless{r.How == "value exits"})
	}
	return 1, nil
}

// TestFunctionsThatPanic: what Derive, Local and First are given, jobs that end their goroutine,
// and errors without a text.
func TestFunctionsThatPanic(t *testing.T) {
	t.Parallel()
	g := startWith(t, satin.Type[Raising]())
	for how, text := range map[string]string{
		"derive": "derive", "local": "local", "ok": "ok", "error": "wordless", "value": "wordless",
		"exit": "Goexit", "derive exits": "Goexit", "local exits": "Goexit", "ok exits": "Goexit", "error exits": "Goexit",
		"value exits": "Goexit", "exit and panic": "on the way out",
	} {
		failsWith[Raising, int](t, g, Raising{how, 5, true}, text)
	}
}

// Forgetful spawns a job of a type that the program has not listed.
type Forgetful struct{}

func (Forgetful) Run(s *satin.Scope) (int, error) {
	x := satin.Spawn(s, Forgotten{})
	return x.Wait(s)
}

type Forgotten struct{}

func (Forgotten) Run(*satin.Scope) (int, error) { return 1, nil }

// A run fails that spawns what no other peer could run, though nobody has stolen it.
func TestForgottenTaskTypeFailsTheRun(t *testing.T) {
	t.Parallel()
	g := startWith(t, satin.Type[Forgetful]())
	_, err := satin.Run(t.Context(), g.Client, Forgetful{})
	const want = "task satintest_test.Forgotten is not in Config.App.Tasks"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
