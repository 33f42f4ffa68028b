//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"satingrid/satin/program"
)

// roundSites runs something on a grid of run --sites under a script.
func (c *campaign) roundSites() {
	w := c.draw()
	log := filepath.Join(c.t.TempDir(), "events")
	sites := []string{"a:2,b:2", "a:1,b:2,c:1", "a:4", "a:2x2,b:2"}[c.rng.IntN(4)]
	script := c.script(sites)
	if c.few() { // no kind of fault is left to chance
		sites, script = "a:2,b:2", joins("1s")+"; stop a/1@200ms; cut a|b@300ms; heal@1s; cont a/1@1500ms; leave b/1@250ms; kill any@350ms"
	}
	args := slices.Concat([]string{"run"}, w.args, []string{
		"--json", "--sites", sites, "--chaos", script, "--seed", fmt.Sprint(c.rng.IntN(1000)),
		"--timeout", stuckAfter, "--events", log,
	})
	if c.rng.IntN(3) == 0 {
		args = append(args, "--wan", "5ms")
	}
	if c.rng.IntN(2) == 0 { // or else most runs are over before there is a copy
		args = append(args, "--copies", "500ms")
	}
	got := runBinary(c.t, nil, args...)
	noneLeft(c.t)
	c.judge(w, quoted(args), got)
	c.countEvents(log)
}

// few tells whether some kind of fault has not happened yet.
func (c *campaign) few() bool {
	return slices.ContainsFunc(faultKinds, func(kind string) bool { return c.faults[kind] == 0 })
}

// quoted is a command line that can be typed again.
func quoted(args []string) string {
	words := []string{"satin"}
	for _, a := range args {
		if strings.ContainsAny(a, " ;|>") {
			a = "'" + a + "'"
		}
		words = append(words, a)
	}
	return strings.Join(words, " ")
}

// joins lets some peers join, each a while after the one before, and after that one now and then:
// the run of a slow machine would else get more peers than that can have, and take the longer.
func joins(every string) string {
	period, err := time.ParseDuration(every)
	if err != nil {
		panic("joins: BUG: " + err.Error())
	}
	var all []string
	for n := range 4 {
		all = append(all, fmt.Sprintf("join any@%v", time.Duration(1+n)*period))
	}
	return strings.Join(append(all, "join any@every 4s"), "; ")
}

// script draws what goes wrong. Peers join at least as often as they are taken away for as long as
// the run lasts, or else the grid would end up with one peer that is killed as soon as it is there,
// and nobody promises an end without an end of faults.
func (c *campaign) script(sites string) string {
	at := func(from, to int) string { return fmt.Sprintf("%dms", from+c.rng.IntN(to-from)) }
	taken := []string{"kill", "leave"}[c.rng.IntN(2)]
	some := []string{
		taken + " any@" + at(1000, 1500) + "; " + taken + " any@" + at(2000, 3500) + "; " + taken + " any@every 4500ms",
		"kill a@" + at(200, 2000),
		"leave a@" + at(200, 2000),
		"kill master@" + at(200, 800) + "; kill master@" + at(800, 3000) + "; kill master@" + at(3000, 5000),
		"stop a/1@" + at(200, 800) + "; cont a/1@" + at(800, 5000),
		"stop any@" + at(200, 1500) + "; stop any@" + at(200, 1500) + "; cont any@" + at(1500, 6000),
		"stop master@" + at(200, 1500) + "; cont any@" + at(1500, 6000),
		"kill any@30%; kill any@50%; leave any@60%",
	}
	if strings.Contains(sites, "b") {
		some = append(some,
			"cut a|b@"+at(200, 1000)+"; heal@"+at(1000, 6000),
			"cut a>b@"+at(200, 1000)+"; heal@"+at(1000, 6000),
			"cut b>a@20%; cut a|b@40%; heal@"+at(3000, 6000),
			"kill b@50%",
			"leave b@"+at(200, 2000)+"; kill a/1@"+at(200, 2000),
		)
	}
	events := []string{joins(at(700, 1500))}
	c.rng.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
	return strings.Join(append(events, some[:2+c.rng.IntN(2)]...), "; ")
}

// countEvents counts the faults that a run's events tell of.
func (c *campaign) countEvents(log string) {
	text, err := os.ReadFile(log)
	if err != nil {
		c.t.Error(err)
	}
	for line := range strings.Lines(string(text)) {
		var e program.Event
		if json.Unmarshal([]byte(line), &e) != nil || e.Event != "chaos" {
			continue
		}
		verb, _, _ := strings.Cut(e.What, " ")
		if slices.Contains(faultKinds, verb) {
			c.faults[verb]++
		}
	}
}
