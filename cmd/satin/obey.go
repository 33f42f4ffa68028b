package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"satingrid/cmd/satin/control"
	"satingrid/satin"
)

const (
	// tellMax is how long a peer may take to be seen leaving once it is told to: its orders are repeated.
	tellMax = 10 * time.Second

	// lookAgain is how often who is still there is looked at.
	lookAgain = 100 * time.Millisecond

	// lateMax is how much longer than its deadline a peer may be there. Then it is for the others to find out.
	lateMax = 10 * time.Second

	// goneMax bounds the peers that are remembered after they are gone, so that their names still mean them.
	goneMax = 1024
)

// roster is what a node remembers of the peers that have gone.
type roster struct {
	mu   sync.Mutex // protects what follows
	gone []goneOne  // the latest last
}

type goneOne struct{ id, name, how string }

// event notes who goes.
func (r *roster) event(e satin.Event) {
	if e.Kind != satin.EventLost {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.gone) == goneMax {
		r.gone = r.gone[1:]
	}
	r.gone = append(r.gone, goneOne{e.ID, e.Peer, e.How})
}

// howOf tells in what way a peer went, most recently, or "".
func (r *roster) howOf(id string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range slices.Backward(r.gone) {
		if g.id == id {
			return g.how
		}
	}
	return ""
}

// find is the id of a peer that is gone, by name.
func (r *roster) find(name string) (id string, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range slices.Backward(r.gone) {
		if g.name == name {
			return g.id, true
		}
	}
	return "", false
}

// Do does what a command asks of this node.
func (n *nodeState) Do(ctx context.Context, r control.Request, say func(string)) error {
	switch r.Do {
	case control.Kick:
		return n.kick(r, say)
	case control.Migrate:
		return n.migrate(ctx, r, say)
	default:
		return n.leave(ctx, r, say)
	}
}

func (n *nodeState) kick(r control.Request, say func(string)) error {
	word := r.Peers[0]
	id, err := n.find(word)
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
		return &control.Failure{Code: exitUsage, Text: "a node does not kick itself; satin leave --self lets it leave"}
	}
	if err := n.peer.Bar(id, !r.Undo); err != nil {
		return err
	}
	if r.Undo {
		say(fmt.Sprintf("%s may join again", word))
	} else {
		say(fmt.Sprintf("%s is out of the grid, and barred until satin kick --undo %s", word, id))
	}
	return nil
}

// looksLikeID tells whether a word has the form of a peer's id.
func looksLikeID(word string) bool {
	return !strings.ContainsAny(word, " \t/") && len(word) >= 40 && len(word) <= 64
}

// find is the id of a peer that is here, by name or id.
func (n *nodeState) find(word string) (string, error) {
	var ids, known []string
	for _, m := range n.peer.Members() {
		if m.ID == word {
			return m.ID, nil
		}
		if m.Name == word {
			ids = append(ids, m.ID)
		}
		known = append(known, m.Name)
	}
	switch len(ids) {
	case 1:
		return ids[0], nil
	case 0:
		return "", &control.Failure{Code: exitUsage, Text: fmt.Sprintf("there is no peer %q; there are %s", word, list(known))}
	}
	return "", &control.Failure{Code: exitUsage, Text: fmt.Sprintf("several peers are called %s: say which by its id, %s", word, strings.Join(ids, " or "))}
}

// leave lets peers leave.
func (n *nodeState) leave(ctx context.Context, r control.Request, say func(string)) error {
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
			return &control.Failure{Code: exitUsage, Text: fmt.Sprintf("no peer is at site %s", r.Site)}
		}
		for _, m := range there {
			ids = append(ids, m.ID)
		}
	}
	if r.Self {
		ids = append(ids, n.peer.ID())
	}
	slices.Sort(ids)
	return n.dismiss(ctx, slices.Compact(ids), r, say)
}

// migrate lets a site's peers leave once there is somebody at the other, those that join meanwhile too.
func (n *nodeState) migrate(ctx context.Context, r control.Request, say func(string)) error {
	if len(n.at(r.Site)) == 0 {
		return &control.Failure{Code: exitUsage, Text: fmt.Sprintf("no peer is at site %s", r.Site)}
	}
	if len(n.at(r.To)) == 0 {
		say(fmt.Sprintf("no peer is at %s yet; waiting for one to join. %s goes on computing", r.To, r.Site))
		for len(n.at(r.To)) == 0 {
			if err := pause(ctx, lookAgain); err != nil {
				return err
			}
		}
	}
	began, moved := time.Now(), 0
	for there := n.at(r.Site); len(there) > 0; there = n.at(r.Site) {
		say(fmt.Sprintf("%s at %s, %s at %s: those at %s leave", count(len(there), "peer"), r.Site, count(len(n.at(r.To)), "peer"), r.To, r.Site))
		var ids []string
		for _, m := range there {
			ids = append(ids, m.ID)
		}
		moved += len(ids)
		if err := n.dismiss(ctx, ids, r, say); err != nil {
			return err
		}
		if slices.Contains(ids, n.peer.ID()) {
			break // the last one of the site
		}
	}
	say(fmt.Sprintf("moved: %s left %s in %s; %s computes on", count(moved, "peer"), r.Site, brief(time.Since(began).Seconds()), r.To))
	return nil
}

// at are the peers of a site that are not leaving.
func (n *nodeState) at(site string) []satin.Member {
	return slices.DeleteFunc(n.peer.Members(), func(m satin.Member) bool { return m.Site != site || m.State == "leaving" })
}

// dismiss tells peers to leave, all at once so that none makes an heir of another, and this node last.
func (n *nodeState) dismiss(ctx context.Context, ids []string, r control.Request, say func(string)) error {
	names := map[string]string{}
	for _, m := range n.peer.Members() {
		names[m.ID] = m.Name
	}
	self := slices.Contains(ids, n.peer.ID())
	others := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == n.peer.ID() })
	failed := make(chan error, len(others))
	began := time.Now()
	for _, id := range others {
		go func() { failed <- n.order(ctx, id, names[id], r) }()
	}
	var first error
	for range others {
		if err := <-failed; err != nil && first == nil {
			first = err
		}
	}
	if first != nil {
		return first
	}
	if !r.Wait {
		for _, id := range others {
			say(names[id] + " is leaving")
		}
	} else if err := n.awaitGone(ctx, others, names, began, r.Deadline, say); err != nil {
		return err
	}
	if !self {
		return nil
	}
	if !r.Wait {
		say(n.peer.Name() + " is leaving")
		n.crew.Go(func() { n.quit(r.Deadline, r.To) })
		return nil
	}
	began = time.Now()
	if err := n.quit(r.Deadline, r.To); err != nil {
		return err
	}
	say(fmt.Sprintf("%s has left after %s", n.peer.Name(), brief(time.Since(began).Seconds())))
	return nil
}

// order tells one peer to leave.
func (n *nodeState) order(ctx context.Context, id, name string, r control.Request) error {
	ctx, cancel := context.WithTimeoutCause(ctx, tellMax, fmt.Errorf("%s was told to leave and is not seen to: is it stopped, or cut off?", name))
	defer cancel()
	return n.peer.Order(ctx, id, r.Deadline, r.To)
}

// awaitGone waits until peers that leave are gone, and says how each of them went.
func (n *nodeState) awaitGone(ctx context.Context, ids []string, names map[string]string, began time.Time, deadline time.Duration, say func(string)) error {
	left := slices.Clone(ids)
	late := began.Add(deadline + lateMax)
	for {
		present := map[string]bool{}
		for _, m := range n.peer.Members() {
			present[m.ID] = true
		}
		left = slices.DeleteFunc(left, func(id string) bool {
			if present[id] {
				return false
			}
			if how := n.roster.howOf(id); how != "leave" {
				say(fmt.Sprintf("%s is gone (%s) before it had left in order; the others do again what it still had", names[id], how))
			} else {
				say(fmt.Sprintf("%s has left after %s", names[id], brief(time.Since(began).Seconds())))
			}
			return true
		})
		if len(left) == 0 {
			return nil
		}
		if time.Now().After(late) {
			return fmt.Errorf("%s is still there %s after its deadline", names[left[0]], lateMax)
		}
		if err := pause(ctx, lookAgain); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
