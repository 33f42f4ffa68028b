// Package cli is what the command takes, prints, explains and checks of package raytracer.
package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/apps/raytracer"
	"satingrid/apps/raytracer/read"
	"satingrid/apps/raytracer/scene"
	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/wording"
)

// otherwise is where the picture goes that nobody named a file for. With --json the digest is an
// answer by itself.
const (
	otherwise   = "raytracer.png"
	otherFrames = "raytracer%04d.png" // of --frames
)

// Application is package raytracer for the command.
func Application() *program.Application {
	return &program.Application{
		Name:    "raytracer",
		Summary: "render a picture of a scene by path tracing",
		Input:   "[SCENE]",
		Details: "SCENE is a file that ends in " + wording.List(read.Endings()) + `, by default an embedded scene. NFF's scenes are drawn the
classic way, in the size that they ask for, others by following paths of light. Prints the name of the file that has the
picture: ` + otherwise + ` where no other is given. With --json and no -o there is no file.
A run that is stopped by --timeout, or interrupted, leaves the picture as far as it is made and says how many of its tiles are
finished; the rest is a sketch. On a grid some are missing that were finished in the last second or two. With --verify it leaves
none. With --frames it is a film: a run for each frame, in the order of their numbers, each written whole when it is finished.
What has no camera of its own is seen, at any moment, as it is at the beginning.`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "watch", Usage: "write the picture so far every second"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the picture to `FILE`.png, or with linear colours to .exr or .pfm"},
			&cli.StringFlag{Name: "frames", Usage: "render frames `A-B` of the scene's animation, each into a file whose number -o has a place for: %04d", DefaultText: "one picture"},
			&cli.Float64Flag{Name: "fps", Value: frameRate, Usage: "frames a second; frame 1 is the animation's beginning"},
			&cli.StringFlag{Name: "size", Value: fmt.Sprintf("%dx%d", raytracer.DefaultWidth, raytracer.DefaultHeight), Usage: "of the picture, `WxH` pixels"},
		}, lightFlags()...),
		App:     satin.App{Name: "raytracer", Version: "1", Tasks: raytracer.Tasks()},
		Prepare: prepare,
		Checker: checker(),
	}
}

// prepare looks at the flags first, which is quick, and then reads the scene, which may not be.
func prepare(in *program.Input) (*program.Prepared, error) {
	c, input := in.Flags, in.Word()
	light, err := lightWanted(c)
	if err != nil {
		return nil, err
	}
	task := &light.task
	if task.Width, task.Height, err = sizeOf(c.String("size")); err != nil {
		return nil, err
	}
	if c.IsSet("frames") {
		return prepareFilm(in, light)
	}
	file, err := fileOf(c, task)
	if err != nil {
		return nil, err
	}
	// A run that shows what it has so far counts as one that chooses, and
	// --verify leaves those out.
	task.Show = file != nil && c.Float64("verify") == 0
	watch := c.Bool("watch")
	if watch && !task.Show {
		return nil, errors.New("--watch needs a file (-o) and does not go with --verify")
	}
	_, name, err := light.load(c, input)
	if err != nil {
		return nil, err
	}
	if err := light.fit(c); err != nil {
		return nil, err
	}
	var began time.Time
	start := program.Submit(*task, func(m raytracer.Image) program.Answer { return answer{m, file, time.Since(began)} })
	return &program.Prepared{Input: name, Start: func(ctx context.Context, p *satin.Peer) (program.Running, error) {
		began = time.Now()
		r, err := start(ctx, p)
		if task.Show {
			r = &showing{Running: r, canvas: task.Canvas(), alone: p.ID() == "", watch: watch}
		}
		return r, err
	}}, nil
}

// prepareFilm is prepare for many frames.
func prepareFilm(in *program.Input, light lighting) (*program.Prepared, error) {
	c := in.Flags
	r, err := reelWanted(c.String("frames"), c.Float64("fps"))
	if err != nil {
		return nil, err
	}
	for _, other := range []string{"at", "watch"} {
		if c.IsSet(other) {
			return nil, fmt.Errorf("--%s does not go with --frames", other)
		}
	}
	if r.pattern = c.String("output"); r.pattern == "" && !c.Bool("json") {
		r.pattern = otherFrames
	}
	if r.pattern != "" {
		if !framePattern.MatchString(r.pattern) {
			return nil, fmt.Errorf("-o %s: with --frames a name is expected that has the place of the frame's number, such as %s", r.pattern, otherFrames)
		}
		if _, err := output(fmt.Sprintf(r.pattern, r.first), &light.task); err != nil {
			return nil, err
		}
	}
	r.light, r.input, light.time = &light, in.Word(), r.at(r.first)
	var name string
	if r.begins, name, err = light.load(c, r.input); err != nil {
		return nil, err
	}
	if err := light.fit(c); err != nil {
		return nil, err
	}
	return &program.Prepared{Input: name, Start: r.Start}, nil
}

// load reads the scene that was asked for and makes the task one for it. It returns the scene as it
// begins, and how the answer names it.
func (l *lighting) load(c *cli.Context, input string) (begins *scene.Scene, name string, err error) {
	s, name, err := l.readScene(c, input)
	if err != nil {
		return nil, "", err
	}
	begins = s
	if l.time > 0 {
		if begins, _, err = raytracer.ReadScene(input, 0); err != nil {
			return nil, "", err
		}
	}
	l.on(s, begins)
	return begins, name, nil
}

// fit gives the picture the size that the scene asks for, where the flags ask for none, and checks
// the task.
func (l *lighting) fit(c *cli.Context) error {
	if cam := l.task.Scene.Camera; cam.Width > 0 && !c.IsSet("size") {
		l.task.Width, l.task.Height = cam.Width, cam.Height
	}
	return l.task.Check()
}

// readScene is the scene that was asked for, and how the answer names it. What is ignored in it is
// said.
func (l *lighting) readScene(c *cli.Context, input string) (*scene.Scene, string, error) {
	if input == "" && l.time >= 0 {
		return nil, "", errors.New("--at and --frames are for a scene with an animation; the embedded one has none")
	}
	if input == "" {
		return raytracer.Example(), program.Embedded, nil
	}
	s, skipped, err := raytracer.ReadScene(input, l.time)
	for _, what := range skipped {
		fmt.Fprintf(c.App.ErrWriter, "satin: %s\n", what)
	}
	return s, input, err
}

// fileOf is where the picture goes; nil: nowhere.
func fileOf(c *cli.Context, task *raytracer.Render) (*program.Output, error) {
	name := c.String("output")
	if name == "" {
		if c.Bool("json") {
			return nil, nil
		}
		name = otherwise
	}
	return output(name, task)
}

// output is the file of that name, for what the task renders.
func output(name string, task *raytracer.Render) (*program.Output, error) {
	task.Linear = endsIn(name, ".pfm") || endsIn(name, ".exr")
	if !task.Linear && !endsIn(name, ".png") {
		return nil, fmt.Errorf("-o %s: a name that ends in .png, .exr or .pfm is expected", name)
	}
	return program.OpenOutput("-o", name)
}

// endsIn tells whether a file's name has the ending, in letters of any size.
func endsIn(name, ending string) bool { return strings.EqualFold(filepath.Ext(name), ending) }

// sizeOf reads a size given as 1280x720.
func sizeOf(text string) (width, height int, err error) {
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
