package await

import (
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

// TestNoLeaksWaits: a goroutine that ends a little after its test is no leak.
func TestNoLeaksWaits(t *testing.T) {
	var ended atomic.Bool
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
