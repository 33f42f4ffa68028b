//go:build !unix

package local

import (
	"errors"
	"os"
)

var errSignals = errors.New("this system cannot stop a process and let it go on")

func suspend(*os.Process) error { return errSignals }
func resume(*os.Process) error  { return errSignals }
