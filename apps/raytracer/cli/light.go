package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"satingrid/apps/raytracer"
	"satingrid/apps/raytracer/read"
	"satingrid/apps/raytracer/scene"
)

// lightFlags are those that say how the light is followed.
func lightFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "samples", Value: raytracer.DefaultSamples, Usage: "of a calm pixel; a noisy one gets up to four times as many"},
		&cli.IntFlag{Name: "bounces", Value: raytracer.DefaultBounces, Usage: "of a path of light"},
		&cli.StringFlag{Name: "camera", Usage: "`CAMERA` as ex,ey,ez,tx,ty,tz,fov: its place, what it looks at, its angle of view"},
		&cli.Float64Flag{Name: "at", Usage: "the moment of the scene's animation, `SECONDS` from its start", DefaultText: "at rest"},
		&cli.Float64Flag{Name: "exposure", Usage: "`FACTOR` on all light", DefaultText: "1, or what lamps in lux or candela ask for"},
		&cli.StringFlag{Name: "env", Usage: "light from around: r,g,b, or zenith:horizon:ground, or a panorama in `FILE`.hdr or .pfm", DefaultText: "the scene's"},
	}
}

// lighting is what lightFlags say.
type lighting struct {
	task   raytracer.Render
	camera scene.Camera // not given: the scene's
	sky    *scene.Sky   // nil: the scene's
	expose float64      // 0: as the scene is
	time   float64      // of the scene's animation
}

func lightWanted(c *cli.Context) (l lighting, err error) {
	l.task = raytracer.Render{Samples: c.Int("samples"), Bounces: c.Int("bounces")}
	if l.task.Samples < 1 {
		return l, fmt.Errorf("--samples is %d: 1 to %d is expected", l.task.Samples, raytracer.SamplesMax)
	}
	l.time = read.Rest
	if c.IsSet("at") {
		if l.time = c.Float64("at"); !(l.time >= 0 && l.time <= 1e9) {
			return l, fmt.Errorf("--at is %g: seconds from 0 are expected", l.time)
		}
	}
	if l.task.Bounces <= 0 {
		l.task.Bounces = -1 // its way to say none
	}
	if text := c.String("camera"); text != "" {
		if l.camera, err = raytracer.ParseCamera(text); err != nil {
			return l, fmt.Errorf("--%w", err)
		}
	}
	if c.IsSet("exposure") {
		if l.expose = c.Float64("exposure"); !(l.expose > 0 && l.expose <= 1e9) {
			return l, fmt.Errorf("--exposure is %g: a factor above 0 is expected", l.expose)
		}
	}
	if text := c.String("env"); text != "" {
		sky, err := raytracer.ReadSky(text)
		if err != nil {
			return l, fmt.Errorf("--env %w", err)
		}
		l.sky = &sky
	}
	return l, nil
}

// on makes the task one for a scene, a moment of the one that is as it begins, from where all its
// moments are seen.
func (l *lighting) on(s, begins *scene.Scene) {
	for _, s := range []*scene.Scene{s, begins} {
		if l.sky != nil {
			s.Under(*l.sky)
		}
		if l.camera.Given() {
			s.From(l.camera)
		}
	}
	s.Like(begins)
	if l.expose > 0 {
		s.Camera.Exposure = l.expose
	}
	l.task.Scene, l.task.Whitted = *s, s.Classic
}
