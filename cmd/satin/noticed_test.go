//go:build unix

package main

import (
	"slices"
	"testing"
)

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
