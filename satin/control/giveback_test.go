package control

import (
	"testing"
	"time"
)

// slowClock calls nothing before it is told to.
type slowClock struct {
	Clock
	due []func()
}

func (c *slowClock) AfterFunc(_ time.Duration, do func()) Timer {
	c.due = append(c.due, do)
	return nil
}

// What goes while memory is about to be given back is given back later: the runs that held it may
// have ended a moment before.
func TestWhatGoesMeanwhileIsGivenBackLater(t *testing.T) {
	clock := new(slowClock)
	l := newLoop(Config{Clock: clock})
	comes := func(want int) {
		t.Helper()
		if len(clock.due) != want {
			t.Fatalf("memory is to be given back %d times, wanted %d", len(clock.due), want)
		}
		for _, do := range clock.due {
			clock.due = nil
			do()
			l.doPosted()
			l.crew.Wait()
		}
	}
	l.giveBack(giveBackAt - 1)
	comes(0)
	l.giveBack(1)
	l.giveBack(giveBackAt)
	comes(1)
	comes(1)
	l.giveBack(giveBackAt - 1)
	comes(0)
}
