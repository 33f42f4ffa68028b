package raytracer

import (
	"io"
	"os"
	"path/filepath"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/read"
	"satingrid/apps/raytracer/scene"
)

// ReadScene reads the scene in a file, and the files beside it that it names. The ending of the
// name says the format: read.Endings lists them. What is wrong with a file is a *read.Error, which
// names file and line. Time is in seconds from the start of its animation, or read.Rest. It also
// returns what is ignored in the scene, a line for each kind of thing.
func ReadScene(name string, time float64) (*scene.Scene, []string, error) {
	return read.Scene(name, func(file string) (io.ReadCloser, error) {
		if file == name {
			return os.Open(name)
		}
		folder := filepath.Dir(name)
		in, err := filepath.Rel(folder, file)
		if err != nil {
			return nil, err
		}
		// a link in the folder does not lead out of it either
		return os.OpenInRoot(folder, in)
	}, time)
}

// Example is the embedded scene: jewels on satin.
func Example() *scene.Scene { return scene.Example() }

// ParseCamera reads a camera given as ex,ey,ez,tx,ty,tz,fov: where it is, what it looks at, and the
// vertical angle of view in degrees.
func ParseCamera(text string) (scene.Camera, error) { return read.Camera(text) }

// ParseColor reads a colour given as r,g,b, each from 0 up.
func ParseColor(text string) (num.V, error) { return read.Color(text) }

// ReadSky reads what lights a scene from around: r,g,b, or up to three of them with colons between
// them for zenith, horizon and ground, or the name of a panorama in a Radiance (.hdr) or PFM file,
// whose middle lies in the direction of -z. Scene.Under puts a scene there.
func ReadSky(text string) (scene.Sky, error) {
	return read.Sky(text, func(name string) (io.ReadCloser, error) { return os.Open(name) })
}
