package main

import "syscall"

// inGroup makes a process the first of its group. The kernel kills it when the peer is gone.
func inGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
