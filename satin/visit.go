package satin

import (
	"context"
	"errors"

	"satingrid/satin/control"
	"satingrid/satin/p2p"
	"satingrid/satin/ticket"
)

// Visit asks one question of a host of a grid, whatever its build is, and returns the answer: peers
// of two builds never compute together, but may talk. The ticket has the secret, and addresses of
// hosts; they are asked in turn until one answers. state is a state folder, whose identity the
// question is asked under, or "" for one that is not kept. Questions have 16 KiB at most and
// answers 4 MiB; what they mean is for the program to say, in Config.Visit. One address takes six
// seconds at most. The error is the first host's when no host answers: a *p2p.DeniedError when it
// refuses the secret, p2p.ErrNobody when nobody listens there, p2p.ErrNoVisits when it knows no
// visits.
//
// Visits reach hosts at their own addresses alone, and not through relays.
func Visit(ctx context.Context, t ticket.Ticket, state string, question []byte) ([]byte, error) {
	by := p2p.Visitor{Dir: state, Grid: t.Grid, Secret: t.Secret.Bytes()}
	first := errors.New("satin: the ticket has no address to ask at")
	if len(t.Addrs) > 0 {
		first = nil
	}
	for _, h := range ticket.HostsOf(t.Addrs) {
		answer, err := p2p.Visit(ctx, by, question, h.Addrs...)
		if err == nil {
			return answer, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// KnownAddrs are the addresses at which who has this state folder has reached other hosts of its
// grid, the last first: of whatever build, so that they can be visited when they do not let one of
// this build in. Clients are not among them.
func KnownAddrs(state string) []string { return control.KnownAddrs(state) }
