//go:build unix && !linux

package main

import "syscall"

// inGroup makes a process the first of its group.
func inGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
