// Package cli is what the command takes, prints, explains and checks of package raytracer.
package cli

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

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
-o FILE.apng is one file for all frames, an animated PNG. What has no camera of its own is seen, at any moment, as it is at the beginning.`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "frames", Usage: "render frames `A-B` of the scene's animation, each into a file whose number -o has a place for, %04d, or all into -o FILE.apng", DefaultText: "one picture"},
			&cli.Float64Flag{Name: "fps", Value: frameRate, Usage: "frames a second; frame 1 is the animation's beginning"},
			&cli.StringFlag{Name: "size", Value: fmt.Sprintf("%dx%d", raytracer.DefaultWidth, raytracer.DefaultHeight), Usage: "of the picture, `WxH` pixels"},
		}, lightFlags()...),
		AnswerFlags: []cli.Flag{
			&cli.BoolFlag{Name: "watch", Usage: "write the picture so far every second", DefaultText: "on a terminal"},
			&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the picture to `FILE`.png, or with linear colours to .exr or .pfm"},
		},
		App:     satin.App{Name: "raytracer", Version: "1", Tasks: raytracer.Tasks()},
		Draws:   true,
		Root:    program.RootOf(parse, show),
		Series:  prepareFilm,
		Checker: checker(),
	}
}

// parse looks at the flags first, which is quick, and then reads the scene, which may not be.
func parse(in *program.Input) (raytracer.Render, error) {
	c := in.Flags
	light, err := pictureWanted(c)
	if err != nil {
		return light.task, err
	}
	file := fileOf(c)
	if light.task.Linear, err = isLinear(file); err != nil {
		return light.task, err
	}
	// A run that shows what it has so far counts as one that chooses, and
	// --verify leaves those out.
	light.task.Show = file != "" && c.Float64("verify") == 0
	if _, in.Called, err = light.load(c, in.Word()); err != nil {
		return light.task, err
	}
	return light.task, light.fit(c)
}

// show is how a picture is shown, and its file.
func show(root *raytracer.Render, in *program.Input) (view program.View[raytracer.Image], err error) {
	if err := root.Check(); err != nil {
		return view, err
	}
	c := in.Flags
	var file *program.Output
	if name := fileOf(c); name != "" {
		if file, err = output(name, root); err != nil {
			return view, err
		}
	}
	watch, err := watches(c, in.Watched, file, root.Show)
	if err != nil {
		return view, err
	}
	view.Answer = func(m raytracer.Image) program.Answer { return answer{image: m, file: file} }
	if root.Show {
		view.Around = func(r program.Running, alone bool) program.Running {
			return &showing{Running: r, canvas: root.Canvas(), alone: alone, watch: watch}
		}
	}
	return view, nil
}

// watches tells whether the picture so far is written: where that is asked for, and where somebody
// looks on, unless it is said that it is not, or something is there that it would replace.
func watches(c *cli.Context, watched bool, file *program.Output, shows bool) (bool, error) {
	may := file != nil && shows
	switch asked := c.Bool("watch"); {
	case asked && !may:
		return false, errors.New("--watch needs a file (-o) and does not go with --verify")
	case c.IsSet("watch"):
		return asked, nil
	}
	return watched && may && file.IsNew(), nil
}

// prepareFilm prepares many frames, where they are asked for.
func prepareFilm(in *program.Input) (*program.Prepared, error) {
	c := in.Flags
	if !c.IsSet("frames") {
		return nil, nil
	}
	light, err := pictureWanted(c)
	if err != nil {
		return nil, err
	}
	r, err := reelWanted(c.String("frames"), c.Float64("fps"))
	if err != nil {
		return nil, err
	}
	for _, other := range []string{"at", "watch"} {
		if c.IsSet(other) {
			return nil, fmt.Errorf("--%s does not go with --frames", other)
		}
	}
	out := c.String("output")
	if out == "" && !c.Bool("json") {
		out = otherFrames
	}
	if light.task.Linear, err = r.goesTo(out); err != nil {
		return nil, err
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

// pictureWanted is what the flags say of a picture but for its scene.
func pictureWanted(c *cli.Context) (lighting, error) {
	l, err := lightWanted(c)
	if err == nil {
		l.task.Width, l.task.Height, err = sizeOf(c.String("size"))
	}
	return l, err
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

// fileOf is where the picture goes; "": nowhere.
func fileOf(c *cli.Context) string {
	if c.Bool("json") {
		return c.String("output")
	}
	return cmp.Or(c.String("output"), otherwise)
}

// isLinear tells whether a file has linear colours, by the end of its name; no file has not.
func isLinear(name string) (bool, error) {
	linear := endsIn(name, ".pfm") || endsIn(name, ".exr")
	if name != "" && !linear && !endsIn(name, ".png") {
		return false, fmt.Errorf("-o %s: a name that ends in .png, .exr or .pfm is expected", name)
	}
	return linear, nil
}

// output is the file of that name for what the root renders.
func output(name string, root *raytracer.Render) (*program.Output, error) {
	linear, err := isLinear(name)
	if err == nil && linear && !root.Linear {
		err = fmt.Errorf("-o %s: the run was submitted without linear colours, for which -o .exr or .pfm asks; a name that ends in .png is expected", name)
	}
	if err != nil {
		return nil, err
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
