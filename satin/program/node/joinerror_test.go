package node

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/program/console"
)

// TestJoinErrors: why a grid could not be joined, the exit code that belongs to it, and what to do.
func TestJoinErrors(t *testing.T) {
	for _, x := range []struct {
		err  error
		code int
		says string
	}{
		{satin.ErrGridFull, console.ExitRefused, "is full"},
		{fmt.Errorf("satin: join: %w", &p2p.DeniedError{Why: p2p.WhyBarred}), console.ExitRefused, "kick --undo"},
		{&p2p.DeniedError{Why: p2p.WhyWrongSecret}, console.ExitRefused, "secret"},
		{&p2p.DeniedError{Why: p2p.WhyVersion}, console.ExitIncompatible, "version"},
		{p2p.ErrNobody, console.ExitRefused, "nobody answers"},
		{p2p.ErrStateBusy, console.ExitUsage, "state"},
	} {
		err := JoinError(testConsole(), x.err, &Invitation{Said: "g.ticket"})
		var exit *console.Error
		if !errors.As(err, &exit) || exit.Code != x.code || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%v: %v, want exit code %d and a word of %q", x.err, err, x.code, x.says)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%v: more than a line", x.err)
		}
	}
}
