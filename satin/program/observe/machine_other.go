//go:build !linux

package observe

// Machine is how much memory a process may have here, and how many want a core: neither is known.
func Machine() (memory int64, load *float64) { return 0, nil }
