package gridsim

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// lastMax is how many events a failure tells of.
const lastMax = 60

// World is a simulated grid.
type World struct {
	timeline
	population
	network
	packets

	opts   Options
	rng    *rand.Rand
	log    digest
	last   []string // the latest events, as text
	err    error
	report Report
	work   Workload
	values values
	left   int    // submissions that have not been answered
	calm   bool   // the faults have stopped
	posts  uint64 // events of the data planes that have reached their peers
	// messages that wait for their delivery to be chosen, where all orders are explored
	mail *mail

	longest    time.Duration   // of the jobs that were begun
	deaths     int             // of processes by a job of a Deadly workload
	hidden     bool            // a fault has hidden living peers
	admitted   map[string]bool // checkers that a hostile member can make find something
	have       []holding       // room, …
	lack       []*host         // … both for relay
	falls      successions     // of masters that were killed
	lastSubmit peer.Message
	// sites to which peers were to move, and did not since nobody was left there
	deserted map[membership.Site]bool
	// how many jobs hosts said that they have done, in a world with asides
	worked map[teller]uint64
	// takes the answers, for tests that expect another than that of one core
	hear func(peer.Deliver)
	// a planted defect of the protocol, for tests: change a message, or say that it is never
	// sent
	spoil func(*peer.Message) bool
}

func newWorld(o Options) *World {
	w := &World{
		opts: o, rng: rand.New(rand.NewPCG(o.Seed, 0x6772696473696d)),
		work: o.Workload, values: values{work: o.Workload}, spoil: o.spoil,
		deserted: map[membership.Site]bool{}, worked: map[teller]uint64{},
	}
	w.population = population{sites: o.Sites, draw: w.rng, byID: map[membership.PeerID]*host{}}
	w.network = network{
		time: &w.timeline, who: &w.population, opts: &w.opts, draw: w.rng, report: &w.report,
		places: map[string]*host{}, links: map[[2]int]*link{},
	}
	w.packets = packets{
		opts: &w.opts, finds: w.fail, beats: map[[2]membership.Incarnation]packet{},
	}
	return w
}

// step lets the next event happen.
func (w *World) step() {
	e, stands := w.next()
	if stands {
		w.fail("machine", "time stands still: a deadline that ticks do not meet")
	}
	e.do()
	if len(w.falls) > 0 {
		w.crashSuccessors()
	}
}

// digest is a running sum of numbers: two lanes of splitmix64. It tells two executions apart, and
// withstands no malice.
type digest [2]uint64

func (d *digest) add(x uint64) {
	d[0] = mix(d[0] ^ x)
	d[1] = mix(d[1] + x ^ d[0])
}

func (d *digest) sum() (out [16]byte) {
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
			w.last = append(w.last, fmt.Sprintf("%v %s %s %s %s", w.now, h.id, what, name, w.hosts[a].id))
			return
		}
		w.last = append(w.last, fmt.Sprintf("%v %s %s %d: %d %d", w.now, h.id, what, kind, a, b))
	}
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
