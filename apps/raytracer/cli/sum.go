package cli

import (
	"slices"
	"strings"

	"satingrid/satin"
)

// sum is what two runs on one grid have done, one after the other or side by side. Where peers and
// losses have to be told apart, the later run knows better.
func sum(a, b satin.Stats) satin.Stats {
	out := satin.Stats{
		Seconds: a.Seconds + b.Seconds,
		Peers:   slices.Clone(a.Peers), Losses: slices.Clone(a.Losses), Masters: slices.Clone(a.Masters),
	}
	for _, p := range b.Peers {
		i := slices.IndexFunc(out.Peers, func(q satin.PeerStats) bool { return q.Name == p.Name })
		if i < 0 {
			out.Peers = append(out.Peers, p)
			continue
		}
		q := out.Peers[i]
		p.Jobs, p.Aborted, p.Busy = p.Jobs+q.Jobs, p.Aborted+q.Aborted, p.Busy+q.Busy
		p.LentNear, p.LentFar, p.Again = p.LentNear+q.LentNear, p.LentFar+q.LentFar, p.Again+q.Again
		p.Advertised, p.Fetched = p.Advertised+q.Advertised, p.Fetched+q.Fetched
		p.CopiesSent, p.CopiesUsed, p.BytesFar = p.CopiesSent+q.CopiesSent, p.CopiesUsed+q.CopiesUsed, p.BytesFar+q.BytesFar
		out.Peers[i] = p
	}
	slices.SortStableFunc(out.Peers, func(p, q satin.PeerStats) int { return strings.Compare(p.Name, q.Name) })
	for _, l := range b.Losses {
		i := slices.IndexFunc(out.Losses, func(k satin.Loss) bool { return k.Peer == l.Peer && k.How == l.How })
		if i < 0 {
			out.Losses = append(out.Losses, l)
			continue
		}
		k := &out.Losses[i]
		k.Restarted, k.Reused = k.Restarted+l.Restarted, k.Reused+l.Reused
		k.RedoneSeconds, k.SavedSeconds = k.RedoneSeconds+l.RedoneSeconds, k.SavedSeconds+l.SavedSeconds
	}
	for _, m := range b.Masters {
		if n := len(out.Masters); n == 0 || out.Masters[n-1] != m {
			out.Masters = append(out.Masters, m)
		}
	}
	return out
}
