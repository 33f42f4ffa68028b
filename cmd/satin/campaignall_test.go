//go:build unix

package main

import (
	"regexp"
	"strconv"
)

// lossOfAll is the fault of roundAll.
const lossOfAll = "loss of all"

// roundAll kills all nodes at once, in the middle of a run of which each has results stored, and
// starts them again with their folders.
func (c *campaign) roundAll() {
	outlasting(c.t, boards[1:], func(l load) bool {
		g := newOutliver(c.t, "a", "b")
		defer g.killAll()
		w := l.workload()
		run := startJoined(c.t, nil, g.nodes[0].ticket, w.args...)
		for !g.eachHasResults() {
			if run.over() {
				return false
			}
		}
		g.killAll()
		if run.over() {
			return false
		}
		c.faults[lossOfAll]++
		g.startAgain(g.nodes...)
		c.judge(w, "with the loss of all nodes, "+run.said, run.result())
		for _, n := range g.nodes { // one that is in when the run is over says nothing
			c.restored += restored(n.said(c.t))
		}
		return true
	})
}

// restored is how many results that were stored there a node says that runs go on with.
func restored(said string) (n int) {
	for _, m := range regexp.MustCompile(`stored here: ([0-9]+) result`).FindAllStringSubmatch(said, -1) {
		some, _ := strconv.Atoi(m[1]) // they are digits
		n += some
	}
	return n
}
