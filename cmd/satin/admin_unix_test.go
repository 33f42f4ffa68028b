//go:build unix

package main

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// TestSlowActions interrupts commands that wait for a node, once they have said for what.
func TestSlowActions(t *testing.T) {
	t.Parallel()
	folder := listening(t, &administered{do: func(ctx context.Context, _ admin.Request, _ func(string)) error {
		<-ctx.Done()
		return ctx.Err()
	}})
	for _, c := range []struct {
		line   string
		signal syscall.Signal
		said   string
		code   int
	}{
		{"leave b/1 --wait", syscall.SIGTERM, "satin: waiting until they have left, each within 20s\n", 143},
		{"migrate --from a --to b --deadline 5s", syscall.SIGINT, "satin: waiting until they have left, each within 5s\n", 130},
		{"leave b/1", syscall.SIGTERM, "satin: waiting until they are seen to leave\n", 143},
		{"kick b/1", syscall.SIGINT, "satin: the node has been told, and has not answered yet\n", 130},
	} {
		process, said := underway(t, exec.Command(binary, append(strings.Fields(c.line), "--state", folder)...), c.said)
		process.Process.Signal(c.signal)
		end(t, process, said, c.code, "satin: interrupted; who has been told to leave leaves all the same")
	}
}

// TestFailedAction: what a node could not do is said, with the exit code that it gives.
func TestFailedAction(t *testing.T) {
	folder := listening(t, &administered{do: func(_ context.Context, _ admin.Request, say func(string)) error {
		say("b/1 has left after 0.1 s")
		return &admin.Failure{Code: console.ExitFailed, Text: "b/2 and b/3 did not leave in order"}
	}})
	code, out, err := inProcess("leave", "--site", "b", "--wait", "--state", folder)
	if code != console.ExitFailed || out != "b/1 has left after 0.1 s\n" || err != "satin: b/2 and b/3 did not leave in order\n" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}
