package scene

import (
	"math"

	"satingrid/apps/raytracer/num"
)

// Example is the scene made for this project: jewels on satin. A cloth lies in folds and rises
// behind; on it rest a ball of clear glass and one of chrome, two gold rings, a cut diamond, an
// emerald, a string of pearls and a few embers that glow. A window to the left, a cool strip behind
// and a panel above light it.
func Example() *Scene {
	var b Builder
	b.Camera = Camera{
		Eye: num.V{X: -0.35, Y: 3.05, Z: 7.4}, Target: num.V{X: 0.05, Y: 0.42, Z: -0.25}, Up: num.V{Y: 1},
		Fov: 27, Aperture: 0.045, Focus: 7.35,
	}
	b.Sky = Sky{
		Zenith: num.V{X: 0.012, Y: 0.02, Z: 0.04}, Horizon: num.V{X: 0.17, Y: 0.12, Z: 0.10}, Ground: num.V{X: 0.02, Y: 0.02, Z: 0.03},
	}
	c := &cloth{}
	b.jewels(c)
	satin := b.Material(Material{
		Name: "satin", Color: num.V{X: 0.05, Y: 0.23, Z: 0.34}, Metallic: 0.55, Roughness: 0.38, Specular: 1, Alpha: 1,
	})
	b.Surface(clothCells, clothCells, satin, func(u, v float64) num.V {
		return c.at(float64((u-0.5)*14), float64((v-0.62)*14))
	})
	b.lamps()
	return b.Finish()
}

// clothCells is the cloth's number of quads each way: the finest fold spans about ten.
const clothCells = 230

// lamps adds the window and the strip, both outside the picture and seen in what is polished.
func (b *Builder) lamps() {
	window := b.Material(Material{Name: "window", Alpha: 1, Emission: num.V{X: 15, Y: 13.2, Z: 11}})
	b.Quad(num.V{X: -6.6, Y: 2.6, Z: 4.2}, num.V{X: -6.9, Y: 2.6, Z: 0.4}, num.V{X: -5.2, Y: 6.6, Z: 0.4}, num.V{X: -4.9, Y: 6.6, Z: 4.2}, window)
	above := b.Material(Material{Name: "above", Alpha: 1, Emission: num.V{X: 1.9, Y: 2.0, Z: 2.3}})
	b.Quad(num.V{X: -1.6, Y: 7.5, Z: 0.2}, num.V{X: 2.4, Y: 7.5, Z: 0.2}, num.V{X: 2.4, Y: 7.5, Z: 3.6}, num.V{X: -1.6, Y: 7.5, Z: 3.6}, above)
	strip := b.Material(Material{Name: "strip", Alpha: 1, Emission: num.V{X: 2.6, Y: 3.6, Z: 5.4}})
	b.Quad(num.V{X: 2.6, Y: 5.0, Z: -3.8}, num.V{X: 7.0, Y: 4.0, Z: 0.6}, num.V{X: 7.6, Y: 6.4, Z: 0.6}, num.V{X: 3.2, Y: 7.4, Z: -3.8}, strip)
}

// jewels adds everything that lies on the cloth, and presses the cloth in where it lies.
func (b *Builder) jewels(c *cloth) {
	glass := b.Material(Material{Name: "glass", Color: num.V{X: 1, Y: 1, Z: 1}, Specular: 1, Transmission: 1, IOR: 1.5, Alpha: 1, Absorption: num.V{X: 0.06, Y: 0.02, Z: 0.03}})
	chrome := b.Material(Material{Name: "chrome", Color: num.V{X: 0.93, Y: 0.93, Z: 0.95}, Metallic: 1, Alpha: 1})
	gold := b.Material(Material{Name: "gold", Color: num.V{X: 1, Y: 0.73, Z: 0.32}, Metallic: 1, Roughness: 0.16, Alpha: 1})
	pearl := b.Material(Material{Name: "pearl", Color: num.V{X: 0.86, Y: 0.79, Z: 0.74}, Roughness: 0.12, Specular: 1, IOR: 1.9, Alpha: 1})
	diamond := b.Material(Material{Name: "diamond", Color: num.V{X: 1, Y: 1, Z: 1}, Specular: 1, Transmission: 1, IOR: 2.2, Alpha: 1})
	emerald := b.Material(Material{Name: "emerald", Color: num.V{X: 1, Y: 1, Z: 1}, Specular: 1, Transmission: 1, IOR: 1.58, Alpha: 1, Absorption: num.V{X: 3.4, Y: 0.35, Z: 1.9}})
	ember := b.Material(Material{Name: "ember", Alpha: 1, Emission: num.V{X: 30, Y: 12.5, Z: 3.6}})

	b.Sphere(c.rest(-0.95, -0.15, 0.80), 0.80, glass)
	b.Sphere(c.rest(0.98, -1.05, 0.70), 0.70, chrome)

	b.gem(c.rest(1.50, 1.50, 0.25), 0.33, num.V{X: -0.30, Y: 0.72, Z: 0.62}, diamond)
	b.gem(c.rest(2.05, 0.35, 0.24), 0.32, num.V{X: -0.35, Y: 0.85, Z: 0.40}, emerald)

	b.ring(c.rest(0.16, 0.12, 0.30).Add(num.V{Y: 0.17}), 0.50, 0.085, num.V{X: 0.62, Y: 0.62, Z: 0.48}, gold)
	b.ring(c.rest(-2.35, 0.55, 0.12), 0.40, 0.07, num.V{X: 0.12, Y: 1, Z: 0.08}, gold)

	b.pearls(c, pearl)
	for _, e := range [][3]float64{{-1.95, -1.55, 0.13}, {-0.05, -1.75, 0.10}, {2.35, -1.35, 0.14}, {0.66, 1.86, 0.075}, {-0.35, 0.98, 0.07}} {
		b.Sphere(c.rest(e[0], e[1], e[2]), e[2], ember)
	}
}

// pearls lays a string of pearls along a curve, each a pearl's width from the one before.
func (b *Builder) pearls(c *cloth, material int) {
	const radius = 0.105
	curve := func(t float64) (x, z float64) {
		x = -2.05 + float64(3.15*t)
		return x, 1.78 + float64(0.36*num.Sin(float64(5.4*t)+0.2)) - float64(1.0*float64(t*t))
	}
	lx, lz := curve(0)
	b.Sphere(c.rest(lx, lz, radius), radius, material)
	for i := range 2000 {
		x, z := curve(float64(i) / 2000)
		dx, dz := x-lx, z-lz
		if float64(dx*dx)+float64(dz*dz) >= float64(4.1*float64(radius*radius)) {
			b.Sphere(c.rest(x, z, radius), radius, material)
			lx, lz = x, z
		}
	}
}

// ring adds a torus around center, its axis along the given direction.
func (b *Builder) ring(center num.V, radius, thick float64, axis num.V, material int) {
	f := num.FrameAround(axis.Unit())
	b.Surface(96, 28, material, func(u, v float64) num.V {
		su, cu := num.Sincos(float64(2 * math.Pi * u))
		sv, cv := num.Sincos(float64(2 * math.Pi * v))
		r := radius + float64(thick*cv)
		return center.Add(f.Out(num.V{X: float64(r * cu), Y: float64(r * su), Z: -float64(thick * sv)}))
	})
}

// gem adds a brilliant cut: a table of eight corners, a crown of stars, kites and halves, a girdle,
// and a pavilion that meets in a point. Its table looks along up.
func (b *Builder) gem(center num.V, size float64, up num.V, material int) {
	f := num.FrameAround(up.Unit())
	at := func(turn, r, h float64) num.V {
		s, c := num.Sincos(float64(turn * (math.Pi / 8)))
		return center.Add(f.Out(num.V{X: float64(r * c), Y: float64(r * s), Z: h}.Scale(size)))
	}
	face := func(p, q, r num.V) {
		b.Triangle(b.Vertex(p, num.V{}), b.Vertex(q, num.V{}), b.Vertex(r, num.V{}), material)
	}
	const top, crown, low, tip = 0.36, 0.23, -0.04, -0.86
	for i := range 8 {
		a := float64(2 * i)
		t0, t1 := at(a, 0.56, top), at(a+2, 0.56, top)
		k0, k1 := at(a-1, 0.79, crown), at(a+1, 0.79, crown)
		g0, g1, g2 := at(a, 1, 0), at(a+1, 1, 0), at(a+2, 1, 0)
		l0, l1, l2 := at(a, 1, low), at(a+1, 1, low), at(a+2, 1, low)
		p0, p1 := at(a, 0.30, -0.62), at(a+2, 0.30, -0.62)
		end := at(0, 0, tip)
		face(at(0, 0, top), t0, t1)
		face(t0, k1, t1)
		face(k0, g0, t0)
		face(t0, g0, k1)
		face(g0, g1, k1)
		face(k1, g1, g2)
		for _, q := range [2][4]num.V{{g0, l0, l1, g1}, {g1, l1, l2, g2}} {
			face(q[0], q[1], q[2])
			face(q[0], q[2], q[3])
		}
		face(l0, p0, l1)
		face(l1, p0, p1)
		face(l1, p1, l2)
		face(p0, end, p1)
	}
}
