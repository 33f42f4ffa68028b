package scenario

import (
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"satingrid/gridsim"
	"satingrid/membership"
	"satingrid/satin/program/chaos"
	"satingrid/satin/program/local"
	"satingrid/steal"
)

// Limits of a scenario. A peer is a machine that ships, with all its tables; above PeersMax a grid
// takes in nobody.
const (
	PeersMax       = 1000
	sitesMax       = 64
	RepetitionsMax = 1000
	jobsMax        = 2_000_000
	bytesMax       = 256 << 20 // of all jobs' values
	slowMax        = 100
	lossMax        = 0.5
)

// apartDefault is between the starts of two peers. Many that start in one moment jam a narrow
// uplink with telling each other who is there.
const apartDefault = 50 * time.Millisecond

// setting is one scenario with nothing left to choose: what is simulated, but for the seed.
type setting struct {
	sites  []local.Site
	speeds map[string]int
	net    gridsim.Net
	event  time.Duration

	work   gridsim.Workload
	prunes bool // what one worker does alone is no measure of what several do
	jobs   int
	alone  time.Duration // what one worker takes
	span   time.Duration
	events []chaos.Fault
	trace  []occurrence // sorted by time
	slow   []slowing
	losses attrition
	policy choices
	limit  time.Duration
	series time.Duration // from one interval to the next; 0: the course of a run is not told
	apart  time.Duration // the starts of two peers
}

// slowing is that workers have another speed for a while.
type slowing struct {
	who   chaos.Whom
	at    time.Duration
	until time.Duration
	speed int
}

// attrition is that peers go by chance.
type attrition struct {
	mean   time.Duration // a peer lives so long on average; 0: none goes
	notice time.Duration // it is told so long before
	again  time.Duration // another comes in its place so much later; negative: none does
	sites  []string      // at which peers go; none: at all
}

// choices are what of the machines' configuration is chosen.
type choices struct {
	stealing steal.Policy
	noFT     bool
	copies   time.Duration // as peer.Config has it
	once     bool          // the dearest are not copied to a third site, too
	leave    time.Duration // how long a peer may take that is told to leave
}

// schemes are the ways to choose whom to ask for jobs, as policy.stealing names them.
var schemes = map[string]steal.Policy{"crs": steal.CRS, "plain-crs": steal.PlainCRS, "chs": steal.CHS, "rs": steal.RS}

// read reads a scenario without cases and sweeps.
func read(top *yaml.Node, traces *library) (*setting, *Mistake) {
	var first *Mistake
	f := &fields{node: top, first: &first}
	g := &setting{speeds: map[string]int{}}
	g.readSites(f, g.readTraces(f, traces))
	g.checkTraces(f)
	g.readNet(f)
	g.event = f.below("loop").readLoop()
	g.limit = f.time("limit", 0, time.Second)
	if g.series = 0; f.text("series", "off") != "off" {
		g.series = f.time("series", 0, gridsim.LookEvery)
	}
	g.apart = f.time("apart", apartDefault, 0)
	g.readWork(f.below("workload"), f)
	g.readEvents(f)
	g.readSlow(f)
	g.readLosses(f.below("losses"))
	g.readPolicy(f.below("policy"))
	for _, name := range fixed {
		f.get(name)
	}
	f.done()
	return g, first
}

func (f *fields) readLoop() time.Duration {
	d := f.time("event", 0, time.Nanosecond)
	f.done()
	return d
}

// readSites reads who is there from the start, which may be who was in what is replayed.
func (g *setting) readSites(f *fields, replayed []local.Site) {
	sites := f.below("sites")
	g.net.Uplinks, g.net.Lines = map[membership.Site]int64{}, map[membership.Site]int64{}
	peers := 0
	if sites.node == nil {
		g.sites = slices.Clone(replayed)
		for _, s := range replayed {
			g.speeds[s.Name] = thousandths(1)
		}
	}
	for _, name := range sites.names() {
		s := sites.below(name)
		if err := local.CheckName(name); err != nil {
			sites.wrong(sites.get(name), name, "%v", err)
		}
		site := local.Site{Name: name, Peers: s.whole("peers", 1, 0, PeersMax), Workers: s.whole("workers", 1, 1, local.WorkersMax)}
		g.sites = append(g.sites, site)
		g.speeds[name] = thousandths(s.number("speed", 1, 0.001, 1000))
		if rate := s.rate("uplink"); rate > 0 {
			g.net.Uplinks[membership.Site(name)] = rate
		}
		if rate := s.rate("line"); rate > 0 {
			g.net.Lines[membership.Site(name)] = rate
		}
		s.done()
		if peers += site.Peers; peers > PeersMax {
			sites.wrong(sites.get(name), name, "more than %d peers", PeersMax)
		}
	}
	switch {
	case len(g.sites) == 0 || g.sites[0].Peers == 0:
		f.wrong(f.node, "sites", "a site with a peer is expected first, such as a: {peers: 2}")
	case len(g.sites) > sitesMax:
		f.wrong(sites.node, "sites", "more than %d", sitesMax)
	}
}

// readNet reads what lies between hosts.
func (g *setting) readNet(f *fields) {
	g.net.Near = f.below("near").readLink(50*time.Microsecond, 20*time.Microsecond)
	g.net.Far = f.below("far").readLink(20*time.Millisecond, 0)
	links := f.below("links")
	g.net.Ways = map[[2]membership.Site]gridsim.Link{}
	for _, name := range links.names() {
		from, to, both := strings.Cut(name, "|")
		one := false
		if !both {
			from, to, one = strings.Cut(name, ">")
		}
		if !both && !one || !g.hasSite(from) || !g.hasSite(to) || from == to {
			links.wrong(links.get(name), name, "two of the sites are expected, as in a|b, or a>b for one way")
			continue
		}
		l := links.below(name).readLink(g.net.Far.Delay, g.net.Far.Jitter)
		g.net.Ways[[2]membership.Site{membership.Site(from), membership.Site(to)}] = l
		if both {
			g.net.Ways[[2]membership.Site{membership.Site(to), membership.Site(from)}] = l
		}
	}
}

func (f *fields) readLink(latency, jitter time.Duration) gridsim.Link {
	l := gridsim.Link{
		Delay: f.time("latency", latency, 0), Jitter: f.time("jitter", jitter, 0),
		Rate: int(f.rate("bandwidth")), Loss: f.share("loss", lossMax),
	}
	f.done()
	return l
}

func (g *setting) hasSite(name string) bool {
	for _, s := range g.sites {
		if s.Name == name {
			return true
		}
	}
	return false
}

// readEvents reads what shall happen, in the language of satin run --chaos.
func (g *setting) readEvents(f *fields) {
	text := f.text("events", "")
	if text == "" {
		return
	}
	at, err := f.get("events"), error(nil)
	if g.events, err = chaos.Parse(text, g.sites); err != nil {
		f.wrong(at, "events", "%v", err)
	}
}

// readSlow reads who is slow, and when.
func (g *setting) readSlow(f *fields) {
	slow := f.below("slow")
	for _, name := range slow.names() {
		s := slow.below(name)
		who, err := chaos.ParseWhom(name)
		if err != nil || who.Any || who.Master || !g.hasSite(who.Site) {
			slow.wrong(slow.get(name), name, "a site or a peer of one is expected, such as b or b/1")
		}
		x := slowing{who: who, at: s.time("from", 0, 0), speed: thousandths(s.number("speed", 0.5, 0.001, 1000))}
		x.until = x.at + s.time("for", timeMax, 0)
		s.done()
		g.slow = append(g.slow, x)
	}
	if len(g.slow) > slowMax {
		f.wrong(slow.node, "slow", "more than %d", slowMax)
	}
}

func (g *setting) readLosses(f *fields) {
	g.losses = attrition{mean: f.time("mean", 0, time.Second), notice: f.time("notice", 0, 0), again: f.time("again", -1, 0), sites: f.words("sites")}
	for _, name := range g.losses.sites {
		if !g.hasSite(name) {
			f.wrong(f.get("sites"), "sites", "there is no site %q", name)
		}
	}
	if f.node != nil && g.losses.mean == 0 {
		f.wrong(f.node, "mean", "how long a peer lives on average is expected, such as 1h")
	}
	f.done()
}

func (g *setting) readPolicy(f *fields) {
	g.policy.stealing = schemes[f.one("stealing", "crs", "plain-crs", "chs", "rs")]
	g.policy.noFT = f.one("ft", "on", "off") == "off"
	g.policy.leave = f.time("leave", 30*time.Second, time.Millisecond)
	g.policy.copies = -1
	if f.text("copies", "") != "off" {
		g.policy.copies = f.time("copies", local.CopiesDefault, time.Second)
	}
	g.policy.once = f.whole("holders", 2, 1, 2) == 1
	f.done()
}
