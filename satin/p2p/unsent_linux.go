package p2p

import (
	"net"

	"golang.org/x/sys/unix"
)

// unsentBytes is how much the kernel takes of a connection beyond what is on
// its way. Without it the kernel takes megabytes, and on a slow link a steal
// waits behind them.
const unsentBytes = 128 << 10

func limitUnsent(c *net.TCPConn) {
	raw, err := c.SyscallConn()
	if err != nil {
		return
	}
	raw.Control(func(fd uintptr) {
		unix.SetsockoptInt(int(fd), unix.IPPROTO_TCP, unix.TCP_NOTSENT_LOWAT, unsentBytes)
	})
}
