//go:build unix

package main

import (
	"slices"
	"testing"

	"satingrid/satin/program"
)

// TestKilledNodeIsTimed kills a node that works for a run on nodes: its client says how it was
// lost, and after how long that was noticed. Only the master and the client are left, and each
// tells what it has noticed itself.
func TestKilledNodeIsTimed(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "a")
	outlasting(t, boards[1:], func(w load) bool {
		b := startNode(t, "--site", "b", "--join", a.ticket)
		a.awaitMembers(t, a, b)
		run := startJoined(t, nil, a.ticket, w.args...)
		underWay(t, b.folder)
		b.kill()
		d := run.answers(t, w.name, w.value, a)
		at := slices.IndexFunc(d.Losses, func(l program.LossRow) bool { return l.Peer == b.name })
		if at < 0 || d.Losses[at].Restarted == 0 {
			return false // it had no job left, or all was over before anybody noticed
		}
		if l := d.Losses[at]; l.How != "kill" || l.Noticed == nil || *l.Noticed > patience.Seconds() {
			t.Errorf("a node that was killed: %v", l)
		}
		return true
	})
}

// BenchmarkNoticed tells after how many seconds a peer is held dead that was killed, or stopped,
// while all cores compute: the median of the rounds, and the longest.
func BenchmarkNoticed(b *testing.B) {
	for _, how := range []struct{ verb, timeout string }{{"kill", "2s"}, {"stop", "6s"}} {
		b.Run(how.verb, func(b *testing.B) {
			var after []float64
			for b.Loop() {
				d, got := runSites(b, "run", "nqueens", "18", "--sites", "a:2", "--chaos", how.verb+" a/2@1s", "--timeout", how.timeout)
				if len(d.Losses) != 1 || d.Losses[0].Noticed == nil {
					b.Fatalf("%+v, %q", d.Losses, got.err)
				}
				after = append(after, *d.Losses[0].Noticed)
			}
			slices.Sort(after)
			b.ReportMetric(after[len(after)/2], "s")
			b.ReportMetric(after[len(after)-1], "s-at-most")
			b.ReportMetric(0, "ns/op")
		})
	}
}
