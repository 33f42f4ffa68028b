package peer

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

var rewrite = flag.Bool("rewrite", false, "write what the scripts in testdata say now; explain the difference in the commit")

// script is some peers, a list of messages on their way, and what was said so far. Messages arrive
// only when the script says so, in order; heartbeats and digests arrive at once and are not shown,
// as they are the same everywhere.
type script struct {
	t     *testing.T
	now   time.Duration
	peers map[string]*Peer
	names []string
	wire  []parcel
	out   strings.Builder
	nonce map[string]steal.Nonce // the last submission of each
	cut   [][2][]string          // the names on either side of each cut
	conf  Config                 // of the peers that are started from now on
	terms Terms                  // of what is submitted from now on
	bests map[string][]byte      // the workers', by peer and run
	// the run that somebody has attached to last
	attached steal.Key
}

type parcel struct {
	from, to string
	m        Message
}

func (p parcel) String() string { return fmt.Sprintf("%s -> %s %s", p.from, p.to, tellBody(p.m.Body)) }

// TestScripts plays the scripts in testdata. A line that begins with > is a command, what follows
// it is what the peers do, and a line that begins with # is a sentence for the reader.
// (cockroachdb/datadriven would save the lines that read and compare files, and have a rule of
// dashes after each command: these are read as a story, as the traces of membership are.)
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got := playScript(t, string(text))
			if *rewrite {
				if err := os.WriteFile(f, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if got != string(text) {
				t.Errorf("the peers do otherwise:\n%s", firstDifference(string(text), got))
			}
		})
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for n := range min(len(w), len(g)) {
		if w[n] != g[n] {
			return fmt.Sprintf("line %d\n  the script says %q\n  now it is       %q", n+1, w[n], g[n])
		}
	}
	return fmt.Sprintf("the script has %d lines, now there are %d", len(w), len(g))
}

func playScript(t *testing.T, text string) string {
	s := &script{t: t, peers: map[string]*Peer{}, nonce: map[string]steal.Nonce{}, bests: map[string][]byte{}}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "#"), line == "":
			fmt.Fprintln(&s.out, line)
		case strings.HasPrefix(line, ">"):
			fmt.Fprintln(&s.out, line)
			s.command(strings.Fields(line[1:]))
			for _, name := range s.names {
				if err := s.peers[name].Sight().Check(); err != nil {
					t.Fatalf("after %q: %v", line, err)
				}
			}
		}
	}
	return s.out.String()
}

func (s *script) command(c []string) {
	p := s.peers[c[len(c)-1]]
	if len(c) > 1 {
		p = s.peers[c[1]]
	}
	switch c[0] {
	case "found", "join", "client": // found a/1 · join a/2 via a/1 · client c via a/1
		s.start(c)
	case "idle": // idle a/1 1
		s.do(c[1], p.Idle(s.now, s.number(c[2])))
	case "submit": // submit a/1 ROOT
		nonce, effects, err := p.Submit(s.now, RootOf(keyOf(c[2]), "task", []byte(c[2])).With(s.terms))
		if err != nil {
			s.t.Fatal(err)
		}
		s.nonce[c[1]] = nonce
		s.do(c[1], effects)
	case "cancel":
		s.do(c[1], p.Cancel(s.now, s.nonce[c[1]]))
	case "verify": // verify 1
		s.terms.Verify = float64(s.number(c[1]))
	case "told": // told a/1 FACT
		s.do(c[1], p.Told(s.now, 1, []byte(c[2])))
	case "bar": // bar a/1 a/2: at a/1 somebody bars a/2
		s.do(c[1], p.Bar(s.now, membership.PeerID(c[2]), true))
	case "connect": // connect a/1 a/2: a/1 sees a connection to a/2
		s.do(c[1], p.Connected(s.now, membership.PeerID(c[2])))
	case "taken": // taken a/1 1=left 2=right
		s.do(c[1], p.Taken(s.now, jobsOf(c[2:])))
	case "finished": // finished a/1 1 VALUE [choosing|failed]
		r := steal.Result{Bytes: []byte(c[3]), Cost: 200}
		r.Choosing = slices.Contains(c, "choosing")
		if slices.Contains(c, "failed") {
			r.Outcome = steal.Failed
		}
		s.do(c[1], p.Finished(s.now, steal.Borrow(s.number(c[2])), r))
	case "panicked":
		// panicked a/1 STACK: a job of the first run; nothing is heard of its jobs at a/1
		// any more
		s.do(c[1], p.Panicked(s.now, 1, steal.Result{Outcome: steal.Panicked, Bytes: []byte(c[2])}))
	case "abandoned": // abandoned a/1 REF [orphaned]
		s.do(c[1], p.Abandoned(s.now, []steal.Ref{steal.Ref(s.number(c[2]))}, slices.Contains(c, "orphaned")))
	case "salvaged": // salvaged a/1 left=LEFT: each is 200 ms worth
		s.do(c[1], p.Salvaged(s.now, partsOf(c[2:])))
	case "gathered":
		s.do(c[1], p.Gathered(s.now, partsOf(c[2:])))
	case "stopped": // stopped a/1 BORROW
		s.do(c[1], p.Stopped(s.now, steal.Borrow(s.number(c[2]))))
	case "unfinished": // unfinished a/1 left right
		var keys []steal.Key
		for _, k := range c[2:] {
			keys = append(keys, keyOf(k))
		}
		s.do(c[1], p.Unfinished(s.now, 1, keys))
	case "offered":
		if best := steal.StampOf(longValue(c[2])); s.better(c[1], 1, best.Value) == Better {
			s.do(c[1], p.Offered(s.now, 1, best))
		}
	case "reset": // reset a/1 a/2: a/1 sees the connection to a/2 break, and a new one refused
		s.do(c[1], p.Disconnected(s.now, membership.PeerID(c[2])))
		s.do(c[1], p.DialFailed(s.now, membership.PeerID(c[2]), DialRefused))
	case "leave": // leave a/2 20s [SITE]
		d, err := time.ParseDuration(c[2])
		if err != nil {
			s.t.Fatal(err)
		}
		s.do(c[1], p.Leave(s.now, s.now+d, membership.Site(append(c, "")[3])))
	case "dead": // dead a/2: it is not there any more
		s.names = slices.DeleteFunc(s.names, func(n string) bool { return n == c[1] })
	default:
		if !s.keeps(c, p) {
			s.network(c)
		}
	}
}

// keeps is the commands about runs that are kept.
func (s *script) keeps(c []string, p *Peer) (known bool) {
	switch c[0] {
	case "keep": // keep 60: what is submitted from now on, for so many seconds
		s.terms.Keep = uint32(s.number(c[1]))
	case "attach": // attach d: to the first run that d knows of, or else to the last such
		if runs := p.Sight().Runs(); len(runs) > 0 {
			s.attached = runs[0].ID
		}
		nonce, effects, err := p.Attach(s.now, s.attached)
		if err != nil {
			s.t.Fatal(err)
		}
		s.nonce[c[1]] = nonce
		s.do(c[1], effects)
	case "release":
		s.do(c[1], p.Release(s.now, s.nonce[c[1]]))
	case "end": // end d: somebody at d cancels the first run that it knows of
		_, effects, err := p.Command(s.now, p.Sight().Runs()[0].ID, Cancel{})
		if err != nil {
			s.t.Fatal(err)
		}
		s.do(c[1], effects)
	default:
		return false
	}
	return true
}

// network is the commands about messages and time.
func (s *script) network(c []string) {
	switch c[0] {
	case "deliver": // all, until nothing is on its way
		for n := 0; len(s.wire) > 0 && n < 1000; n++ {
			s.arrive(0)
		}
	case "lose", "double", "pass": // lose Lend: the first message of that kind
		n := slices.IndexFunc(s.wire, func(p parcel) bool { return strings.HasPrefix(tellBody(p.m.Body), c[1]) })
		if n < 0 {
			s.t.Fatalf("no %s is on its way: %v\n%s", c[1], s.wire, s.out.String())
		}
		switch c[0] {
		case "lose":
			s.wire = slices.Delete(s.wire, n, n+1)
		case "double":
			s.wire = append(s.wire, s.wire[n])
		case "pass":
			s.arrive(n)
		}
	case "wait": // wait 5s
		d, err := time.ParseDuration(c[1])
		if err != nil {
			s.t.Fatal(err)
		}
		for end := s.now + d; s.now < end; {
			s.now += 50 * time.Millisecond
			for _, name := range slices.Clone(s.names) {
				if p := s.peers[name]; p.Deadline() <= s.now {
					s.do(name, p.Tick(s.now))
				}
			}
		}
	case "cut": // cut a/1 | a/2 a/3
		at := slices.Index(c, "|")
		s.cut = append(s.cut, [2][]string{c[1:at], c[at+1:]})
	case "heal":
		s.cut = nil
	case "run": // run 5s: time passes, and everything arrives
		d, err := time.ParseDuration(c[1])
		if err != nil {
			s.t.Fatal(err)
		}
		for end := s.now + d; s.now < end; {
			s.network([]string{"wait", "50ms"})
			s.network([]string{"deliver"})
		}
	default:
		s.t.Fatalf("what is %v?", c)
	}
}

// longValue is the text, or for x*20000 so many of the letter.
func longValue(text string) []byte {
	if letter, times, ok := strings.Cut(text, "*"); ok {
		n, _ := strconv.Atoi(times)
		return []byte(strings.Repeat(letter, n))
	}
	return []byte(text)
}

func (s *script) number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *script) start(c []string) {
	name := c[1]
	site, _, _ := strings.Cut(name, "/")
	conf := s.conf
	conf.Member = membership.Config{ID: membership.PeerID(name), Site: membership.Site(site), Workers: 1, Client: c[0] == "client"}
	if conf.Member.Client {
		conf.Member.Workers = 0
	}
	p := New(conf, rand.New(rand.NewPCG(uint64(len(s.names)), 9)))
	s.peers[name], s.names = p, append(s.names, name)
	if c[0] == "found" {
		s.do(name, p.Found(s.now))
		return
	}
	s.do(name, p.Join(s.now))
	s.do(name, p.Connected(s.now, membership.PeerID(c[3])))
}

func jobsOf(c []string) (jobs []Job) {
	for _, j := range c {
		ref, args, _ := strings.Cut(j, "=")
		n, _ := strconv.Atoi(ref)
		jobs = append(jobs, Job{Ref: steal.Ref(n), Run: 1, Key: keyOf(args), Task: "task", Args: []byte(args)})
	}
	return jobs
}

func partsOf(c []string) (parts []Part) {
	for _, p := range c {
		key, value, _ := strings.Cut(p, "=")
		parts = append(parts, Part{Run: 1, Key: keyOf(key), Result: steal.Result{Cost: 200, Bytes: []byte(value)}})
	}
	return parts
}

// arrive brings message number n.
func (s *script) arrive(n int) {
	p := s.wire[n]
	s.wire = slices.Delete(s.wire, n, n+1)
	s.bring(p)
}

// bring lets a message arrive, unless its receiver is dead or behind a cut.
func (s *script) bring(p parcel) {
	for _, c := range s.cut {
		if slices.Contains(c[0], p.from) && slices.Contains(c[1], p.to) || slices.Contains(c[1], p.from) && slices.Contains(c[0], p.to) {
			return
		}
	}
	if slices.Contains(s.names, p.to) {
		s.do(p.to, s.peers[p.to].Received(s.now, membership.PeerID(p.from), p.m))
	}
}

// do shows the effects of an event and puts messages on their way.
func (s *script) do(name string, effects []Effect) {
	var silent []parcel
	var compares []Compare
	for _, e := range effects {
		switch e := e.(type) {
		case Send:
			p := parcel{name, string(e.To), e.Message}
			if isChatter(e.Message.Body) {
				silent = append(silent, p)
				continue
			}
			s.wire = append(s.wire, p)
			fmt.Fprintf(&s.out, "  %v\n", p)
		case Publish:
			fmt.Fprintf(&s.out, "  %s publishes %s\n", name, tellBody(e.Message.Body))
			for _, to := range s.names {
				if to != name {
					s.wire = append(s.wire, parcel{name, to, e.Message})
				}
			}
		case AllReported: // nothing is reported here: it comes with each answer
		default:
			fmt.Fprintf(&s.out, "  %s: %s\n", name, tellEffect(e))
			if c, ok := e.(Compare); ok {
				compares = append(compares, c)
			}
		}
	}
	for _, c := range compares {
		s.do(name, s.peers[name].Compared(s.now, c.Run, c.Best.Digest, s.better(name, c.Run, c.Best.Value), steal.Result{}))
	}
	for _, p := range silent {
		s.bring(p)
	}
}

// better compares a value with the workers' best, and keeps the better one: the longer, or the
// smaller of two that are as long.
func (s *script) better(name string, no RunNo, value []byte) Merit {
	at := fmt.Sprint(name, " ", no)
	if old, ok := s.bests[at]; ok && (len(value) < len(old) || len(value) == len(old) && bytes.Compare(value, old) >= 0) {
		return Worse
	}
	s.bests[at] = value
	return Better
}

func isChatter(b membership.Body) bool {
	switch b.(type) {
	case membership.Heartbeat, Digest, Support:
		return true
	}
	return false
}
