package await

import (
	"runtime"
	"sync/atomic"
	"testing"
)

// TestComesLooksAgain: what is not so at first is looked at until it is.
func TestComesLooksAgain(t *testing.T) {
	looks := 0
	if !Comes(func() bool { looks++; return looks == 5 }) || looks != 5 {
		t.Errorf("%d looks", looks)
	}
}

// begun are the goroutines that there are before any test.
var begun = runtime.NumGoroutine()

// TestNoLeaksWaits: a goroutine that ends a little after its test is no leak.
func TestNoLeaksWaits(t *testing.T) {
	var ended atomic.Bool
	// that of a test before may be about to end: it would be counted
	Until(t, "this test's is the only one", func() bool { return runtime.NumGoroutine() <= begun+1 })
	t.Run("leaves one", func(t *testing.T) {
		NoLeaks(t)
		go func() {
			<-t.Context().Done() // which is over when the test's cleanup begins
			ended.Store(true)
		}()
	})
	if !ended.Load() {
		t.Error("the goroutine was not waited for")
	}
}
