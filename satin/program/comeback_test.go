package program

import (
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// other is another root.
type other struct{}

func (other) Run(*satin.Scope) (string, error) { return "other", nil }

// TestRootOf: the application of a run is the one whose root it has. What its submitter says of it
// decides only where several have that root, and is its input.
func TestRootOf(t *testing.T) {
	p := sample() // fib and tree, of one root
	p.Applications = append(p.Applications, Of("other", func(*Input) (other, error) { return other{}, nil }))
	p.Applications = append(p.Applications, Of("renamed", func(*Input) (*pointed, error) { return pointed0, nil }, satin.Type[*pointed]().Named("old")))
	for _, c := range []struct{ task, label, app, input string }{
		{"old", "renamed 7", "renamed", "7"},
		{"program.fib", "fib 7", "fib", "7"},
		{"program.fib", "tree T1 T2", "tree", "T1 T2"},
		{"program.fib", "other x", "fib", "x"},
		{"program.fib", "", "fib", Embedded},
		{"program.other", "fib 7", "other", "7"},
	} {
		a, input, err := p.rootOf(satin.RunStats{Task: c.task, Label: c.label})
		if err != nil || a.Name != c.app || input != c.input {
			t.Errorf("%s, %q: %+v, %q, %v; wanted %s, %q", c.task, c.label, a, input, err, c.app, c.input)
		}
	}
	if _, _, err := p.rootOf(satin.RunStats{Task: "chess.Game", Label: "fib 7"}); err == nil || err.Error() != "run 00000000 is of task chess.Game, which is the root of no application here" {
		t.Error(err)
	}
	if p.appOf("program.other") != "other" || p.appOf("chess.Game") != "" {
		t.Error(p.appOf("program.other"), p.appOf("chess.Game"))
	}
}

// TestTookOf: a run that goes on has taken its age; one that has its answer, what it took until
// then, by how much of its time to be kept is over.
func TestTookOf(t *testing.T) {
	for want, r := range map[time.Duration]satin.RunStats{
		5 * time.Second: {State: satin.RunComputing, Age: 5 * time.Second, Keep: time.Hour},
		3 * time.Second: {State: satin.RunAnswered, Age: 63 * time.Second, Keep: time.Hour, Kept: 59 * time.Minute},
		0:               {State: satin.RunAnswered, Age: time.Second, Keep: time.Hour, Kept: 59 * time.Minute}, // clocks
	} {
		if got := tookOf(r); got != want {
			t.Errorf("%+v took %v, wanted %v", r, got, want)
		}
	}
}

// TestAnswerFlags: verbs that learn of the grid which application a run is of have the flags of
// all, each once, and say what it is to whom; one of another application is refused.
func TestAnswerFlags(t *testing.T) {
	p := sample()
	p.Applications[0].AnswerFlags = []cli.Flag{
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write it to `FILE`"}, &cli.BoolFlag{Name: "roman", Usage: "as in Rome"},
	}
	p.Applications[1].AnswerFlags = []cli.Flag{&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "draw it in `FILE`"}}
	code, out, _ := ran(p, "help", "result")
	for _, line := range []string{
		"  --output, -o FILE      fib: write it to FILE; tree: draw it in FILE\n",
		"  --roman                fib: as in Rome\n",
	} {
		if code != 0 || !strings.Contains(out, line) {
			t.Errorf("exit %d, help has no %q:\n%s", code, line, out)
		}
	}
	for line, want := range map[string]string{
		"-o x":            "",
		"--roman":         "run 00000000 is of tree, whose answers have no flag --roman; fib has",
		"--roman --watch": "run 00000000 is of tree, whose answers have no flag --roman; fib has",
	} {
		app := &cli.App{Flags: append(p.answerFlags(), &cli.BoolFlag{Name: "watch"}), Action: func(c *cli.Context) error {
			err := p.checkAnswerFlags(c, p.Applications[1], satin.RunStats{})
			if err == nil && want != "" || err != nil && err.Error() != want {
				t.Errorf("%s: %v, wanted %q", line, err, want)
			}
			if words := answerWords(p.Applications[1], c); want == "" && words != " -o x" {
				t.Errorf("the flags of an answer are %q", words)
			}
			return nil
		}}
		console.NoteTyped(app, strings.Fields(line))
		if err := app.Run(append([]string{"lab"}, strings.Fields(line)...)); err != nil {
			t.Fatal(err)
		}
	}
}
