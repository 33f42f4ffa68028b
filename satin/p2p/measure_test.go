package p2p

import "testing"

func TestMeasure(t *testing.T) {
	noLeaks(t)
	m, err := Measure(t.Context(), 1000)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []Times{m.Idle.Frames, m.Idle.TCP, m.Busy.Frames, m.Busy.TCP} {
		if d.P50 <= 0 || d.P99 < d.P50 {
			t.Fatalf("%+v", m)
		}
	}
	if m.BulksSent == 0 || m.BulksSentTCP == 0 {
		t.Fatalf("nothing flowed: %+v", m)
	}
	t.Logf("%+v", m)
}

// BenchmarkRoundTrip prints the ratios that matter; ns/op means nothing here.
func BenchmarkRoundTrip(b *testing.B) {
	m, err := Measure(b.Context(), max(b.N, 1000))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(m.Idle.Frames.P50.Nanoseconds()), "idle-p50-ns")
	b.ReportMetric(float64(m.Idle.Frames.P50)/float64(m.Idle.TCP.P50), "idle-p50/tcp")
	b.ReportMetric(float64(m.Idle.Frames.P99)/float64(m.Idle.TCP.P99), "idle-p99/tcp")
	b.ReportMetric(float64(m.Busy.Frames.P99.Nanoseconds()), "busy-p99-ns")
	b.ReportMetric(float64(m.Busy.Frames.P99)/float64(m.Busy.TCP.P99), "busy-p99/tcp")
	b.Logf("idle: frames %v, tcp %v", m.Idle.Frames, m.Idle.TCP)
	b.Logf("busy: frames %v, tcp %v; %d and %d values of 1 MiB", m.Busy.Frames, m.Busy.TCP, m.BulksSent, m.BulksSentTCP)
}
