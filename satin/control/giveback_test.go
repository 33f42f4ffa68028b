package control

import (
	"sync"
	"testing"
	"time"
)

// slowClock calls what is due within some time, when it is told to.
type slowClock struct {
	Clock
	due map[time.Duration][]func()
}

func (c *slowClock) AfterFunc(after time.Duration, do func()) Timer {
	c.due[after] = append(c.due[after], do)
	return nil
}

// What goes while memory is about to be given back is given back later: the runs that held it may
// have ended a moment before. And all is given back once more, as it may be held on to for longer.
func TestWhatGoesMeanwhileIsGivenBackLater(t *testing.T) {
	clock := &slowClock{due: map[time.Duration][]func(){}}
	p, by := newPosted(), new(sync.WaitGroup)
	g := giveBack{clock: clock, post: p.post, by: by}
	comes := func(after time.Duration, want int) {
		t.Helper()
		due := clock.due[after]
		delete(clock.due, after)
		if len(due) != want {
			t.Fatalf("memory is to be given back after %v %d times, wanted %d", after, len(due), want)
		}
		for _, do := range due {
			do()
			p.doAll()
			by.Wait()
		}
	}
	g.gone(giveBackAt - 1)
	comes(giveBackSoon, 0)
	g.gone(1)
	g.gone(giveBackAt)
	comes(giveBackSoon, 1)
	comes(giveBackSoon, 1)
	comes(giveBackLate, 2)
	g.gone(giveBackAt - 1)
	comes(giveBackSoon, 0)
	comes(giveBackLate, 0)
	g.came(giveBackAt, 1)
	comes(giveBackSoon, 0) // a run may hold on to it
	g.gone(0)
	comes(giveBackSoon, 1)
	comes(giveBackLate, 1)
	g.came(giveBackAt, 0)
	comes(giveBackSoon, 1)
}
