package gridsim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// Day is hours of churn. The founder and one client stay, and meanwhile
//
//   - every churnEvery a peer dies, and another comes, or the same again from its folder and disk
//   - every runEvery a small run is submitted
//   - now and then a peer leaves in order, or is barred
//   - a run is left to the grid, and somebody comes for its answer
//   - a client goes for good, whose run nobody waits for, or which is to be kept for an hour
//
// No table of any of them may grow from one hour to the next, nor what disks hold: what is kept by
// the minute or by the hour is seen to go.
type Day struct {
	Seed  uint64
	Lasts time.Duration
	// until then tables fill; what they hold soon after is compared with the end
	Warm time.Duration
	Idle bool // nothing is submitted: peers come and go
	Few  bool // peers: what a table of runs keeps does not depend on how many there are
}

// What happens in a day, and how often.
const (
	churnEvery = 20 * time.Second
	runEvery   = 6 * time.Second
	leaveEvery = 7 * time.Minute
	kickEvery  = 11 * time.Minute
	goneEvery  = 30 * time.Second
	leftEvery  = 50 * time.Second
	sizesEvery = 30 * time.Second
	dayPeers   = 8
	fewPeers   = 2
)

// DayReport is what a day came to.
type DayReport struct {
	Report
	Started, Answered int
	Returned          int // hosts that came back with their disks
	Forsaken          int // runs whose clients went for good
	Fetched           int // answers of runs that were left to the grid
	// the largest table of each kind at any host: soon after the warm-up, and at the end
	Sizes [2]map[string]int
	// the mean of each table of the founder and of its client: the same
	Levels [2]map[string]float64
}

// day is a day that is being played.
type day struct {
	w       *World
	conf    Day
	founder *host
	trees   map[steal.Nonce]*Tree // what was submitted, by its nonce, …
	left    map[*deposit]*Tree    // … and what was left to the grid
	runs    uint64
	looks   [2]int
	report  DayReport
}

// Run plays a day.
func (d Day) Run() (DayReport, error) {
	link := Link{Delay: 100 * time.Microsecond, Jitter: 50 * time.Microsecond}
	far := Link{Delay: 5 * time.Millisecond, Jitter: time.Millisecond}
	p := &day{conf: d, trees: map[steal.Nonce]*Tree{}, left: map[*deposit]*Tree{}}
	p.report.Sizes, p.report.Levels = [2]map[string]int{{}, {}}, [2]map[string]float64{{}, {}}
	p.w = newWorld(Options{
		Seed: d.Seed, Sites: SitesOf(d.peers()/2, d.peers()/2), Near: link, Far: far, Workload: p.tree(), CopyEvery: time.Second,
		Disks: !d.Idle,
	})
	p.w.hear = p.answered
	p.w.who.asker = p.w.populate()
	p.founder = p.w.who.hosts[0]
	p.repeat(churnEvery, p.churn)
	if !d.Idle {
		p.repeat(runEvery, p.run)
		p.repeat(goneEvery, p.clientGoes)
		p.repeat(leftEvery, p.leaveToGrid)
	}
	p.repeat(leaveEvery, p.leave)
	p.repeat(kickEvery, p.bar)
	p.repeat(sizesEvery, p.measure)
	p.w.play(d.Lasts, func() bool { return false })
	p.compare()
	r := p.report
	r.Report, r.Started = p.w.finish(), p.w.who.started
	return r, p.w.err
}

func (d *Day) peers() int {
	if d.Few {
		return fewPeers
	}
	return dayPeers
}

// repeat lets something happen again and again.
func (p *day) repeat(every time.Duration, do func()) {
	p.w.after(every, func() {
		do()
		p.repeat(every, do)
	})
}

// tree is a small run, another one each time.
func (p *day) tree() *Tree {
	p.runs++
	return &Tree{Seed: p.conf.Seed<<32 + p.runs, Depth: 4, Width: 3, Leaf: 100 * time.Millisecond}
}

func (p *day) run() { p.submitTree(p.w.who.asker, peer.Terms{}) }

func (p *day) submitTree(h *host, terms peer.Terms) {
	t := p.tree()
	p.w.work = t
	p.w.submitUnder(h, terms)
	p.trees[h.asked[len(h.asked)-1]] = t
}

// leaveToGrid has a client leave a run to the grid, and another come for its answer.
func (p *day) leaveToGrid() {
	t, k := p.tree(), &p.w.kept
	p.w.work = t
	k.fire(Fault{Kind: Deposit, For: time.Duration(p.w.rng.Int64N(int64(attachMax))), N: p.w.rng.IntN(8)})
	d := k.all[len(k.all)-1]
	p.left[d] = t
	p.w.after(2*keepFor, func() { p.goes(d) })
}

// goes has the clients go that have come for a run, whatever they were told of it.
func (p *day) goes(d *deposit) {
	for _, h := range slices.Clone(p.w.who.hosts) {
		for _, of := range h.attached {
			if of == d {
				p.fetched(h)
			}
		}
	}
}

// treeOf is what a submission has asked for, which it does no more.
func (p *day) treeOf(n steal.Nonce) *Tree {
	t := p.trees[n]
	if t != nil {
		delete(p.trees, n)
		p.report.Answered++
		return t
	}
	for _, h := range p.w.who.hosts {
		if of := h.attached[n]; of != nil {
			p.report.Fetched++
			p.w.after(time.Second, func() { p.fetched(h) })
			return p.left[of]
		}
	}
	for of, t := range p.left {
		if of.nonce == n {
			return t
		}
	}
	return nil
}

// fetched has a client go that had come for an answer.
func (p *day) fetched(h *host) {
	if h != p.w.who.asker {
		p.w.end(h, false)
	}
}

func (p *day) answered(d peer.Deliver) {
	t := p.treeOf(d.Nonce)
	if t == nil {
		p.w.fail("once", "an answer to a submission that nobody made, or that was answered")
		return
	}
	if err := t.Right(d.Result); err != nil && !p.w.looksPoisoned(d.Result) {
		p.w.fail("answer", "%v", err)
	}
}

// mortals are the members that may go.
func (p *day) mortals() []*host {
	return slices.DeleteFunc(p.w.who.some(p.conf.peers()), func(h *host) bool { return h == p.founder || h.leaveBy > 0 || h.barred })
}

// churn lets one die, every fourth with its machine, and sees that there are as many as before.
// Every third comes back.
func (p *day) churn() {
	if who := p.mortals(); len(who) > 0 {
		p.w.kill(who[0], p.w.rng.IntN(4) == 0)
		if p.w.rng.IntN(3) == 0 {
			p.report.Returned++
			p.w.after(churnEvery/4, func() { p.w.restart(who[0]) })
		}
	}
	p.refill()
	p.bury()
}

func (p *day) refill() {
	up := 0
	for _, h := range p.w.who.hosts {
		if h.up && !h.client && h.leaveBy == 0 && !h.barred {
			up++
		}
	}
	for ; up < p.conf.peers(); up++ {
		p.w.join(p.w.opts.Sites[p.w.rng.IntN(len(p.w.opts.Sites))].Name, 1)
	}
}

func (p *day) leave() {
	if who := p.mortals(); len(who) > 0 {
		who[0].leave(10*time.Second, "")
	}
}

func (p *day) bar() {
	if who := p.mortals(); len(who) > 0 {
		p.w.kick(who[:1])
	}
}

// clientGoes lets a client submit a run and go for good: silently, or so that it is seen. Of four
// runs three are to be kept for an hour.
func (p *day) clientGoes() {
	h := p.w.start("", 0, true, p.w.who.contact(nil))
	terms := peer.Terms{Keep: uint32(time.Hour / time.Second)}
	if p.w.rng.IntN(4) == 0 {
		terms.Keep = 0
	}
	p.report.Forsaken++
	p.w.after(3*time.Second, func() {
		p.submitTree(h, terms)
		p.w.after(time.Second, func() {
			for _, nonce := range h.asked {
				if p.trees[nonce] != nil {
					delete(p.trees, nonce)
					p.w.left--
				}
			}
			p.w.end(h, p.w.rng.IntN(2) == 0)
		})
	})
}

// bury lets go of hosts that are gone, whom nothing reaches any more: their
// sessions have ended, too.
func (p *day) bury() {
	p.w.who.hosts = slices.DeleteFunc(p.w.who.hosts, func(h *host) bool {
		old := !h.up && p.w.now-h.endedAt > silentAfter
		if old {
			p.w.after(time.Minute, func() { h.peer, h.plane, h.driver = nil, nil, nil })
		}
		return old
	})
	clear(p.w.net.codec.beats)
	clear(p.w.net.links)
}

// measure notes how large the tables are, early and late.
func (p *day) measure() {
	p.checkSessions()
	at, long := 0, min((p.conf.Lasts-p.conf.Warm)/4, time.Hour)
	switch late := p.conf.Lasts - long; {
	case p.w.now < p.conf.Warm || p.w.now >= p.conf.Warm+long && p.w.now < late:
		return
	case p.w.now >= late:
		at = 1
	}
	p.looks[at]++
	largest, levels := p.report.Sizes[at], p.report.Levels[at]
	for _, h := range p.w.who.hosts {
		sizes := h.sizes()
		sizes["disk.records"] = h.folder.disk.heads()
		for path, n := range sizes {
			largest[path] = max(largest[path], n)
			if h == p.founder || h == p.w.who.asker {
				levels[string(h.id)+" "+path] += float64(n)
			}
		}
	}
}

// checkSessions sees that no session outlives a host.
func (p *day) checkSessions() {
	for _, h := range p.w.who.hosts {
		for _, id := range slices.Sorted(maps.Keys(h.sessions)) {
			if o := h.sessions[id].other(h); h.up && !o.up && p.w.now-o.endedAt > 2*silentAfter {
				p.w.fail("session", "%s still has a session with %s, which is gone since %v", h.id, o.id, o.endedAt)
			}
		}
	}
}

// Chance lets a table be larger at one time than at another: its mean, of one that stays for all
// the day, less than the largest of those that come and go.
const (
	growthFree = 48
	growthMost = 1.3
	levelFree  = 20
	levelMost  = 1.05
)

// byCount are tables that keep the latest so many, whenever that was: they fill for as long as that
// takes, and no further. They are named by the end of the way that leads there.
var byCount = map[string]int{
	"book.byID": 256, "book.entries": 256, "book.entries.addrs": 1024, "book.entries.led": 1024, "book.entries.asked": 1024,
	"book.rows.sought": 256, "book.rows.unreached": 256, // of the same entries
	"join.contacts": 64, "losses.all": 256, "losses.all.costs": 1024, "deaths.obituary.fallen": 64, "submissions.answers": 256,
	"conf.Known": 256, "conf.Known.Addrs": 1024, // what a book was, to one that has come back
	"tombstones.ofKept.at": peer.EndedMax, "tombstones.ofKept.order": peer.EndedMax, // for days
	"table.lists.runs": dayPeers * peer.RunsMax, // of each peer what is kept, at times
	// the answers of all runs that are kept, which a peer that comes back has on its disk
	"results.runs": peer.RunsMax, "results.runs.items": 2 * peer.RunsMax, "results.runs.items.Result.Bytes": 2 * peer.RunsMax,
	"results.cheap": 2 * peer.RunsMax, "table.self.runs": peer.RunsMax, "table.self.runs.entries": 2 * peer.RunsMax,
	"table.runs": peer.RunsMax, "table.runs.byKey": dayPeers * peer.RunsMax, "table.lists.runs.entries": dayPeers * peer.RunsMax,
	"keeper.owners":    16 * dayPeers, // whose copies are here: at times all, of several runs
	"view.errands.all": 64, "view.bars.all": membership.BarsMax,
}

// keptBy is how many a table keeps, if it keeps the latest so many.
func keptBy(path string) int {
	for name, most := range byCount {
		if endsIn(path, name) {
			return most
		}
	}
	return 0
}

func endsIn(path, name string) bool { return path == name || strings.HasSuffix(path, "."+name) }

// compare finds the tables that have grown.
func (p *day) compare() {
	sizes, levels := p.report.Sizes, p.report.Levels
	paths := slices.Sorted(maps.Keys(sizes[1]))
	for name := range byCount {
		if !p.conf.Idle && !p.conf.Few && !slices.ContainsFunc(paths, func(path string) bool { return endsIn(path, name) }) {
			p.w.fail("growth", "there is no table %s: byCount names one that has moved", name)
		}
	}
	for _, path := range paths {
		early, late := sizes[0][path], sizes[1][path]
		if late > keptBy(path) && float64(late) > growthMost*float64(early)+growthFree {
			p.w.fail("growth", "%s held %d soon after %v, and %d before %v", path, early, p.conf.Warm, late, p.conf.Lasts)
		}
	}
	for at := range levels {
		for path := range levels[at] {
			levels[at][path] /= float64(max(p.looks[at], 1))
		}
	}
	for _, path := range slices.Sorted(maps.Keys(levels[1])) {
		early, late := levels[0][path], levels[1][path]
		_, table, _ := strings.Cut(path, " ")
		if late > float64(keptBy(table)) && late > levelMost*early+levelFree {
			p.w.fail("growth", "%s held %.0f on average soon after %v, and %.0f before %v", path, early, p.conf.Warm, late, p.conf.Lasts)
		}
	}
	if len(p.trees) > 2*int(time.Minute/runEvery) {
		p.w.fail("end", "%d runs have no answer", len(p.trees))
	}
}

// String is what a day came to, in one line.
func (r DayReport) String() string {
	return fmt.Sprintf("%d hosts started, %d died, %d came back with their disks, %d runs answered, %d left to the grid and fetched, %d forsaken, %d events, %d messages",
		r.Started, r.Killed, r.Returned, r.Answered, r.Fetched, r.Forsaken, r.Events, r.Messages)
}
