package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

const (
	// meetMax is how long a node tries to come in through a folder of tickets: founders that
	// die one after the other take ten seconds each.
	meetMax = 2 * time.Minute

	// meetEvery is how often it looks whether somebody has come in there.
	meetEvery = 200 * time.Millisecond

	// triedMax is how many tickets are tried at a time, the youngest first: whoever opens looks
	// for no more than some such hosts, and for others that these name.
	triedMax = 64

	// namedMax bounds the addresses that are taken from a folder at a time.
	namedMax = 1024
)

// findInFolder is the way in through a folder of tickets. There may be no grid yet.
func findInFolder(dir string) (*Invitation, error) {
	f, err := ticket.OpenFolder(dir)
	if err != nil {
		return nil, console.Usage("--join: %v", err)
	}
	return &Invitation{folder: f, Said: dir, word: dir}, nil
}

// OfMember fills in what a client needs that joins through a folder: the ticket
// of whoever is there.
func (by *Invitation) OfMember(con *console.Console) error {
	if by.folder == nil {
		return nil
	}
	grid, has, err := by.folder.Begun()
	var posted []ticket.Published
	if err == nil && has {
		posted, err = by.folder.Tickets(grid)
	}
	if err != nil {
		return console.Usage("--join: %v", err)
	}
	if len(posted) == 0 {
		return console.Refused("--join %s: no node has published its ticket there yet; %s node --join %s does", by.Said, con.Name, by.Said)
	}
	by.Ticket = grid
	by.Ticket.Addrs = addressesOf(posted, ticket.AddrsMax)
	return nil
}

// addressesOf are the addresses of those whose tickets these are, those of the youngest first.
func addressesOf(posted []ticket.Published, most int) []string {
	var own [][]string
	for _, p := range posted {
		own = append(own, ticket.HostsOf(p.Ticket.Addrs)[0].Addrs)
	}
	addrs := each(own...)
	return addrs[:min(len(addrs), most)]
}

// waysOf are those and then the addresses of others whom the tickets name, such as clients. These
// may be all that is left of a grid.
func waysOf(posted []ticket.Published, most int) []string {
	all := [][]string{addressesOf(posted, most)}
	for _, p := range posted {
		all = append(all, p.Ticket.Addrs)
	}
	addrs := each(all...)
	return addrs[:min(len(addrs), most)]
}

// meeting is how a node comes in through a folder of tickets.
type meeting struct {
	folder *ticket.Folder
	grid   ticket.Ticket
	me     string             // this node's id
	tried  []ticket.Published // nobody answers there, or another build
	anew   bool               // that was so: the grid of this build is to be founded

	// what its own ticket says, and when others' and that are looked after
	posted                   []string
	learnEvery, refreshEvery time.Duration
}

// newMeeting finds the grid of a folder, or makes it.
func newMeeting(by *Invitation, state string) (*meeting, error) {
	grid, err := by.folder.Grid()
	if err != nil {
		return nil, console.Usage("--join: %v", err)
	}
	by.Ticket = grid
	me, err := p2p.PeerID(state)
	if err != nil {
		return nil, console.Usage("%v", bareP2P(err))
	}
	return &meeting{
		folder: by.folder, grid: grid, me: me,
		learnEvery: learnEvery, refreshEvery: ticket.RefreshEvery,
	}, nil
}

// untried are the tickets of members that should be there and are to be tried next, the youngest
// first, and all that there are.
func (m *meeting) untried() (fresh, all []ticket.Published, err error) {
	all, err = m.folder.Tickets(m.grid)
	all = slices.DeleteFunc(all, func(p ticket.Published) bool { return p.Of() == m.me })
	for _, p := range all {
		if len(fresh) < triedMax && p.Fresh() && !slices.ContainsFunc(m.tried, p.Same) {
			fresh = append(fresh, p)
		}
	}
	return fresh, all, err
}

// meet opens a node through a folder: it joins those whose tickets are there, or, if it has the
// right to, begins the grid, or goes on as it. Its own ticket is published when it returns.
func (n *nodeState) meet(ctx context.Context, m *meeting, config satin.Config) error {
	patience := time.Now().Add(meetMax)
	waits := false
	for {
		fresh, _, err := m.untried()
		if err != nil {
			return err
		}
		if len(fresh) > 0 {
			config.WhenAlone, config.Ticket.Addrs = satin.AloneFails, waysOf(fresh, namedMax)
			if err = n.openAndPublish(ctx, m, config); n.next && isOtherBuild(err) {
				m.anew = true
				err = n.meetKin(ctx, m, config)
			}
			if isNobody(err) {
				m.tried = append(m.tried, fresh...)
				continue
			}
			return err
		}
		claim, err := m.folder.Claim()
		if err != nil {
			return err
		}
		if claim != nil {
			// the founder before may have published meanwhile
			fresh, all, err := m.untried()
			if err == nil && len(fresh) == 0 {
				config.WhenAlone, config.Ticket.Addrs = satin.AloneGoesOn, waysOf(all, namedMax)
				if m.anew {
					config.WhenAlone, config.Ticket.Addrs = satin.AloneFoundsAnew, nil
				}
				err = n.openAndPublish(ctx, m, config)
				claim.Release()
				return err
			}
			claim.Release()
			if err != nil {
				return err
			}
			continue
		}
		if !waits {
			waits = true
			n.con.Say("another node is about to begin the grid of %s; waiting for its ticket", m.folder)
		}
		if time.Now().After(patience) {
			return console.Refused("%s: nobody has begun the grid within %v; look at who starts there, and try again", m.folder, meetMax)
		}
		if err := pause(ctx, meetEvery); err != nil {
			return err
		}
	}
}

// meetKin joins the grid of this node's build that members of another know. Where there is none it
// is as if nobody were there.
func (n *nodeState) meetKin(ctx context.Context, m *meeting, config satin.Config) error {
	config.WhenAlone, config.Ticket.Addrs = satin.AloneFoundsAnew, n.kin(ctx)
	if len(config.Ticket.Addrs) == 0 {
		return errNoKin
	}
	return n.openAndPublish(ctx, m, config)
}

// errNoKin says that no grid of this build is known.
var errNoKin = errors.New("no grid of this build is known")

// isNobody tells whether an Open has failed since nobody answers: a refusal is an answer.
func isNobody(err error) bool {
	if errors.Is(err, errNoKin) {
		return true
	}
	var stranded *satin.StrandedError
	var refused *p2p.DeniedError
	return errors.As(err, &stranded) && !errors.As(err, &refused)
}

func (n *nodeState) openAndPublish(ctx context.Context, m *meeting, config satin.Config) error {
	peer, err := satin.Open(ctx, config)
	if err != nil {
		return err
	}
	n.peer, n.ticket = peer, m.grid
	n.ticket.Addrs = config.Ticket.Addrs[:min(len(config.Ticket.Addrs), ticket.AddrsMax)]
	if err := m.publish(peer); err != nil {
		peer.Close()
		return fmt.Errorf("this node's ticket cannot be published: %w", err)
	}
	return nil
}
