package observe

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// groupMemory is where a container has the memory that it may use.
const groupMemory = "/sys/fs/cgroup/memory.max"

// Machine is how much memory a process may have here, and how many want a core, on average over a
// minute; 0 and nil where that is not known.
func Machine() (memory int64, load *float64) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0, nil
	}
	memory = int64(uint64(info.Totalram) * uint64(info.Unit))
	if text, err := os.ReadFile(groupMemory); err == nil {
		if most, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && most > 0 {
			memory = min(memory, most)
		}
	}
	const one = 1 << 16 // the kernel's figure for a load of 1
	average := float64(info.Loads[0]) / one
	return memory, &average
}
