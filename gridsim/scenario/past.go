package scenario

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/chaos"
	"satingrid/satin/program/local"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
)

// ofRecording makes a trace of a recording.
func ofRecording(from io.Reader) (*annals, error) {
	p, err := recording.Open(from)
	if err != nil {
		return nil, err
	}
	s := retelling{peers: map[string]*attendee{}}
	for !s.over {
		switch l, err := p.Next(); {
		case errors.Is(err, io.EOF) && s.looks == 0:
			return nil, errors.New("nobody was seen in it")
		case errors.Is(err, io.EOF):
			s.over = true
		case err != nil:
			return nil, err
		default:
			if err := s.look(l); err != nil {
				return nil, err
			}
		}
	}
	return s.trace()
}

// retelling is what a recording tells of who was there.
type retelling struct {
	looks  int
	was    recording.Look
	on     bool          // a run was seen
	began  time.Duration // … then; where none was, the first look
	master string        // its first, by name or id
	over   bool
	peers  map[string]*attendee // that are there, by id
	moves  []move               // in their order
}

// attendee is a peer.
type attendee struct {
	id, name, site string
	workers        int
	number         int // at its site, from 1; 0: it has none yet
	leaving        bool
}

// move is that a peer comes or goes.
type move struct {
	at   time.Duration
	verb chaos.Verb // of Join, Leave and Kill
	*attendee
}

// look takes the next look.
func (s *retelling) look(l recording.Look) error {
	was := s.was
	s.was = l
	if s.looks == 0 {
		s.began = l.At
	}
	if s.looks++; len(l.Missing) > 0 { // of grids that did not answer nobody is gone
		return nil
	}
	runs := slices.DeleteFunc(slices.Clone(l.Runs), func(r across.RunLine) bool { return !observe.RunView{RunLine: r}.IsOn() })
	if s.on && len(runs) == 0 {
		s.over = true
		return nil
	}
	here := map[string]bool{}
	for _, m := range l.Members {
		if m.Workers > 0 { // else it is a client
			here[m.ID] = true
			s.meets(l.At, m)
		}
	}
	s.parts(was, l, here)
	if !s.on && len(runs) > 0 {
		s.on, s.began = true, l.At
	}
	if s.master == "" && len(runs) > 0 {
		s.master = runs[0].Master
	}
	if len(s.moves) > happeningMax {
		return fmt.Errorf("peers have come and gone more than %d times", happeningMax)
	}
	return nil
}

// meets takes a member that is there.
func (s *retelling) meets(at time.Duration, m across.Peer) {
	p := s.peers[m.ID]
	if p == nil {
		p = &attendee{id: m.ID, name: m.Name, site: m.Site, workers: min(m.Workers, local.WorkersMax)}
		s.peers[m.ID] = p
		s.moves = append(s.moves, move{at, chaos.Join, p})
	}
	if m.State == "leaving" && !p.leaving {
		p.leaving = true
		s.moves = append(s.moves, move{at, chaos.Leave, p})
	}
}

// parts takes leave of those who are not there any more. Of those who were not seen to leave each
// host tells how many have left in order.
func (s *retelling) parts(was, now recording.Look, here map[string]bool) {
	told := map[string]int{}
	for _, h := range was.Hosts {
		told[h.By] = h.Lost["leave"]
	}
	left := 0
	for _, h := range now.Hosts {
		if n, known := told[h.By]; known {
			left = max(left, h.Lost["leave"]-n)
		}
	}
	var gone []*attendee
	for _, p := range s.peers {
		switch {
		case here[p.id]:
		case p.leaving:
			left--
			delete(s.peers, p.id)
		default:
			gone = append(gone, p)
		}
	}
	slices.SortFunc(gone, func(a, b *attendee) int { return strings.Compare(a.id, b.id) })
	for _, p := range gone {
		delete(s.peers, p.id)
		verb := chaos.Kill
		if left >= len(gone) {
			verb = chaos.Leave
		}
		s.moves = append(s.moves, move{now.At, verb, p})
	}
}

// trace is what came of it: who was there when the run began, and what has happened since.
func (s *retelling) trace() (*annals, error) {
	first, since := s.parted()
	t, names := &annals{}, siteNames{}
	for _, p := range first {
		site, err := t.siteOf(p, names)
		switch {
		case err != nil:
			return nil, err
		case site.Workers != p.workers: // all that are there from the start have as many
			since = append([]move{{s.began, chaos.Join, p}}, since...)
		default:
			site.Peers++
			p.number = site.Peers
		}
	}
	count := map[string]int{}
	for _, site := range t.sites {
		if count[site.Name] = site.Peers; site.Peers > PeersMax {
			return nil, fmt.Errorf("it has more than %d peers", PeersMax)
		}
	}
	for _, m := range since {
		site, err := t.siteOf(m.attendee, names)
		if err != nil {
			return nil, err
		}
		h := occurrence{at: m.at - s.began, verb: m.verb, who: chaos.Whom{Site: site.Name}, count: 1, notice: -1}
		if m.verb == chaos.Join {
			h.workers = m.workers
			count[site.Name]++
			m.number = count[site.Name]
		} else {
			h.who.Number = m.number
		}
		t.all = append(t.all, h)
	}
	return t, nil
}

// parted are those who were there when the run began, its master first, and what has happened
// since.
func (s *retelling) parted() (first []*attendee, since []move) {
	for _, m := range s.moves {
		switch {
		case m.at > s.began:
			since = append(since, m)
		case m.verb == chaos.Join:
			first = append(first, m.attendee)
		default:
			first = slices.DeleteFunc(first, func(p *attendee) bool { return p == m.attendee })
		}
	}
	if at := slices.IndexFunc(first, func(p *attendee) bool { return p.id == s.master || p.name == s.master }); at > 0 {
		master := first[at]
		first = slices.Insert(slices.Delete(first, at, at+1), 0, master)
	}
	return first, since
}

// siteNames are the names of sites as a scenario has them, by those of the recording.
type siteNames map[string]string

// siteOf is the site of a peer. One of which nobody was there at first has the workers of the first
// that comes.
func (t *annals) siteOf(p *attendee, names siteNames) (*local.Site, error) {
	name := names[p.site]
	if name == "" {
		if len(names) == sitesMax {
			return nil, fmt.Errorf("it has more than %d sites", sitesMax)
		}
		name = strings.Map(func(c rune) rune {
			if local.CheckName("x"+string(c)) != nil {
				return '-'
			}
			return c
		}, p.site)
		if err := local.CheckName(name); err != nil {
			return nil, fmt.Errorf("site %q cannot be simulated: %w", p.site, err)
		}
		names[p.site] = name
	}
	at := slices.IndexFunc(t.sites, func(s local.Site) bool { return s.Name == name })
	if at < 0 {
		at = len(t.sites)
		t.sites = append(t.sites, local.Site{Name: name, Workers: p.workers})
	}
	return &t.sites[at], nil
}
