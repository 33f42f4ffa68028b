package console

import (
	"testing"
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
