package cdcl

import "slices"

// queue has the variables that some clause has, those last that conflicts had to do with last. With
// many restarts the last free one is the next decision (Ryan's VMTF; Biere and Fröhlich, SAT 2015).
type queue struct {
	before, after []int32 // by variable: its neighbours, or nobody
	stamp         []int64 // by variable: when it was put last; they grow along the queue
	last          int32
	open          int32 // behind it no variable is free
	time          int64
	keys          []uint64 // of raiseAll
}

const nobody int32 = -1

// varBits are those of a number that tells a variable; those above it tell when the variable was
// put last, after less than 2^38 others.
const varBits = 26

func (q *queue) init(vars int) {
	q.before, q.after = make([]int32, vars), make([]int32, vars)
	q.stamp = make([]int64, vars)
	q.last, q.open = nobody, nobody
}

// push puts a variable last that is not there.
func (q *queue) push(v uint32) {
	q.time++
	q.stamp[v] = q.time
	q.before[v], q.after[v] = q.last, nobody
	if q.last != nobody {
		q.after[q.last] = int32(v)
	}
	q.last = int32(v)
}

// remove takes a variable out.
func (q *queue) remove(v uint32) {
	b, a := q.before[v], q.after[v]
	if b != nobody {
		q.after[b] = a
	}
	if a != nobody {
		q.before[a] = b
	} else {
		q.last = b
	}
	if q.open == int32(v) {
		if q.open = b; b == nobody {
			q.open = a
		}
	}
}

// raise puts a variable last that has a value.
func (q *queue) raise(v uint32) {
	if q.last != int32(v) {
		q.remove(v)
		q.push(v)
	}
}

// raiseAll puts the variables of some literals last, in the order in which they are.
func (q *queue) raiseAll(list []lit) {
	q.keys = q.keys[:0]
	for _, l := range list {
		q.keys = append(q.keys, uint64(q.stamp[l.vari()])<<varBits|uint64(l.vari()))
	}
	slices.Sort(q.keys)
	for _, k := range q.keys {
		q.raise(uint32(k & (1<<varBits - 1)))
	}
}

// free is told of each variable that has lost its value.
func (q *queue) free(v uint32) {
	if q.open == nobody || q.stamp[v] > q.stamp[q.open] {
		q.open = int32(v)
	}
}

// next is the last variable that is free, or nobody.
func (q *queue) next(values []int8) int32 {
	for q.open != nobody && values[q.open<<1] != 0 {
		q.open = q.before[q.open]
	}
	return q.open
}
