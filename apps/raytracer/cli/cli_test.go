package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"satingrid/apps/raytracer"
	"satingrid/satin/program/programtest"
)

// TestRefused says what is wrong in one line, and writes nothing.
func TestRefused(t *testing.T) {
	folder, in := programtest.Folder(t, map[string]string{"broken.obj": strings.Repeat("v 0 0 0\n", 999) + "v 1 2 three\n", "still.obj": ""})
	for _, c := range []struct {
		want, input string
		flags       []string
	}{
		{in("broken.obj") + ":1000: ", in("broken.obj"), []string{"--json"}},
		{in("missing.obj") + ": ", in("missing.obj"), []string{"--json"}},
		{"-o " + in("no/out.png") + ": there is no folder " + in("no"), "", []string{"-o", in("no/out.png")}},
		{"-o " + in("out.jpg") + ": a name that ends in .png, .exr or .pfm is expected", "", []string{"-o", in("out.jpg")}},
		{`--size is "big": width and height in pixels are expected`, "", []string{"--size", "big"}},
		{"--samples is 0: 1 to ", "", []string{"--samples", "0"}},
		{"--camera ", "", []string{"--camera", "1,2"}},
		{"--env sky.jpg: no environment; expected r,g,b", "", []string{"--env", "sky.jpg"}},
		{"--at is -1: seconds from 0 are expected", "", []string{"--at", "-1"}},
		{"--at and --frames are for a scene with an animation", "", []string{"--at", "1"}},
		{`--frames is "5": two numbers from 1`, "", []string{"--frames", "5"}},
		{`--frames is "0-5": two numbers`, "", []string{"--frames", "0-5"}},
		{`--frames is "5-4": two numbers`, "", []string{"--frames", "5-4"}},
		{"--fps is 0: frames a second are expected", "", []string{"--frames", "1-2", "--fps", "0"}},
		{"--at does not go with --frames", "", []string{"--frames", "1-2", "--at", "1"}},
		{"--watch does not go with --frames", "", []string{"--frames", "1-2", "--watch"}},
		{"-o out.png: with --frames a name is expected", "", []string{"--frames", "1-2", "-o", "out.png"}},
		{"-o %d%d.png: with --frames a name", "", []string{"--frames", "1-2", "-o", "%d%d.png"}},
		{"-o %s.png: with --frames a name", "", []string{"--frames", "1-2", "-o", "%s.png"}},
		{"there is no folder " + in("no"), "", []string{"--frames", "1-2", "-o", in("no/%d.png")}},
		{"ends in .png, .exr or .pfm is expected", "", []string{"--frames", "1-2", "-o", "%d.jpg"}},
		{in("still.obj") + ": it has no animation", in("still.obj"), []string{"--json", "--frames", "1-2"}},
		{in("still.obj") + ": it has no animation, and no time", in("still.obj"), []string{"--json", "--at", "1"}},
		{"--env sky.hdr: cannot be read", "", []string{"--env", "sky.hdr"}},
		{"--watch needs a file (-o)", "", []string{"--watch", "--json"}},
		{"does not go with --verify", "", []string{"--watch", "-o", in("out.png"), "--verify", "1"}},
	} {
		programtest.Refused(t, Application(), c.want, c.input, c.flags...)
	}
	programtest.Alone(t, folder, "broken.obj", "still.obj")
}

func TestAnswerSaysRays(t *testing.T) {
	got, err := json.Marshal(answer{image: raytracer.Image{Rays: 1000}, took: 2 * time.Second}.JSON())
	if want := `"rays":1000,"rays_per_second":500}`; err != nil || !strings.HasSuffix(string(got), want) {
		t.Errorf("%s, %v, want …%s", got, err, want)
	}
}
