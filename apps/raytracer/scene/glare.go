package scene

import "satingrid/apps/raytracer/num"

// Of the light that lamps without a size send, as a part of what makes a matt surface white: what a
// picture shows as it is.
const (
	glareMost  = 8.0
	glareLeast = 1.0 / 32
	// places is how many corners are asked at most, spread evenly.
	glarePlaces = 4096
)

// Expose sets the exposure of a scene whose lamps without a size are so bright that all would be
// white, or, where nothing else lights it, so dim that all would be black. Files have them in units
// that say nothing of how the picture is to be: a sun of 100,000 lux. A matt white surface in their
// mean light, apart from shadows, becomes white. It returns the exposure; 0 where it stays.
//
// The mean is that of logarithms (Reinhard and others, "Photographic Tone Reproduction for Digital
// Images", 2002), so that a lamp that is very near to a few corners does not decide.
func (s *Scene) Expose() float64 {
	if s.Camera.Exposure != 0 || s.Classic || len(s.Lights) == 0 {
		return 0
	}
	n := s.Mesh.Vertices()
	step := max(1, (n+glarePlaces-1)/glarePlaces)
	sum, asked := 0.0, 0
	for i := 0; i < n; i += step {
		light := 0.0
		for k := range s.Lights {
			light += s.Lights[k].Toward(s.Mesh.Position(i)).Luma()
		}
		if light > 0 && light <= reachMax {
			sum += num.Log(light)
			asked++
		}
	}
	if asked == 0 {
		return 0
	}
	mean := num.Exp(sum / float64(asked))
	if mean <= glareMost && (mean >= glareLeast || s.glows() || !s.Sky.Black()) {
		return 0
	}
	s.Camera.Exposure = 1 / mean
	return s.Camera.Exposure
}

// glows tells whether some shape is there to light others.
func (s *Scene) glows() bool {
	lamps := make([]bool, len(s.Materials))
	for i := range s.Materials {
		lamps[i] = s.Materials[i].lamp()
	}
	for i := range s.Mesh.Count() {
		if _, m := s.Mesh.Triangle(i); lamps[m] {
			return true
		}
	}
	for i := range s.Spheres {
		if lamps[s.Spheres[i].Material] {
			return true
		}
	}
	return false
}
