//go:build !linux

package local

import (
	"errors"
	"os/exec"
	"runtime"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

// Cores are those that this process may use; only Linux tells.
func Cores() ([]int, error) {
	return nil, errors.New("a process can be held to one core on Linux only, not on " + runtime.GOOS)
}

func startOn(_ int, cmd *exec.Cmd) error { return cmd.Start() }
