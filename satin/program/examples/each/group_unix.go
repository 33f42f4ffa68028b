//go:build unix

package main

import (
	"os"
	"syscall"
)

// killGroup kills a process and all that it has started, unless they have left its group.
func killGroup(p *os.Process) { syscall.Kill(-p.Pid, syscall.SIGKILL) }

// codeOf is the exit code, as shells have it.
func codeOf(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return bySignal + int(w.Signal())
	}
	return s.ExitCode()
}
