package gridsim
import ("testing";"fmt";"time";"satingrid/steal")
func TestEff(t *testing.T) {
	for _, c := range []struct{n string; s []Site; far time.Duration; p steal.Policy}{
		{"1x1", SitesOf(1), 0, steal.CRS},
		{"32 CRS one site", SitesOf(32), 0, steal.CRS},
		{"4x8 CRS 20ms", SitesOf(8,8,8,8), 20*time.Millisecond, steal.CRS},
		{"4x8 CRS 100ms", SitesOf(8,8,8,8), 100*time.Millisecond, steal.CRS},
		{"4x8 RS 100ms", SitesOf(8,8,8,8), 100*time.Millisecond, steal.RS},
		{"2x16 CRS 100ms", SitesOf(16,16), 100*time.Millisecond, steal.CRS},
		{"32x1 CRS 20ms", SitesOf(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1), 20*time.Millisecond, steal.CRS},
	} {
		o := Options{Seed: 1, Sites: c.s, Submitted: 1, Limit: time.Hour, Settle: 20*time.Second, Policy: c.p,
		  Near: Link{Delay: 50*time.Microsecond, Jitter: 20*time.Microsecond}, Far: Link{Delay: c.far, Jitter: 1, Rate: 10<<20},
		  Workload: &Tree{Seed: 5, Depth: 9, Width: 6, Leaf: 10*time.Millisecond}}
		st := time.Now()
		r, err := Run(o)
		if err != nil { t.Fatal(err) }
		fmt.Printf("%s: took %v eff %.4f jobs %d near %d far %d msgs %d events %d farbytes %d wall %v\n", c.n, r.Took, float64(r.Busy)/float64(r.Took)/float64(r.Workers), r.Jobs, r.LentNear, r.LentFar, r.Messages, r.Events, r.BytesFar, time.Since(st))
	}
}
