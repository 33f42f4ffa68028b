package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

const (
	// tellMax is how long a peer may take to be seen leaving once it is told to: its
	// orders are repeated.
	tellMax = 10 * time.Second

	// lateMax is how much longer than its deadline a peer may be there. Then it is for
	// the others to find out.
	lateMax = 10 * time.Second
)

// drain tells peers to leave, all at once so that none makes an heir of another, and this node
// last. Where it waits for them, it tells which of them did not leave in order.
func (n *nodeState) drain(ctx context.Context, ids []string, r admin.Request, say func(string)) (badly []string, err error) {
	names := map[string]string{}
	for _, m := range n.peer.Members() {
		names[m.ID] = m.Name
	}
	others := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return id == n.peer.ID() })
	began := time.Now()
	err = n.orderAll(ctx, others, names, r)
	if err != nil && !errors.Is(err, satin.ErrDeserted) {
		return nil, err
	}
	if !r.Wait {
		for _, id := range others {
			say(names[id] + " is leaving")
		}
	} else if badly, err = n.awaitGone(ctx, others, names, began, r, say); err != nil {
		return badly, err
	}
	if len(others) == len(ids) {
		return badly, nil
	}
	if !r.Wait {
		say(n.peer.Name() + " is leaving")
		n.goroutines.Go(func() { n.quit(r.Deadline, r.To) })
		return nil, nil
	}
	began = time.Now()
	if r.Do == admin.Migrate {
		err = n.move(ctx, r)
	} else {
		err = n.quit(r.Deadline, r.To)
	}
	var late *satin.LateError
	if err != nil && !errors.As(err, &late) {
		return badly, err
	}
	say(departure(n.peer.Name(), goneOne{how: "leave", late: late != nil}, began))
	if late != nil {
		badly = append(badly, n.peer.Name())
	}
	return badly, nil
}

// orderAll tells peers to leave, at once.
func (n *nodeState) orderAll(ctx context.Context, ids []string, names map[string]string, r admin.Request) (first error) {
	failed := make(chan error, len(ids))
	for _, id := range ids {
		go func() { failed <- n.order(ctx, id, names[id], r) }()
	}
	for range ids {
		if err := <-failed; err != nil && first == nil {
			first = err
		}
	}
	return first
}

// order tells one peer to leave.
func (n *nodeState) order(ctx context.Context, id, name string, r admin.Request) error {
	ctx, cancel := context.WithTimeoutCause(ctx, tellMax, fmt.Errorf("%s was told to leave and is not seen to: is it stopped, or cut off?", name))
	defer cancel()
	if r.Do == admin.Migrate {
		return n.peer.Move(ctx, id, r.Deadline, r.To)
	}
	return n.peer.Order(ctx, id, r.Deadline, r.To)
}

// awaitGone waits until peers that leave are gone, and says how each of them went. It tells which
// of them did not leave in order.
func (n *nodeState) awaitGone(ctx context.Context, ids []string, names map[string]string, began time.Time, r admin.Request, say func(string)) (badly []string, err error) {
	left := slices.Clone(ids)
	late := began.Add(r.Deadline + lateMax)
	for {
		present, stay := map[string]bool{}, 0
		for _, m := range n.peer.Members() {
			present[m.ID] = true
			if m.State == "here" && slices.Contains(left, m.ID) {
				stay++
			}
		}
		if !present[n.peer.ID()] {
			return nil, errors.New("this node has ended before they had left")
		}
		left = slices.DeleteFunc(left, func(id string) bool {
			g, told := n.roster.last(id)
			if present[id] || !told {
				return false
			}
			say(departure(names[id], g, began))
			if !g.inOrder() {
				badly = append(badly, names[id])
			}
			return true
		})
		if len(left) == 0 {
			return badly, nil
		}
		if r.Do == admin.Migrate && stay == len(left) {
			// they were seen to leave, and do not any more
			return badly, satin.ErrDeserted
		}
		if time.Now().After(late) {
			return nil, fmt.Errorf("%s is still there %s after its deadline", names[left[0]], lateMax)
		}
		if err := pause(ctx, lookAgain); err != nil {
			return nil, err
		}
	}
}

// move lets this node leave for as long as somebody is where its heirs shall be, and returns when
// it has ended, or stays.
func (n *nodeState) move(ctx context.Context, r admin.Request) error {
	if err := n.peer.Move(ctx, n.peer.ID(), r.Deadline, r.To); err != nil {
		return err
	}
	look := time.NewTicker(lookAgain)
	defer look.Stop()
	for {
		select {
		case <-n.peer.Done():
			if err := n.peer.Err(); !errors.Is(err, satin.ErrLeft) {
				return err
			}
			return nil
		case <-look.C:
			if slices.ContainsFunc(n.here(n.peer.Site()), func(m satin.Member) bool { return m.ID == n.peer.ID() }) {
				return satin.ErrDeserted
			}
		}
	}
}

// disorder is the failure of peers that did not leave in order.
func disorder(badly []string) error {
	if len(badly) == 0 {
		return nil
	}
	return &admin.Failure{Code: console.ExitFailed, Text: wording.List(badly) + " did not leave in order"}
}
