//go:build !unix

package trace

import "time"

var started = time.Now()

// computed is how long this process has run, where nothing tells how long it has computed.
func computed() time.Duration { return time.Since(started) }
