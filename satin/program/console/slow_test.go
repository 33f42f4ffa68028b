package console

import (
	"testing"
	"testing/synctest"
	"time"
)

func TestWhileSlow(t *testing.T) {
	said := make(chan struct{}, 1)
	WhileSlow(func() {}, func() { said <- struct{}{} })
	if len(said) > 0 {
		t.Error("something quick was talked about")
	}
	WhileSlow(func() {
		select {
		case <-said:
		case <-time.After(time.Minute):
			t.Error("nothing was said for a minute")
		}
	}, func() { said <- struct{}{} })
}

// TestNothingIsSaidAfterAPanic: what panics is over, so nobody says later that it is slow.
func TestNothingIsSaidAfterAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		said := 0
		func() {
			defer func() { recover() }()
			WhileSlow(func() { panic("no ink") }, func() { said++ })
		}()
		time.Sleep(2 * Quiet)
		if said > 0 {
			t.Error("what had panicked was said to be slow")
		}
	})
}
