package peer

import (
	"fmt"

	"satingrid/membership"
	"satingrid/steal"
)

// Check says which of the peer's invariants is broken, for tests and the simulator.
func (p *Peer) Check() error {
	if err := p.view.Check(); err != nil {
		return err
	}
	if err := p.ledger.Check(); err != nil {
		return err
	}
	if err := p.table.Check(); err != nil {
		return err
	}
	if err := p.store.Check(); err != nil {
		return err
	}
	if len(p.tombstones.at) != len(p.tombstones.order) || len(p.tombstones.order) > EndedMax {
		return fmt.Errorf("peer: %d tombstones in a row of %d", len(p.tombstones.at), len(p.tombstones.order))
	}
	if len(p.verifier.checks) > checksMax || len(p.obituary.fallen) > fallenMax {
		return fmt.Errorf("peer: %d jobs are executed again, %d deaths are remembered", len(p.verifier.checks), len(p.obituary.fallen))
	}
	if len(p.orders.given) > ordersMax {
		return fmt.Errorf("peer: %d orders are under way", len(p.orders.given))
	}
	if len(p.reports.all) > SubmissionsMax+handedMax || len(p.did.all) > RunsMax+overMax {
		return fmt.Errorf("peer: reports on %d submissions, of %d runs", len(p.reports.all), len(p.did.all))
	}
	if len(p.held.all) > heldMax || len(p.runs.all) > RunsMax || len(p.submissions.mine) > SubmissionsMax {
		return fmt.Errorf("peer: %d held, %d runs, %d submissions", len(p.held.all), len(p.runs.all), len(p.submissions.mine))
	}
	if bytes := p.runs.rootsHeld(); bytes > rootsMax+rootsFromMax {
		return fmt.Errorf("peer: the roots are %d bytes", bytes)
	}
	for _, r := range p.runs.all {
		if r.master == p.conf.Member.ID && r.epoch.Number <= r.over {
			return fmt.Errorf("peer: this one reigns over run %d under epoch %d, though it had heard of %d", r.no, r.epoch.Number, r.over)
		}
		if len(r.reign.followers) > membership.MembersMax || len(r.poison.deaths) > DeathsMax || len(r.facts.known) > factsKnown || len(r.facts.wait) > factsWait {
			return fmt.Errorf("peer: run %d has %d followers, %d deaths, %d facts, %d to tell", r.no,
				len(r.reign.followers), len(r.poison.deaths), len(r.facts.known), len(r.facts.wait))
		}
		if len(r.submissions) == 0 || len(r.submissions) > SubmissionsMax || len(r.contacts) > SubmissionsMax {
			return fmt.Errorf("peer: run %d has %d submissions, %d contacts", r.no, len(r.submissions), len(r.contacts))
		}
		if r.best.value != nil && (steal.KeyOf(r.best.value) != r.best.digest || !r.best.knows(r.best.digest)) {
			return fmt.Errorf("peer: the best of run %d is not what its digest names", r.no)
		}
		if len(r.best.had) > hadMax || len(r.best.had) != len(r.best.order) {
			return fmt.Errorf("peer: run %d remembers %d bests in a row of %d", r.no, len(r.best.had), len(r.best.order))
		}
	}
	return nil
}

// Quiet tells whether the peer keeps nothing of any run: no record, no loan, no result, no entry,
// no message that waits, no submission, no order that is under way, and no report to come.
func (p *Peer) Quiet() bool {
	return p.table.Len() == 0 && p.store.Len() == 0 && len(p.stops.orphans) == 0 && len(p.runs.all) == 0 && len(p.submissions.mine) == 0 && len(p.held.all) == 0 && p.ledger.Lent() == 0 && p.ledger.Borrowed() == 0 && len(p.orders.given) == 0 &&
		len(p.reports.all) == 0 && len(p.did.all) == 0
}

// Trusted lists the peers that this one believes to hold its best of a run in their present lives,
// so that it sends them only the digest.
func (p *Peer) Trusted(no RunNo) (all []membership.PeerID, digest steal.Key) {
	r := p.runs.numbered(no)
	if r == nil {
		return nil, steal.Key{}
	}
	for m := range p.view.Present() {
		if r.best.acked[m.ID] == (bestAck{m.Incarnation, r.best.digest}) {
			all = append(all, m.ID)
		}
	}
	return all, r.best.digest
}

// HasBest tells whether this peer holds the best of that digest, or a better one.
func (p *Peer) HasBest(run steal.Instance, digest steal.Key) bool {
	r := p.runs.find(run)
	return r == nil || r.best.knows(digest)
}

// Best is the best of a run as this peer holds it.
func (p *Peer) Best(no RunNo) ([]byte, bool) {
	if r := p.runs.numbered(no); r != nil && r.best.value != nil {
		return r.best.value, true
	}
	return nil, false
}
