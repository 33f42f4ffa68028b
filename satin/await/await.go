// Package await is how tests wait: for something that happens, never for a time.
//
// [Until] waits for what must happen, [Comes] for what should, and [NoLeaks] until no goroutine is
// left of a test.
//
// Testify's Eventually looks from another goroutine, which may not end the test and may outlive it,
// and gomega's at one pace; here the test itself looks, again after 50 µs and then ever less often.
//
// # Limitations
//
// What is waited for may be state of any kind, which wakes nobody. So it is looked at again and
// again, for as long as [Patience].
package await

import (
	"bytes"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"
)

// Patience is for what must happen; a machine with other work is slow.
const Patience = 90 * time.Second

// Comes waits for something that should happen, and tells whether it has.
func Comes(so func() bool) bool {
	late := time.Now().Add(Patience)
	for pause := 50 * time.Microsecond; !so(); pause = min(2*pause, 5*time.Millisecond) {
		if time.Now().After(late) {
			return false
		}
		time.Sleep(pause)
	}
	return true
}

// Until waits for something that must happen.
func Until(t testing.TB, what string, so func() bool) {
	t.Helper()
	UntilOr(t, so, func() string { return "never: " + what })
}

// UntilOr waits for something that must happen, and has the test say what is there instead.
func UntilOr(t testing.TB, so func() bool, instead func() string) {
	t.Helper()
	if !Comes(so) {
		t.Fatal(instead())
	}
}

// NoLeaks fails the test when goroutines outlive it. It is called before any begins.
func NoLeaks(t testing.TB) {
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		UntilOr(t, func() bool { return runtime.NumGoroutine() <= before }, func() string {
			var b bytes.Buffer
			if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
				return err.Error()
			}
			return "goroutines are left:\n" + b.String()
		})
	})
}
