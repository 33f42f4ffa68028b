package node

import (
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"satingrid/satin"
	"satingrid/satin/ticket"
)

// Who is there changes, and tickets must go on leading to somebody. Whoever has published one
// publishes it anew, and looks at those of others.

// learnEvery is how often a member looks who else has published a ticket, and a client that reaches
// no member; and how often it is seen to that a ticket names those who are there.
const learnEvery = 10 * time.Second

// served is a peer, or a client, as those see it who look after its tickets.
type served interface {
	Addrs() []string
	Others() []string
	Members() []satin.Member
	Learn(addrs []string)
	Done() <-chan struct{}
	Err() error
}

// named are the addresses that a ticket is to have: those of a peer, then those of others that it
// reaches, clients too. They may be there when it is not.
func named(p served) []string { return slices.Concat(p.Addrs(), p.Others()) }

// hasEnded tells whether a peer knows of nobody any more: a ticket of then would be a worse one.
func hasEnded(p served) bool {
	select {
	case <-p.Done():
		return true
	default:
		return false
	}
}

func (m *meeting) publish(p served) error {
	addrs := named(p)
	if hasEnded(p) {
		return nil
	}
	m.posted = addrs
	t, err := m.grid.Invite(m.posted...)
	if err != nil {
		return err
	}
	return m.folder.Publish(m.me, t)
}

// refresh publishes the ticket again. One that is there already stays as it is where that fails.
func (m *meeting) refresh(p served) {
	if err := m.publish(p); err != nil {
		slog.Warn("this node's ticket cannot be refreshed; others may take it for dead", "folder", m.folder, "error", err)
	}
}

// learn looks for the members that others' tickets name.
func (m *meeting) learn(p served) {
	all, err := m.folder.Tickets(m.grid)
	if err != nil {
		return // the next time it may be there
	}
	all = slices.DeleteFunc(all, func(t ticket.Published) bool { return t.Of() == m.me || !t.Fresh() })
	p.Learn(addressesOf(all, namedMax))
}

// stay keeps this node's ticket fresh, and true, and looks for the members that others' tickets
// name, until the node ends.
func (m *meeting) stay(p served) {
	learn, refresh := time.NewTicker(m.learnEvery), time.NewTicker(m.refreshEvery)
	defer learn.Stop()
	defer refresh.Stop()
	for {
		select {
		case <-learn.C:
			m.learn(p)
			if !slices.Equal(m.posted, named(p)) {
				m.refresh(p)
			}
		case <-refresh.C:
			m.refresh(p)
		case <-p.Done():
			if errors.Is(p.Err(), satin.ErrLeft) {
				m.folder.Withdraw(m.me, m.grid)
			}
			return
		}
	}
}

// follow has a client look at the folder through which it came, until it ends. While it reaches no
// member, others may have come that know nothing of it: all that it has met may be dead.
func (m *meeting) follow(p served) {
	every := time.NewTicker(m.learnEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			m.seek(p)
		case <-p.Done():
			return
		}
	}
}

// seek has a client learn where members are, if it reaches none.
func (m *meeting) seek(p served) {
	if len(p.Members()) == 0 {
		m.learn(p)
	}
}

// spare is the file of a ticket that leads to a node's grid, for others.
type spare struct {
	file   string
	grid   ticket.Ticket
	said   []string // the addresses that it has
	failed bool     // it could not be written
	every  time.Duration
}

func newSpare(folder string, grid ticket.Ticket) *spare {
	return &spare{file: filepath.Join(folder, grid.Grid+ticketEnding), grid: grid, every: learnEvery}
}

// write writes it, if who is there has changed since.
func (s *spare) write(p served) error {
	addrs := named(p)
	if slices.Equal(addrs, s.said) || hasEnded(p) {
		return nil
	}
	t, err := s.grid.Invite(addrs...)
	if err != nil {
		return err
	}
	if err = ticket.Save(s.file, t); err == nil {
		s.said = addrs
	}
	return err
}

// stay keeps it true until the node ends.
func (s *spare) stay(p served) {
	every := time.NewTicker(s.every)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			if err := s.write(p); err != nil && !s.failed {
				s.failed = true // it is said once
				slog.Warn("the ticket to invite others with cannot be renewed", "file", s.file, "error", err)
			}
		case <-p.Done():
			return
		}
	}
}
