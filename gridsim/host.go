package gridsim

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// host is a process: a peer or a client, with its data plane.
type host struct {
	w        *World
	no       int
	id       membership.PeerID
	site     membership.Site
	client   bool
	up       bool
	machine  bool   // it died with its machine
	natted   bool   // nobody can dial it …
	counted  bool   // … and somebody has tried
	place    string // where it listens
	groupNo  int    // a member's: of its group, which sessions connect; see divide
	groups   []int  // a client's: those with which it has sessions
	sessions map[membership.PeerID]*session
	bytesFar int64                      // sent to other sites
	refuses  map[membership.PeerID]bool // whom it has barred
	peer     *peer.Peer
	driver   *driver.Driver
	folder   folder
	plane    *plane
	tickAt   time.Duration // the tick that is in the queue
	tickSeq  uint64        // its number: older ones are void
	loop     loop
	posted   int           // events of the data plane that are on their way to the peer
	speed    int           // of its workers, in thousandths
	asleep   time.Duration // the process is stopped until then …
	halted   bool          // … or until somebody lets it go on: nobody knows when
	held     []dueEvent    // what has come meanwhile, while it is halted
	// and does nothing of what it had begun until then, though all faults are healed before
	away      time.Duration
	entered   bool            // the grid has let it in, …
	enteredAt time.Duration   // … for the first time then
	ordered   bool            // it was told to leave: it may not know yet
	leaveBy   time.Duration   // it knows, …
	leavesAt  time.Duration   // … since then
	heir      *host           // it has left to this one
	bound     membership.Site // it leaves only while somebody is there
	closing   bool            // it ends in order, and has its folder written before
	came      time.Duration   // it was started, or was to go on after a stop
	endedAt   time.Duration
	barred    bool               // somebody has barred it; it may not know yet
	alone     map[steal.Key]bool // runs that it last said to be safe while nobody else was here
	asked     []steal.Nonce      // the submissions that it has not cancelled
	delivered map[steal.Nonce]int
	answers   map[steal.Nonce]*answer // in a world with asides
	epochs    map[peer.RunNo]membership.Epoch
	killed    bool                     // its process or its machine has crashed
	leftLate  bool                     // it has left, and not handed over everything
	leftRuns  bool                     // … not the runs that are to be kept
	says      bool                     // it ends in order, with a goodbye
	limits    driver.RateLimits        // on what others say by their sessions
	listeners map[*host]*listener      // of these
	loud      bool                     // it says more than anybody should
	twin      *host                    // another process has had its identity while it lived …
	aware     bool                     // … and it was told so …
	tellers   []*host                  // … by one of these
	read      map[steal.Nonce]bool     // answers
	ended     map[steal.Nonce]int      // submissions
	followed  map[peer.OrderNo]bool    // orders that it has given
	attached  map[steal.Nonce]*deposit // submissions that are for its answer
}

// start makes a host and lets it found the grid, or join it by a ticket with a contact's address.
func (w *World) start(site membership.Site, workers int, client bool, contact *host) *host {
	var f folder
	if contact != nil {
		f.ticket = w.who.ticket(contact)
	}
	return w.startAs(w.who.name(site), site, workers, client, w.net.drawPlace(), f)
}

// startAs starts a host at a place. What it knows of others is its ticket's, or, where it has
// a past, its folder's, which says who is barred, too, and what runs there are.
func (w *World) startAs(id membership.PeerID, site membership.Site, workers int, client bool, at string, f folder) *host {
	no := w.who.started
	w.who.started++
	known, tickets, past := f.read(w.now)
	if !client {
		equips(w, &f, no)
	}
	h := &host{
		w: w, no: no, site: site, came: w.now, client: client, up: true, tickAt: steal.Never, id: id, delivered: map[steal.Nonce]int{}, alone: map[steal.Key]bool{}, answers: map[steal.Nonce]*answer{},
		read: map[steal.Nonce]bool{}, ended: map[steal.Nonce]int{}, followed: map[peer.OrderNo]bool{}, attached: map[steal.Nonce]*deposit{},
		epochs: map[peer.RunNo]membership.Epoch{}, sessions: map[membership.PeerID]*session{}, listeners: map[*host]*listener{}, refuses: map[membership.PeerID]bool{},
		natted: w.opts.Natted > 0 && !client && no > 0 && no%w.opts.Natted == 0,
		folder: f, speed: w.who.speedOf(site),
	}
	w.net.settleAt(h, at)
	conf := peer.Config{
		Member: membership.Config{ID: h.id, Name: string(h.id), Site: site, Workers: uint16(workers), Client: client, Addrs: []string{h.addr()}},
		Known:  known, Tickets: tickets, Past: past, Sessions: true,
		Policy:    w.opts.Policy,
		CopyEvery: w.opts.CopyEvery, CopyOnce: w.opts.CopyOnce, Store: f.disk != nil, NoFT: w.opts.NoFT,
	}
	h.peer = peer.New(conf, rand.New(rand.NewPCG(w.opts.Seed, uint64(no)+1)))
	h.plane = newPlane(h, workers)
	about := driver.Config{Client: client, Past: past, NoFT: w.opts.NoFT}
	h.driver = driver.New(about, h.peer, toHosts{h}, h.told(), ofDriver{h}, toFolder{h}, toDisk{h})
	w.who.hosts = append(w.who.hosts, h)
	w.who.byID[h.id] = h
	w.note(h, "starts", 0, uint64(workers), 0)
	h.driver.Open(driver.Inherited{Barred: f.barred, Ended: f.ends(w.now), Runs: f.disk.records(w.now)})
	w.kept.finds(h)
	h.do(h.peer.Idle(w.now, workers))
	return h
}

// in lets something happen to the process in d from now: when it is stopped by then, once it goes
// on; never, if it is dead.
func (h *host) in(d time.Duration, tag uint64, do func()) {
	h.w.put(d, dueEvent{tag: tag + uint64(h.no), do: call(do), of: h, how: beside})
}

// ofProcess is an event of a process whose time has come.
func (e dueEvent) ofProcess() {
	switch h := e.of; {
	case !h.up:
	case h.halted:
		h.held = append(h.held, e)
	case h.asleep > h.w.now:
		h.w.put(h.asleep-h.w.now, e)
	case e.how == inTurn:
		h.takesUp(e.tag, e.do)
	case e.how == whenFree:
		e.takesWaiting()
	default:
		e.do.happens()
	}
}

// receive is the arrival of a message.
func (h *host) receive(from *host, m peer.Message) {
	h.w.note(h, "receives", m.Body.Kind(), uint64(from.no), 0)
	h.driver.Received(from.id, m)
}

// post brings an event of the data plane to the peer, a little later and in
// order, as a channel would.
func (h *host) post(what string, number uint64, event func() []peer.Effect) {
	h.posted++
	h.turn(time.Microsecond, tag(what, number), func() {
		h.posted--
		h.w.posts++
		h.w.note(h, what, 0, number, 0)
		h.do(event())
	})
}

// do carries out the effects of an event.
func (h *host) do(effects []peer.Effect) { h.driver.Do(effects) }

// ofDriver is a host as its driver sees it.
type ofDriver struct{ *host }

// Now is the world's time.
func (o ofDriver) Now() time.Duration { return o.w.now }

// Entered ends its way in.
func (o ofDriver) Entered() {
	if !o.entered {
		o.entered, o.enteredAt = true, o.w.now
	}
}

// Done puts down what the event has taken, and sees to the next tick.
func (o ofDriver) Done() {
	h := o.host
	h.takes(h.w.opts.eventTakes())
	h.ticksAt(h.driver.Deadline())
	if h.w.opts.CheckAll {
		h.check()
	}
}

// Tell checks what is neither for the carrier nor for the workers.
func (o ofDriver) Tell(e peer.Effect) {
	h, w := o.host, o.w
	switch e := e.(type) {
	case peer.Deliver:
		w.note(h, "delivers", uint8(e.Result.Outcome), uint64(e.Nonce), 0)
		if h.delivered[e.Nonce]++; !slices.Contains(h.asked, e.Nonce) {
			w.fail("once", "an answer was delivered for a submission that %s has cancelled", h.id)
		} else if d := h.attached[e.Nonce]; h.delivered[e.Nonce] == 1 && d == nil {
			w.left--
		}
		w.delivered(h, e)
	case peer.Reported, peer.AllReported:
		h.sums(e)
	case peer.Contradiction:
		if !isFickle(w.work) {
			w.fail("answer", "%s", e.Text)
		}
	case membership.Joined:
		w.report.Joined++
	case membership.Lost:
		w.report.Lost++
		// one that is not known a hostile host has made up
		if lost := w.who.byID[e.Member.ID]; lost != nil {
			w.note(h, "loses", uint8(e.Member.How), uint64(lost.no), uint64(e.Noticed))
			h.checkDeath(e.Member)
		}
	case peer.Mastered:
		w.note(h, "master", 0, uint64(e.Run), uint64(e.Epoch.Number))
		h.checkEpoch(e)
		if e.Master == h.id {
			w.takeovers++
		}
		if e.Master == h.id && e.Epoch.Number > 1 {
			w.falls.succeeded(h, w.now, w.events)
		}
		w.report.Epochs = max(w.report.Epochs, int(e.Epoch.Number))
	case membership.Rejoined:
		w.report.Rejoined++
	case peer.Ordered, peer.OrderDone, peer.LeavesLate, peer.Stayed, peer.Left:
		h.departs(e)
	case peer.WentOn:
		w.report.WentOn++
	case peer.Admitted:
		w.kept.admits(h, e)
	case driver.MemberLost:
		h.checkLeaver(e)
	case peer.Started, peer.Resumed, peer.RunOver, peer.Stranded, membership.Banned, driver.Master, driver.Rooted, peer.NotOn, peer.CommandDone:
	default:
		panic(fmt.Sprintf("gridsim: BUG: an effect that nobody carries out: %T", e))
	}
}

// kill lets a host's process crash.
func (w *World) kill(h *host, machine bool) {
	if h.up {
		w.report.Killed++
		w.report.Beheaded += min(h.plane.roots(), 1)
		h.killed = true
		w.end(h, machine)
	}
}

// end ends a host's process, whyever. Its connections break, and the others see it, unless the
// machine died with it.
func (w *World) end(h *host, machine bool) {
	if !h.up {
		return
	}
	h.up, h.machine, h.endedAt = false, machine, w.now
	w.net.graph++
	w.note(h, "dies", 0, 0, 0)
	w.net.hostEnds(h)
	h.folder.disk.stops(h.closing)
	if machine {
		w.report.Torn += h.folder.disk.tears(w.now)
	}
	w.kept.loses()
}
