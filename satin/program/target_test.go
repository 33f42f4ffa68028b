package program

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// invited is a ticket of grid lab in the environment.
func invited(t *testing.T) (word string) {
	t.Helper()
	tk, err := ticket.New("lab")
	if err == nil {
		tk, err = tk.Invite("/ip4/127.0.0.1/tcp/1/p2p/12D3KooWEBMd4ecnXnVGtTyNBG3UKhcRRM6LFnpKpbyBmFyLYsYx")
	}
	if err == nil {
		word, err = tk.Encode()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("LAB_TICKET", word)
	return word
}

// targetOf is where a command line of run says to compute.
func targetOf(t *testing.T, args ...string) (w *target, said string, err error) {
	t.Helper()
	var heard bytes.Buffer
	con := &console.Console{Name: "lab", Out: io.Discard, Err: &heard, Terminal: -1}
	root := sample().commands(con)
	for _, c := range root.Command("run").Subcommands {
		c.Action = func(c *cli.Context) error {
			d, failed := directed(con, c)
			if w, err = nil, failed; err == nil {
				w, err = sample().readTarget(con, c, d)
			}
			return nil
		}
	}
	words, failure := argv(con, root, append([]string{"run", "fib"}, args...))
	if failure == nil {
		console.NoteTyped(root, words)
		failure = root.Run(append([]string{root.Name}, words...))
	}
	if failure != nil {
		t.Fatal(failure)
	}
	return w, heard.String(), err
}

// TestWhereToCompute has a grid's ticket in the environment. What is typed counts; without, it is
// said what grid is joined.
func TestWhereToCompute(t *testing.T) {
	word := invited(t)
	file := filepath.Join(t.TempDir(), "lab")
	if err := os.WriteFile(file, []byte(word), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env, line string
		where     string // the processes here, or what leads to a grid
		said      string
	}{
		{"", "", "the grid of LAB_TICKET", "lab: computing on grid lab, as LAB_TICKET says\n"},
		{"", "--workers 2", "here", ""},
		{"", "--sites a:2", "a:2", ""},
		{"", "--join " + file, file, ""},
		{"LAB_WORKERS=2", "", "the grid of LAB_TICKET", "lab: computing on grid lab, as LAB_TICKET says\n"},
		{"LAB_JOIN=" + file, "", file, "lab: computing on grid lab, as LAB_JOIN says\n"},
		{"LAB_JOIN=" + file, "--workers 2", "here", ""},
		{"LAB_SITES=b:1", "", "b:1", ""},
		{"LAB_SITES=b:1", "--workers 2", "here", ""},
		{"LAB_SITES=b:1", "--join " + file, file, ""},
	} {
		t.Run(c.env+" "+c.line, func(t *testing.T) {
			if name, value, ok := strings.Cut(c.env, "="); ok {
				t.Setenv(name, value)
			}
			w, said, err := targetOf(t, strings.Fields(c.line)...)
			if err != nil {
				t.Fatal(err)
			}
			where := "here"
			switch {
			case w.where != nil:
				where = w.where.Said()
			case w.sites != nil:
				where = w.sites[0].String()
			}
			if where != c.where || said != c.said {
				t.Errorf("computes at %q and says %q; wanted %q and %q", where, said, c.where, c.said)
			}
		})
	}
	for line, want := range map[string]string{
		"--sites a:2 --join x":    "--sites makes a grid and --join uses one",
		"--workers 2 --join x":    "--workers is for a run in one process; ",
		"--workers 2 --state x":   "--state is for a run on a grid of --join, ",
		"--sites a:2 --state x":   "--state is for a run on a grid of --join, ",
		"--workers 2 --copies 1s": "--copies needs --sites, ",
	} {
		if _, _, err := targetOf(t, strings.Fields(line)...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, wanted %q", line, err, want)
		}
	}
}

// TestCopiesOff: off is never, and not the default.
func TestCopiesOff(t *testing.T) {
	for line, never := range map[string]bool{"--sites a:2 --copies off": true, "--sites a:2 --copies 3s": false, "--sites a:2": false} {
		w, _, err := targetOf(t, strings.Fields(line)...)
		if err != nil {
			t.Fatal(err)
		}
		var config satin.Config
		if w.care.Apply(&config); (config.CopyEvery < 0) != never || config.CopyEvery == 0 {
			t.Errorf("%s: copies every %v", line, config.CopyEvery)
		}
	}
}

// stuck is a job that does not look up before it is let go.
type stuck struct{}

var letGo = make(chan struct{})

func (stuck) Run(*satin.Scope) (int, error) {
	<-letGo
	return 1, nil
}

// TestStuckJobIsNotWaitedFor: a run that is out of time ends, whatever its jobs do meanwhile.
func TestStuckJobIsNotWaitedFor(t *testing.T) {
	const ends = 20 * time.Second
	end := time.AfterFunc(ends, sync.OnceFunc(func() { close(letGo) }))
	defer end.Reset(0)
	began := time.Now()
	code, out, err := ran(rooted(stuck{}), "run", "--timeout", "50ms")
	if took := time.Since(began); code != console.ExitTimeout || out != "" || !strings.Contains(err, "; no answer yet\n") || took >= ends {
		t.Errorf("exit %d after %v, %q, %q", code, took, out, err)
	}
}

// TestTimeoutWhileReading: reading the input is part of the time that a run may take.
func TestTimeoutWhileReading(t *testing.T) {
	const ends = 20 * time.Second
	read := make(chan struct{})
	end := time.AfterFunc(ends, sync.OnceFunc(func() { close(read) }))
	defer end.Reset(0)
	slow := Of("slow", func(*Input) (stuck, error) {
		<-read
		return stuck{}, nil
	})
	began := time.Now()
	code, out, err := ran(&Program{Applications: []*Application{slow}}, "run", "x", "--timeout", "50ms")
	if took := time.Since(began); code != console.ExitTimeout || out != "" || !strings.Contains(err, "out of time after 0.1 s, while reading x\n") || took >= ends {
		t.Errorf("exit %d after %v, %q, %q", code, took, out, err)
	}
}
