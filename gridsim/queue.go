package gridsim

import "time"

// event is something that happens to the world.
type event struct {
	at  time.Duration
	seq uint64
	tag uint64
	do  func()
}

func (e *event) before(o *event) bool { return e.at < o.at || e.at == o.at && e.seq < o.seq }

// queue is a heap of events with the next one first. It is written here because it is where the
// simulator spends its time: container/heap would allocate for each event.
type queue []event

func (q *queue) push(e event) {
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

func (q *queue) pop() event {
	all := *q
	first, last := all[0], all[len(all)-1]
	all[len(all)-1] = event{}
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
