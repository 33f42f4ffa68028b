package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// TicketVariable is the environment variable that holds a ticket itself.
func TicketVariable(con *console.Console) string { return con.Variable("ticket") }

// Invitation is a way into a grid.
type Invitation struct {
	Ticket ticket.Ticket
	Said   string // where it came from, as the user would say it
	word   string // what --join says; "": what led there is not written down
	here   bool   // it is the grid of the node that runs with the state folder
	bare   bool   // only an address was given; the secret is that of the state folder

	folder   *ticket.Folder // of tickets, where one was given
	entrance *entrance      // a name that has members' addresses, where one was given
}

// Find reads what --join names: a ticket's file, a folder of tickets, - for standard
// input, or a peer's address, for which the state folder must have the grid's secret. Without
// --join it is the ticket in the environment, or nil.
func Find(con *console.Console, join, folder string) (*Invitation, error) {
	switch {
	case join == "" && os.Getenv(TicketVariable(con)) == "":
		return nil, nil
	case join == "":
		t, err := ticket.Parse(os.Getenv(TicketVariable(con)))
		if err != nil {
			return nil, console.Usage("%s: %v", TicketVariable(con), err)
		}
		return &Invitation{Ticket: t, Said: "the grid of " + TicketVariable(con)}, nil
	case strings.HasPrefix(join, "/ip4/") || strings.HasPrefix(join, "/ip6/") || strings.HasPrefix(join, "/dns"):
		return findByAddress(con, join, folder)
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
		return nil, console.Usage("--join %s: the ticket has no address to join at; ask for one made by %s key invite", join, con.Name)
	}
	by := &Invitation{Ticket: t, Said: join}
	if join != "-" {
		by.word = join
	}
	return by, nil
}

func findByAddress(con *console.Console, address, folder string) (*Invitation, error) {
	if !strings.Contains(address, "/p2p/") {
		return nil, console.Usage("--join %s: an address that ends in /p2p/ and the peer's id is expected", address)
	}
	t, ok, err := ticket.Grid(folder)
	if err != nil {
		return nil, console.Usage("--join: %v", err)
	}
	if !ok {
		return nil, console.Refused("--join %s: %s has no grid's secret yet; join with a ticket once, which "+
			"%s key invite writes on a machine of the grid", address, folder, con.Name)
	}
	t.Addrs = []string{address}
	return &Invitation{Ticket: t, Said: address, word: address, bare: true}, nil
}

// advice is what to do about a refusal whose reason does not say so itself.
func advice(con *console.Console, why p2p.Why) string {
	switch why {
	case p2p.WhyGarbled:
		return "; what answers there is no peer of this project, or an old one: check the address"
	case p2p.WhyBarred:
		return fmt.Sprintf("; %s kick --undo on a machine of the grid lets it in again", con.Name)
	case p2p.WhyNotAllowed:
		return fmt.Sprintf("; have this peer's id, which %s key show prints, added to the grid's --allow file", con.Name)
	case p2p.WhySelf:
		return "; give another state folder with --state"
	}
	return ""
}

// JoinError says why a grid could not be joined and what to do, with the exit
// code that belongs to it.
func JoinError(con *console.Console, err error, by *Invitation) error {
	said := "the grid"
	if by != nil {
		said = by.Said
	}
	var refused *p2p.DeniedError
	var told *console.Error
	switch {
	case errors.As(err, &told): // by who knows more
		return err
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
		return &console.Error{Code: code, Text: fmt.Sprintf("%s: %s %s%s", said, who, reason, advice(con, refused.Why))}
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
