//go:build unix

package trace

import (
	"syscall"
	"time"
)

// computed is how long this process has computed: what a benchmark takes on a machine
// that others use, too.
func computed() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
