package p2p

import "syscall"

// Winsock has numbers of its own, which package syscall's names do not match.
const (
	errRefused = syscall.Errno(10061)
	errReset   = syscall.Errno(10054)
	errAborted = syscall.Errno(10053)
	errInUse   = syscall.Errno(10048)
)
