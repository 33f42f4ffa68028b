package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
	"satingrid/orphan"
	"satingrid/steal"
)

// Sight is all that may be seen of a peer from outside, by people and by whoever carries out its
// effects. It changes nothing. Like the peer it belongs to one goroutine.
type Sight struct {
	now     *time.Duration
	tickDue *reminder
	// that worked out anew
	deadline func() time.Duration
	view     *membership.View
	ledger   *steal.Ledger
	table    *orphan.Table
	results  *orphan.Results
	book     *addresses.Book

	runs        *runs
	submissions *submissions
	tombstones  *tombstones
	reports     *reports
	contributed *contributions
	join        *joining
	postponed   *postponing
	commands    *commands
	adverts     *adverts
	copier      *copier
	keeper      *keeper
	stealing    *stealing
	salvage     *salvage
	stops       *stops
	verifier    *verifier
	obituary    *obituary
	losses      *losses
	leaving     *leaving
	orders      *orders
}

// Sight is what may be seen of this peer.
func (p *Peer) Sight() *Sight { return &p.sight }

// sightOf is the sight of a peer whose parts are made.
func sightOf(p *Peer) Sight {
	return Sight{
		now: &p.now, tickDue: &p.tickDue, deadline: func() time.Duration { return deadlineOf(p) }, view: p.view, ledger: p.ledger, table: p.table, results: p.results, book: p.book,
		runs: &p.runs, submissions: &p.submissions, tombstones: &p.tombstones, reports: &p.reports, contributed: &p.contributed,
		join: &p.join, postponed: &p.postponed, commands: &p.commands, adverts: &p.adverts, copier: &p.copier, keeper: &p.keeper, stealing: &p.stealing, salvage: &p.salvage, stops: &p.stops, verifier: &p.verifier,
		obituary: &p.deaths.obituary, losses: &p.losses, leaving: &p.leaving, orders: &p.orders,
	}
}

// Self is this peer's own record.
func (s *Sight) Self() membership.Member { return s.view.Self() }

// Members lists the others that are present.
func (s *Sight) Members() []membership.Member {
	all := make([]membership.Member, 0, s.view.Len())
	for m := range s.view.Present() {
		all = append(all, *m)
	}
	return all
}

// Member is what this peer knows of a member that is present.
func (s *Sight) Member(id membership.PeerID) (membership.Member, bool) { return s.view.Member(id) }

// Bars are all that is known of who is kept out.
func (s *Sight) Bars() []membership.Bar { return s.view.Bars() }

// Runs lists the runs that are on or kept, the oldest first.
func (s *Sight) Runs() []RunStatus {
	out := make([]RunStatus, 0, len(s.runs.all))
	for _, r := range s.runs.all {
		out = append(out, r.status(*s.now, s.view))
	}
	return out
}

// Root is what was submitted for the run of that id, if that is known here; without arguments
// while they have not come.
func (s *Sight) Root(id steal.Key) (Root, bool) { return s.runs.rootOf(id) }

// HasAnswer tells whether what a run came to is here.
func (s *Sight) HasAnswer(run steal.Instance) bool {
	r := s.runs.find(run)
	return r != nil && r.answer != nil
}

// RunOf is the run that one of this peer's submissions belongs to, once that is known
// and its record is here.
func (s *Sight) RunOf(nonce steal.Nonce) (RunNo, bool) {
	if own := s.submissions.own(nonce); own != nil && own.known {
		if r := s.runs.find(own.run); r != nil {
			return r.no, true
		}
	}
	return 0, false
}

// Submitters are those who wait for a run's answer. It may be asked for a run that has ended,
// for which nobody waits.
func (s *Sight) Submitters(no RunNo) []membership.PeerID { return s.runs.submitters(no) }

// Best is the best of a run as this peer holds it.
func (s *Sight) Best(no RunNo) ([]byte, bool) {
	if r := s.runs.numbered(no); r != nil && r.best.value != nil {
		return r.best.value, true
	}
	return nil, false
}

// HasBest tells whether this peer holds the best of that digest, or a better one.
func (s *Sight) HasBest(run steal.Instance, digest steal.Key) bool {
	r := s.runs.find(run)
	return r == nil || r.best.knows(digest)
}

// Trusted lists the peers that this one believes to hold its best of a run in their present lives,
// so that it sends them only the digest.
func (s *Sight) Trusted(no RunNo) (all []membership.PeerID, digest steal.Key) {
	r := s.runs.numbered(no)
	if r == nil {
		return nil, steal.Key{}
	}
	for m := range s.view.Present() {
		if r.best.acked[m.ID] == (bestAck{m.Incarnation, r.best.digest}) {
			all = append(all, m.ID)
		}
	}
	return all, r.best.digest
}

// Promised is how large a result may be that one of the runs known here was promised.
func (s *Sight) Promised() (bytes uint32) { return s.runs.promised() }

// Stats is what has crossed this peer's border so far.
func (s *Sight) Stats() Crossed {
	return Crossed{
		LentNear: s.stealing.lentNear, LentFar: s.stealing.lentFar, Borrowed: s.stealing.borrowed,
		Again: s.salvage.again, Fetched: s.salvage.fetched, Reused: s.salvage.reused,
		Dropped: s.postponed.dropped, Advertised: s.adverts.published, CopiesSent: s.copier.sent, CopiesUsed: s.keeper.used,
	}
}

// Losses lists the losses that this peer has survived, the latest last, with what
// each has cost a run.
func (s *Sight) Losses(run RunNo) []LossReport { return s.losses.reports(run) }

// Ends are the ends of submissions that kept runs.
func (s *Sight) Ends() []Tombstone {
	over, _ := s.tombstones.over(*s.now, s.tombstones.ofKept.order...)
	return over.Submissions
}

// Joining tells whether this peer or client is still on its way in, or is a client that knows no
// member any more: as long as it is, the carrier must try further addresses of the ticket. A run
// outlives all its peers, and the next one may come where only the ticket's addresses lead.
func (s *Sight) Joining() bool { return s.join.seeks(*s.now) }

// Heir is the peer to which this one hands what it has, while it is leaving and has chosen one.
func (s *Sight) Heir() membership.PeerID { return s.leaving.heir.peer }

// Addresses are all that is known of where hosts are.
func (s *Sight) Addresses() []addresses.Known {
	all := s.book.Known(*s.now)
	for n := range all {
		if all[n].ID == s.view.Self().ID {
			all[n].Join = s.view.Self().Incarnation.Join
		}
	}
	return all
}

// LeavesBy is when a leave is over that has begun; 0: none has.
func (s *Sight) LeavesBy() time.Duration {
	if !s.leaving.active {
		return 0
	}
	return s.leaving.until
}

// Book is the address book, to be looked at.
func (s *Sight) Book() *addresses.Book { return s.book }

// Results is what this peer keeps of the work of others, to be looked at.
func (s *Sight) Results() *orphan.Results { return s.results }

// Ledger is this peer's ledger, to be looked at.
func (s *Sight) Ledger() *steal.Ledger { return s.ledger }
