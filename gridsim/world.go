package gridsim

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// lastMax is how many events a failure tells of.
const lastMax = 60

// World is a simulated grid.
type World struct {
	timeline
	who population
	net network

	opts   Options
	rng    *rand.Rand
	log    runningSum
	last   []string // the latest events, as text
	err    error
	report Report
	work   Workload
	values rightValues
	left   int      // submissions that have not been answered
	kept   deposits // runs that were left to the grid
	posts  uint64   // events of the data planes that have reached their peers

	looked   int             // how many times a host was looked at, one after another
	longest  time.Duration   // of the jobs that were begun
	deaths   int             // of processes by a job of a Deadly workload
	hidden   bool            // a fault has hidden living peers
	admitted map[string]bool // checkers that a hostile member can make find something
	falls    falls           // of masters that were killed
	// sites to which peers were to move, and did not since nobody was left there
	deserted map[membership.Site]bool
	// how many jobs hosts said that they have spawned, in a world with asides
	worked map[teller]uint64
	done   map[steal.Key]*doneFor // of what was done for runs, by their keys
	// times that a host became a run's master
	takeovers int
	// what was read from disks
	fromDisk map[steal.Key]bool
	// takes the answers, for tests that expect another than that of one core
	hear func(peer.Deliver)
	// whoever watches it, where people ask
	rehearsal *Rehearsal
}

func newWorld(o Options) *World {
	w := &World{
		opts: o, rng: rand.New(rand.NewPCG(o.Seed, 0x6772696473696d)),
		work: o.Workload, values: rightValues{work: o.Workload},
		deserted: map[membership.Site]bool{}, worked: map[teller]uint64{}, done: map[steal.Key]*doneFor{},
		fromDisk: map[steal.Key]bool{},
	}
	w.kept.w = w
	w.who = population{sites: o.Sites, draw: w.rng, byID: map[membership.PeerID]*host{}}
	w.net = network{
		time: &w.timeline, who: &w.who, opts: &w.opts, draw: w.rng, report: &w.report,
		codec: packets{opts: &w.opts, finds: w.fail, beats: map[[2]membership.Incarnation]packet{}},
		note:  w.note, places: map[string]*host{}, links: map[[2]int]*link{}, spoil: o.spoil,
	}
	if o.Net != nil {
		w.net.shared = newSharing(&w.net, o.Net)
	}
	return w
}

// step lets the next event happen.
func (w *World) step() {
	e, stands := w.next()
	if stands {
		w.fail("machine", "time stands still: a deadline that ticks do not meet")
	}
	if e.of != nil {
		e.ofProcess()
	} else {
		e.do.happens()
	}
	if len(w.falls) > 0 {
		w.crashSuccessors()
	}
	if w.net.shared != nil {
		w.net.shared.settle()
	}
}

// runningSum is a sum of numbers in their order: two lanes of splitmix64. It tells two executions
// apart, and withstands no malice.
type runningSum [2]uint64

func (d *runningSum) add(x uint64) {
	d[0] = mix(d[0] ^ x)
	d[1] = mix(d[1] + x ^ d[0])
}

func (d *runningSum) sum() (out [16]byte) {
	binary.LittleEndian.PutUint64(out[:8], d[0])
	binary.LittleEndian.PutUint64(out[8:], d[1])
	return out
}

// note puts what happens into the hash, and into the text that a failure prints.
func (w *World) note(h *host, what string, kind uint8, a, b uint64) {
	var name [8]byte
	copy(name[:], what)
	w.log.add(uint64(w.now))
	w.log.add(binary.LittleEndian.Uint64(name[:]))
	w.log.add(uint64(kind)<<32 | uint64(h.no))
	w.log.add(a)
	w.log.add(b)
	if w.opts.Trace && what != "ticks" && (!noise[kind] || what != "sends" && what != "receives") {
		if len(w.last) == lastMax && !w.opts.All {
			w.last = w.last[1:]
		}
		if name := kindsOfMessages[kind]; name != "" && (what == "sends" || what == "receives") {
			w.last = append(w.last, fmt.Sprintf("%v %s %s %s %s", w.now, called(h), what, name, called(w.who.hosts[a])))
			return
		}
		w.last = append(w.last, fmt.Sprintf("%v %s %s %d: %d %d", w.now, called(h), what, kind, a, b))
	}
}

// called is what a trace calls a host: of two with one identity it tells which.
func called(h *host) string {
	if h.twin == nil {
		return string(h.id)
	}
	return fmt.Sprintf("%s(%d)", h.id, h.no)
}

// noise are the messages that a failure does not tell of: the detector's and
// those that compare views.
var noise = map[uint8]bool{membership.KindHeartbeat: true, peer.KindDigest: true, peer.KindSnapshot: true}

// kindsOfMessages are their names.
var kindsOfMessages = func() (names [256]string) {
	for _, b := range peer.Bodies() {
		names[b.Kind()] = fmt.Sprintf("%T", b)
	}
	return names
}()

// fail records what a checker found; the first finding counts.
func (w *World) fail(checker, format string, args ...any) {
	if w.err == nil && !w.admitted[checker] {
		w.err = &Finding{w.opts.Seed, w.now, checker, fmt.Sprintf(format, args...)}
	}
}
