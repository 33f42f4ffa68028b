package membership

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "write what the traces in testdata say now; explain the difference in the commit")

// trace plays commands on a grid and writes what its peers find out.
type trace struct {
	*grid
	out strings.Builder
}

// TestTraces plays the traces in testdata. A line that begins with > is a command, what follows it
// is what the peers find out, and a line that begins with # is a sentence for the reader.
// (cockroachdb/datadriven would save the twenty lines that read and compare files, and have a rule
// of dashes after each command: these are read as a story.)
func TestTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no traces: %v", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			c := &trace{grid: &grid{t: t, views: map[PeerID]*View{}, mute: map[PeerID]bool{}, lost: map[string]time.Duration{}}}
			c.tell = func(who PeerID, e Effect) { c.effect(who, e) }
			for _, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
				if strings.HasPrefix(line, ">") || strings.HasPrefix(line, "#") || line == "" {
					fmt.Fprintln(&c.out, line)
				}
				if strings.HasPrefix(line, ">") {
					c.command(strings.Fields(line[1:]))
				}
			}
			if *rewrite {
				if err := os.WriteFile(f, []byte(c.out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if c.out.String() != string(text) {
				t.Errorf("the peers find out otherwise:\n%s", c.out.String())
			}
		})
	}
}

func (c *trace) effect(who PeerID, e Effect) {
	say := func(format string, args ...any) {
		fmt.Fprintf(&c.out, "  %6.2f s  %s %s\n", c.now.Seconds(), who, fmt.Sprintf(format, args...))
	}
	switch e := e.(type) {
	case Joined:
		say("sees %s, joined %d.%d", e.Member.ID, e.Member.Incarnation.Join, e.Member.Incarnation.Rejoin)
	case LivesOn:
		say("sees %s go on as %d.%d", e.Member.ID, e.Member.Incarnation.Join, e.Member.Incarnation.Rejoin)
	case Lost:
		how := fmt.Sprintf("loses %s (%s)", e.Member.ID, e.Member.How)
		if e.Noticed > 0 {
			how += fmt.Sprintf(" after %.1f s", e.Noticed.Seconds())
		}
		say("%s", how)
	case Rejoined:
		say("rejoins as %d.%d", e.Incarnation.Join, e.Incarnation.Rejoin)
	case Banned:
		say("is barred")
		c.mute[who] = true
	case Dial:
		say("dials %s", e.ID)
	}
}

func (c *trace) command(words []string) {
	id := PeerID(words[1])
	v := c.views[id]
	switch words[0] {
	case "enter": // enter p00 SITE
		v = newView(words[1], Site(words[2]))
		for _, o := range c.order {
			all, bars := c.views[o].Snapshot(c.now)
			c.carry(id, v.Merge(c.now, all))
			c.carry(id, v.MergeBars(c.now, bars))
		}
		c.views[id], c.order = v, append(c.order, id)
		c.carry(id, v.Enter(c.now))
	case "run": // run 5s
		d, err := time.ParseDuration(words[1])
		if err != nil {
			c.t.Fatal(err)
		}
		c.run(d)
	case "stop", "silence": // the process stands still, or its link is dead
		c.mute[id] = true
		c.deaf = append(c.deaf, id)
		if words[0] == "stop" {
			c.deaf = c.deaf[:len(c.deaf)-1]
		}
	case "cont":
		delete(c.mute, id)
		c.deaf = slices.DeleteFunc(c.deaf, func(d PeerID) bool { return d == id })
	case "hello": // hello p00 p01: a connection to p01 stands, and p00 greets
		c.bring(id, PeerID(words[2]), Hello{v.Self()})
	case "leaving": // leaving p00 20s
		d, err := time.ParseDuration(words[2])
		if err != nil {
			c.t.Fatal(err)
		}
		c.carry(id, v.Leaving(d))
	case "left": // left p00 HEIR
		c.carry(id, v.Leave(PeerID(words[2])))
		c.mute[id] = true
	case "bar":
		c.carry(id, v.Bar(c.now, PeerID(words[2]), true))
	case "reset": // reset p00 p01: the connection breaks
		c.carry(id, v.Disconnected(c.now, PeerID(words[2])))
	case "refused":
		c.carry(id, v.ConnectRefused(c.now, PeerID(words[2])))
	case "unreached":
		c.carry(id, v.Unreached(c.now, PeerID(words[2])))
	case "successor": // successor p01: whom the others hold to be the one who follows it
		for _, o := range c.order {
			if o != id && !c.mute[o] {
				next, _ := c.views[o].Successor(id, Incarnation{})
				fmt.Fprintf(&c.out, "            %s: %s\n", o, next.ID)
			}
		}
	default:
		c.t.Fatalf("what is %v?", words)
	}
}
