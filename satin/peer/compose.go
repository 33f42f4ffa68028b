package peer

import (
	"satingrid/membership"
	"satingrid/steal"
)

// composeWork makes the components that have to do with jobs and with what they come to.
func composeWork(p *Peer) {
	c := &p.conf
	p.stops.noFT = c.NoFT
	p.postponed = postponing{runs: &p.runs, members: p.view}
	p.adverts = adverts{self: c.Member.ID, table: p.table, members: p.view, isOver: p.endings.isOver, noFT: c.NoFT}
	p.verifier = verifier{rng: p.rng, ledger: p.ledger, failure: p.conf.failure, self: nameOf(p.view.Self())}
	p.copier = copier{
		site: c.Member.Site, every: c.CopyEvery, once: c.CopyOnce, members: p.view, ledger: p.ledger, results: p.results,
		obituary: &p.deaths.obituary, keeper: &p.keeper, leaves: p.leaving.isOn, at: steal.Never,
	}
	p.copier.stores = c.Store && !c.NoFT && !c.Member.Client
	if c.NoFT || c.Member.Client {
		p.copier.every = -1
	}
	p.keeper = keeper{
		self: c.Member.ID, members: p.view, runs: &p.runs, ledger: p.ledger, results: p.results, postponed: &p.postponed,
		isOver: p.endings.isOver, noFT: c.NoFT,
	}
	p.stealing = stealing{
		self: c.Member.ID, site: c.Member.Site, workers: int(c.Member.Workers), members: p.view, runs: &p.runs,
		ledger: p.ledger, thief: p.thief, victim: p.victim, verifier: &p.verifier, copier: &p.copier, postponed: &p.postponed,
		fences: p.mastership.fences, leaves: p.leaving.isOn,
	}
	p.salvage = salvage{
		runs: &p.runs, mastership: &p.mastership, ledger: p.ledger, results: p.results, stops: &p.stops, losses: &p.losses,
		noFT: c.NoFT,
	}
	p.storing = storing{
		on: p.copier.stores, self: c.Member.ID, members: p.view, runs: &p.runs, results: p.results, salvage: &p.salvage,
		parts: p.copier.listed, at: steal.Never,
	}
	p.looks = looks{
		client: c.Member.Client, runs: &p.runs, members: p.view, results: p.results, postponed: &p.postponed, leaves: p.leaving.isOn,
	}
	p.hints = hints{client: c.Member.Client, runs: &p.runs}
	p.bests = bests{self: c.Member.ID, runs: &p.runs, members: p.view, awaits: p.submissions.awaits}
	p.leaving = leaving{
		self: c.Member.ID, home: c.Member.Site, members: p.view, results: p.results, keeper: &p.keeper, best: p.bests.stamp,
		jobs: p.departing.unsettled, runs: p.departing.unheld,
	}
	p.departing = departing{
		view: p.view, leaving: &p.leaving, runs: &p.runs, mastership: &p.mastership, ledger: p.ledger, stops: &p.stops,
		verifier: &p.verifier, stealing: &p.stealing, opening: &p.opening, storing: &p.storing,
	}
}

// composeEntry makes the components that have to do with who is here.
func composeEntry(p *Peer) {
	c := &p.conf
	p.orders = orders{self: c.Member.ID, members: p.view}
	p.book = newBook(*c, p.view)
	p.join.knows = p.book.Len()
	join, runs, leaving := &p.join, &p.runs, &p.leaving
	p.hosts = hosts{
		book: p.book, members: p.view, sessions: c.Sessions,
		said: func(id membership.PeerID) ([]string, bool) {
			if addrs, ok := join.hearsay.addrs(id); ok {
				return addrs, true
			}
			return runs.contact(id)
		},
		may: func() (look, keep bool) { // who is not in yet has learned nothing
			return join.started && !leaving.active, !join.active
		},
	}
	p.greeting = greeting{client: c.Member.Client, view: p.view, clients: p.clients, join: &p.join}
	p.presence = presence{view: p.view, hosts: &p.hosts, mastership: &p.mastership, leaving: &p.leaving}
	p.comparing = comparing{
		self: c.Member.ID, client: c.Member.Client, sessions: c.Sessions, rng: p.rng, members: p.view, with: p.book,
		table: p.table, clients: p.clients, join: &p.join, runs: &p.runs, tombstones: &p.tombstones, adverts: &p.adverts,
		hosts: &p.hosts, at: steal.Never,
	}
	p.entering = entering{
		client: c.Member.Client, view: p.view, join: &p.join, greeting: &p.greeting, comparing: &p.comparing, runs: &p.runs,
		mastership: &p.mastership, table: p.table, copier: &p.copier, leaving: &p.leaving, opening: &p.opening,
		submissions: &p.submissions,
	}
	p.learning = learning{
		client: c.Member.Client, view: p.view, join: &p.join, entering: &p.entering, runs: &p.runs, records: &p.records,
		roots: &p.roots, endings: &p.endings, submissions: &p.submissions, hosts: &p.hosts, thief: p.thief,
	}
}

// composeRuns makes the components that the life of runs and of their answers goes through.
func composeRuns(p *Peer) {
	c := &p.conf.Member
	p.opening = opening{stealing: &p.stealing, copier: &p.copier}
	p.contributed = contributions{
		members: p.view, runs: &p.runs, losses: &p.losses, reports: &p.reports, stats: p.sight.Stats,
	}
	p.ends = ends{on: !c.Client, tombstones: &p.tombstones}
	p.endings = endings{
		self: c.ID, members: p.view, runs: &p.runs, tombstones: &p.tombstones, ends: &p.ends, submissions: &p.submissions,
		contributed: &p.contributed, opening: &p.opening, storing: &p.storing, table: p.table,
		drops: []func(steal.Instance){
			p.ledger.Drop, p.stops.runEnded, p.results.Drop, p.verifier.ended, p.copier.ended, p.keeper.ended,
			p.thief.Ended, p.postponed.ended,
		},
	}
	p.roots = roots{
		self: c.ID, rng: p.rng, members: p.view, runs: &p.runs, mastership: &p.mastership, contributed: &p.contributed,
		opening: &p.opening, storing: &p.storing, stats: p.sight.Stats,
	}
	p.records = records{
		self: c.ID, site: c.Site, failure: p.conf.failure, members: p.view, runs: &p.runs, roots: &p.roots,
		tombstones: &p.tombstones, submissions: &p.submissions, mastership: &p.mastership, endings: &p.endings,
		join: &p.join, hosts: &p.hosts, copier: &p.copier, table: p.table, results: p.results, leaving: &p.leaving,
	}
	p.admission = admission{
		self: c.ID, resultMax: p.conf.ResultMax, members: p.view, others: p.view, storing: &p.storing, runs: &p.runs, records: &p.records,
		roots: &p.roots, tombstones: &p.tombstones, submissions: &p.submissions, mastership: &p.mastership, endings: &p.endings,
		hosts: &p.hosts, leaving: &p.leaving,
	}
	p.decisions = decisions{
		self: c.ID, client: c.Client, failure: p.conf.failure, members: p.view, runs: &p.runs, tombstones: &p.tombstones,
		submissions: &p.submissions, mastership: &p.mastership, postponed: &p.postponed, leaving: &p.leaving,
	}
	p.succession = succession{
		runs: &p.runs, mastership: &p.mastership, decisions: &p.decisions, submissions: &p.submissions, ledger: p.ledger,
		victim: p.victim, results: p.results, salvage: &p.salvage, endings: &p.endings,
	}
	p.repeats = repeats{
		self: c.ID, admission: &p.admission, roots: &p.roots, decisions: &p.decisions, submissions: &p.submissions,
		mastership: &p.mastership,
	}
	p.commands = commands{
		self: c.ID, client: c.Client, members: p.view, runs: &p.runs, records: &p.records, endings: &p.endings, mastership: &p.mastership,
	}
	p.submitters = submitters{members: p.view, runs: &p.runs, hosts: &p.hosts}
	p.deaths = deaths{members: p.view, runs: &p.runs, ledger: p.ledger, verifier: &p.verifier}
	p.progress = progress{ledger: p.ledger}
}
