package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"satingrid/satin/program/wording"
)

const (
	// outputMax is how much of what a command says is looked at: kubectl has up to ten KB for
	// each pod.
	outputMax = 16 << 20

	// pipeMax is how long the output is waited for once a command has ended: what it has
	// started may hold the pipe open.
	pipeMax = time.Second
)

// bounded keeps the beginning of what is written to it.
type bounded struct{ bytes.Buffer }

func (b *bounded) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), max(outputMax-b.Len(), 0))])
	return len(p), nil
}

// saidError is the error of a command that has failed, in its own words.
type saidError struct {
	code int
	text string
}

func (e *saidError) Error() string { return e.text }

// execute executes a command here, apart from this terminal, and gives what it says. Variables that
// begin so are left out of its environment; the ticket is one, as nodes are led by what they are
// told.
func execute(ctx context.Context, in io.Reader, without []string, words ...string) (string, error) {
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	var out, said bounded
	c.Stdin, c.Stdout, c.Stderr = in, &out, &said
	c.SysProcAttr = apart()
	c.WaitDelay = pipeMax
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool {
		return slices.ContainsFunc(without, func(begins string) bool { return strings.HasPrefix(v, begins) })
	})
	err := c.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.As(err, &exit):
		text := wording.LastLine(said.String())
		if text == "" {
			text = fmt.Sprintf("%s: %v", words[0], err)
		}
		err = &saidError{exit.ExitCode(), text}
	}
	return out.String(), err
}
