package raytracer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/png"
	"slices"
	"strings"
	"testing"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
	"satingrid/apps/raytracer/trace"
	"satingrid/satin"
)

// The digests of small pictures of the example, on every machine and with any schedule.
const (
	goldenShown = "4d5b0675fcd094b903064ed58dd8eb0fa23b6c899e82070c69c439e7c3447dad"
	goldenRaw   = "fe6247d0240d1903673949066aa59191dcf255902efa776782225dd2c44bdcf4"
)

func small() Render {
	return Render{Scene: *Example(), Width: 96, Height: 54, Samples: 2, Bounces: 6}
}

// simple is a scene that is ready at once: three balls, of clay, glass and metal, before a lamp.
func simple() *scene.Scene {
	var b scene.Builder
	for i, m := range []scene.Material{
		scene.Matte(num.V{X: 0.8, Y: 0.4, Z: 0.2}),
		{Color: num.V{X: 1, Y: 1, Z: 1}, Transmission: 1, Alpha: 1},
		{Color: num.V{X: 0.9, Y: 0.8, Z: 0.5}, Metallic: 1, Roughness: 0.2, Alpha: 1},
	} {
		b.Sphere(num.V{X: 2.2 * float64(i-1)}, 1, b.Material(m))
	}
	lamp := b.Material(scene.Material{Emission: num.V{X: 9, Y: 9, Z: 9}, Alpha: 1})
	b.Quad(num.V{X: -1, Y: 4, Z: 1}, num.V{X: 1, Y: 4, Z: 1}, num.V{X: 1, Y: 4, Z: 3}, num.V{X: -1, Y: 4, Z: 3}, lamp)
	return b.Finish()
}

func render(t *testing.T, r Render) Image {
	t.Helper()
	m, err := satin.Run(context.Background(), nil, r)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestPictureIsTheSameEverywhere(t *testing.T) {
	if got := render(t, small()).SHA256(); got != goldenShown {
		t.Errorf("the small picture's sha256 is %s, want %s", got, goldenShown)
	}
	raw := small()
	raw.Raw = true
	if got := render(t, raw).SHA256(); got != goldenRaw {
		t.Errorf("the small picture's sha256, unfiltered, is %s, want %s", got, goldenRaw)
	}
}

// TestRaysAreCounted adds up the rays of all blocks: however the picture is cut, and with a picture
// so far on the way, these are the ones that it says.
func TestRaysAreCounted(t *testing.T) {
	r := Render{Scene: *simple(), Width: 93, Height: 61, Samples: 3, Bounces: 3}.full()
	p := prepare(r)
	want, tracer := 0, p.world.Tracer()
	for y := 0; y < r.Height; y += trace.BlockSize {
		for x := 0; x < r.Width; x += trace.BlockSize {
			_, n := tracer.Block(x, y, r.Width, r.Height, r.settings())
			want += n
		}
	}
	if want < r.Width*r.Height {
		t.Fatalf("%d rays for %d pixels", want, r.Width*r.Height)
	}
	for _, show := range []bool{false, true} {
		r.Show = show
		if got := render(t, r).Rays; got != want {
			t.Errorf("%d rays, want %d", got, want)
		}
	}
}

func TestSHA256IsOfDecodedPixels(t *testing.T) {
	m := render(t, Render{Scene: *simple(), Width: 33, Height: 17, Samples: 1, Bounces: 1})
	var file bytes.Buffer
	if err := m.PNG(&file); err != nil {
		t.Fatal(err)
	}
	decoded, err := png.Decode(&file)
	if err != nil {
		t.Fatal(err)
	}
	var pix []byte
	for y := range 17 {
		for x := range 33 {
			c := decoded.At(x, y)
			r, g, b, a := c.RGBA()
			pix = append(pix, byte(r>>8), byte(g>>8), byte(b>>8), byte(a>>8))
		}
	}
	sum := sha256.Sum256(pix)
	if want := hex.EncodeToString(sum[:]); m.SHA256() != want {
		t.Errorf("SHA256 is %s, of the decoded file %s", m.SHA256(), want)
	}
}

func TestLinearPictureShowsTheSame(t *testing.T) {
	r := Render{Scene: *simple(), Width: 40, Height: 22, Samples: 2, Bounces: 3}
	plain := render(t, r)
	r.Linear = true
	linear := render(t, r)
	if plain.SHA256() != linear.SHA256() {
		t.Error("the linear picture, shown, differs from the plain one")
	}
	var pfm bytes.Buffer
	if err := linear.PFM(&pfm); err != nil {
		t.Fatal(err)
	}
	if head := "PF\n40 22\n-1.0\n"; !strings.HasPrefix(pfm.String(), head) || pfm.Len() != len(head)+40*22*12 {
		t.Errorf("the PFM file starts with %q and has %d bytes", pfm.String()[:20], pfm.Len())
	}
	if err := plain.PFM(&pfm); err == nil {
		t.Error("a picture of bytes was written as PFM")
	}
}

// TestCutsDoNotShow renders a picture as one tile and as many.
func TestCutsDoNotShow(t *testing.T) {
	for _, size := range []image.Point{{61, 37}, {4, 4}, {1, 1}, {3, 50}, {200, 2}} {
		r := Render{Scene: *simple(), Width: size.X, Height: size.Y, Samples: 2, Bounces: 2}
		p := prepare(r)
		whole := Tile{0, 0, size.X, size.Y}
		one, err := whole.render(&p, wanted)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one.Records, inParts(t, &p, whole)) {
			t.Errorf("%v: in parts the picture differs", size)
		}
	}
}

func wanted() bool { return false }

func TestUnwantedTileStops(t *testing.T) {
	p := prepare(Render{Scene: *simple(), Width: 96, Height: 54})
	if _, err := (Tile{0, 0, 96, 54}).render(&p, func() bool { return true }); err == nil {
		t.Error("a tile that nobody wants was rendered")
	}
}

// inParts renders a tile after cutting it as far as it can be cut.
func inParts(t *testing.T, p *prepared, tile Tile) []byte {
	a, b, ok := tile.split(1e18, leafRays)
	if !ok {
		out, err := tile.render(p, wanted)
		if err != nil {
			t.Fatal(err)
		}
		return out.Records
	}
	out := make([]byte, (tile.X1-tile.X0)*(tile.Y1-tile.Y0)*recordSize)
	for _, part := range []Tile{b, a} {
		tile.paste(out, part, inParts(t, p, part))
	}
	return out
}

func TestTilesAreCutByRays(t *testing.T) {
	p := prepare(Render{Scene: *simple(), Width: 320, Height: 180, Samples: 64})
	var visit func(tile Tile) int
	visit = func(tile Tile) int {
		rays := p.estimate(tile)
		a, b, ok := tile.split(rays, leafRays)
		if !ok {
			if side := max(tile.X1-tile.X0, tile.Y1-tile.Y0); rays > leafRays && side > 4 {
				t.Errorf("%v has %g rays", tile, rays)
			}
			return (tile.X1 - tile.X0) * (tile.Y1 - tile.Y0)
		}
		if sum := p.estimate(a) + p.estimate(b); sum != rays {
			t.Errorf("%v has %g rays, its parts %g", tile, rays, sum)
		}
		return visit(a) + visit(b)
	}
	pixels := 0
	for _, piece := range p.task.pieces(p.estimate) {
		pixels += visit(piece)
	}
	if pixels != 320*180 {
		t.Errorf("the tiles have %d pixels, want %d", pixels, 320*180)
	}
}

func TestBadTasksAreRefused(t *testing.T) {
	good := Render{Scene: *simple()}
	for what, change := range map[string]func(r *Render){
		"a picture":         func(r *Render) { r.Width = 100_000; r.Height = 100_000 },
		"at least 1×1":      func(r *Render) { r.Width = -1 },
		"samples":           func(r *Render) { r.Samples = 1 << 30 },
		"bounces":           func(r *Render) { r.Bounces = 1 << 30 },
		"angle of view":     func(r *Render) { r.Scene.Camera.Fov = 180 },
		"names a vertex":    func(r *Render) { r.Scene.Mesh.Triangles = bytes.Repeat([]byte{255}, 16) },
		"the same length":   func(r *Render) { r.Scene.Mesh.Normals = nil },
		"numbers from 0":    func(r *Render) { r.Scene.Materials[0].Color.X = 2 },
		"radius above 0":    func(r *Render) { r.Scene.Spheres = []scene.Sphere{{}} },
		"picture 0":         func(r *Render) { r.Scene.Pictures = []scene.Picture{{Width: 3, Height: 3}} },
		"is not a number":   func(r *Render) { r.Scene.Lights = []scene.PointLight{{Color: num.V{X: -1}}} },
		"at the place wher": func(r *Render) { r.Scene.Camera.Target = r.Scene.Camera.Eye },
	} {
		r := good
		r.Scene.Materials = slices.Clone(r.Scene.Materials)
		change(&r)
		_, err := satin.Run(context.Background(), nil, r)
		if err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestPolishKeepsWhatIsNoNoise(t *testing.T) {
	const w, h = 16, 9
	all := make([]record, w*h)
	for i := range all {
		// Stripes and steps, without noise.
		c := num.V{X: float64(i%2) * 0.5, Y: float64(i%w) / w, Z: 1}
		all[i] = record{color: c, depth: 1, shade: [3]float32{float32(c.X), float32(c.Y), float32(c.Z)}}
	}
	want := make([]num.V, len(all))
	for i := range all {
		want[i] = all[i].color
	}
	for i, c := range polish(all, w, 0, h) {
		if d := c.Sub(want[i]).MaxAbs(); d > 0.01 {
			t.Fatalf("pixel %d without noise was changed by %g", i, d)
		}
	}
	// An even surface with noise comes nearer to its mean.
	var before, after float64
	for i := range all {
		s := num.NewSampler(i, 0, 0)
		x := 0.5 + 0.2*(s.One()-0.5)
		all[i] = record{color: num.V{X: x, Y: x, Z: x}, depth: 1, noise: 0.2 * 0.2 / 12}
		for k := range 3 {
			all[i].shade[k] = float32(x)
		}
		before += (x - 0.5) * (x - 0.5)
	}
	for _, c := range polish(all, w, 0, h) {
		after += (c.X - 0.5) * (c.X - 0.5)
	}
	if after > before/10 {
		t.Errorf("the filter left %.2f of the noise", after/before)
	}
}

// TestPolishLeavesCalmPixels: what has no visible noise in reach comes out as it went in, and
// the tally is a count.
func TestPolishLeavesCalmPixels(t *testing.T) {
	const w, h = 40, 30
	all := make([]record, w*h)
	for i := range all {
		s := num.NewSampler(i, 0, 0)
		x := s.One()
		all[i] = record{color: num.V{X: x, Y: x, Z: x}, depth: 1, shade: [3]float32{float32(x), float32(x), float32(x)}}
		if i%w > 25 && i/w > 20 && s.One() < 0.2 {
			all[i].noise = 0.1
		}
	}
	before := slices.Clone(all)
	// and spreads the noise over the pixels around, which the tally sees
	out := polish(all, w, 0, h)
	noisy, changed := newTally(all, w, h), 0
	for i := range all {
		n := int32(0)
		for k := range all {
			if dx, dy := k%w-i%w, k/w-i/w; max(dx, -dx) <= polishReach && max(dy, -dy) <= polishReach && all[k].noise > polishFloor {
				n++
			}
		}
		if got := noisy.around(i%w, i/w); got != n {
			t.Fatalf("pixel %d has %d noisy ones around it, not %d", i, got, n)
		}
		if out[i] != before[i].color {
			changed++
			if n == 0 {
				t.Fatalf("pixel %d, far from any noise, was changed", i)
			}
		}
	}
	if changed == 0 {
		t.Error("nothing was changed")
	}
}
