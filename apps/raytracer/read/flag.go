package read

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// Camera reads a camera given as ex,ey,ez,tx,ty,tz,fov.
func Camera(text string) (scene.Camera, error) {
	x, err := list(text, 7)
	if err != nil {
		return scene.Camera{}, fmt.Errorf("camera %q: %w; expected ex,ey,ez,tx,ty,tz,fov: where it is, what it looks at, and its angle of view in degrees", text, err)
	}
	c := scene.Camera{Eye: num.V{X: x[0], Y: x[1], Z: x[2]}, Target: num.V{X: x[3], Y: x[4], Z: x[5]}, Up: num.V{Y: 1}, Fov: x[6]}
	if !(c.Fov > 0 && c.Fov < 180) || c.Eye == c.Target {
		return scene.Camera{}, fmt.Errorf("camera %q: expected an angle of view above 0 and below 180, and a target away from the camera", text)
	}
	return c, nil
}

// Color reads a colour given as r,g,b.
func Color(text string) (num.V, error) {
	x, err := list(text, 3)
	if err != nil || min(x[0], x[1], x[2]) < 0 {
		return num.V{}, fmt.Errorf("colour %q: expected r,g,b: three numbers from 0", text)
	}
	return num.V{X: x[0], Y: x[1], Z: x[2]}, nil
}

// list reads n numbers with commas between them.
func list(text string, n int) ([]float64, error) {
	parts := strings.Split(text, ",")
	if len(parts) != n {
		return nil, fmt.Errorf("%d numbers", len(parts))
	}
	out := make([]float64, n)
	for i, p := range parts {
		x, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil || !(math.Abs(x) <= numberMax) {
			return nil, fmt.Errorf("%q is no number", p)
		}
		out[i] = x
	}
	return out, nil
}
