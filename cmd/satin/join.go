package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/p2p/ticket"
	"satingrid/satin/program/console"
)

// ticketVariable is the environment variable that holds a ticket itself.
const ticketVariable = "SATIN_TICKET"

// invitation is a way into a grid.
type invitation struct {
	ticket ticket.Ticket
	said   string // where it came from, as the user would say it
	bare   bool   // only an address was given; the secret is that of the state folder

	folder *ticket.Folder // of tickets, where one was given
}

// findInvitation reads what --join names: a ticket's file, a folder of tickets, - for standard
// input, or a peer's address, for which the state folder must have the grid's secret. Without
// --join it is the ticket in the environment, or nil.
func findInvitation(con *console.Console, join, folder string) (*invitation, error) {
	switch {
	case join == "" && os.Getenv(ticketVariable) == "":
		return nil, nil
	case join == "":
		t, err := ticket.Parse(os.Getenv(ticketVariable))
		if err != nil {
			return nil, console.Usage("%s: %v", ticketVariable, err)
		}
		return &invitation{ticket: t, said: "the grid of " + ticketVariable}, nil
	case strings.HasPrefix(join, "/ip4/") || strings.HasPrefix(join, "/ip6/") || strings.HasPrefix(join, "/dns"):
		return findByAddress(join, folder)
	}
	if info, err := os.Stat(join); err == nil && info.IsDir() {
		return findInFolder(join)
	}
	t, err := ticket.Load(join)
	if err != nil {
		return nil, console.Usage("--join: %v", err)
	}
	if join != "-" && ticket.Loose(join) {
		con.Say("others can read %s, which holds the grid's secret: chmod 600 %s", join, join)
	}
	if len(t.Addrs) == 0 {
		return nil, console.Usage("--join %s: the ticket has no address to join at; ask for one made by satin key invite", join)
	}
	return &invitation{ticket: t, said: join}, nil
}

func findByAddress(address, folder string) (*invitation, error) {
	if !strings.Contains(address, "/p2p/") {
		return nil, console.Usage("--join %s: an address that ends in /p2p/ and the peer's id is expected", address)
	}
	t, ok, err := ticket.Grid(folder)
	if err != nil {
		return nil, console.Usage("--join: %v", err)
	}
	if !ok {
		return nil, &console.Error{Code: console.ExitRefused, Text: fmt.Sprintf("--join %s: %s has no grid's secret yet; join with a ticket once, which "+
			"satin key invite writes on a machine of the grid", address, folder)}
	}
	t.Addrs = []string{address}
	return &invitation{ticket: t, said: address, bare: true}, nil
}

// advice is what to do about a refusal whose reason does not say so itself.
var advice = map[p2p.Why]string{
	p2p.WhyGarbled:    "; what answers there is no peer of this project, or an old one: check the address",
	p2p.WhyBarred:     "; satin kick --undo on a machine of the grid lets it in again",
	p2p.WhyNotAllowed: "; have this peer's id, which satin key show prints, added to the grid's --allow file",
	p2p.WhySelf:       "; give another state folder with --state",
}

// joinError says why a grid could not be joined and what to do, with the exit
// code that belongs to it.
func joinError(err error, by *invitation) error {
	said := "the grid"
	if by != nil {
		said = by.said
	}
	var refused *p2p.Refusal
	switch {
	case errors.As(err, &refused):
		code := console.ExitRefused
		if refused.Why == p2p.WhyHello || refused.Why == p2p.WhyVersion {
			code = console.ExitIncompatible
		}
		reason := refused.Why.String()
		if refused.Reason != "" {
			reason += ": " + refused.Reason
		}
		who := "this host"
		if refused.Here {
			who = "the other host"
		}
		return &console.Error{Code: code, Text: fmt.Sprintf("%s: %s %s%s", said, who, reason, advice[refused.Why])}
	case errors.Is(err, p2p.ErrPortBusy):
		return console.Usage("--listen: %v", bareP2P(err))
	case errors.Is(err, p2p.ErrStateBusy), errors.Is(err, p2p.ErrIdentity):
		return console.Usage("%v", bareP2P(err))
	case errors.Is(err, p2p.ErrNobody):
		return console.Refused("%s: nobody answers there; is a node of the grid running, and is its address in the ticket?", said)
	case errors.Is(err, satin.ErrGridFull):
		return console.Refused("%s: %v", said, bareP2P(err))
	case by != nil && errors.Is(err, context.DeadlineExceeded):
		return console.Refused("%s: no answer came; is a node of the grid running, and does a firewall lie between?", said)
	case by != nil:
		return console.Refused("%s: %v", said, bareP2P(err))
	}
	return err
}

// bareP2P is an error without the names of the packages that it came through.
func bareP2P(err error) string {
	return strings.NewReplacer("satin: join: ", "", "satin: ", "", "p2p: ", "").Replace(err.Error())
}
