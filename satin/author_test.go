package satin_test

import (
	"strings"
	"testing"

	"satingrid/satin"
)

// Errors of a program's author are met where they are made, alone and at once: on a grid they would
// come up now and then.

// lister spawns a job of a type that its program may have forgotten to list.
type lister struct{}

func (lister) Run(s *satin.Scope) (int, error) {
	x := satin.Spawn(s, unlisted{})
	return x.Wait(s)
}

type unlisted struct{}

func (unlisted) Run(*satin.Scope) (int, error) { return 1, nil }

func TestForgottenTaskTypeIsMetAlone(t *testing.T) {
	const forgotten = "task satin_test.unlisted is not in Config.App.Tasks"
	all := []satin.TaskType{satin.Type[lister](), satin.Type[unlisted]()}
	for _, c := range []struct {
		name   string
		config satin.Config
		want   string
	}{
		{"forgotten", satin.Config{App: satin.App{Tasks: all[:1]}}, forgotten},
		{"listed", satin.Config{App: satin.App{Tasks: all}}, ""},
		{"no app", satin.Config{}, ""},
		{"stays here", satin.Config{App: satin.App{Tasks: all[:1]}, StaysHere: true}, ""},
	} {
		n, err := satin.Run(t.Context(), open(t, c.config), lister{})
		if c.want == "" && (err != nil || n != 1) {
			t.Errorf("%s: %d, %v", c.name, n, err)
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %d, %v; want %q", c.name, n, err, c.want)
		}
	}
	_, err := satin.Run(t.Context(), open(t, satin.Config{App: satin.App{Tasks: all[:1]}}), unlisted{})
	if err == nil || !strings.Contains(err.Error(), forgotten) {
		t.Errorf("as a root: %v; want %q", err, forgotten)
	}
}

// scopes are those that jobs have kept.
var scopes = make(chan *satin.Scope, 1)

type hoarder struct{}

func (hoarder) Run(s *satin.Scope) (int, error) {
	scopes <- s
	return 1, nil
}

// A scope that is used once its run has ended says so, whatever it is used for.
func TestKeptScopeIsMetOnceItsRunHasEnded(t *testing.T) {
	for name, use := range map[string]func(s *satin.Scope){
		"Spawn":   func(s *satin.Scope) { satin.Spawn(s, hoarder{}) },
		"Sync":    func(s *satin.Scope) { s.Sync() },
		"Abort":   func(s *satin.Scope) { s.Abort() },
		"Aborted": func(s *satin.Scope) { s.Aborted() },
		"Root":    func(s *satin.Scope) { satin.Root[hoarder](s) },
		"Derive":  func(s *satin.Scope) { satin.Derive(s, func() int { return 1 }) },
		"Local":   func(s *satin.Scope) { satin.Local(s, func() int { return 1 }) },
		"Rand":    func(s *satin.Scope) { s.Rand() },
		"Context": func(s *satin.Scope) { s.Context() },
		"Best":    func(s *satin.Scope) { satin.Best[better](s) },
		"Offer":   func(s *satin.Scope) { satin.Offer(s, better{}) },
		"Tell":    func(s *satin.Scope) { satin.Tell(s, 1) },
		"Heard":   func(s *satin.Scope) { satin.Heard[int](s) },
		"All":     func(s *satin.Scope) { satin.All(s, []hoarder{{}}) },
		"First": func(s *satin.Scope) {
			satin.First(s, []hoarder{{}}, func(int) bool { return true })
		},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := satin.Run(t.Context(), alone(t, 1), hoarder{}); err != nil {
				t.Fatal(err)
			}
			s := <-scopes
			defer func() {
				const want = "a Scope was used after its job had returned"
				if text, _ := recover().(string); !strings.Contains(text, want) {
					t.Errorf("%q; want %q", text, want)
				}
			}()
			use(s)
			t.Error("nothing is said")
		})
	}
}

type better struct{ N int }

func (b better) Better(than better) bool { return b.N > than.N }

// sharer lets another goroutine use its scope while it runs.
type sharer struct{}

func (sharer) Run(s *satin.Scope) (int, error) {
	said := make(chan any)
	go func() {
		defer func() { said <- recover() }()
		satin.Spawn(s, unlisted{})
	}()
	if text, _ := (<-said).(string); strings.Contains(text, "a Scope was used by another goroutine") {
		return 1, nil
	}
	return 0, nil
}

// Under Strict a scope that was handed on is met while its job runs, too.
func TestScopeOfAnotherGoroutineIsMet(t *testing.T) {
	p := open(t, satin.Config{Workers: 1, Testing: satin.Testing{Strict: true}})
	if n, err := satin.Run(t.Context(), p, sharer{}); n != 1 || err != nil {
		t.Errorf("nothing is said, %v", err)
	}
}

// doubter waits twice for its first child, whose place another has taken meanwhile.
type doubter struct{}

func (doubter) Run(s *satin.Scope) (int, error) {
	x := satin.Spawn(s, unit{1})
	first, err := x.Wait(s)
	if err != nil {
		return 0, err
	}
	y := satin.Spawn(s, unit{2})
	again, err := x.Wait(s)
	if err != nil || again != first {
		return again, err
	}
	return y.Wait(s)
}

// Under Strict a future that is waited for twice is always met.
func TestSecondWaitIsMet(t *testing.T) {
	p := open(t, satin.Config{Workers: 1, Testing: satin.Testing{Strict: true}})
	n, err := satin.Run(t.Context(), p, doubter{})
	if err == nil || !strings.Contains(err.Error(), "was waited for twice") || !strings.Contains(err.Error(), " panicked at satin/author_test.go:") {
		t.Errorf("%d, %v", n, err)
	}
}
