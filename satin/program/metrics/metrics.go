package metrics

import (
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"

	"satingrid/satin"
	"satingrid/satin/program/admin"
)

// Observed is a node, as its metrics are made of it. Each call is answered within milliseconds.
type Observed interface {
	// Status is what the node tells of itself; false while it is on its way into its grid.
	Status() (s admin.Status, in bool)
	// Lost is how many peers of its grid the node has seen go, by how.
	Lost() map[string]int
}

// One value of a [satin.Totals] is a metric that only grows.
type total struct {
	name, help string
	labels     prometheus.Labels
	of         func(satin.Totals) float64
}

var totals = []total{
	{"jobs_total", "Jobs that were spawned on this node.", nil, func(t satin.Totals) float64 { return float64(t.Jobs) }},
	{"jobs_aborted_total", "Jobs of this node that were not needed any more.", nil, func(t satin.Totals) float64 { return float64(t.Aborted) }},
	{"busy_seconds_total", "Seconds that workers of this node have computed.", nil, func(t satin.Totals) float64 { return t.Busy }},
	{"jobs_lent_total", "Jobs that other peers have stolen from this node.", prometheus.Labels{"to": "near"}, func(t satin.Totals) float64 { return float64(t.LentNear) }},
	{"jobs_lent_total", "Jobs that other peers have stolen from this node.", prometheus.Labels{"to": "far"}, func(t satin.Totals) float64 { return float64(t.LentFar) }},
	{"jobs_borrowed_total", "Jobs that this node has stolen, and roots that it was given.", nil, func(t satin.Totals) float64 { return float64(t.Borrowed) }},
	{"jobs_put_back_total", "Jobs that were to be done again after a loss.", nil, func(t satin.Totals) float64 { return float64(t.Again) }},
	{"results_advertised_total", "Results that this node has offered to whoever does lost work again.", nil, func(t satin.Totals) float64 { return float64(t.Advertised) }},
	{"results_fetched_total", "Results of other peers that came when this node asked for them.", nil, func(t satin.Totals) float64 { return float64(t.Fetched) }},
	{"results_reused_total", "Results that spared this node their work.", nil, func(t satin.Totals) float64 { return float64(t.Reused) }},
	{"copies_sent_total", "Finished parts that this node has given to others to keep.", nil, func(t satin.Totals) float64 { return float64(t.CopiesSent) }},
	{"copies_used_total", "Finished parts kept here for others that were used after a loss.", nil, func(t satin.Totals) float64 { return float64(t.CopiesUsed) }},
	{"near_sent_bytes_total", "Bytes sent to peers of the same site.", nil, func(t satin.Totals) float64 { return float64(t.BytesNear) }},
	{"asking_seconds_total", "Seconds in which this node has asked others for jobs.", nil, func(t satin.Totals) float64 { return t.Asking }},
	{"repairing_seconds_total", "Seconds that workers of this node have computed again what was lost.", nil, func(t satin.Totals) float64 { return t.Repairing }},
	{"asked_total", "Requests of this node for jobs that others have answered.", prometheus.Labels{"at": "near"}, func(t satin.Totals) float64 { return float64(t.AskedNear) }},
	{"asked_total", "Requests of this node for jobs that others have answered.", prometheus.Labels{"at": "far"}, func(t satin.Totals) float64 { return float64(t.AskedFar) }},
	{"answer_seconds_total", "Seconds until such requests were answered, together.", prometheus.Labels{"at": "near"}, func(t satin.Totals) float64 { return t.TripsNear }},
	{"answer_seconds_total", "Seconds until such requests were answered, together.", prometheus.Labels{"at": "far"}, func(t satin.Totals) float64 { return t.TripsFar }},
	{"far_sent_bytes_total", "Bytes sent to peers at other sites.", nil, func(t satin.Totals) float64 { return float64(t.BytesFar) }},
}

// collector reads a node each time that it is asked. All metrics begin with the same word, whatever
// the program is called: one dashboard shows all.
type collector struct{ node Observed }

const namespace = "satin_"

func desc(name, help string, labels prometheus.Labels, of ...string) *prometheus.Desc {
	return prometheus.NewDesc(namespace+name, help, of, labels)
}

var (
	info     = desc("node_info", "The node: always 1.", nil, "name", "site", "grid", "build")
	in       = desc("node_in", "Whether the node is in its grid: 1, or 0 while it is on its way.", nil)
	workers  = desc("node_workers", "Workers of this node.", nil)
	busy     = desc("node_executing", "Jobs of other peers, and roots, that this node has now.", nil)
	members  = desc("members", "Peers of the grid as this node sees them.", nil, "site", "state")
	capacity = desc("workers", "Workers of the grid as this node sees it.", nil, "site")
	runs     = desc("runs", "Runs that the grid computes, and those whose answers it keeps.", nil, "state")
	progress = desc("run_progress_ratio", "How far a run is, as it guesses; absent until its master has said so.", nil, "run", "task")
	lost     = desc("peers_lost_total", "Peers of the grid that this node has seen go.", nil, "how")
)

// Describe says nothing: what there is depends on the grid, and the registry checks it each time.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect asks the node once.
func (c collector) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	s, isIn := c.node.Status()
	if !isIn {
		gauge(in, 0)
		return
	}
	gauge(in, 1)
	gauge(info, 1, s.Name, s.Site, s.Grid, s.Build)
	gauge(busy, float64(s.Totals.Executing))
	for _, t := range totals {
		to <- prometheus.MustNewConstMetric(desc(t.name, t.help, t.labels), prometheus.CounterValue, t.of(s.Totals))
	}
	for how, n := range c.node.Lost() {
		to <- prometheus.MustNewConstMetric(lost, prometheus.CounterValue, float64(n), how)
	}
	ofMembers(s, gauge)
	ofRuns(s, gauge)
}

type setGauge func(d *prometheus.Desc, v float64, labels ...string)

// ofMembers tells who is there.
func ofMembers(s admin.Status, gauge setGauge) {
	count, all := map[[2]string]int{}, map[string]int{}
	for _, m := range s.Members {
		count[[2]string{m.Site, m.State}]++
		all[m.Site] += m.Workers
		if m.ID == s.ID {
			gauge(workers, float64(m.Workers))
		}
	}
	for of, n := range count {
		gauge(members, float64(n), of[:]...)
	}
	for site, n := range all {
		gauge(capacity, float64(n), site)
	}
}

// ofRuns tells what is computed. A state without runs is 0, so that no line breaks off.
func ofRuns(s admin.Status, gauge setGauge) {
	count := map[satin.RunState]int{}
	for _, r := range s.Runs {
		count[r.State]++
		if r.State == satin.RunComputing && r.Progress > 0 {
			gauge(progress, r.Progress, r.ID.Short(), r.Task)
		}
	}
	for _, state := range []satin.RunState{satin.RunComputing, satin.RunWaiting, satin.RunAnswered, satin.RunFailed} {
		gauge(runs, float64(count[state]), string(state))
	}
}

// unwell says what is wrong with a node; "": nothing.
func unwell(n Observed) string {
	s, isIn := n.Status()
	if !isIn {
		return "it is on its way into its grid"
	}
	at := slices.IndexFunc(s.Members, func(m satin.Member) bool { return m.ID == s.ID })
	if at < 0 || s.Members[at].State != "here" {
		return fmt.Sprintf("%s is leaving", s.Name)
	}
	return ""
}
