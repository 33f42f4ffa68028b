//go:build unix

package p2p

import (
	"os"
	"syscall"
)

func stopSignals() (stop, cont os.Signal) { return syscall.SIGSTOP, syscall.SIGCONT }
