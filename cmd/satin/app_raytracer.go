package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/apps/raytracer"
	"satingrid/apps/raytracer/read"
	"satingrid/apps/raytracer/scene"
	"satingrid/satin"
)

// pictureDefault is where the picture goes that nobody named a file for. With --json the digest is an answer by itself.
const pictureDefault = "raytracer.png"

func raytracerApplication() *application {
	return &application{
		name:    "raytracer",
		summary: "render a picture of a scene by path tracing",
		input:   "[SCENE]",
		details: "SCENE is a file that ends in " + list(read.Endings()) + `, by default an embedded scene. NFF's scenes are drawn the
classic way, in the size that they ask for, others by following paths of light. Prints the name of the file that has the
picture: ` + pictureDefault + ` where no other is given. With --json and no -o there is no file.
A run that is stopped by --timeout, or interrupted, leaves the picture as far as it is made, from the top, with a sketch
below; with --verify it leaves none.`,
		flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "watch", Usage: "write the picture so far every second"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the picture to `FILE`.png, or with linear colours to .pfm"},
			&cli.StringFlag{Name: "size", Value: fmt.Sprintf("%dx%d", raytracer.DefaultWidth, raytracer.DefaultHeight), Usage: "of the picture, `WxH` pixels"},
		}, lightFlags()...),
		app:     satin.App{Name: "raytracer", Version: "1", Tasks: raytracer.Tasks()},
		prepare: prepareRaytracer,
		checker: raytracerChecker(),
	}
}

// lightFlags are those that say how the light is followed.
func lightFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "samples", Value: raytracer.DefaultSamples, Usage: "of a calm pixel; a noisy one gets up to four times as many"},
		&cli.IntFlag{Name: "bounces", Value: raytracer.DefaultBounces, Usage: "of a path of light"},
		&cli.StringFlag{Name: "camera", Usage: "`CAMERA` as ex,ey,ez,tx,ty,tz,fov: its place, what it looks at, its angle of view"},
		&cli.StringFlag{Name: "env", Usage: "light from around: r,g,b, or zenith:horizon:ground, or a panorama in `FILE`.hdr or .pfm", DefaultText: "the scene's"},
	}
}

// prepareRaytracer looks at the flags first, which is quick, and then reads the scene, which may not be.
func prepareRaytracer(c *cli.Context, input string) (*prepared, error) {
	light, err := lightWanted(c)
	if err != nil {
		return nil, err
	}
	task := &light.task
	if task.Width, task.Height, err = pictureSize(c.String("size")); err != nil {
		return nil, err
	}
	file, err := pictureFile(c, task)
	if err != nil {
		return nil, err
	}
	// A run that shows what it has so far counts as one that chooses, and --verify leaves those out.
	task.Show = file != nil && c.Float64("verify") == 0
	task.Watch = task.Show && c.Bool("watch")
	if c.Bool("watch") && !task.Watch {
		return nil, errors.New("--watch needs a file (-o) and does not go with --verify")
	}
	s, name, err := readScene(input)
	if err != nil {
		return nil, err
	}
	if cam := s.Camera; cam.Width > 0 && !c.IsSet("size") {
		task.Width, task.Height = cam.Width, cam.Height
	}
	light.on(s)
	if err := task.Check(); err != nil {
		return nil, err
	}
	start := submit(*task, func(m raytracer.Image) answer { return pictureAnswer{m, file} })
	if !task.Watch {
		return &prepared{name, start}, nil
	}
	return &prepared{name, func(ctx context.Context, p *satin.Peer) (running, error) {
		r, err := start(ctx, p)
		return &watchedPicture{running: r}, err
	}}, nil
}

// lighting is what lightFlags say.
type lighting struct {
	task   raytracer.Render
	camera scene.Camera // not given: the scene's
	sky    *scene.Sky   // nil: the scene's
}

func lightWanted(c *cli.Context) (l lighting, err error) {
	l.task = raytracer.Render{Samples: c.Int("samples"), Bounces: c.Int("bounces")}
	if l.task.Samples < 1 {
		return l, fmt.Errorf("--samples is %d: 1 to %d is expected", l.task.Samples, raytracer.SamplesMax)
	}
	if l.task.Bounces <= 0 {
		l.task.Bounces = -1 // its way to say none
	}
	if text := c.String("camera"); text != "" {
		if l.camera, err = raytracer.ParseCamera(text); err != nil {
			return l, fmt.Errorf("--%w", err)
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

// on makes the task one for a scene.
func (l *lighting) on(s *scene.Scene) {
	if l.sky != nil {
		s.Under(*l.sky)
	}
	if l.camera.Given() {
		s.Camera = l.camera
	}
	l.task.Scene, l.task.Whitted = *s, s.Classic
}

// readScene is the scene that was asked for, and how the answer names it.
func readScene(input string) (*scene.Scene, string, error) {
	if input == "" {
		return raytracer.Example(), embedded, nil
	}
	s, err := raytracer.ReadScene(input)
	return s, input, err
}

// pictureFile is where the picture goes; nil: nowhere.
func pictureFile(c *cli.Context, task *raytracer.Render) (*output, error) {
	name := c.String("output")
	if name == "" {
		if c.Bool("json") {
			return nil, nil
		}
		name = pictureDefault
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".png":
	case ".pfm":
		task.Linear = true
	default:
		return nil, fmt.Errorf("-o %s: a name that ends in .png or .pfm is expected", name)
	}
	return openOutput(name)
}

// pictureSize reads a size given as 1280x720.
func pictureSize(text string) (width, height int, err error) {
	w, h, ok := strings.Cut(text, "x")
	if ok {
		if width, err = strconv.Atoi(w); err == nil {
			height, err = strconv.Atoi(h)
		}
	}
	if !ok || err != nil || width < 1 || height < 1 {
		return 0, 0, fmt.Errorf("--size is %q: width and height in pixels are expected, such as 1280x720", text)
	}
	return width, height, nil
}

// pictureEvery is how often --watch writes the picture.
const pictureEvery = time.Second

// watchedPicture writes the picture so far while it is made.
type watchedPicture struct {
	running
	written time.Time
	coarse  int // rows in the picture that was written
}

// Follow writes the picture if there is more of it. What fails here fails again at the end, where it is told.
func (w *watchedPicture) Follow() {
	if time.Since(w.written) < pictureEvery {
		return
	}
	best, ok := w.Partial()
	if !ok {
		return
	}
	a := best.(pictureAnswer)
	if !w.written.IsZero() && a.image.Coarse == w.coarse {
		return
	}
	if a.Keep() == nil {
		w.written, w.coarse = time.Now(), a.image.Coarse
	}
}

type pictureAnswer struct {
	image raytracer.Image
	file  *output
}

func (a pictureAnswer) Keep() error {
	switch {
	case a.file == nil:
		return nil
	case a.image.Linear:
		return a.file.write(a.image.PFM)
	default:
		return a.file.write(a.image.PNG)
	}
}

func (a pictureAnswer) JSON() any {
	return struct {
		Width  int    `json:"width"`
		Height int    `json:"height"`
		SHA256 string `json:"sha256"`
	}{a.image.Width, a.image.Height, a.image.SHA256()}
}

func (a pictureAnswer) Text(w io.Writer) error {
	_, err := fmt.Fprintln(w, a.file.name)
	return err
}
