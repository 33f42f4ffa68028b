package observe

import (
	"runtime/metrics"
)

// Memory is how many bytes of memory this process has from its machine for Go.
func Memory() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s) // unlike runtime.ReadMemStats it stops nobody
	for i := range s {
		if s[i].Value.Kind() != metrics.KindUint64 {
			return 0
		}
	}
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64())
}
