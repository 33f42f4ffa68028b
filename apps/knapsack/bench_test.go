package knapsack

import (
	"sync"
	"testing"
	"time"

	"satingrid/apps/knapsack/instance"
	"satingrid/satin"
)

// generated makes an instance that cannot fail.
func generated(b testing.TB, class, n int, r int64) *instance.Instance {
	b.Helper()
	p, err := instance.Generate(class, n, r, 1)
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func benchmark(b *testing.B, peer *satin.Peer, p *instance.Instance) {
	for b.Loop() {
		solve(b, peer, New(p), p)
	}
}

// BenchmarkShared solves the shared instances on one core.
func BenchmarkShared(b *testing.B) {
	peer := alone(b, 1)
	shared(b, func(name string, p *instance.Instance, _ int64) {
		b.Run(name, func(b *testing.B) { benchmark(b, peer, p) })
	})
}

// BenchmarkClasses solves all classes on one core.
func BenchmarkClasses(b *testing.B) {
	peer := alone(b, 1)
	for class := range instance.Classes {
		p := generated(b, class, 10_000, 10_000)
		b.Run(p.Name, func(b *testing.B) { benchmark(b, peer, p) })
	}
	p := generated(b, instance.SpannerStronglyCorrelated, 500, 10_000)
	b.Run(p.Name, func(b *testing.B) { benchmark(b, peer, p) })
}

// BenchmarkSubsetSum solves the family where a grid pays. The speed of two workers is compared with
// that of two sequential runs side by side: side/two is 1 when nothing is lost.
func BenchmarkSubsetSum(b *testing.B) {
	one, other, two := alone(b, 1), alone(b, 1), alone(b, 2)
	for _, n := range []int{40, 44, 56} {
		p := generated(b, instance.SubsetSum, n, 1e12)
		b.Run(p.Name+"/one", func(b *testing.B) { benchmark(b, one, p) })
		b.Run(p.Name+"/two", func(b *testing.B) {
			var seq, par time.Duration
			for b.Loop() {
				start := time.Now()
				var both sync.WaitGroup
				for _, peer := range []*satin.Peer{one, other} {
					both.Go(func() { solve(b, peer, New(p), p) })
				}
				both.Wait()
				seq += time.Since(start)
				start = time.Now()
				solve(b, two, New(p), p)
				par += time.Since(start)
			}
			b.ReportMetric(float64(seq)/2/float64(par), "side/two")
			b.ReportMetric(par.Seconds()/float64(b.N), "s/two")
		})
	}
}
