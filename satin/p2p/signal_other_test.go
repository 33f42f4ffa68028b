//go:build !unix

package p2p

import "os"

func stopSignals() (stop, cont os.Signal) { return nil, nil }
