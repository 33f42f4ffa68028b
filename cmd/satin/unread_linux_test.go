package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// fullPipe is a pipe that nobody reads, and that takes nothing any more.
func fullPipe(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	fd := int(w.Fd()) // blocking from here on
	if err := syscall.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for filler := make([]byte, 4096); len(filler) > 0; {
		if _, err := syscall.Write(fd, filler); errors.Is(err, syscall.EAGAIN) {
			filler = filler[:len(filler)/2] // to the last byte
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
	return w
}

// TestNobodyReadsWhatItSays: a terminal that is held, or a reader that is stopped, keeps a node
// from nothing: it answers while others come and go, which it would say, and leaves when it is told
// to.
func TestNobodyReadsWhatItSays(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "a")
	b := &node{folder: filepath.Join(t.TempDir(), "state")}
	b.process = exec.Command(binary, "node", "--workers", "1", "--site", "b", "--state", b.folder, "--listen", anyPort, "--join", a.ticket)
	pipe := fullPipe(t)
	b.process.Stdout, b.process.Stderr = pipe, pipe
	if err := b.process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.process.Process.Kill(); b.process.Wait() })
	two := func(s admin.Status) bool { return len(s.Members) == 2 }
	a.await(t, "b is here", two)
	await.Until(t, "b can be asked, which comes after it has joined", func() bool {
		_, err := admin.Ask(b.folder)
		return err == nil
	})
	for range 2 { // each is a line that b would print
		c := startNode(t, "--site", "c", "--join", a.ticket)
		c.await(t, "c is here", func(s admin.Status) bool { return len(s.Members) == 3 })
		c.kill()
		a.await(t, "c is gone", two)
		b.await(t, "b sees that", two) // asked over its socket: by way of its loop
	}
	began := time.Now()
	b.process.Process.Signal(syscall.SIGTERM)
	kill := time.AfterFunc(patience, func() { b.process.Process.Kill() })
	err := b.process.Wait()
	kill.Stop()
	if code := b.process.ProcessState.ExitCode(); code != console.ExitOK {
		t.Errorf("told to leave, it ends with %d (%v) after %v", code, err, time.Since(began))
	}
	a.awaitMembers(t, a)
}
