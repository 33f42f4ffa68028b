package raytracer

import (
	"testing"

	"satingrid/apps/raytracer/scene"
)

// BenchmarkDevelop filters a part of the example: nanoseconds a pixel.
func BenchmarkDevelop(b *testing.B) {
	r := Render{Scene: *scene.Example(), Width: 320, Height: 180, Samples: 2}.full()
	p := prepare(r)
	piece, err := Tile{0, 0, r.Width, r.Height}.render(&p, wanted)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r.develop(piece.Records, 0, r.Height)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*r.Width*r.Height), "ns/pixel")
}
