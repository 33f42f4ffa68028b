package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/satin/program"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

const (
	// spacesVariable is how long the campaign of machines goes on, such as 90s;
	// without it there is none.
	spacesVariable = "SATIN_CAMPAIGN_SPACES"

	// What a campaign of spacesUnit must have done at least, or it is red.
	spacesUnit   = time.Minute
	spacesFaults = 10
	spacesRuns   = 2
	// times that a node held another dead for its silence: shorter cuts and stops test nothing
	spacesSilent = 3

	spacesMachines = 6    // with a node each
	spacesLeast    = 2    // nodes that run at any time
	spacesGrace    = "5s" // to leave
	// after which parts that can reach each other count as apart: they have wholeWithin, as
	// the median must, but the machine computes beside what is measured
	spacesTogether = 20 * time.Second

	// A node that does not get in is forgiven where a fourth of what it took was overslept:
	// who was to let it in had no more of the machine.
	starvedShare = 4

	// After starting, every other client has so long to be under way before anything else
	// happens: on a slow machine most would find nobody.
	clientComes = 10 * time.Second

	// A campaign of so long must have had all of spaceOpening.
	spacesOpened = 75 * time.Second
)

// spaceOpening is what happens first in every campaign: what is drawn might come too late. The cut
// at its end lasts for severFor.
var spaceOpening = []string{"kill the founder", "move the founder", "swap", "loss 20 %", "cut halves"}

// spaceFaults are what may happen to machines, their nodes and the links between them. All come
// before one comes again.
var spaceFaults = []string{
	"kill", "kill the founder", "stop", "leave", "return", "return", "join", "cut halves", "cut one way", "dead link", "loss 20 %", "move", "move the founder", "swap", "loss of all",
	"client stops", "client is killed", "heal",
}

// spaceCampaign lets real nodes on machines of their own suffer what is drawn, while a client
// computes, and looks whether they are one grid in the end.
type spaceCampaign struct {
	t       *testing.T
	rng     *rand.Rand
	net     *spaces
	pulse   *pulse
	client  *space // the machine of it; no node is there
	run     *joined
	load    load
	dropped bool      // the client of the run in hand was killed
	off     []*space  // the machines that are cut off from all others
	offAt   time.Time // since then
	cut     bool      // some link is, or lossy
	deck    []string
	passed  int      // of the deck, one after the other, that could not happen
	said    []string // what has happened since all were together

	logs     []string // of all nodes
	faults   map[string]int
	runs     int
	refused  int // clients that found nobody at their ticket's addresses
	wrong    int
	stuck    int
	apart    int             // times that parts stayed apart
	homeless int             // nodes that did not come back
	shutOut  int             // nodes without a past that did not get in
	severed  time.Duration   // the longest time that some were cut off
	whole    []time.Duration // that parts took to be one, less what was overslept
	// while they were to become one
	overslept time.Duration
}

// TestCampaignOfMachines is a random campaign of real nodes in network namespaces: every answer is
// right, every run ends, and whenever all can reach each other again they become one grid.
func TestCampaignOfMachines(t *testing.T) {
	length := campaignLength(t, spacesVariable)
	net, err := newSpaces(t, spacesMachines+1)
	if err != nil {
		fmt.Printf("machines: skipped: %v\n", err)
		t.Skip("no network namespaces here: ", err)
	}
	seed := campaignSeed(t)
	c := &spaceCampaign{t: t, rng: rand.New(rand.NewPCG(seed, 7)), net: net, client: net.all[spacesMachines], pulse: newPulse(t), faults: map[string]int{}}
	net.all[0].node = c.begin(net.all[0])
	for _, x := range c.machines()[1:4] {
		x.node = c.begin(x, "--join", net.all[0].node.ticket)
	}
	began := time.Now()
	c.opening()
	lacks := func() []string { return c.lacks(length) }
	for goesOn(time.Since(began), length, lacks) && c.apart == 0 && c.stuck == 0 {
		c.bout()
	}
	c.report(length, time.Since(began))
}

// machines are those that have nodes.
func (c *spaceCampaign) machines() []*space { return c.net.all[:spacesMachines] }

// up are the machines whose nodes run.
func (c *spaceCampaign) up() (all []*space) {
	for _, x := range c.machines() {
		if x.node != nil {
			all = append(all, x)
		}
	}
	return all
}

// awake are those whose nodes are not stopped either.
func (c *spaceCampaign) awake() (all []*space) {
	return slices.DeleteFunc(c.up(), func(x *space) bool { return x.paused })
}

// begin starts the node of a machine, or returns nil when it does not come up.
func (c *spaceCampaign) begin(x *space, args ...string) *node {
	args = append(args, "--site", x.ns[len(x.ns)-1:], "--grace", spacesGrace, "--listen", "/ip4/"+x.ip+"/tcp/4001")
	watch := c.pulse.watch()
	n, ok := launchNode(c.t, inside(x.ns), x.folder, args...)
	c.logs = append(c.logs, n.log)
	if !ok {
		took, overslept := watch()
		code := n.process.ProcessState.ExitCode()
		switch c.say("%s does not come up: exit %d", x.ns, code); {
		case !slices.Contains(args, "--join"):
			// one with a past goes on as the grid that it knows, whoever answers
			c.homeless++
			c.t.Errorf("a node does not come back: exit %d, %s\nafter: %s", code, n.said(c.t), strings.Join(c.said, "; "))
		case !c.cut && overslept < took/starvedShare:
			c.t.Errorf("a node does not get in, and nothing is cut: exit %d, %s\nafter: %s", code, n.said(c.t), strings.Join(c.said, "; "))
			fallthrough
		default:
			c.shutOut++
		}
		return nil
	}
	return n
}

func (c *spaceCampaign) say(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

// opening is the first bout, whose end is a long cut.
func (c *spaceCampaign) opening() {
	for c.deck = slices.Clone(spaceOpening); c.passed < len(c.deck); {
		c.step()
	}
	c.heals(severFor)
}

// bout lets some things happen, heals everything, and demands that the run ends
// and all are one grid.
func (c *spaceCampaign) bout() {
	c.said = nil
	for range 6 + c.rng.IntN(5) {
		c.step()
	}
	c.heals(time.Duration(4000+c.rng.IntN(4000)) * time.Millisecond)
}

// step lets one thing happen while a run is under way.
func (c *spaceCampaign) step() {
	c.compute()
	if c.strike() {
		c.pause(300, 1500)
	}
}

// heals ends a bout, after a silence.
func (c *spaceCampaign) heals(after time.Duration) {
	c.silence(after)
	c.recover()
	c.together()
	if c.run != nil {
		c.end()
	}
}

// silence lets what is cut off, or stopped, be held dead. Where no node is, as all was healed a
// moment ago, one is cut off first: a bout without a silence would test no way back.
func (c *spaceCampaign) silence(lasts time.Duration) {
	up := c.up()
	isOff := func(x *space) bool { return slices.Contains(c.off, x) }
	if off := slices.DeleteFunc(slices.Clone(up), isOff); len(c.awake()) == len(up) && (len(off) == 0 || len(off) == len(up)) {
		x := up[c.rng.IntN(len(up))]
		if err := c.cutOff([]*space{x}); err != nil {
			c.t.Fatal(err)
		}
		c.say("cut off: %s", x.node.name)
	}
	time.Sleep(lasts)
}

// cutOff cuts some machines off from all others.
func (c *spaceCampaign) cutOff(off []*space) (err error) {
	c.off, c.offAt, c.cut = off, time.Now(), true
	for _, x := range c.machines() {
		for _, y := range off {
			if !slices.Contains(off, x) {
				err = errors.Join(err, c.net.drop(x, y), c.net.drop(y, x))
			}
		}
	}
	return err
}

// heal ends all that cuts machines off.
func (c *spaceCampaign) heal() error {
	if c.off != nil {
		c.severed = max(c.severed, time.Since(c.offAt))
	}
	c.off, c.cut = nil, false
	return c.net.heal()
}

// pause lets some time pass.
func (c *spaceCampaign) pause(from, to int) {
	time.Sleep(time.Duration(from+c.rng.IntN(to-from)) * time.Millisecond)
}

// compute sees to it that a run is under way, and takes the answer of one that is over.
func (c *spaceCampaign) compute() {
	if c.run != nil && c.run.over() {
		c.end()
	}
	if c.run == nil {
		through := c.awake()
		if len(through) == 0 {
			return
		}
		c.load = slices.Concat(boards[1:3], numbers[:2])[c.rng.IntN(4)]
		c.run = startJoined(c.t, inside(c.client.ns), through[c.rng.IntN(len(through))].node.ticket, c.load.args...)
		if c.rng.IntN(2) == 0 {
			c.run.comes(c.t, clientComes)
		}
	}
}

// end waits for the run's answer, and judges it.
func (c *spaceCampaign) end() {
	got := c.run.result()
	said, dropped := c.run.said, c.dropped
	c.run, c.dropped = nil, false
	var d program.Document
	err := json.Unmarshal([]byte(got.out), &d)
	answer, _ := d.Answer.(map[string]any)
	switch {
	case dropped:
	case got.code == console.ExitRefused:
		c.refused++ // the one whose ticket it had went in that moment
	case err != nil || got.code != console.ExitOK:
		c.stuck++
		c.t.Errorf("no answer: %s: exit %d\n%s\n%s\nafter: %s", said, got.code, got.out, got.err, strings.Join(c.said, "; "))
	case answer[c.load.name] != c.load.value:
		c.wrong++
		c.t.Errorf("wrong answer: %s: %v, wanted %v\nafter: %s", said, answer[c.load.name], c.load.value, strings.Join(c.said, "; "))
	default:
		c.runs++
	}
}

// strike lets one thing happen, if it can now.
func (c *spaceCampaign) strike() bool {
	if c.passed >= len(c.deck) {
		// what is left needs others first: one goes before another can return
		more := slices.Clone(spaceFaults)
		c.rng.Shuffle(len(more), func(i, j int) { more[i], more[j] = more[j], more[i] })
		c.deck, c.passed = append(c.deck, more...), 0
	}
	kind := c.deck[0]
	c.deck = c.deck[1:]
	what, err := c.happen(kind)
	if err != nil {
		c.t.Fatalf("%s: %v", kind, err)
	}
	if what == "" && c.prepare(kind) {
		c.deck = append([]string{kind}, c.deck...) // next
		return true
	}
	if what == "" {
		c.deck = append(c.deck, kind) // later: there is nobody to whom it could happen
		c.passed++
		return false
	}
	c.passed = 0
	c.say("%s: %s", kind, what)
	if kind != "heal" {
		c.faults[kind]++
	}
	return true
}

// prepare makes a fault possible that needs more nodes or fewer, and tells whether that was to be
// done. One that comes late in the deck would else wait until the campaign is over.
func (c *spaceCampaign) prepare(kind string) bool {
	first := ""
	switch kind {
	case "kill", "kill the founder", "stop", "leave", "swap", "loss of all", "cut halves", "cut one way", "dead link", "loss 20 %":
		first = "return"
	case "return", "join", "move":
		first = "kill"
	case "move the founder":
		first = "kill the founder"
	}
	if first == "" || first == "kill" && len(c.up()) < len(c.machines()) {
		return false
	}
	what, err := c.happen(first)
	if err != nil {
		c.t.Fatalf("%s: %v", first, err)
	}
	if what != "" {
		c.say("%s: %s", first, what)
		c.faults[first]++
		return true
	}
	for _, x := range c.up() {
		if x.paused {
			x.node.process.Process.Signal(syscall.SIGCONT)
			x.paused = false
			c.say("goes on: %s", x.node.name)
			return true
		}
	}
	return false
}

// happen lets one kind of thing happen, and says to whom; "" when it could not.
func (c *spaceCampaign) happen(kind string) (what string, err error) {
	up, awake := c.up(), c.awake()
	some := func(all []*space) *space { return all[c.rng.IntN(len(all))] }
	founder := c.machines()[0]
	down := slices.DeleteFunc(slices.Clone(c.machines()), func(x *space) bool {
		// who joins anew is no founder
		return x.node != nil || x == founder && kind == "join"
	})
	switch kind {
	case "kill", "leave", "stop":
		if len(awake) <= spacesLeast {
			return "", nil
		}
		return c.strikeNode(kind, some(awake))
	case "kill the founder":
		if founder.node != nil && len(up) > spacesLeast {
			return c.strikeNode("kill", founder)
		}
	case "move the founder":
		if founder.node == nil && len(awake) > 0 {
			return c.strikeMachine("move", founder, "")
		}
	case "return", "join", "move":
		if len(down) == 0 || len(awake) == 0 {
			return "", nil
		}
		return c.strikeMachine(kind, some(down), some(awake).node.ticket)
	case "swap":
		if len(up) > spacesLeast+1 && len(awake) > 3 {
			return c.swap(awake[0], awake[1])
		}
	case "loss of all":
		return c.loseAll()
	case "client stops", "client is killed":
		return c.strikeClient(kind)
	case "heal":
		return "all links", c.heal()
	default:
		return c.strikeLinks(kind)
	}
	return "", nil
}

func (c *spaceCampaign) strikeNode(kind string, x *space) (string, error) {
	n := x.node
	switch kind {
	case "kill":
		n.kill()
	case "stop":
		x.paused = true
		return n.name, n.process.Process.Signal(syscall.SIGSTOP)
	case "leave":
		n.end()
	}
	x.node, x.paused = nil, false
	return n.name, nil
}

// strikeMachine starts a node where none runs: one that was there before, a new one, or the one
// before at another address.
func (c *spaceCampaign) strikeMachine(kind string, x *space, ticket string) (string, error) {
	var args []string
	switch _, err := os.Stat(x.folder); {
	case kind == "join" || err != nil:
		if err := os.RemoveAll(x.folder); err != nil {
			return "", err
		}
		args = []string{"--join", ticket}
	case kind == "move":
		if err := c.net.moveTo(x, c.net.freeAddr()); err != nil {
			return "", err
		}
	}
	if x.node = c.begin(x, args...); x.node != nil {
		return x.node.name, nil
	}
	if args != nil { // it was never in, and would found a grid of its own without the ticket
		return "", os.RemoveAll(x.folder)
	}
	return "", nil
}

// swap restarts two nodes, each at the address of the other.
func (c *spaceCampaign) swap(x, y *space) (string, error) {
	for _, z := range []*space{x, y} {
		z.node.kill()
		z.node = nil
	}
	at, other := x.ip, y.ip
	if err := errors.Join(c.heal(), c.net.moveTo(x, c.net.freeAddr()), c.net.moveTo(y, at), c.net.moveTo(x, other)); err != nil {
		return "", err
	}
	x.node, y.node = c.begin(x), c.begin(y)
	return x.ns + " and " + y.ns, nil
}

// loseAll kills all nodes at once, and starts some of them again, from what they have on their
// disks.
func (c *spaceCampaign) loseAll() (string, error) {
	all := c.up()
	if len(all) <= spacesLeast {
		return "", nil
	}
	for _, x := range all {
		x.node.process.Process.Kill()
	}
	for _, x := range all {
		x.node.kill()
		x.node, x.paused = nil, false
	}
	c.pause(100, 2000)
	c.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	back := all[:spacesLeast+c.rng.IntN(len(all)-spacesLeast+1)]
	for _, x := range back {
		x.node = c.begin(x)
	}
	return fmt.Sprintf("%d, and %d are back", len(all), len(back)), nil
}

func (c *spaceCampaign) strikeClient(kind string) (string, error) {
	if c.run == nil || c.run.over() {
		return "", nil
	}
	if kind == "client is killed" {
		c.dropped = true
		return c.load.args[0], c.run.process.Process.Kill()
	}
	if err := c.run.process.Process.Signal(syscall.SIGSTOP); err != nil {
		return "", err
	}
	c.pause(500, 4000)
	return c.load.args[0], c.run.process.Process.Signal(syscall.SIGCONT)
}

// strikeLinks cuts links between nodes that run: a cut between others is no fault.
func (c *spaceCampaign) strikeLinks(kind string) (string, error) {
	some := c.awake()
	if len(some) < 2 {
		return "", nil
	}
	c.rng.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	x, y := some[0], some[1]
	c.cut = true
	switch kind {
	case "cut one way":
		return x.ns + ">" + y.ns, c.net.drop(x, y)
	case "dead link": // others reach both
		return x.ns + "|" + y.ns, errors.Join(c.net.drop(x, y), c.net.drop(y, x))
	case "loss 20 %":
		return x.ns, c.net.lose(x, 20)
	}
	off := []*space{x}
	for _, z := range c.machines() {
		if z != x && z != y && c.rng.IntN(2) == 0 {
			off = append(off, z)
		}
	}
	return fmt.Sprintf("%d|%d", len(off), spacesMachines-len(off)), c.cutOff(off)
}

// recover ends all that cuts off, and all stops.
func (c *spaceCampaign) recover() {
	if err := c.heal(); err != nil {
		c.t.Fatal(err)
	}
	for _, x := range c.up() {
		if x.paused {
			x.node.process.Process.Signal(syscall.SIGCONT)
			x.paused = false
		}
	}
	c.say("all healed")
}

// together waits until all nodes see each other and nobody else. The seconds that this takes are
// those in which a sleep ends when it should: nodes have no more of a starved machine than the
// test.
func (c *spaceCampaign) together() {
	watch := c.pulse.watch()
	for {
		seen := map[string]bool{}
		for _, x := range c.up() {
			seen[c.sees(x)] = true
		}
		took, overslept := watch()
		if want := c.names(); len(seen) == 1 && seen[want] {
			c.whole = append(c.whole, took-overslept)
			c.overslept += overslept
			return
		}
		if took-overslept > spacesTogether {
			c.apart++
			c.t.Errorf("apart after %v: there are %s, and what they see is %s\nafter: %s", spacesTogether, c.names(),
				strings.Join(slices.Sorted(maps.Keys(seen)), " | "), strings.Join(c.said, "; "))
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// names are those of the nodes that run.
func (c *spaceCampaign) names() string {
	var names []string
	for _, x := range c.up() {
		names = append(names, x.node.name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// sees is whom a node sees.
func (c *spaceCampaign) sees(x *space) string {
	s, err := admin.Ask(x.folder)
	if err != nil {
		return x.node.name + " says " + err.Error()
	}
	var names []string
	for _, m := range s.Members {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// logged is how often nodes have said something.
func (c *spaceCampaign) logged(what string) (n int) {
	for _, log := range c.logs {
		text, err := os.ReadFile(log)
		if err != nil {
			c.t.Error(err)
		}
		n += strings.Count(string(text), what)
	}
	return n
}

// report prints what was done, and is red when that is too little.
func (c *spaceCampaign) report(length, took time.Duration) {
	median, most := time.Duration(0), time.Duration(0)
	if slices.Sort(c.whole); len(c.whole) > 0 {
		median, most = c.whole[len(c.whole)/2], c.whole[len(c.whole)-1]
	}
	fmt.Printf("machines: %d faults in %v (%s), some cut off for up to %.0f s, %d losses by silence, %d times whole again, after %.1f s in the median, %.1f s at most, and %.1f s that were overslept; %d runs, %d times from disks, %d clients found nobody, %d wrong, %d stuck, %d did not get in, %d did not come back, %d grids in two parts\n",
		total(c.faults), took.Round(time.Second), tallied(c.faults), c.severed.Seconds(), c.silent(), len(c.whole), median.Seconds(), most.Seconds(), c.overslept.Seconds(),
		c.runs, c.logged("what was stored here"), c.refused, c.wrong, c.stuck, c.shutOut, c.homeless, c.apart)
	for _, what := range c.lacks(length) {
		c.t.Errorf("in %v: %s", took, what)
	}
	if c.severed < severFor {
		c.t.Errorf("some were cut off for %v, and sessions end within %v", c.severed, severFor)
	}
	if median > wholeWithin {
		c.t.Errorf("parts took %v in the median to be one, and have %v", median, wholeWithin)
	}
	// a client finds nobody when the one node of its ticket goes, or is cut off, as it starts
	if most := 1 + (c.runs+c.refused)/3; c.refused > most {
		c.t.Errorf("%d clients found nobody, beside %d runs: %d are to be expected", c.refused, c.runs, most)
	}
}

// silent is how often a node held another dead for its silence.
func (c *spaceCampaign) silent() int { return c.logged(" is gone (silent)") }

// lacks tells which of the work that a campaign of some length must do it has not done. What
// happened must have been of many kinds: all come before one comes again, but for those that have
// to wait until there is somebody to whom they can happen.
func (c *spaceCampaign) lacks(length time.Duration) []string {
	var l least
	share, faults := float64(length)/float64(spacesUnit), total(c.faults)
	l.of("faults", faults, int(share*spacesFaults))
	l.of("losses by silence", c.silent(), int(share*spacesSilent))
	l.of("runs", c.runs, int(share*spacesRuns))
	l.of("kinds of faults", len(c.faults), min(faults, len(spaceFaults))/2)
	if length >= spacesOpened {
		l.each(spaceOpening, c.faults)
	}
	if faults >= len(spaceFaults)+len(spaceFaults)/4 {
		// a heal is none
		l.each(slices.DeleteFunc(slices.Clone(spaceFaults), func(kind string) bool { return kind == "heal" }), c.faults)
	}
	return l
}
