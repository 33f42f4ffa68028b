package build

import (
	"os"
	"runtime"
)

// started is the file that this program was started from, opened before anybody can put another in
// its place. On Linux the kernel keeps it, so that nothing need be open meanwhile.
var started, startedError = openStarted()

func openStarted() (*os.File, error) {
	if runtime.GOOS == "linux" {
		return nil, nil
	}
	name, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(name)
}

// openExecutable opens what this program was started from, once.
func openExecutable() (*os.File, error) {
	if started != nil || startedError != nil {
		return started, startedError
	}
	return os.Open("/proc/self/exe")
}
