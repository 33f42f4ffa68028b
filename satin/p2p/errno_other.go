//go:build !windows

package p2p

import "syscall"

const (
	errRefused = syscall.ECONNREFUSED
	errReset   = syscall.ECONNRESET
	errAborted = syscall.EPIPE
	errInUse   = syscall.EADDRINUSE
)
