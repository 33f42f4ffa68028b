package main

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"time"

	"satingrid/satin"
)

const (
	// outputMax is what is kept of each output.
	outputMax = 1 << 20

	// askEvery is how often it is asked whether an executable is still wanted. Other peers are
	// given jobs then, too: this worker does nothing else meanwhile.
	askEvery = 50 * time.Millisecond

	// lingerMax is how long a killed executable's outputs are read, which others may hold open.
	lingerMax = time.Second
)

// The exit codes of what could not be started, as shells have them.
const (
	notExecutable = 126
	notFound      = 127
	bySignal      = 128 // and the signal's number
)

// errRefused is the error of a node that does not run executables.
var errRefused = errors.New("this node runs no executables: it was started without --allow-exec")

// Line is a job: the executable for the Nth line of the root.
type Line struct{ N int }

// Ended is what became of it.
type Ended struct {
	Code     int
	Out, Err []byte
	Cut      bool // an output was longer
}

// Run runs the executable, and kills it when it is not wanted any more.
func (l Line) Run(s *satin.Scope) (Ended, error) {
	// What an executable does may depend on anything. Whose jobs hear facts are not held to
	// equal results: see satin.Heard.
	satin.Heard[Ended](s)
	if os.Getenv(allow) != "true" {
		return Ended{}, errRefused
	}
	b := satin.Root[Batch](s)
	argv := b.argv(b.Lines[l.N])
	var out, err output
	c := exec.Command(argv[0], argv[1:]...)
	c.Stdout, c.Stderr, c.WaitDelay = &out, &err, lingerMax
	c.SysProcAttr = inGroup()
	if failure := c.Start(); failure != nil {
		return notStarted(failure), nil
	}
	done := make(chan struct{})
	go func() { // ends when the executable has, or was killed
		defer close(done)
		c.Wait()
	}()
	ask := time.NewTicker(askEvery)
	defer ask.Stop()
	for {
		select {
		case <-done:
			return Ended{codeOf(c.ProcessState), out.kept, err.kept, out.cut || err.cut}, nil
		case <-ask.C:
			if s.Aborted() {
				killGroup(c.Process)
				<-done
				return Ended{}, satin.ErrWithdrawn
			}
		}
	}
}

// notStarted is what became of an executable that could not be started.
func notStarted(err error) Ended {
	code := notFound
	if errors.Is(err, fs.ErrPermission) {
		code = notExecutable
	}
	return Ended{Code: code, Err: []byte(err.Error() + "\n")}
}

// output keeps the beginning of what is written to it.
type output struct {
	kept []byte
	cut  bool
}

func (o *output) Write(p []byte) (int, error) {
	n := min(len(p), outputMax-len(o.kept))
	o.kept, o.cut = append(o.kept, p[:n]...), o.cut || n < len(p)
	return len(p), nil
}
