package trace

import (
	"testing"

	"satingrid/apps/raytracer/scene"
)

// BenchmarkExample is rays a second on one core in the scene made for this project.
func BenchmarkExample(b *testing.B) {
	w, err := New(scene.Example())
	if err != nil {
		b.Fatal(err)
	}
	const width, height = 320, 180
	rays := 0
	b.ResetTimer()
	for range b.N {
		for y := range height {
			_, n := w.Row(nil, 0, width, y, width, height, Settings{Samples: 4, Bounces: 8})
			rays += n
		}
	}
	b.ReportMetric(float64(rays)/b.Elapsed().Seconds()/1e6, "Mrays/s")
	b.ReportMetric(float64(rays)/float64(b.N*width*height), "rays/pixel")
}
