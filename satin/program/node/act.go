package node

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// lookAgain is how often who is still there is looked at.
const lookAgain = 100 * time.Millisecond

// Do does what a command asks of this node.
func (n *nodeState) Do(ctx context.Context, r admin.Request, say func(string)) error {
	switch r.Do {
	case admin.Kick:
		return n.kick(r, say)
	case admin.Cancel, admin.Share:
		return n.aboutRun(ctx, r)
	case admin.Migrate:
		return n.migrate(ctx, r, say)
	default:
		return n.leave(ctx, r, say)
	}
}

// Over tells whether the peer has ended, and the node and its process with it.
func (n *nodeState) Over() bool {
	select {
	case <-n.peer.Done():
		return true
	default:
		return false
	}
}

func (n *nodeState) kick(r admin.Request, say func(string)) error {
	word := r.Peers[0]
	name := word
	m, err := findMember(n.peer.Members(), word)
	id := m.ID
	if err == nil {
		name = cmp.Or(m.Name, word)
	}
	if gone, ok := n.roster.find(word); ok && err != nil {
		id, err = gone, nil
	}
	if err != nil && looksLikeID(word) {
		id, err = word, nil
	}
	if err != nil {
		return err
	}
	if id == n.peer.ID() {
		return &admin.Failure{Code: console.ExitUsage, Text: "a node does not kick itself; " + n.con.Name + " leave --self lets it leave"}
	}
	if err := n.peer.Bar(id, !r.Undo); err != nil {
		return err
	}
	if r.Undo {
		say(fmt.Sprintf("%s may join again", name))
	} else {
		say(fmt.Sprintf("%s is out of the grid, and barred until %s kick --undo %s", name, n.con.Name, id))
	}
	return nil
}

// looksLikeID tells whether a word has the form of a peer's id.
func looksLikeID(word string) bool {
	return !strings.ContainsAny(word, " \t/") && len(word) >= 40 && len(word) <= 64
}

// find is the id of a peer that is here, by name or id.
func (n *nodeState) find(word string) (string, error) {
	m, err := findMember(n.peer.Members(), word)
	return m.ID, err
}

// namedPeersMax bounds the peers that a message names.
const namedPeersMax = 8

// findMember is the member that a word means: its name or its id.
func findMember(members []satin.Member, word string) (satin.Member, error) {
	var found satin.Member
	var ids, known []string
	for _, m := range members {
		if m.ID == word {
			return m, nil
		}
		if m.Name == word {
			found = m
			ids = append(ids, m.ID)
		}
		known = append(known, m.Name)
	}
	switch len(ids) {
	case 1:
		return found, nil
	case 0:
		return found, &admin.Failure{Code: console.ExitUsage, Text: fmt.Sprintf("there is no peer %q; %s", word, wording.There(known, namedPeersMax))}
	}
	return found, &admin.Failure{Code: console.ExitUsage, Text: fmt.Sprintf("several peers are called %s: say which by its id, %s", word, strings.Join(ids, " or "))}
}

// leave lets peers leave.
func (n *nodeState) leave(ctx context.Context, r admin.Request, say func(string)) error {
	var ids []string
	for _, word := range r.Peers {
		id, err := n.find(word)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	if r.Site != "" {
		there := n.at(r.Site)
		if len(there) == 0 {
			return &admin.Failure{Code: console.ExitUsage, Text: fmt.Sprintf("no peer is at site %s", r.Site)}
		}
		for _, m := range there {
			ids = append(ids, m.ID)
		}
	}
	if r.Self {
		ids = append(ids, n.peer.ID())
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if r.UntilIdle {
		return n.leaveIdle(ctx, ids, r, say)
	}
	return n.leaveNow(ctx, ids, r, say)
}

// leaveNow lets them leave, those that are still here.
func (n *nodeState) leaveNow(ctx context.Context, ids []string, r admin.Request, say func(string)) error {
	badly, err := n.drain(ctx, ids, r, say)
	return errors.Join(err, disorder(badly))
}

// migrate lets a site's peers leave once there is somebody at the other, those that join
// meanwhile too. When the other site is lost before they have left, they stay, and it waits for
// somebody to come there again. When it is lost after that, the work is where others are.
func (n *nodeState) migrate(ctx context.Context, r admin.Request, say func(string)) error {
	if len(n.at(r.Site)) == 0 {
		return &admin.Failure{Code: console.ExitUsage, Text: fmt.Sprintf("no peer is at site %s", r.Site)}
	}
	began, moved, self := time.Now(), 0, false
	var badly []string
	for !self {
		there, err := n.awaitHere(ctx, r, say)
		if err != nil {
			return err
		}
		if len(there) == 0 {
			break
		}
		say(fmt.Sprintf("%s at %s, %s at %s: those at %s leave", wording.Count(len(there), "peer"), r.Site, wording.Count(len(n.here(r.To)), "peer"), r.To, r.Site))
		var ids []string
		for _, m := range there {
			ids = append(ids, m.ID)
		}
		some, err := n.drain(ctx, ids, r, say)
		if err != nil && !errors.Is(err, satin.ErrDeserted) {
			return err
		}
		gone := len(ids)
		if err != nil {
			gone -= n.present(ids)
			say(fmt.Sprintf("nobody is at %s any more: %s at %s, who stay", r.To, wording.Count(n.present(ids), "peer"), r.Site))
		}
		badly = append(badly, some...)
		moved += gone - len(some)
		self = err == nil && slices.Contains(ids, n.peer.ID()) // the last one of the site
	}
	// this node itself, when it has left, has seen to it that somebody of that site answers
	if !self {
		if has, err := settled(ctx, n.peer.Members, r.To); err != nil || !has {
			return errors.Join(disorder(badly), cmp.Or(err, n.deserted(r, moved)))
		}
	}
	say(fmt.Sprintf("moved: %s left %s in %s; %s computes on", wording.Count(moved, "peer"), r.Site, console.Brief(time.Since(began).Seconds()), r.To))
	return disorder(badly)
}

// deserted is the failure of a migration whose destination was lost once all had left.
func (n *nodeState) deserted(r admin.Request, moved int) error {
	var sites []string
	for _, m := range n.peer.Members() {
		if m.State == "here" && !slices.Contains(sites, m.Site) {
			sites = append(sites, m.Site)
		}
	}
	slices.Sort(sites)
	on := wording.List(sites) + " computes on"
	switch len(sites) {
	case 0:
		on = "what was computing waits for a peer to join"
	case 1:
	default:
		on = wording.List(sites) + " compute on"
	}
	return &admin.Failure{
		Code: console.ExitFailed,
		Text: fmt.Sprintf("%s left %s, and nobody is at %s any more; %s", wording.Count(moved, "peer"), r.Site, r.To, on),
	}
}

// awaitHere waits until somebody is where others shall move, and is who shall. Nobody is waited
// for when nobody shall.
func (n *nodeState) awaitHere(ctx context.Context, r admin.Request, say func(string)) ([]satin.Member, error) {
	for said := false; ; {
		there := n.at(r.Site)
		if len(there) == 0 || len(n.here(r.To)) > 0 {
			return there, nil
		}
		if !said && !isAnyAt(n.peer.Members(), r.To, "suspected") {
			say(fmt.Sprintf("no peer is at %s yet; waiting for one to join. %s goes on computing", r.To, r.Site))
			said = true
		}
		if err := pause(ctx, lookAgain); err != nil {
			return nil, err
		}
	}
}

// settled tells whether somebody is at a site and not leaving it. Who is suspected to be dead may
// live: that is found out first.
func settled(ctx context.Context, members func() []satin.Member, site string) (bool, error) {
	for {
		all := members()
		if isAnyAt(all, site, "here") || !isAnyAt(all, site, "suspected") {
			return isAnyAt(all, site, "here"), nil
		}
		if err := pause(ctx, lookAgain); err != nil {
			return false, err
		}
	}
}

func isAnyAt(all []satin.Member, site, state string) bool {
	return slices.ContainsFunc(all, func(m satin.Member) bool { return m.Site == site && m.State == state })
}

// present is how many of these are on the grid.
func (n *nodeState) present(ids []string) (present int) {
	for _, m := range n.peer.Members() {
		if slices.Contains(ids, m.ID) {
			present++
		}
	}
	return present
}

// here are the peers of a site that are neither leaving nor suspected to be dead.
func (n *nodeState) here(site string) []satin.Member {
	return slices.DeleteFunc(n.peer.Members(), func(m satin.Member) bool { return m.Site != site || m.State != "here" })
}

// at are the peers of a site that are not leaving.
func (n *nodeState) at(site string) []satin.Member {
	return slices.DeleteFunc(n.peer.Members(), func(m satin.Member) bool { return m.Site != site || m.State == "leaving" })
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
