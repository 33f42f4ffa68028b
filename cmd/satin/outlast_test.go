//go:build unix

package main

import (
	"strconv"
	"testing"
)

// load is a run of some length, and the number that it answers.
type load struct {
	args  []string
	name  string // of the number in the document
	value float64
}

// boards are runs of nqueens, each about six times as long as the one before: a third of a second
// of one core and more. Each test begins with the shortest that mostly lasts.
var boards = []load{
	queens(14, 365596), queens(15, 2279184), queens(16, 14772512), queens(17, 95815104), queens(18, 666090624),
}

func queens(n int, solutions float64) load {
	return load{[]string{"nqueens", strconv.Itoa(n)}, "solutions", solutions}
}

// numbers are runs of fib, each about two and a half times as long as the one before: some seconds
// of one core and more.
var numbers = fibs(42, 50)

func fibs(from, to int) (all []load) {
	value, next := 1.0, 1.0
	for n := 2; n <= to; n++ {
		value, next = next, value+next
		if n >= from && n%2 == 0 {
			all = append(all, load{[]string{"fib", strconv.Itoa(n)}, "value", value})
		}
	}
	return all
}

// outlasting plays a scene in runs, each longer than the one before, until one lasts until the
// scene is over: nobody knows how fast this machine is. A scene says whether its run did.
func outlasting(t *testing.T, loads []load, scene func(load) bool) {
	t.Helper()
	for _, w := range loads {
		if scene(w) || t.Failed() {
			return
		}
	}
	t.Error("no run lasted until its scene was over")
}

// workload is the same run for the campaign.
func (w load) workload() *workload {
	return &workload{args: w.args, compare: []string{w.name}, want: map[string]any{w.name: w.value}}
}
