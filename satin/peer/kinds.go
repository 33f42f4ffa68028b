package peer

import (
	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// kinds are all kinds of messages: the one table of who may say what, and of who hears it. What is
// not in it nobody may say. Where a client is in it, it speaks for itself:
//
//   - Submit and Ended of its own submissions;
//   - Record, and Snapshot, of the runs that it holds: which runs there are, their roots, and who
//     asked for them, where that is not known here. Of members a joiner takes the addresses, to ask
//     them; see hearsay. No deaths, no bars, no master of a run that is known here, and a best
//     only of a run that nobody else waits for;
//   - Whereabouts: addresses to dial;
//   - HaveBest, Fetch and WantBest: what it holds and what it lacks;
//   - Cancel and Reshare of any run, as people at it want.
//
// What only the living say is about loans, of the detector, or what they hold. All that others say
// merges in any order.
var kinds = []registered{
	// who is here: package membership
	kind[membership.Heartbeat]{by: living, load: Business, heard: isSign[membership.Heartbeat]},
	kind[membership.Hello]{by: member | stranger, heard: func(p *Peer, a *arrival, b membership.Hello) {
		p.apply(p.presence.hearHello(p.now, a.peer, b))
	}},
	kind[membership.Gone]{by: member, heard: func(p *Peer, _ *arrival, b membership.Gone) {
		p.apply(p.presence.hearGone(p.now, b))
	}},
	kind[membership.Ping]{by: living, load: Business, heard: viewed[membership.Ping]},
	kind[membership.Pong]{by: living, load: Business, heard: func(p *Peer, a *arrival, b membership.Pong) {
		p.apply(p.presence.hearPong(p.now, a, b))
	}},
	kind[membership.PingFor]{by: living, load: Business, heard: viewed[membership.PingFor]},
	kind[membership.Alive]{by: living, load: Business, heard: viewed[membership.Alive]},
	kind[membership.Refused]{by: member, heard: func(p *Peer, a *arrival, b membership.Refused) {
		p.apply(p.view.HearRefused(p.now, a.peer, b))
	}},
	kind[membership.Who]{by: anybody, heard: func(p *Peer, a *arrival, _ membership.Who) {
		p.apply(p.view.HearWho(a.peer))
	}},
	kind[membership.Barred]{by: member, load: List, heard: func(p *Peer, _ *arrival, b membership.Barred) {
		p.apply(p.view.MergeBars(p.now, b.Bars))
	}},

	// jobs that are lent: package steal
	kind[steal.Ask]{by: living, load: Business, heard: func(p *Peer, a *arrival, b steal.Ask) {
		p.apply(p.stealing.hearAsk(p.now, a, b))
	}},
	kind[steal.Nothing]{by: living, load: Business, heard: func(p *Peer, a *arrival, b steal.Nothing) {
		p.apply(p.thief.HearNothing(p.now, *a.member, b.Number))
	}},
	kind[steal.Wake]{by: living, load: Business, heard: func(p *Peer, a *arrival, _ steal.Wake) {
		p.apply(p.thief.HearWake(p.now, *a.member))
	}},
	kind[steal.Lend]{by: living, load: Business, heard: func(p *Peer, a *arrival, b steal.Lend) { p.apply(p.stealing.hearLend(p.now, a, b)) },
		best: func(b steal.Lend) steal.Stamp { return b.Best },
		size: argsSize,
		name: func(b steal.Lend) (Name, bool) {
			if len(b.Jobs) == 0 {
				return Name{}, false
			}
			return named(b.Run, uint64(b.Jobs[0].Number), steal.Key{})
		},
		detached: detachedLend,
	},
	kind[steal.Return]{by: living, load: Business, heard: func(p *Peer, a *arrival, b steal.Return) { p.apply(p.stealing.hearReturn(p.now, a, b)) },
		best: func(b steal.Return) steal.Stamp { return b.Best },
		size: func(b steal.Return) int { return len(b.Result.Bytes) },
		name: func(b steal.Return) (Name, bool) { return named(b.Run, uint64(b.Number), steal.Key{}) },
	},
	kind[steal.Returned]{by: living, load: Business, heard: func(p *Peer, a *arrival, b steal.Returned) {
		p.apply(p.keeper.hearReturned(p.now, a.life, b))
	}},
	kind[steal.Withdraw]{by: living, load: Business, heard: func(p *Peer, a *arrival, b steal.Withdraw) {
		p.apply(p.ledger.HearWithdraw(a.peer, a.incarnation, b.Numbers, b.Orphaned))
	}},
	kind[steal.Probe]{by: living, load: Business, heard: func(p *Peer, a *arrival, b steal.Probe) {
		p.apply(p.ledger.HearProbe(a.peer, a.incarnation, b))
	}},
	kind[steal.Missing]{by: living, load: Business, heard: func(p *Peer, a *arrival, b steal.Missing) {
		p.apply(p.ledger.HearMissing(p.now, a.peer, b))
	}},

	// what is known of members and runs
	kind[Pull]{by: anybody, heard: func(p *Peer, a *arrival, _ Pull) {
		p.apply(p.comparing.hearPull(p.now, a.peer))
	}},
	kind[Snapshot]{by: member | client, load: List, heard: func(p *Peer, a *arrival, b Snapshot) {
		p.apply(p.learning.hearSnapshot(p.now, a.peer, a.as, b))
	}},
	kind[Digest]{by: anybody, heard: func(p *Peer, a *arrival, b Digest) {
		p.apply(p.comparing.hearDigest(p.now, a.peer, b))
	}},
	kind[Fetch]{by: member | client, heard: func(p *Peer, a *arrival, b Fetch) { p.apply(p.records.hearFetch(p.now, a.peer, b)) }},
	kind[Record]{by: member | client,
		heard:    func(p *Peer, a *arrival, b Record) { p.apply(p.records.hearRecord(p.now, a, b)) },
		root:     func(b Record) ([]byte, steal.Key) { return b.Root, b.Head.RootDigest },
		best:     func(b Record) steal.Stamp { return b.Best },
		name:     func(b Record) (Name, bool) { return named(b.Head.Run, 0, steal.Key{}) },
		detached: detachedRecord,
	},

	// submissions and their answers
	kind[Submit]{by: member | client, own: ownSubmit,
		heard: func(p *Peer, a *arrival, b Submit) { p.apply(p.admission.hearSubmit(p.now, a.peer, b)) },
		root:  func(b Submit) ([]byte, steal.Key) { return b.Root, b.RootDigest },
		name:  func(b Submit) (Name, bool) { return named(steal.Instance{First: b.Submission}, 0, steal.Key{}) },
	},
	kind[Accepted]{by: member, heard: func(p *Peer, a *arrival, b Accepted) {
		p.apply(p.submissions.hearAccepted(p.now, a, b))
	}},
	kind[Holds]{by: living, heard: func(p *Peer, a *arrival, b Holds) {
		p.apply(p.admission.hearHolds(p.now, a.life, b))
	}},
	kind[NoRun]{by: member, heard: func(p *Peer, a *arrival, b NoRun) {
		p.apply(p.submissions.hearNoRun(a, b))
	}},
	kind[NeedRoot]{by: member, heard: func(p *Peer, a *arrival, b NeedRoot) {
		p.apply(p.submissions.hearNeedRoot(a.peer, b))
	}},
	kind[Answer]{by: member,
		heard: func(p *Peer, a *arrival, b Answer) { p.apply(p.decisions.hearAnswer(p.now, a, b)) },
		best:  func(b Answer) steal.Stamp { return b.Best },
		size:  func(b Answer) int { return len(b.Result.Bytes) },
		name:  func(b Answer) (Name, bool) { return named(b.Run, uint64(b.Nonce), steal.Key{}) },
	},
	kind[Keep]{by: living,
		heard: func(p *Peer, a *arrival, b Keep) { p.apply(p.decisions.hearKeep(p.now, a, b)) },
		best:  func(b Keep) steal.Stamp { return b.Best },
		size:  func(b Keep) int { return len(b.Result.Bytes) },
		name:  func(b Keep) (Name, bool) { return named(b.Run, 0, steal.Key{}) },
	},
	kind[Kept]{by: living, heard: func(p *Peer, a *arrival, b Kept) {
		p.apply(p.decisions.hearKept(p.now, a.life, b))
	}},
	kind[Ended]{by: member | client, load: List, own: ownEnded,
		heard: func(p *Peer, a *arrival, b Ended) { p.apply(p.endings.hearEnded(p.now, a.peer, b)) }},
	kind[Fail]{by: living,
		heard: func(p *Peer, _ *arrival, b Fail) { p.apply(p.decisions.hearFail(p.now, b)) },
		size:  func(b Fail) int { return len(b.Result.Bytes) },
	},

	// the best of a run
	kind[WantBest]{by: member | client, heard: func(p *Peer, a *arrival, b WantBest) {
		p.apply(p.bests.hearWantBest(p.now, a.peer, b))
	}},
	kind[BestIs]{by: member, heard: func(p *Peer, a *arrival, b BestIs) { p.apply(p.bests.hearBestIs(p.now, a.life, b)) },
		best: func(b BestIs) steal.Stamp { return b.Best },
		name: func(b BestIs) (Name, bool) { return named(b.Run, 0, b.Best.Digest) },
	},
	kind[HaveBest]{by: member | client, heard: func(p *Peer, a *arrival, b HaveBest) { p.bests.hearHaveBest(a.life, b) }},

	// results of lost work, and what is kept of others': package orphan
	kind[orphan.Advert]{by: living, load: List, heard: func(p *Peer, a *arrival, b orphan.Advert) {
		p.apply(p.adverts.hearAdvert(p.now, a.life, b))
	}},
	kind[orphan.Versions]{by: living, load: List, heard: func(p *Peer, a *arrival, b orphan.Versions) {
		p.apply(p.adverts.hearVersions(p.now, a.life, b, p.now < p.join.done+onItsWay))
	}},
	kind[orphan.WantList]{by: living, heard: func(p *Peer, a *arrival, b orphan.WantList) {
		p.apply(p.adverts.hearWantList(a.life, b.Holder))
	}},
	kind[orphan.List]{by: living, load: List, heard: func(p *Peer, a *arrival, b orphan.List) {
		p.apply(p.adverts.hearList(a.peer, b))
	}},
	kind[orphan.WantResult]{by: living, load: Business, heard: func(p *Peer, a *arrival, b orphan.WantResult) {
		p.apply(p.looks.hearWantResult(a.life, b))
	}},
	kind[orphan.ResultIs]{by: living, load: Business, heard: func(p *Peer, a *arrival, b orphan.ResultIs) { p.apply(p.looks.hearResultIs(p.now, a, b)) },
		best: func(b orphan.ResultIs) steal.Stamp { return b.Best },
		size: func(b orphan.ResultIs) int { return len(b.Result.Bytes) },
		name: func(b orphan.ResultIs) (Name, bool) { return named(b.Run, 0, b.Key) },
	},
	kind[orphan.Copy]{by: living, heard: func(p *Peer, a *arrival, b orphan.Copy) { p.apply(p.keeper.hearCopy(p.now, a, b)) },
		best:     func(b orphan.Copy) steal.Stamp { return b.Best },
		size:     func(b orphan.Copy) int { return copySize(&b) },
		name:     func(b orphan.Copy) (Name, bool) { return named(b.Run, b.Round, steal.Key{}) },
		detached: detachedCopy,
	},
	kind[orphan.Copied]{by: living, heard: func(p *Peer, a *arrival, b orphan.Copied) {
		p.apply(p.copier.hearCopied(p.now, a.life, b))
	}},
	kind[orphan.Uncovered]{by: living, heard: func(p *Peer, a *arrival, b orphan.Uncovered) {
		p.apply(p.copier.hearUncovered(a.life, b))
	}},
	kind[orphan.Covered]{by: living, heard: func(p *Peer, a *arrival, b orphan.Covered) {
		p.keeper.hearCovered(p.now, a.life, b)
	}},
	kind[orphan.Will]{by: living, heard: func(p *Peer, a *arrival, b orphan.Will) { p.apply(p.leaving.hearWill(p.now, a, b)) },
		best:     func(b orphan.Will) steal.Stamp { return b.Best },
		size:     func(b orphan.Will) int { return willSize(&b) },
		name:     func(b orphan.Will) (Name, bool) { return named(b.Run, b.Number, steal.Key{}) },
		detached: detachedWill,
	},
	kind[orphan.Willed]{by: living, heard: func(p *Peer, a *arrival, b orphan.Willed) {
		p.apply(p.leaving.hearWilled(p.now, a.life, b))
	}},

	// who is master of a run, and what else is said of it
	kind[Support]{by: living, heard: func(p *Peer, a *arrival, b Support) { p.apply(p.mastership.hearSupport(p.now, *a.member, b)) }},
	kind[Claim]{by: living, heard: func(p *Peer, a *arrival, b Claim) { p.apply(p.mastership.hearClaim(p.now, a.peer, b)) }},
	kind[Wanted]{by: member, heard: func(p *Peer, a *arrival, b Wanted) { p.apply(p.endings.hearWanted(p.now, a.peer, b)) }},
	kind[Facts]{by: living, heard: func(p *Peer, a *arrival, b Facts) { p.apply(p.hints.hearFacts(p.now, a.peer, b)) }},
	kind[Full]{by: member, heard: func(p *Peer, _ *arrival, b Full) { p.apply(p.submissions.hearFull(b)) }},
	kind[Whereabouts]{by: member | client, heard: func(p *Peer, _ *arrival, b Whereabouts) { p.hosts.hearWhereabouts(p.now, b) }},

	// what people want done to runs
	kind[Cancel]{by: member | client, heard: func(p *Peer, a *arrival, b Cancel) {
		p.apply(p.commands.hearCancel(p.now, a.peer, b))
	}},
	kind[Reshare]{by: member | client, heard: func(p *Peer, a *arrival, b Reshare) {
		p.apply(p.commands.hearReshare(p.now, a.peer, b))
	}},

	// orders to leave, and what people are shown
	kind[Order]{by: living, heard: func(p *Peer, a *arrival, b Order) { p.apply(p.orders.hearOrder(p.now, a, b)) }},
	kind[Late]{by: living, heard: func(p *Peer, a *arrival, _ Late) { p.apply(p.orders.hearLate(a.peer)) }},
	kind[Progress]{by: living, heard: func(p *Peer, a *arrival, b Progress) { p.apply(p.progress.hearProgress(a.peer, b)) }},
	kind[Report]{by: member, heard: func(p *Peer, a *arrival, b Report) { p.apply(p.reports.hearReport(a.life, b)) }},
}

// isSign is heard as a sign of life: that it has come is all that it says.
func isSign[B membership.Body](*Peer, *arrival, B) {}

// viewed has the view hear it: it is about nothing else.
func viewed[B membership.Body](p *Peer, a *arrival, _ B) {
	p.apply(p.view.Received(p.now, a.peer, a.message.Body))
}
