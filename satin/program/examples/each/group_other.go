//go:build !unix

package main

import (
	"os"
	"syscall"
)

// inGroup is nothing: there are no process groups here.
func inGroup() *syscall.SysProcAttr { return nil }

func killGroup(p *os.Process) { p.Kill() }

func codeOf(s *os.ProcessState) int { return s.ExitCode() }
