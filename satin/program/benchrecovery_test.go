package program

import (
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// TestBenchRecoveryRefuses tells what is wrong before anything is run.
func TestBenchRecoveryRefuses(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"bench", "bench takes the word recovery"},
		{"bench everything", "bench takes the word recovery"},
		{"bench recovery", "needs an application"},
		{"bench recovery sum 3 --rounds 0", "--rounds is 0"},
		{"bench recovery sum 3 --period 0s", "--period is 0s"},
	} {
		if code, out, err := typed(strings.Fields(c.line)...); code != console.ExitUsage || out != "" || !strings.Contains(err, c.want) {
			t.Errorf("%s: exit %d, %q, %q", c.line, code, out, err)
		}
	}
}

// TestBenchOfItsOwn: a program that measures something else has bench recovery all the same.
func TestBenchOfItsOwn(t *testing.T) {
	p, ran := sample(), 0
	p.Commands = func(*console.Console, satin.App) []*cli.Command {
		return []*cli.Command{{Name: "bench", Action: func(*cli.Context) error { ran++; return nil }}}
	}
	var out, err strings.Builder
	if code := p.Run([]string{"bench"}, &console.Console{Name: "lab", Out: &out, Err: &err, Terminal: -1}); code != 0 || ran != 1 {
		t.Errorf("exit %d, %s", code, err.String())
	}
	if code := p.Run([]string{"bench", "recovery"}, &console.Console{Name: "lab", Out: &out, Err: &err, Terminal: -1}); code != console.ExitUsage || ran != 1 {
		t.Errorf("exit %d, %s", code, err.String())
	}
}
