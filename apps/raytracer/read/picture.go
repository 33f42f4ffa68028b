package read

import (
	"bytes"
	"fmt"
	"image"

	"satingrid/apps/raytracer/scene"
)

// picture reads a PNG or JPEG file.
func picture(name string, data []byte) (scene.Picture, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return scene.Picture{}, &Error{File: name, What: fmt.Sprintf("no picture that can be read (%v); expected PNG or JPEG", err)}
	}
	if c.Width <= 0 || c.Height <= 0 || c.Width > scene.TexelsMax || c.Height > scene.TexelsMax || c.Width*c.Height > scene.TexelsMax {
		return scene.Picture{}, &Error{File: name, What: fmt.Sprintf("a picture of %d×%d; expected at most %d pixels", c.Width, c.Height, scene.TexelsMax)}
	}
	packed := scene.Picture{Width: c.Width, Height: c.Height, Packed: true, Pixels: data}
	plain, err := packed.Unpacked()
	if err != nil {
		return scene.Picture{}, &Error{File: name, What: fmt.Sprintf("broken picture: %v", err)}
	}
	return plain.Short(data), nil
}
