//go:build unix

package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/satin/program/console"
)

// stubborn is the environment in which the test binary is a run that does not
// stop when it is told to.
const stubborn = "SATIN_TEST_STUBBORN=1"

func init() {
	if name, value, _ := strings.Cut(stubborn, "="); os.Getenv(name) != value {
		return
	}
	stop := console.New("satin", os.Stdout, os.Stderr).Catch(nil)
	os.Stderr.WriteString("satin: running fib 90\n")
	<-stop.First
	os.Stderr.WriteString("told\n")
	select {}
}

// under starts a run that no signal finds finished, in a process group of its own, and returns
// when it is under way.
func under(t *testing.T, c *exec.Cmd) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	return underway(t, c, "satin: running fib 90\n")
}

// underway starts a command in a process group of its own, and returns when it has said a line.
func underway(t *testing.T, c *exec.Cmd, want string) (*exec.Cmd, *bufio.Reader) {
	t.Helper()
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	pipe, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill() })
	said := bufio.NewReader(pipe)
	var lines []string
	for {
		line, err := said.ReadString('\n')
		if line == want {
			return c, said
		}
		if lines = append(lines, line); err != nil {
			t.Fatalf("it said %q (%v), wanted %q", lines, err, want)
		}
	}
}

// end waits for the process and checks its exit code, its last words and that
// nothing of it is left.
func end(t *testing.T, c *exec.Cmd, said *bufio.Reader, code int, words string) {
	t.Helper()
	timer := time.AfterFunc(patience, func() { c.Process.Kill() })
	defer timer.Stop()
	rest, _ := io.ReadAll(said)
	c.Wait()
	if got := c.ProcessState.ExitCode(); got != code {
		t.Errorf("exit %d, wanted %d", got, code)
	}
	if lines := strings.Split(strings.TrimSuffix(string(rest), "\n"), "\n"); !strings.HasPrefix(lines[len(lines)-1], words) {
		t.Errorf("it said %q, wanted %q…", rest, words)
	}
	if err := syscall.Kill(-c.Process.Pid, 0); err != syscall.ESRCH {
		t.Errorf("processes are left: %v", err)
	}
}

func TestInterruptOnce(t *testing.T) {
	t.Parallel()
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		c, said := under(t, exec.Command(binary, "run", "fib", "90"))
		c.Process.Signal(sig)
		end(t, c, said, code, "satin: interrupted after ")
	}
}

// TestInterruptedStudies: what measures or simulates for minutes says that it was interrupted, and
// its processes go.
func TestInterruptedStudies(t *testing.T) {
	t.Parallel()
	for _, study := range []string{"sim growth", "bench", "bench far", "bench observe", "bench eta"} {
		t.Run(study, func(t *testing.T) {
			t.Parallel()
			c, said := underway(t, exec.Command(binary, strings.Fields(study)...), "satin: running "+study+"\n")
			c.Process.Signal(syscall.SIGINT)
			end(t, c, said, 130, "satin: interrupted before all was ")
		})
	}
}

// TestInterruptTwice interrupts a run that does not stop: the second time ends it at once.
func TestInterruptTwice(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(program)
	c.Env = append(os.Environ(), stubborn)
	c, said := under(t, c)
	c.Process.Signal(syscall.SIGINT)
	if line, err := said.ReadString('\n'); line != "told\n" {
		// or both signals might arrive as one
		t.Fatalf("after the first signal it says %q (%v)", line, err)
	}
	// Within a second it is the same one.
	ended := make(chan struct{})
	go func() {
		for every := time.NewTicker(200 * time.Millisecond); ; {
			select {
			case <-every.C:
				c.Process.Signal(syscall.SIGINT)
			case <-ended:
				return
			}
		}
	}()
	began := time.Now()
	end(t, c, said, 130, "satin: stopped at once")
	close(ended)
	if took := time.Since(began); took < 900*time.Millisecond {
		t.Errorf("it stopped at once %v after the first signal", took)
	}
}
