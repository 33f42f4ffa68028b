package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// tick is the unit of processor time in /proc, on every Linux there is.
const tick = 10 * time.Millisecond

// cost is the processor time that a process has used and the memory that it has, where
// the system has /proc.
func cost(pid int) (cpu time.Duration, rss int64, ok bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, 0, false
	}
	// The second field, the name in parentheses, may have spaces; what follows has none.
	// See proc_pid_stat(5).
	_, rest, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(rest)
	if len(f) < 22 {
		return 0, 0, false
	}
	user, err1 := strconv.Atoi(f[11])
	system, err2 := strconv.Atoi(f[12])
	pages, err3 := strconv.ParseInt(f[21], 10, 64)
	return time.Duration(user+system) * tick, pages * int64(os.Getpagesize()), err1 == nil && err2 == nil && err3 == nil
}
