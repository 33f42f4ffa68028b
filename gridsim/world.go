package gridsim

import (
	"container/heap"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// lastMax is how many events a failure tells of.
const lastMax = 40

// World is a simulated grid.
type World struct {
	opts   Options
	rng    *rand.Rand
	now    time.Duration
	queue  queue
	seq    uint64
	events uint64
	log    hash.Hash
	buf    []byte
	last   []string // the latest events, as text
	hosts  []*host  // in the order in which they were started; the submitter is the first
	byID   map[membership.PeerID]*host
	links  map[[2]int]*link
	calm   bool // the faults of links have stopped
	err    error
	report Report
	work   Workload
	spoil  func(*peer.Message) bool // a planted defect of the protocol, for tests: change a message, or say that it is never sent
}

// event is something that happens to the world.
type event struct {
	at  time.Duration
	seq uint64
	do  func()
}

type queue []event

func (q queue) Len() int { return len(q) }
func (q queue) Less(a, b int) bool {
	return q[a].at < q[b].at || q[a].at == q[b].at && q[a].seq < q[b].seq
}
func (q queue) Swap(a, b int) { q[a], q[b] = q[b], q[a] }
func (q *queue) Push(x any)   { *q = append(*q, x.(event)) }
func (q *queue) Pop() any {
	old := *q
	e := old[len(old)-1]
	old[len(old)-1] = event{}
	*q = old[:len(old)-1]
	return e
}

func newWorld(o Options) *World {
	return &World{
		opts: o, rng: rand.New(rand.NewPCG(o.Seed, 0x6772696473696d)), log: sha256.New(),
		byID: map[membership.PeerID]*host{}, links: map[[2]int]*link{}, work: o.Workload, spoil: o.spoil,
	}
}

// after lets something happen in d from now.
func (w *World) after(d time.Duration, do func()) {
	w.seq++
	heap.Push(&w.queue, event{w.now + d, w.seq, do})
}

// step lets the next event happen.
func (w *World) step() bool {
	if len(w.queue) == 0 {
		return false
	}
	e := heap.Pop(&w.queue).(event)
	w.now = e.at
	w.events++
	e.do()
	return true
}

// note puts what happens into the hash, and into the text that a failure prints.
func (w *World) note(h *host, what string, kind uint8, a, b uint64) {
	w.buf = binary.LittleEndian.AppendUint64(w.buf[:0], uint64(w.now))
	w.buf = append(append(w.buf, what...), kind, byte(h.no))
	w.buf = binary.LittleEndian.AppendUint64(w.buf, a)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, b)
	w.log.Write(w.buf)
	if w.opts.Trace {
		if len(w.last) == lastMax {
			w.last = w.last[1:]
		}
		w.last = append(w.last, fmt.Sprintf("%v %s %s kind %d: %d %d", w.now, h.id, what, kind, a, b))
	}
}

// fail records what a checker found; the first finding counts.
func (w *World) fail(checker, format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf("gridsim: seed %d at %v: %s: %s", w.opts.Seed, w.now, checker, fmt.Sprintf(format, args...))
	}
}
