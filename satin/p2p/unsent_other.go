//go:build !linux

package p2p

import "net"

// limitUnsent does nothing where the kernel cannot be told; there a steal over
// a slow link may wait behind a large value.
func limitUnsent(*net.TCPConn) {}
