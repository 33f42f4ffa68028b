package satin

import (
	"fmt"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// Compare has a best that came from outside compared, away from the loop: that is the program's
// code, and may panic or take long. One comparison of a run is open at a time.
func (d *plane) Compare(e peer.Compare) {
	g := d.runs[e.Run]
	from := d.loop.NameOf(e.From)
	d.loop.Go(func() {
		better := func() { d.compared(e, peer.Better, nil) }
		switch isBetter, err := g.compare(e.Best.Value, from, better); {
		case err != nil:
			d.compared(e, peer.Spoilt, err)
		case !isBetter:
			d.compared(e, peer.Worse, nil)
		}
	})
}

// compared brings a verdict to the machine, in order with what workers offer.
func (d *plane) compared(e peer.Compare, v peer.Merit, err error) {
	var why steal.Result
	if err != nil {
		why = packFatal(err)
	}
	d.loop.Post(func() {
		if err != nil {
			d.log.Warn("a best was dropped",
				"peer", d.loop.NameOf(e.From), "id", e.From, "error", err)
		}
		d.loop.Do(d.hears.Compared(d.loop.Now(), e.Run, e.Best.Digest, v, why))
	})
}

// compare makes a value the workers' best if it is better, and calls better then.
func (g *gridRun) compare(value []byte, from string, better func()) (isBetter bool, err error) {
	if g == nil {
		return false, fmt.Errorf(
			"satin: the best from %s is of a run whose root cannot be read here", from)
	}
	r := g.run
	task := r.pool.app.taskName(r.root.job)
	t := r.pool.app.byName[task]
	if t.order == nil {
		return false, fmt.Errorf(
			"satin: a best from %s, and the results of task %s have no Better", from, task)
	}
	failed := apart(func() { isBetter, err = t.order.compare(&r.best, value, better) })
	if failed != nil {
		return false, &PanicError{
			Task: task, Key: g.instance.Run, Peer: r.pool.name, Stack: failed.stack,
			Value: fmt.Sprintf("comparing the best from %s: %s", from, failed.text),
		}
	}
	if err != nil {
		err = fmt.Errorf("satin: the best of task %s from %s cannot be read: %w", task, from, err)
	}
	return isBetter, err
}

// Differ compares two answers to one submission, away from the loop.
func (d *plane) Differ(e peer.Differ) {
	d.loop.Go(func() {
		differ := d.app.differ(e)
		d.loop.Post(func() { d.loop.Do(d.hears.Differed(d.loop.Now(), e.Nonce, differ)) })
	})
}

// differ tells whether one of two answers is better than the other. One on which the order panics
// was delivered, or will be refused.
func (g *registry) differ(e peer.Differ) (differ bool) {
	t, ok := g.byName[e.Task]
	if !ok || t.order == nil {
		return false
	}
	failed := apart(func() { differ = t.order.differ(e.A, e.B) })
	return failed == nil && differ
}
