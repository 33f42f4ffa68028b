package runs

import (
	"strings"
	"testing"

	"satingrid/satin"
)

// TestLabel: a label is taken by the library whatever the input is called, and gives it back.
func TestLabel(t *testing.T) {
	long := strings.Repeat("ü", 150) // 300 bytes
	for _, c := range []struct{ app, input, want string }{
		{"tsp", "berlin52.tsp", "berlin52.tsp"},
		{"each", "-- echo {}", "-- echo {}"},
		{"fib", "", ""},
		{"tsp", "a\nb\x00\xff.tsp", "a?b??.tsp"},
		{"tsp", long, strings.Repeat("ü", 96) + "…"},
	} {
		label := Label(c.app, c.input)
		if _, err := satin.Submit(t.Context(), nil, one{}, satin.Label(label)); err != nil {
			t.Errorf("%q: %v", label, err)
		}
		app, input := Called(satin.RunStats{Label: label, Task: "t.Task"}, nobody)
		if app != c.app || input != c.want {
			t.Errorf("%q of %q is called %q, %q, wanted %q", c.app, c.input, app, input, c.want)
		}
	}
}

// one is a job that is done at once.
type one struct{}

func (one) Run(*satin.Scope) (int, error) { return 1, nil }

func nobody(string) string { return "" }

// TestCalledWithoutLabel: a run that the library has submitted is called by the application that
// its task is the root of, or else by the task.
func TestCalledWithoutLabel(t *testing.T) {
	r := satin.RunStats{Task: "fib.Fib"}
	if app, input := Called(r, func(task string) string { return strings.TrimSuffix(task, ".Fib") }); app != "fib" || input != "" {
		t.Errorf("%q, %q", app, input)
	}
	if app, _ := Called(r, nobody); app != "fib.Fib" {
		t.Error(app)
	}
}

func TestCut(t *testing.T) {
	for text, want := range map[string]string{"": "", "four": "four", "fives": "fiv…", "äöüß": "äöüß", "äöüßé": "äöü…"} {
		if got := Cut(text, 4); got != want {
			t.Errorf("%q is cut to %q, wanted %q", text, got, want)
		}
	}
}
