package trace

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// spot is the shared mesh, each triangle parted in four twice, in its file's plainest reading.
func spot(t testing.TB, times int) *scene.Scene {
	dir := os.Getenv("SATIN_DATA")
	if dir == "" {
		t.Skip("SATIN_DATA is not set: scenes/spot.obj is missing")
	}
	f, err := os.Open(filepath.Join(dir, "scenes/spot.obj"))
	if err != nil {
		t.Skip("SATIN_DATA has no scenes/spot.obj: ", err)
	}
	defer f.Close()
	var pos []num.V
	var tri [][3]int
	for in := bufio.NewScanner(f); in.Scan(); {
		var v num.V
		var i, j, k, x int
		if n, _ := fmt.Sscanf(in.Text(), "v %g %g %g", &v.X, &v.Y, &v.Z); n == 3 {
			pos = append(pos, v)
		}
		if n, _ := fmt.Sscanf(in.Text(), "f %d/%d %d/%d %d/%d", &i, &x, &j, &x, &k, &x); n == 6 {
			tri = append(tri, [3]int{i - 1, j - 1, k - 1})
		}
	}
	for range times {
		mids := map[[2]int]int{}
		mid := func(i, j int) int {
			e := [2]int{min(i, j), max(i, j)}
			m, ok := mids[e]
			if !ok {
				m = len(pos)
				mids[e] = m
				pos = append(pos, num.Mix(pos[i], pos[j], 0.5))
			}
			return m
		}
		var finer [][3]int
		for _, t := range tri {
			a, b, c := mid(t[0], t[1]), mid(t[1], t[2]), mid(t[2], t[0])
			finer = append(finer, [3]int{t[0], a, c}, [3]int{a, t[1], b}, [3]int{c, b, t[2]}, [3]int{a, b, c})
		}
		tri = finer
	}
	var b scene.Builder
	white := b.Material(scene.Matte(num.V{X: 0.8, Y: 0.8, Z: 0.8}))
	for _, p := range pos {
		b.Vertex(p, num.V{})
	}
	for _, t := range tri {
		b.Triangle(t[0], t[1], t[2], white)
	}
	return b.Finish()
}

// BenchmarkSpot is the reach that the raytracer is measured by: rays a second of one core, five
// bounces, 93,696 triangles.
func BenchmarkSpot(b *testing.B) {
	w, err := New(spot(b, 2))
	if err != nil {
		b.Fatal(err)
	}
	const width, height = 256, 256
	t := w.Tracer()
	rays := 0
	b.ResetTimer()
	before := computed()
	for range b.N {
		for i := range width * height / (BlockSize * BlockSize) {
			_, n := t.Block(i*BlockSize%width, i*BlockSize/width*BlockSize, width, height, Settings{Samples: 4, Bounces: 5})
			rays += n
		}
	}
	b.ReportMetric(float64(rays)/(computed()-before).Seconds()/1e6, "Mrays/core-s")
	b.ReportMetric(float64(rays)/float64(b.N*width*height), "rays/pixel")
}

// BenchmarkNew is the time to make the same scene ready.
func BenchmarkNew(b *testing.B) {
	s := spot(b, 2)
	b.ResetTimer()
	for range b.N {
		if _, err := New(s); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkExample is rays a second of one core in the scene made for this project.
func BenchmarkExample(b *testing.B) {
	w, err := New(scene.Example())
	if err != nil {
		b.Fatal(err)
	}
	const width, height = 320, 180
	t := w.Tracer()
	rays := 0
	b.ResetTimer()
	before := computed()
	for range b.N {
		for i := range width * height / (BlockSize * BlockSize) {
			_, n := t.Block(i*BlockSize%width, i*BlockSize/width*BlockSize, width, height, Settings{Samples: 4, Bounces: 8})
			rays += n
		}
	}
	b.ReportMetric(float64(rays)/(computed()-before).Seconds()/1e6, "Mrays/core-s")
	b.ReportMetric(float64(rays)/float64(b.N*width*height), "rays/pixel")
}
