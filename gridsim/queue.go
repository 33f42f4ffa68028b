package gridsim

import "time"

// dueEvent is something that happens to the world, or to a process in it.
type dueEvent struct {
	at  time.Duration
	seq uint64
	tag uint64
	do  doable
	of  *host  // the process; nil: the world
	how manner // that process comes to do it
}

// doable is what an event does. Most are arrivals of messages, which need no function of their own.
type doable interface{ happens() }

// call is a doable that is a function.
type call func()

func (do call) happens() { do() }

// manner is how a process comes to do something. It is part of the event, as most are of processes:
// a function around each would be allocated with it.
type manner uint8

const (
	beside   manner = iota // its loop, which need not be free
	inTurn                 // by its loop
	whenFree               // its loop does what has waited longest
)

func (e *dueEvent) before(o *dueEvent) bool { return e.at < o.at || e.at == o.at && e.seq < o.seq }

// queue is a heap of events with the next one first. It is written here because it is where the
// simulator spends its time: container/heap would allocate for each event.
type queue []dueEvent

func (q *queue) push(e dueEvent) {
	*q = append(*q, e)
	all := *q
	n := len(all) - 1
	for n > 0 {
		up := (n - 1) / 4
		if !e.before(&all[up]) {
			break
		}
		all[n] = all[up]
		n = up
	}
	all[n] = e
}

func (q *queue) pop() dueEvent {
	all := *q
	first, last := all[0], all[len(all)-1]
	all[len(all)-1] = dueEvent{}
	all = all[:len(all)-1]
	*q = all
	n := 0
	for {
		least := 4*n + 1
		if least >= len(all) {
			break
		}
		for k := least + 1; k < min(4*n+5, len(all)); k++ {
			if all[k].before(&all[least]) {
				least = k
			}
		}
		if !all[least].before(&last) {
			break
		}
		all[n] = all[least]
		n = least
	}
	if len(all) > 0 {
		all[n] = last
	}
	return first
}
