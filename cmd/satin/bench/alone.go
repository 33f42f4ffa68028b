package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// ranAlone is one run of a sequential program in a process of its own.
type ranAlone struct {
	Seconds float64 `json:"seconds"`
	Mallocs uint64  `json:"mallocs"`
	Answer  string  `json:"answer"`
}

// Serve is a process that runs sequential programs: it reads the name of one a line, runs it, and
// writes what came out. It ends with its input.
func Serve(in io.Reader, out io.Writer, programs []Computation) error {
	names, results := bufio.NewScanner(in), json.NewEncoder(out)
	for names.Scan() {
		p, ok := named(programs, names.Text())
		if !ok {
			return fmt.Errorf("bench: there is no program %q", names.Text())
		}
		var r ranAlone
		var answer any
		before := mallocs()
		r.Seconds = timed(func() { answer = p.Sequential() })
		r.Mallocs, r.Answer = mallocs()-before, fmt.Sprint(answer)
		if err := results.Encode(r); err != nil {
			return err
		}
	}
	return names.Err()
}

func named(programs []Computation, name string) (Computation, bool) {
	for _, p := range programs {
		if p.Name == name {
			return p, true
		}
	}
	return Computation{}, false
}

// soloists are two processes that call [Serve]. Whoever has them closes them.
type soloists struct{ each [2]soloist }

type soloist struct {
	cmd     *exec.Cmd
	names   io.WriteCloser
	results *json.Decoder
}

// startSoloists starts them.
func startSoloists(ctx context.Context, command []string) (*soloists, error) {
	if len(command) == 0 {
		return nil, errors.New("bench: BUG: no command for sequential programs")
	}
	t := &soloists{}
	for i := range t.each {
		c := exec.CommandContext(ctx, command[0], command[1:]...)
		c.Stderr = os.Stderr
		names, err := c.StdinPipe()
		if err != nil {
			return nil, err
		}
		results, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.close()
			return nil, fmt.Errorf("bench: a process for sequential programs: %w", err)
		}
		t.each[i] = soloist{c, names, json.NewDecoder(results)}
	}
	return t, nil
}

// run runs a program in one of them, or in both at once.
func (t *soloists) run(name string, processes int) ([]ranAlone, error) {
	ran := make([]ranAlone, processes)
	for _, one := range t.each[:processes] {
		if _, err := fmt.Fprintln(one.names, name); err != nil {
			return nil, fmt.Errorf("bench: %s alone: %w", name, err)
		}
	}
	for i, one := range t.each[:processes] {
		if err := one.results.Decode(&ran[i]); err != nil {
			return nil, fmt.Errorf("bench: %s alone: %w", name, err)
		}
	}
	return ran, nil
}

// close ends them: their input does.
func (t *soloists) close() {
	for _, one := range t.each {
		if one.cmd != nil {
			one.names.Close()
			one.cmd.Wait() // what they had to tell is told
		}
	}
}
