package read

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg" // pictures of scenes are JPEG or PNG
	_ "image/png"

	"satingrid/apps/raytracer/scene"
)

// picture decodes a PNG or JPEG as a texture.
func picture(name string, data []byte) (scene.Picture, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return scene.Picture{}, &Error{File: name, What: fmt.Sprintf("no picture that can be read (%v); expected PNG or JPEG", err)}
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > scene.TexelsMax || c.Height > scene.TexelsMax || c.Width*c.Height > scene.TexelsMax {
		return scene.Picture{}, &Error{File: name, What: fmt.Sprintf("a picture of %d×%d; expected at most %d pixels", c.Width, c.Height, scene.TexelsMax)}
	}
	m, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return scene.Picture{}, &Error{File: name, What: fmt.Sprintf("broken picture: %v", err)}
	}
	size := m.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, size.Dx(), size.Dy()))
	draw.Draw(out, out.Bounds(), m, size.Min, draw.Src)
	return scene.Picture{Width: size.Dx(), Height: size.Dy(), Pixels: out.Pix}, nil
}
