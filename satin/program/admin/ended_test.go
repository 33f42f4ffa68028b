package admin

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// leaverFolder names, in the environment, the folder in which this process is a node that leaves
// when it is told to.
const leaverFolder = "SATIN_TEST_LEAVER"

func TestMain(m *testing.M) {
	if folder := os.Getenv(leaverFolder); folder != "" {
		fmt.Println(leaveIn(folder))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// leaveIn is such a node. What it does last, before its process ends, is to write a file.
func leaveIn(folder string) error {
	left := make(chan struct{})
	s, err := Listen(folder, &fakeNode{over: true, do: func(_ context.Context, r Request, say func(string)) error {
		defer close(left)
		say("a/1 has left after 0.0 s")
		if r.Site == "late" {
			return &Failure{1, "a/1 did not leave in order"}
		}
		return nil
	}})
	if err != nil {
		return err
	}
	fmt.Println("listens")
	<-left
	if err := s.Close(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(folder, "stays")); err == nil {
		select {}
	}
	time.Sleep(200 * time.Millisecond)
	if err := os.WriteFile(filepath.Join(folder, "ended"), nil, 0o600); err != nil {
		return err
	}
	os.Exit(0)
	return nil
}

// leaver starts such a process.
func leaver(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), leaverFolder+"="+folder)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "listens\n" {
		t.Skipf("no unix sockets here: %s %v", line, err)
	}
	return c
}

// TestTellUntilItsProcessHasEnded: whoever waits for a node that leaves finds its folder free.
func TestTellUntilItsProcessHasEnded(t *testing.T) {
	for _, c := range []struct {
		site, fails string
	}{{"a", ""}, {"late", "a/1 did not leave in order"}} {
		folder := t.TempDir()
		leaver(t, folder)
		said := ""
		err := Tell(t.Context(), folder, Request{Do: Leave, Site: c.site, Wait: true}, func(line string) { said = line })
		if said != "a/1 has left after 0.0 s" || fmt.Sprint(err) != c.fails && (err != nil || c.fails != "") {
			t.Errorf("%q, %v; wanted %q", said, err, c.fails)
		}
		if _, err := os.Stat(filepath.Join(folder, "ended")); err != nil {
			t.Errorf("the process goes on: %v", err)
		}
	}
}

// TestTellOfAProcessThatStays: it is not waited for without end, and who it is is said.
func TestTellOfAProcessThatStays(t *testing.T) {
	for _, wait := range []bool{true, false} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "stays"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		c := leaver(t, folder)
		err := tell(t.Context(), folder, Request{Do: Leave, Site: "late", Wait: wait}, func(string) {}, 50*time.Millisecond)
		want := "a/1 did not leave in order"
		if wait {
			want += fmt.Sprintf("; its process %d is still there after 0.05 s", c.Process.Pid)
		}
		var failure *Failure
		if !errors.As(err, &failure) || failure.Code != 1 || !strings.HasPrefix(failure.Text, want) || !wait && failure.Text != want {
			t.Errorf("%v; wanted %q", err, want)
		}
	}
}
