package local

import (
	"fmt"
	"os/exec"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes let the kernel kill the child when its parent dies, however that happens.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// Cores are those that this process may use.
func Cores() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("local: which cores there are: %w", err)
	}
	var cores []int
	for i := range len(set) * 64 {
		if set.IsSet(i) {
			cores = append(cores, i)
		}
	}
	return cores, nil
}

// startOn starts a command on one core. A child has the affinity of the thread that forks it, so
// all of its threads have it from the first instruction on.
func startOn(core int, cmd *exec.Cmd) error {
	if core < 0 {
		return cmd.Start()
	}
	runtime.LockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	one.Set(core)
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return err
	}
	started := cmd.Start()
	if err := unix.SchedSetaffinity(0, &before); err != nil {
		return err // and the thread, which is on one core now, ends with its goroutine
	}
	runtime.UnlockOSThread()
	return started
}
