package peer

import (
	"math/rand/v2"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/orphan"
	"satingrid/steal"
)

// Peer is one whole peer. All of it belongs to the one goroutine that calls it.
type Peer struct {
	conf    Config
	rng     *rand.Rand
	view    *membership.View
	ledger  *steal.Ledger
	thief   *steal.Thief
	victim  *steal.Victim
	table   *orphan.Table
	results *orphan.Results

	clients clients
	runs    runs

	entryComponents
	workComponents
	runComponents

	now       time.Duration
	tickedAt  time.Duration
	tickDue   reminder
	arrival   arrival // the message that is being taken
	unblocked bool    // a best or a record has come: messages that wait must be looked at
	gone      bool    // left or banned
	muted     bool    // it was gone when this event came
	sight     Sight
	out       []Effect
}

// The components of a peer, by what they have to do with. Each is told of things by Peer and by
// those that have it among their fields; see compose.go, where they get these. One that stands
// where several flows meet, as admission does, has many others: what it decides is one thing, and
// what follows is theirs.
type (
	// entryComponents have to do with who is here, and how one comes in.
	entryComponents struct {
		book      *addresses.Book
		hosts     hosts
		join      joining
		greeting  greeting
		presence  presence
		comparing comparing
		entering  entering
		learning  learning
		orders    orders
	}

	// workComponents have to do with jobs, and with what they come to.
	workComponents struct {
		stealing  stealing
		salvage   salvage
		stops     stops
		verifier  verifier
		copier    copier
		keeper    keeper
		storing   storing
		adverts   adverts
		looks     looks
		hints     hints
		bests     bests
		postponed postponing
		leaving   leaving
		departing departing
		opening   opening
		progress  progress
	}

	// runComponents have to do with the life of runs, and of their answers.
	runComponents struct {
		submissions submissions
		submitters  submitters
		admission   admission
		commands    commands
		records     records
		roots       roots
		mastership  mastership
		succession  succession
		decisions   decisions
		endings     endings
		tombstones  tombstones
		ends        ends
		repeats     repeats
		deaths      deaths
		losses      losses
		contributed contributions
		reports     reports
	}
)

// New makes a peer that has neither found nor joined a grid.
func New(c Config, rng *rand.Rand) *Peer {
	table := orphan.NewTable(c.Member.ID)
	p := &Peer{
		table:   table,
		results: orphan.NewResults(table),
		conf:    c,
		rng:     rng,
		view:    newView(c, rng),
		ledger:  steal.NewLedger(),
		thief:   steal.NewThief(c.Member.Site, c.Policy, rng),
		victim:  &steal.Victim{},
		clients: clients{},
	}
	p.thief.Is(c.Member.ID)
	p.runs.ownRoot = p.submissions.rootOf
	p.mastership = mastership{
		self: c.Member.ID, workers: uint32(c.Member.Workers), members: p.view, runs: &p.runs, tombstones: &p.tombstones,
		leaves: p.leaving.isOn, supportAt: steal.Never,
	}
	p.submissions = submissions{
		self: c.Member.ID, addrs: c.Member.Addrs, rng: rng, members: p.view, reports: &p.reports, failure: p.conf.failure, refusal: p.conf.refusal, jobOf: c.JobOf,
		knows: func(m Submit) bool { return p.runs.runFor(m) != nil }, known: p.runs.rootOf, seeks: func() bool { return p.join.active },
	}
	p.join = joining{
		self: c.Member.ID, client: c.Member.Client, past: c.Past, told: len(c.Known)+len(c.Tickets) > 0, members: p.view,
	}
	composeWork(p)
	composeEntry(p)
	composeRuns(p)
	p.reports = reports{members: p.view}
	p.sight = sightOf(p)
	return p
}

// begin starts every event. Time never runs backwards here, whatever a caller's clock does.
func (p *Peer) begin(now time.Duration) {
	p.now = max(p.now, now)
	// a root that is not kept any more must not be held by what has been done with it
	clear(p.out)
	p.out = p.out[:0]
	p.arrival = arrival{}
	p.muted = p.gone
	p.tickDue = reminder{}
}

// isPending tells whether end has something to do.
func isPending(p *Peer) bool {
	return p.commands.waits() || p.mastership.due || p.unblocked || p.reports.waits()
}

// end closes every event: what the event has unblocked is done. The effects are valid
// until the next event.
func (p *Peer) end() []Effect {
	if p.muted {
		return nil
	}
	if !p.gone && p.commands.waits() {
		p.apply(p.commands.tick(p.now))
	}
	for n := 0; (p.mastership.due || p.unblocked) && !p.gone; n++ {
		if n > postponedMax {
			panic("peer: BUG: an event does not come to an end")
		}
		if p.mastership.looks() {
			p.apply(p.succession.look(p.now))
		}
		if p.unblocked {
			p.unblocked = false
			p.retry()
		}
	}
	if p.reports.waits() {
		p.apply(p.reports.look(p.now))
	}
	return p.out
}

// Tick lets time pass. It is to be called at Deadline, and may be called at any time.
func (p *Peer) Tick(now time.Duration) []Effect {
	p.begin(now)
	if p.gone {
		return p.end()
	}
	if p.tickedAt > 0 && p.now-p.tickedAt > sleptMin {
		p.mastership.slept()
	}
	p.tickedAt = p.now
	p.apply(p.view.Tick(p.now))
	p.apply(p.ledger.Tick(p.now))
	p.apply(p.victim.Tick(p.now))
	p.apply(p.thief.Tick(p.now))
	p.apply(p.join.tick(p.now))
	p.apply(p.comparing.tick(p.now))
	var few [4]*run
	// a delivery to this peer itself may end a run
	for _, r := range append(few[:0], p.runs.all...) {
		p.apply(p.repeats.tick(p.now, r))
		p.apply(p.departing.repeat(p.now, r))
	}
	due, effects := p.mastership.tick(p.now)
	if due {
		p.submitters.seek(p.now)
	}
	p.apply(effects)
	p.apply(p.deaths.tick(p.now))
	p.apply(p.submissions.tick(p.now))
	p.apply(p.postponed.tick(p.now))
	p.apply(p.adverts.tick(p.now))
	p.apply(p.looks.tick(p.now))
	p.apply(p.copier.tick(p.now))
	p.apply(p.storing.tick(p.now))
	p.tickLeave()
	p.apply(p.orders.tick(p.now))
	p.apply(p.commands.tick(p.now))
	p.tickLook()
	p.tombstones.forget(p.now)
	p.apply(p.ends.tick(p.now))
	return p.end()
}

// reminder is when Tick wants to be called, once that has been asked for since the last event.
type reminder struct {
	known bool
	at    time.Duration
}

// Deadline is when Tick wants to be called.
func (p *Peer) Deadline() time.Duration {
	if !p.tickDue.known {
		p.tickDue = reminder{true, deadlineOf(p)}
	}
	return p.tickDue.at
}

// deadlineOf works it out.
func deadlineOf(p *Peer) time.Duration {
	if p.gone {
		return steal.Never
	}
	at := min(p.view.Deadline(), p.ledger.Deadline(), p.victim.Deadline(), p.thief.Deadline())
	at = min(at, p.join.deadline(), p.join.strandedDeadline(p.now), p.hosts.deadline(p.now), p.comparing.at)
	at = min(at, p.mastership.supportAt, p.runs.deadline(), p.submissions.deadline(), p.postponed.deadline())
	return min(at, p.table.Deadline(), p.copier.deadline(), p.storing.deadline(), p.leaving.deadline(p.now), p.orders.deadline(),
		p.reports.deadline(), p.commands.deadline(), p.ends.deadline())
}

// Bar keeps a peer out of the grid, or lets it in again.
func (p *Peer) Bar(now time.Duration, id membership.PeerID, barred bool) []Effect {
	p.begin(now)
	p.apply(p.view.Bar(p.now, id, barred))
	return p.end()
}

// Barred takes the bars that this process has kept from an earlier life. It is to be told before
// the peer founds or joins a grid.
func (p *Peer) Barred(now time.Duration, bars []membership.Bar) []Effect {
	p.begin(now)
	p.apply(p.view.MergeBars(p.now, bars))
	return p.end()
}

// tickLeave goes on with leaving as far as it goes.
func (p *Peer) tickLeave() {
	if !p.gone {
		p.apply(p.leaving.tick(p.now))
	}
}
