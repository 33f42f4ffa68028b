package cli

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"satingrid/apps/raytracer"
	"satingrid/satin/program"
)

func checker() *program.Checker {
	return &program.Checker{
		Details: `ANSWER is the picture, PNG, EXR or PFM. Parts of it, of 8 by 8 pixels, are drawn and rendered again, alone, and compared bit by
bit: in 8 bits a channel for PNG, as floats for EXR and PFM. The flags must be those of the run.`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "size", Usage: "of the picture, `WxH` pixels", DefaultText: "as it is"},
			&cli.Int64Flag{Name: "seed", Value: 1, Usage: "draws what is rendered again"},
		}, lightFlags()...),
		Verify: verify,
	}
}

func verify(c *cli.Context, given program.Case) (program.Verdict, error) {
	light, err := lightWanted(c)
	if err != nil {
		return program.Verdict{}, err
	}
	task := &light.task
	if size := c.String("size"); size != "" {
		if task.Width, task.Height, err = sizeOf(size); err != nil {
			return program.Verdict{}, err
		}
	}
	name := given.Name()
	picture, err := program.ReadAnswer(given, raytracer.ReadImage)
	if err != nil {
		return program.Verdict{}, err
	}
	if task.Width == 0 {
		task.Width, task.Height = picture.Width, picture.Height
	}
	if picture.Width != task.Width || picture.Height != task.Height {
		return program.Verdict{}, program.Wrongf("%s: the picture has %d×%d pixels, --size says %d×%d", name, picture.Width, picture.Height, task.Width, task.Height)
	}
	if _, _, err := light.load(c, given.Instance); err != nil {
		return program.Verdict{}, err
	}
	pixels, err := raytracer.Verify(*task, picture, c.Int64("seed"))
	var different *raytracer.Different
	if errors.As(err, &different) {
		return program.Verdict{}, program.Wrongf("%s: %w", name, different)
	}
	if err != nil {
		return program.Verdict{}, err
	}
	return pictureVerdict(picture, pixels), nil
}

func pictureVerdict(m raytracer.Image, pixels int) program.Verdict {
	bits := 8
	if m.Linear {
		bits = 32
	}
	all := m.Width * m.Height
	says := fmt.Sprintf("a picture of %d×%d pixels, of which %d were rendered again and are the same in all %d bits of each channel", m.Width, m.Height, pixels, bits)
	if pixels < all {
		says += fmt.Sprintf("; the other %d were not looked at", all-pixels)
	}
	return program.Verdict{Says: says, Verified: struct {
		Width    int `json:"width"`
		Height   int `json:"height"`
		Compared int `json:"compared"` // pixels
		Bits     int `json:"bits"`     // of each channel
	}{m.Width, m.Height, pixels, bits}}
}
