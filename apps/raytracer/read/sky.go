package read

import (
	"path"
	"strings"

	"satingrid/apps/raytracer/num"
	"satingrid/apps/raytracer/scene"
)

// Sky reads what lights a scene from around: a colour r,g,b, two or three with colons
// between them, for the zenith, the horizon and the ground, or the name of a panorama in a
// Radiance (.hdr) or PFM file.
func Sky(text string, open Open) (scene.Sky, error) {
	if s, ok := gradient(text); ok {
		return s, nil
	}
	var decode func(string, []byte) (scene.Picture, error)
	switch strings.ToLower(path.Ext(text)) {
	case ".hdr":
		decode = hdr
	case ".pfm":
		decode = pfm
	default:
		return scene.Sky{}, &Error{File: text, What: "no environment; expected r,g,b, three numbers from 0, up to three of them with : between them for zenith, horizon and ground, or a panorama in a .hdr or .pfm file"}
	}
	data, err := bytesOf(text, open)
	if err != nil {
		return scene.Sky{}, err
	}
	t, err := decode(text, data)
	return scene.Sky{Map: t}, err
}

// gradient reads up to three colours. The ground, where it is not given, is as the horizon.
func gradient(text string) (scene.Sky, bool) {
	parts := strings.Split(text, ":")
	if len(parts) > 3 {
		return scene.Sky{}, false
	}
	var c [3]num.V
	for i := range c {
		var err error
		if c[i], err = Color(parts[min(i, len(parts)-1)]); err != nil {
			return scene.Sky{}, false
		}
	}
	return scene.Sky{Zenith: c[0], Horizon: c[1], Ground: c[2]}, true
}
