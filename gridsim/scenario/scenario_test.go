package scenario_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"satingrid/gridsim/scenario"
	"satingrid/satin/program/recording"
)

// small is a scenario of a second of two sites.
const small = `
about: two sites
sites:
  a: {peers: 2}
  b: {peers: 2}
workload:
  tree: {depth: 4, width: 4, leaf: 10ms}
repetitions: 2
`

// read reads a scenario that is right.
func read(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Read([]byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// played plays a scenario, and gives what it came to in all forms.
func played(t *testing.T, s *scenario.Scenario) (r *scenario.Tabulation, text string) {
	t.Helper()
	r, err := s.Play(t.Context(), func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	r.Print(func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) })
	if err := r.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	if err := json.NewEncoder(&b).Encode(r); err != nil {
		t.Fatal(err)
	}
	return r, b.String()
}

// TestMistakes: each is told with its line and its field.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "line 1: fields with values are expected",
		"[1, 2]":                "line 1: fields with values are expected",
		"a: b: c":               "line 1: mapping values are not allowed",
		"a: 1\nb: {":            "line 2: ",
		"seed: 1\nseed: 2":      "line 2: seed: it is there twice",
		"seed: &x 1\nlimit: *x": "line 1: seed: anchors and aliases are not read",
		"? [a]\n: b":            "line 1: a name is expected before the colon",
		strings.Repeat("{a: ", 20) + "1" + strings.Repeat("}", 20):             "too many fields within fields",
		strings.Repeat("#", scenario.TextMax+1):                                "at most",
		"workload: {tree: {}}":                                                 "line 1: sites: a site with a peer is expected first",
		"sites: {a: {peers: 0}}\nworkload: {tree: {}}":                         "sites: a site with a peer is expected first",
		small + "seeds: 2":                                                     "line 9: seeds: there is no such field; did you mean seed?",
		small + "nothing: 2":                                                   "line 9: nothing: there is no such field; there are ",
		small + "seed: -1":                                                     `line 9: seed: "-1": a whole number from 0 to `,
		small + "seed: [1]":                                                    "line 9: seed: one value is expected here",
		small + "seed:":                                                        "line 9: seed: one value is expected here",
		small + "limit: 3":                                                     `line 9: limit: "3": a time of at least 1s is expected`,
		small + "limit: 1ms":                                                   `line 9: limit: "1ms": a time of at least 1s is expected`,
		small + "far: 20ms":                                                    "line 9: far: fields with values are expected here",
		small + "far: {delay: 20ms}":                                           "line 9: far.delay: there is no such field",
		small + "far: {bandwidth: 100}":                                        `line 9: far.bandwidth: "100" is no rate`,
		small + "far:\n  loss: 60%":                                            `line 10: far.loss: "60%": a share from 0% to 50% is expected`,
		small + "far: {loss: 0.1}":                                             `line 9: far.loss: "0.1": a share`,
		small + "near: {jitter: -1ms}":                                         `line 9: near.jitter: "-1ms": a time of at least 0s`,
		small + "links: {a-b: {}}":                                             "line 9: links.a-b: two of the sites are expected",
		small + "links: {a|c: {}}":                                             "line 9: links.a|c: two of the sites are expected",
		small + "links: {a>a: {}}":                                             "line 9: links.a>a: two of the sites are expected",
		small + "links: {a>b: {speed: 1}}":                                     "line 9: links.a>b.speed: there is no such field",
		small + "loop: {event: 0s}":                                            "line 9: loop.event: ",
		small + "events: kil b@3s":                                             `line 9: events: event 1, "kil b@3s": "kil" is no event`,
		small + "events: kill c@3s":                                            `line 9: events: event 1, "kill c@3s": there is no site "c"`,
		small + "slow: {c: {}}":                                                "line 9: slow.c: a site or a peer of one is expected",
		small + "slow: {master: {}}":                                           "line 9: slow.master: a site or a peer of one is expected",
		small + "slow: {b/1: {speed: fast}}":                                   `line 9: slow.b/1.speed: "fast": a number from 0.001 to 1000`,
		small + "losses: {notice: 3s}":                                         "line 9: losses.mean: how long a peer lives on average is expected",
		small + "losses: {mean: 1h, sites: [a, c]}":                            `line 9: losses.sites: there is no site "c"`,
		small + "losses: {mean: 1h, sites: {}}":                                "line 9: losses.sites: a list of words is expected",
		small + "losses: {mean: 1h, sites: [[a]]}":                             "line 9: losses.sites: a list of words is expected",
		small + "policy: {stealing: best}":                                     `line 9: policy.stealing: "best": one of crs, plain-crs, chs and rs is expected`,
		small + "policy: {holders: 3}":                                         `line 9: policy.holders: "3": a whole number from 1 to 2`,
		small + "policy: {copies: never}":                                      `line 9: policy.copies: "never": a time of at least 1s`,
		small + "sweep: {far.latency: 1ms}":                                    "line 9: sweep.far.latency: a list of values is expected",
		small + "sweep: {far.latency: [1ms, 2]}":                               `line 9: far.latency: "2": a time`,
		small + "sweep: {far.nonsense: [1]}":                                   "line 9: far.nonsense: there is no such field",
		small + "sweep: {about.x: [1]}":                                        "line 9: sweep.about.x: that is the same for all variants",
		small + "sweep: {repetitions: [1, 2]}":                                 "line 9: sweep.repetitions: that is the same for all variants",
		small + "limit: 1h\nsweep: {limit.x: [1]}":                             "line 10: sweep.limit.x: limit has no fields",
		small + "sweep: {far.latency: [" + strings.Repeat("1ms,", 1001) + "]}": "line 9: sweep.far.latency: that makes more than 1000 variants",
		small + "cases: {x: {far.latency: 1}}":                                 `line 9: far.latency: "1": a time`,
		small + "cases: {x: 1}":                                                "line 9: cases.x: fields with values are expected",
		"sites: {a: {peers: 2000}}":                                            `line 1: sites.a.peers: "2000": a whole number from 0 to 1000`,
		"sites: {a: {peers: 999}, b: {peers: 2}}":                              "line 1: sites.b: more than 1000 peers",
		"sites: {any: {}}":                                                     `line 1: sites.any: a site cannot be called "any"`,
		"sites: {a: {speed: 0}}":                                               "line 1: sites.a.speed: ",
		"sites: {a: {uplink: 1}}":                                              `line 1: sites.a.uplink: "1" is no rate`,
		"sites: {a: {}}":                                                       "line 1: workload: one of tree, uts and search is expected",
		"sites: {a: {}}\nworkload: {tree: {}, uts: {}}":                        "line 2: workload: one of tree, uts and search is expected",
		"sites: {a: {}}\nworkload: {tree: {shape: oak}}":                       `line 2: workload.tree.shape: "oak": one of regular and random`,
		"sites: {a: {}}\nworkload: {tree: {shape: random, lief: 1s}}":          "line 2: workload.tree.lief: there is no such field; did you mean leaf?",
		"sites: {a: {}}\nworkload: {tree: {depth: 30, width: 9}}":              "line 2: workload.tree: more than 2000000 jobs",
		"sites: {a: {}}\nworkload: {tree: {depth: 1, width: 2, leaf: 999h}}":   "line 2: workload.tree: one worker would take 1998h",
		"sites: {a: {}}\nworkload: {tree: {}, result: 1GB}":                    `line 2: workload.result: "1GB": a size of at most `,
		"sites: {a: {}}\nworkload: {tree: {}, result: 1MB}":                    "line 2: workload: jobs and results have 5461000000 B in all",
		"sites: {a: {}}\nworkload: {search: {}, job: 1kB}":                     "line 2: workload: the jobs and results of a search are as long as they are",
		"sites: {a: {}}\nworkload: {uts: {name: T9}}":                          `line 2: workload.uts.name: the benchmark has no tree "T9"`,
		"sites: {a: {}}\nworkload: {uts: {name: T1L}}":                         "line 2: workload.uts: the tree has more than ",
	} {
		_, err := scenario.Read([]byte(text), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v, wanted %q", text, err, want)
		}
	}
}

// TestEveryField reads each field that there is, and what it says is what happens.
func TestEveryField(t *testing.T) {
	r, text := played(t, read(t, `
about: all there is
look: at this
seed: 7
repetitions: 2
limit: 10m
apart: 1ms
loop: {event: 10us}
sites:
  a: {peers: 3, workers: 2, speed: 1.5, uplink: 100Mbit, line: 1Gbit}
  b: {peers: 2, uplink: any}
  c: {peers: 0}
near: {latency: 100us, jitter: 10us}
far: {latency: 30ms, jitter: 1ms, bandwidth: 10Mbit, loss: 0.1%}
links:
  a|b: {latency: 5ms, bandwidth: 50Mbit}
  b>c: {latency: 200ms}
workload:
  tree: {depth: 6, width: 4, leaf: 20ms, shape: random, seed: 3}
  job: 50B
  result: 1kB
events: kill b/1@20%; join c:2@20%; leave a/3@40%; cut a|b@2s; heal@3s
slow:
  a/2: {from: 1s, for: 2s, speed: 0.25}
losses: {mean: 1m, notice: 1s, again: 5s, sites: a}
policy: {stealing: rs, ft: on, copies: 5s, holders: 1, leave: 10s}
`))
	row := r.Rows[0]
	if row.Ended != 2 || row.Losses.Value < 1 || row.Leaves.Value < 1 || row.BytesFar.Value == 0 || row.Name() != "as it is" || r.Seed != 7 || r.Look != "at this" {
		t.Errorf("%s", text)
	}
	if row.Runs[0].Sum == row.Runs[1].Sum {
		t.Error("both repetitions are the same run")
	}
}

// TestSameSeedSameBytes: what is printed depends on nothing but the text.
func TestSameSeedSameBytes(t *testing.T) {
	text := small + "far: {latency: 5ms, jitter: 3ms, loss: 1%, bandwidth: 1Mbit}\nevents: kill any@every 300ms; join any@every 300ms\nlosses: {mean: 5s, again: 1s}"
	_, a := played(t, read(t, text))
	_, b := played(t, read(t, text))
	_, other := played(t, read(t, text+"\nseed: 2"))
	if a != b || a == other {
		t.Errorf("the same seed:\n%s\n%s\nanother one:\n%s", a, b, other)
	}
}

// TestVariants: each case is played with each value of each sweep.
func TestVariants(t *testing.T) {
	r, text := played(t, read(t, strings.Replace(small, "repetitions: 2", "repetitions: 1", 1)+`
cases:
  as it is: {}
  with c: {sites.c: {peers: 2}, links.a|c: {latency: 100ms}}
sweep:
  far.latency: [1ms, 100ms]
  policy: [{stealing: rs}, {stealing: crs}]
`))
	var names []string
	for _, row := range r.Rows {
		names = append(names, row.Name())
	}
	want := "as it is, far.latency 1ms, policy {stealing: rs}; as it is, far.latency 1ms, policy {stealing: crs}; " +
		"as it is, far.latency 100ms, policy {stealing: rs}; as it is, far.latency 100ms, policy {stealing: crs}; " +
		"with c, far.latency 1ms, policy {stealing: rs}; with c, far.latency 1ms, policy {stealing: crs}; " +
		"with c, far.latency 100ms, policy {stealing: rs}; with c, far.latency 100ms, policy {stealing: crs}"
	if got := strings.Join(names, "; "); got != want {
		t.Errorf("%s\nwanted\n%s", got, want)
	}
	if near, far := r.Rows[0].Time.Value, r.Rows[2].Time.Value; far <= near || r.Rows[4].Ideal.Value >= r.Rows[0].Ideal.Value {
		t.Errorf("distances and peers are not those of the variants:\n%s", text)
	}
	if !strings.Contains(text, "\nscenario,case,far.latency,policy,runs,ended,time_seconds,time_seconds_low,") || !strings.Contains(text, `"with c, far.latency 1ms, policy {stealing: rs}",with c,1ms,{stealing: rs},1,1,`) {
		t.Errorf("as comma-separated values:\n%s", text)
	}
}

// TestUnanswered: runs that fail or take too long are counted, and are not in the means; and what
// could not happen is told.
func TestUnanswered(t *testing.T) {
	_, text := played(t, read(t, small+`
cases:
  fails: {policy.ft: off, events: kill b/1@0s}
  too long: {workload.tree.leaf: 1s, limit: 1s}
  missed: {events: kill b/1@10m}
`))
	for _, want := range []string{"\nfails        never ended", "\ntoo long     never ended", "fails: 0 of 2 runs have ended", "missed: kill b/1@10m has not happened in the run with seed 1: "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// TestWorkloads: all kinds are computed.
func TestWorkloads(t *testing.T) {
	for _, w := range []string{"uts: {depth: 6, branching: 4, seed: 1, node: 1ms, alone: 4}", "uts: {}", "search: {depth: 6, width: 4, leaf: 5ms, seed: 2}", "tree: {depth: 5, width: 3, shape: random}"} {
		r, text := played(t, read(t, "sites: {a: {peers: 2}, b: {peers: 2}}\nrepetitions: 1\nworkload:\n  "+w))
		if row := r.Rows[0]; row.Ended != 1 || row.Time.Value <= 0 || row.Efficiency.Value == 0 {
			t.Errorf("%s:\n%s", w, text)
		}
	}
}

// TestHalfOfTheSitesAreLost: little is done again, as what the dead had finished is at a third
// site, too; with one holder it is much more.
func TestHalfOfTheSitesAreLost(t *testing.T) {
	r, text := played(t, read(t, `
sites: {a: {peers: 2}, b: {peers: 2}, c: {peers: 2}, d: {peers: 2}}
workload: {tree: {depth: 6, leaf: 200ms}}
repetitions: 2
events: kill c@50%; kill d@50%
policy: {copies: 1s}
sweep: {policy.holders: [1, 2]}
`))
	one, two := r.Rows[0], r.Rows[1]
	if one.Ended != 2 || two.Ended != 2 || two.Losses.Value != 4 || two.Redone.Value > 4*(1+1) || one.Redone.Value < 2*two.Redone.Value {
		t.Errorf("%s", text)
	}
}

// TestSchemes: the hierarchical one is near ours where two sites are near each other, and behind it
// on more that are not (van Nieuwpoort, Kielmann, Bal, 2001); each scheme is another run.
func TestSchemes(t *testing.T) {
	r, text := played(t, read(t, `
sites: {a: {peers: 4}, b: {peers: 4}, c: {peers: 0}, d: {peers: 0}}
workload: {tree: {depth: 6, leaf: 20ms}}
repetitions: 3
cases:
  near: {far.latency: 1ms}
  far: {far.latency: 100ms, sites.c.peers: 4, sites.d.peers: 4, workload.tree.leaf: 40ms}
sweep:
  policy.stealing: [crs, plain-crs, chs, rs]
`))
	sums := map[string]bool{}
	for n := range r.Rows {
		sums[r.Rows[n].Runs[0].Sum] = true
	}
	near, far := r.Rows[:4], r.Rows[4:]
	if len(sums) != 8 || near[2].Efficiency.Value < 0.95*near[0].Efficiency.Value || far[2].Efficiency.Value > 0.95*far[0].Efficiency.Value {
		t.Errorf("%s", text)
	}
}

// TestRecord: what is written down of a simulated grid is read as that of one that is there.
func TestRecord(t *testing.T) {
	s := read(t, strings.Replace(small, "leaf: 10ms", "leaf: 100ms", 1)+"events: kill b/1@50%; join c:1@50%\npolicy: {copies: 1s}")
	s.Repetitions = 1
	var b, again bytes.Buffer
	if err := s.Record(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if err := s.Record(t.Context(), &again); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Errorf("the same seed: %v, %d and %d bytes", err, b.Len(), again.Len())
	}
	p, err := recording.Open(&b)
	if err != nil {
		t.Fatal(err)
	}
	r, err := recording.Tell(p)
	if err != nil {
		t.Fatal(err)
	}
	all, sites := r.Grids, []string{}
	for _, site := range r.Sites {
		sites = append(sites, site.Site)
	}
	if !r.Whole || fmt.Sprint(sites) != "[a b c]" || r.Lost["kill"] != 1 || all.Busy < 0.8*all.Workers || all.Busy > all.Workers || len(r.Flows) == 0 || r.Missed > 0 {
		t.Errorf("%+v", r)
	}
}

// thin is a deep, thin tree on two sites.
const thin = `
sites: {a: {}, b: {}}
workload:
  uts: {branching: 2000, prob: 0.200014, children: 5, seed: 13, node: 170us, alone: 100000}
repetitions: 1
sweep:
  far.latency: [500us, 20ms, 100ms]
`

// TestThinTreesOverDistance: who lacks jobs of a thin tree has as many sent as last for the way,
// and before it has none.
func TestThinTreesOverDistance(t *testing.T) {
	r, _ := played(t, read(t, thin))
	for n, least := range []float64{0.98, 0.93, 0.80} {
		if row := r.Rows[n]; row.Efficiency.Value < least {
			t.Errorf("%s: efficiency %.3f, less than %.2f", row.Name(), row.Efficiency.Value, least)
		}
	}
}

// interrupter ends a context at the first thing that is written.
type interrupter struct{ end context.CancelFunc }

func (i interrupter) Write(b []byte) (int, error) {
	i.end()
	return len(b), nil
}

// TestGivenUp: a simulation that nobody wants any more ends in the middle, and says why.
func TestGivenUp(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	s := read(t, "sites: {a: {peers: 4}}\nworkload: {tree: {depth: 8, leaf: 50s}}")
	if err := s.Record(ctx, interrupter{end}); !errors.Is(err, context.Canceled) {
		t.Errorf("it is written down: %v", err)
	}
	if _, err := s.Play(ctx, func(float64) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("it is played: %v", err)
	}
}

// TestShipped: the experiments that are shipped can be read, and say what they are.
func TestShipped(t *testing.T) {
	names := scenario.Shipped()
	if len(names) < 5 {
		t.Errorf("there are only %q", names)
	}
	for _, name := range names {
		text, ok := scenario.ShippedText(name)
		s, err := scenario.Read(text, nil)
		if !ok || err != nil {
			t.Errorf("%s: %v", name, err)
		} else if s.About == "" || s.Look == "" || s.About != scenario.AboutShipped(name) || strings.Contains(s.About, "\n") {
			t.Errorf("%s says of itself %q and %q", name, s.About, s.Look)
		}
	}
	if _, ok := scenario.ShippedText("nothing"); ok {
		t.Error("nothing is shipped")
	}
}
