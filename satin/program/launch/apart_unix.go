//go:build unix

package launch

import "syscall"

// apart has a child be of no terminal, and in no group that is interrupted with this process.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
