package satin

import (
	"context"
	"errors"
	"testing"

	"satingrid/satin/p2p"
)

// deadCarrier finds nobody, once it is told to look.
type deadCarrier struct {
	p2p.Carrier
	look chan struct{}
}

func (c deadCarrier) Dial(context.Context, ...string) (string, error) {
	<-c.look
	return "", p2p.ErrNobody
}

// A connection is tried once more while a great many messages wait for the same peer. What came of it is heard.
func TestRedialIsHeardBesideManyMessages(t *testing.T) {
	c := deadCarrier{look: make(chan struct{})}
	l := newLoop(Config{}, nil)
	l.carrier = c
	for range 100 {
		l.dial("x", []string{"a"}, nil)
	}
	var heard error
	l.dial("x", []string{"a"}, func(err error) { heard = err })
	close(c.look)
	l.crew.Wait()
	l.doPosted()
	if !errors.Is(heard, p2p.ErrNobody) || len(l.dialing) != 0 {
		t.Errorf("heard %v; %d dials are under way", heard, len(l.dialing))
	}
}
