package observe

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"satingrid/satin/program/across"
)

const (
	// siteMax is how long the host of a site has to answer, which asks others meanwhile, and
	// siteTries how many of a site are asked.
	siteMax   = 2500 * time.Millisecond
	siteTries = 2

	// gridMax is how long the hosts of a grid have to name its peers and its runs, and hostMax
	// how long one of them has before the next is asked.
	gridMax = 6 * time.Second
	hostMax = 1500 * time.Millisecond
)

// Sample is what grids of one secret did when they were looked at.
type Sample struct {
	Grid    string        // its name
	Members []across.Peer // as one of them lists them
	Peers   []across.Doing
	Runs    []across.RunLine
	// of each site, as the host says that was asked; without what is in Peers
	Hosts   []across.Activity
	Mute    []Untold
	Missing []string // which grids are not in it, and why
}

// Untold is a site of which nobody tells what is done there.
type Untold struct {
	Site, Build string
	Peers       int
	Refuses     bool // its hosts can be reached, and do not answer the question
}

// untold is the site of a peer, where nobody tells of it; nil: somebody does.
func (s Sample) untold(d across.Doing) *Untold {
	i := slices.IndexFunc(s.Mute, func(u Untold) bool { return u.Site == d.Site && u.Build == d.Build })
	if i < 0 {
		return nil
	}
	return &s.Mute[i]
}

// Observer looks at one grid.
type Observer struct {
	Ask   AskFunc
	Addrs []string // of hosts of it, as far as is known
	Loans bool     // the last loans of each peer are wanted, too

	asked  map[string]string // by site, the id of who has answered last
	teller string            // the host that has told its lists last
}

// Look asks one host which peers and runs there are, and one of each site what is done there. The
// error says that there is no answer at all.
func (o *Observer) Look(ctx context.Context) (s Sample, err error) {
	ctx, cancel := context.WithTimeout(ctx, gridMax+siteTries*siteMax)
	defer cancel()
	members, jobs, err := o.lists(ctx)
	if err != nil {
		return s, err
	}
	s.Grid, s.Members, s.Runs = jobs.Grid, members, jobs.Runs
	sites := bySite(members)
	told := make([]across.Activity, len(sites))
	mute := make([]*Untold, len(sites))
	each(len(sites), func(i int) { told[i], mute[i] = o.site(ctx, sites[i]) })
	if o.asked == nil {
		o.asked = map[string]string{}
	}
	for i, site := range sites {
		if m := mute[i]; m != nil {
			s.Mute = append(s.Mute, *m)
		} else {
			o.asked[site[0].Site] = idOf(told[i])
			s.Hosts = append(s.Hosts, told[i])
		}
		s.Peers = append(s.Peers, joined(site, told[i].Doing)...)
	}
	for i := range s.Hosts {
		s.Hosts[i].Doing = nil
	}
	return s, nil
}

// lists are the grid's peers and runs, as the first host names them that answers.
func (o *Observer) lists(ctx context.Context) (members []across.Peer, jobs across.Jobs, err error) {
	ctx, cancel := context.WithTimeout(ctx, gridMax)
	defer cancel()
	a, err := o.askAny(ctx, across.AskPeers)
	if err == nil && a.Peers == nil {
		err = errors.New("its answer names no peers")
	}
	if err != nil {
		return nil, jobs, err
	}
	members = a.Peers.Peers
	o.learn(members)
	a, err = o.askAny(ctx, across.AskJobs)
	if err == nil && a.Jobs == nil {
		err = errors.New("its answer names no runs")
	}
	if err != nil {
		return nil, jobs, err
	}
	return members, *a.Jobs, nil
}

// askAny asks one host after the other. Who does not answer is the last to be asked the next time:
// a host that stands still takes connections, and says nothing.
func (o *Observer) askAny(ctx context.Context, what across.Subject) (a across.Response, err error) {
	err = errors.New("no host of it is known")
	for range len(o.Addrs) {
		n := 1
		for n < len(o.Addrs) && hostOf(o.Addrs[n]) == hostOf(o.Addrs[0]) {
			n++
		}
		each, cancel := context.WithTimeout(ctx, hostMax)
		a, err = o.Ask(each, across.Question{Ask: what}, o.Addrs[:n]...)
		cancel()
		if err == nil || isRefusal(err) || ctx.Err() != nil {
			o.teller = hostOf(o.Addrs[0])
			return a, err
		}
		o.Addrs = slices.Concat(o.Addrs[n:], o.Addrs[:n])
	}
	return a, err
}

// hostOf is the part of an address that says which host it is of; all of it, where nothing does.
func hostOf(addr string) string {
	return addr[max(strings.LastIndex(addr, "/p2p/"), 0):]
}

// learn notes where the grid's hosts are: those that have answered first.
func (o *Observer) learn(members []across.Peer) {
	members = slices.Clone(members)
	answered := func(p across.Peer) bool {
		return o.asked[p.Site] == p.ID || len(p.Addrs) > 0 && hostOf(p.Addrs[0]) == o.teller
	}
	slices.SortStableFunc(members, func(a, b across.Peer) int {
		return cmp.Or(rank(!answered(a))-rank(!answered(b)), rank(a.State != "here")-rank(b.State != "here"))
	})
	var addrs []string
	for _, m := range members {
		addrs = append(addrs, m.Addrs...)
	}
	if len(addrs) > 0 {
		o.Addrs = addrs
	}
}

// bySite are the members of each site, the first of which is asked first: every observer asks the
// same one.
func bySite(members []across.Peer) (sites [][]across.Peer) {
	members = slices.Clone(members)
	slices.SortFunc(members, func(a, b across.Peer) int {
		return cmp.Or(strings.Compare(a.Site, b.Site), rank(a.State != "here")-rank(b.State != "here"), strings.Compare(a.ID, b.ID))
	})
	for len(members) > 0 {
		n := slices.IndexFunc(members, func(p across.Peer) bool { return p.Site != members[0].Site })
		if n < 0 {
			n = len(members)
		}
		sites = append(sites, members[:n])
		members = members[n:]
	}
	return sites
}

// site asks members of a site, one after the other, until one tells what is done there.
func (o *Observer) site(ctx context.Context, members []across.Peer) (told across.Activity, mute *Untold) {
	mute = &Untold{Site: members[0].Site, Build: members[0].Build, Peers: len(members)}
	order := slices.Clone(members)
	if i := slices.IndexFunc(order, func(p across.Peer) bool { return p.ID == o.asked[mute.Site] }); i > 0 {
		last := order[i]
		copy(order[1:], order[:i])
		order[0] = last
	}
	for _, m := range order[:min(len(order), siteTries)] {
		a, err := o.askSite(ctx, m)
		if err == nil {
			return *a.Activity, nil
		}
		if isRefusal(err) {
			mute.Refuses = true
		}
	}
	return told, mute
}

// askSite asks one of them.
func (o *Observer) askSite(ctx context.Context, m across.Peer) (across.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, siteMax)
	defer cancel()
	a, err := o.Ask(ctx, across.Question{Ask: across.AskDoing, Loans: o.Loans}, m.Addrs...)
	if err == nil && (a.Activity == nil || idOf(*a.Activity) == "") {
		err = errors.New("its answer does not say what is done")
	}
	return a, err
}

// idOf is the id of who tells of a site; "": it does not tell of itself.
func idOf(a across.Activity) string {
	for _, d := range a.Doing {
		if d.Name == a.By {
			return d.ID
		}
	}
	return ""
}

// joined are all peers of a site: those that are told of, and with nothing else those that only the
// list of members has.
func joined(members []across.Peer, told []across.Doing) (all []across.Doing) {
	has := map[string]bool{}
	for _, d := range told {
		if d.Site == members[0].Site && !has[d.ID] {
			has[d.ID] = true
			d.Build = cmp.Or(d.Build, members[0].Build)
			all = append(all, d)
		}
	}
	for _, m := range members {
		if !has[m.ID] {
			all = append(all, across.Doing{Name: m.Name, ID: m.ID, Site: m.Site, State: m.State, Workers: m.Workers, Build: m.Build, Runs: []across.RunShare{}})
		}
	}
	return all
}

// Both is what two grids of one secret do.
func (s Sample) Both(other Sample) Sample {
	s.Grid = cmp.Or(s.Grid, other.Grid)
	s.Peers, s.Runs = append(s.Peers, other.Peers...), append(s.Runs, other.Runs...)
	s.Hosts, s.Mute = append(s.Hosts, other.Hosts...), append(s.Mute, other.Mute...)
	s.Members, s.Missing = append(s.Members, other.Members...), append(s.Missing, other.Missing...)
	return s
}
