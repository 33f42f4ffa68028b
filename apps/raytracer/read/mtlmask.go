package read

import (
	"bytes"
	"image"
	"image/png"

	"satingrid/apps/raytracer/scene"
)

// mask makes one picture of a material's colours and of its map_d, which says where it is: the
// second becomes the alpha of the first. Where both are one file, its own alpha says that already.
func (f *mtlFile) mask(m *mtlMaterial) error {
	if m.mapD == 0 || m.mapD == m.mapKd {
		return nil
	}
	pair := [2]int{m.mapKd, m.mapD}
	if t, ok := f.masked[pair]; ok {
		m.mapKd = t
		return nil
	}
	if len(f.b.Textures) >= scene.TexturesMax {
		return &Error{File: f.in.name, Line: m.line, What: "too many pictures"}
	}
	cut, err := f.pixels(m.mapD)
	if err != nil {
		return err
	}
	color := scene.Picture{Width: cut.Width, Height: cut.Height, Pixels: bytes.Repeat([]byte{0xff}, len(cut.Pixels))}
	if m.mapKd > 0 {
		if color, err = f.pixels(m.mapKd); err != nil {
			return err
		}
	}
	share := shares(&cut)
	for y := range color.Height {
		for x := range color.Width {
			at := share[y*cut.Height/color.Height*cut.Width+x*cut.Width/color.Width]
			alpha := &color.Pixels[4*(y*color.Width+x)+3]
			*alpha = byte((int(*alpha)*int(at) + 127) / 255)
		}
	}
	var file bytes.Buffer
	whole := &image.NRGBA{Pix: color.Pixels, Stride: 4 * color.Width, Rect: image.Rect(0, 0, color.Width, color.Height)}
	if err := png.Encode(&file, whole); err != nil {
		return err
	}
	out := scene.Texture{}
	if m.mapKd > 0 {
		out = f.b.Textures[m.mapKd-1]
	}
	out.Picture = f.b.Picture(color.Short(file.Bytes()))
	m.mapKd = f.b.Texture(out)
	f.masked[pair] = m.mapKd
	return nil
}

// pixels is the picture of a texture, counted from one.
func (f *mtlFile) pixels(texture int) (scene.Picture, error) {
	p, err := f.b.Pictures[f.b.Textures[texture-1].Picture].Unpacked()
	if err != nil {
		return p, &Error{File: f.in.name, What: err.Error()}
	}
	p.Pixels = bytes.Clone(p.Pixels) // which may be the scene's own
	return p, nil
}

// shares is how much of a surface is there at each pixel of a mask: its alpha, or, where that is
// whole everywhere, how bright it is.
func shares(mask *scene.Picture) []byte {
	out := make([]byte, len(mask.Pixels)/4)
	solid := true
	for i := range out {
		out[i] = mask.Pixels[4*i+3]
		solid = solid && out[i] == 255
	}
	for i := 0; solid && i < len(out); i++ {
		p := mask.Pixels[4*i:]
		out[i] = byte((2126*int(p[0]) + 7152*int(p[1]) + 722*int(p[2]) + 5000) / 10000)
	}
	return out
}
