package bench

import "testing"

func TestMeasureTrips(t *testing.T) {
	all, err := measureTrips(t.Context(), 2, 500)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		for _, d := range []times{m.idle.frames, m.idle.tcp, m.busy.frames, m.busy.tcp} {
			if d.p50 <= 0 || d.p99 < d.p50 {
				t.Fatalf("%+v", m)
			}
		}
		if m.sent == 0 || m.sentTCP == 0 {
			t.Fatalf("nothing flowed: %+v", m)
		}
		t.Logf("%+v", m)
	}
}

// BenchmarkRoundTrip prints the ratios that matter; ns/op means nothing here.
func BenchmarkRoundTrip(b *testing.B) {
	all, err := measureTrips(b.Context(), 1, max(b.N, 1000))
	if err != nil {
		b.Fatal(err)
	}
	m := all[0]
	b.ReportMetric(float64(m.idle.frames.p50.Nanoseconds()), "idle-p50-ns")
	b.ReportMetric(float64(m.idle.frames.p50)/float64(m.idle.tcp.p50), "idle-p50/tcp")
	b.ReportMetric(float64(m.idle.frames.p99)/float64(m.idle.tcp.p99), "idle-p99/tcp")
	b.ReportMetric(float64(m.busy.frames.p99.Nanoseconds()), "busy-p99-ns")
	b.ReportMetric(float64(m.busy.frames.p99)/float64(m.busy.tcp.p99), "busy-p99/tcp")
	b.Logf("idle: frames %v, tcp %v", m.idle.frames, m.idle.tcp)
	b.Logf("busy: frames %v, tcp %v; %d and %d values of 1 MiB",
		m.busy.frames, m.busy.tcp, m.sent, m.sentTCP)
}
