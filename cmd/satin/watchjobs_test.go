//go:build unix

package main

import (
	"bufio"
	"context"
	"os/exec"
	"syscall"
	"testing"
)

// TestInterruptedJobs: jobs --watch lists until the first interrupt, through a node and with a
// ticket.
func TestInterruptedJobs(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	for _, way := range [][]string{{"--state", n.folder}, {"--join", n.ticket, "--state", t.TempDir()}} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		c := exec.CommandContext(ctx, binary, append([]string{"jobs", "--watch"}, way...)...)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		c.Process.Signal(syscall.SIGINT)
		c.Wait()
		if code := c.ProcessState.ExitCode(); code != 130 {
			t.Errorf("%q: exit %d", way, code)
		}
	}
}
