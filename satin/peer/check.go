package peer

import (
	"fmt"

	"satingrid/membership"
	"satingrid/steal"
)

// Check says which of the peer's invariants is broken, for tests and the simulator.
func (s *Sight) Check() error {
	if err := s.view.Check(); err != nil {
		return err
	}
	if err := s.ledger.Check(); err != nil {
		return err
	}
	if err := s.table.Check(); err != nil {
		return err
	}
	if err := s.results.Check(); err != nil {
		return err
	}
	if err := s.tombstones.check(); err != nil {
		return err
	}
	if due := s.tickDue; due.known && s.deadline() < due.at {
		return fmt.Errorf("peer: a tick is due at %v, and was said to be at %v", s.deadline(), due.at)
	}
	if len(s.verifier.checks) > checksMax || len(s.obituary.fallen) > fallenMax {
		return fmt.Errorf("peer: %d jobs are executed again, %d deaths are remembered", len(s.verifier.checks), len(s.obituary.fallen))
	}
	if len(s.orders.given) > ordersMax || len(s.commands.given) > commandsMax {
		return fmt.Errorf("peer: %d orders and %d commands are under way", len(s.orders.given), len(s.commands.given))
	}
	if len(s.reports.all) > SubmissionsMax+unreportedMax || len(s.contributed.all) > RunsMax+overMax {
		return fmt.Errorf("peer: reports on %d submissions, of %d runs", len(s.reports.all), len(s.contributed.all))
	}
	if len(s.postponed.all) > postponedMax || len(s.runs.all) > RunsMax || len(s.submissions.mine) > SubmissionsMax {
		return fmt.Errorf("peer: %d postponed, %d runs, %d submissions", len(s.postponed.all), len(s.runs.all), len(s.submissions.mine))
	}
	if held := &s.copier.held; held[1].holder != (life{}) && (held[0].holder == (life{}) || held[0].holder.peer == held[1].holder.peer) {
		return fmt.Errorf("peer: copies are with %s, and once more with %s", held[0].holder.peer, held[1].holder.peer)
	}
	if bytes := s.runs.rootsHeld(); bytes > rootsMax+rootsFromMax {
		return fmt.Errorf("peer: the roots are %d bytes", bytes)
	}
	for _, r := range s.runs.all {
		if r.itsMaster.isHeardBefore(s.view.Self().ID) {
			return fmt.Errorf("peer: this one is master of run %d under epoch %d, though it had heard of %d", r.no, r.epoch.Number, r.heardOf)
		}
		if len(r.support.supporters) > membership.MembersMax || len(r.poison.deaths) > DeathsMax || len(r.facts.known) > factsKnown || len(r.facts.wait) > factsWait {
			return fmt.Errorf("peer: run %d has %d followers, %d deaths, %d facts, %d to tell", r.no,
				len(r.support.supporters), len(r.poison.deaths), len(r.facts.known), len(r.facts.wait))
		}
		if !r.isWanted() || len(r.submissions) > SubmissionsMax || len(r.keeps) > SubmissionsMax || len(r.contacts) > SubmissionsMax {
			return fmt.Errorf("peer: run %d has %d submissions, %d that keep it, %d contacts", r.no,
				len(r.submissions), len(r.keeps), len(r.contacts))
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
func (s *Sight) Quiet() bool {
	return s.table.Len() == 0 && s.results.Len() == 0 && len(s.stops.orphans) == 0 && len(s.runs.all) == 0 && len(s.submissions.mine) == 0 && len(s.postponed.all) == 0 && s.ledger.Lent() == 0 && s.ledger.Borrowed() == 0 && len(s.orders.given) == 0 && len(s.commands.given) == 0 &&
		len(s.reports.all) == 0 && len(s.contributed.all) == 0
}
