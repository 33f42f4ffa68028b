package read

import (
	"fmt"
	"strconv"
	"strings"

	"satingrid/apps/raytracer/scene"
)

// mapOptions is how many words follow each option of a map.
var mapOptions = map[string]int{
	"-blendu": 1, "-blendv": 1, "-cc": 1, "-clamp": 1, "-texres": 1, "-bm": 1, "-boost": 1, "-imfchan": 1, "-type": 1,
	"-mm": 2, "-o": 3, "-s": 3, "-t": 3,
}

// picture is the texture that the line names.
func (f *mtlFile) picture() (int, error) {
	place := scene.Texture{}
	words := f.in.fields[1:]
	for len(words) > 0 {
		option := strings.ToLower(words[0])
		n, ok := mapOptions[option]
		if !ok {
			break
		}
		var given []string
		for words = words[1:]; n > 0 && len(words) > 1 && isNumberOrSwitch(words[0]); n-- {
			given = append(given, words[0])
			words = words[1:]
		}
		f.option(option, given, &place)
	}
	if len(words) == 0 {
		return 0, f.in.fault("%q without a file; expected the name of a picture", f.in.fields[0])
	}
	name := beside(f.in.name, strings.Join(words, " "))
	key := mapUse{name, place}
	if t, ok := f.pictures[key]; ok {
		return t, nil
	}
	if len(f.b.Textures) >= scene.TexturesMax {
		return 0, f.in.fault("more than %d pictures, the most that is read", scene.TexturesMax)
	}
	data, err := bytesOf(name, f.open)
	if err == nil {
		var p scene.Picture
		if p, err = picture(name, data); err == nil {
			place.Picture = f.b.Picture(p)
			f.pictures[key] = f.b.Texture(place)
			return f.pictures[key], nil
		}
	}
	return 0, f.in.fault("%v", err)
}

// mapUse is a picture and how a material's map lays it.
type mapUse struct {
	name  string
	place scene.Texture
}

// option takes in an option of a map: what is not about where the picture lies, and would be seen,
// is said to be ignored.
func (f *mtlFile) option(name string, given []string, t *scene.Texture) {
	var x [2]float64
	for i, text := range given[:min(2, len(given))] {
		// Of more than a number nobody would know what to make.
		x[i], _ = strconv.ParseFloat(text, 64)
	}
	if t.Turn == (scene.Affine{}) {
		t.Turn = scene.Affine{UU: 1, VV: 1}
	}
	a := &t.Turn
	switch {
	case name == "-clamp" && len(given) > 0 && given[0] == "on":
		t.EdgeU, t.EdgeV = scene.Clamp, scene.Clamp
	case name == "-o" && len(given) > 0:
		// OBJ counts v from the bottom, and pictures from the top.
		a.U, a.V = a.U+x[0], a.V-x[1]
	case name == "-s" && len(given) > 0:
		if len(given) == 1 {
			x[1] = 1
		}
		a.UU, a.VV, a.V = x[0], x[1], a.V+1-x[1]
	case name == "-mm" || name == "-t":
		f.skip.add(f.in.name, f.in.line, fmt.Sprintf("%s of %q is ignored", name, clip(f.in.fields[0])))
	}
	if a.Plain() {
		*a = scene.Affine{}
	}
}

func isNumberOrSwitch(s string) bool {
	return strings.Trim(s, "+-.0123456789eE") == "" || s == "on" || s == "off" || len(s) == 1
}
