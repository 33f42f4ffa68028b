package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"satingrid/apps/raytracer"
	"satingrid/apps/raytracer/scene"
	"satingrid/satin"
	"satingrid/satin/program/programtest"
)

// moving is a glTF document of a triangle that goes from x = 0 to 2 within a second; more is what
// its node and the document have besides.
func moving(node, more string) string {
	var b []byte
	for _, x := range []float32{0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 1, 0, 0, 0, 2, 0, 0} {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return fmt.Sprintf(`{"asset":{"version":"2.0"},"nodes":[{"mesh":0}%s],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"byteOffset":36,"componentType":5126,"count":2,"type":"SCALAR"},
{"bufferView":0,"byteOffset":44,"componentType":5126,"count":2,"type":"VEC3"}],
"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":1,"output":2}]}],
"bufferViews":[{"buffer":0,"byteLength":68}],"buffers":[{"byteLength":68,"uri":"data:;base64,%s"}]%s}`, node, base64.StdEncoding.EncodeToString(b), more)
}

// filmed is moving with a camera and a lamp, so that each moment is seen alike.
func filmed() string {
	return moving(`,{"camera":0,"translation":[1,0.5,4],"extensions":{"KHR_lights_punctual":{"light":0}}}`,
		`,"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":1}}],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point","intensity":50}]}}`)
}

// run runs the command in a folder and returns the answer's document.
func run(t *testing.T, words ...string) (answer struct {
	Width  int
	SHA256 string
	Rays   int
	Frames []still
}) {
	t.Helper()
	code, out, errs := programtest.Run(Application(), append([]string{"run", "--json", "--size", "32x18", "--samples", "1"}, words...)...)
	var d struct{ Answer any }
	d.Answer = &answer
	if err := json.Unmarshal([]byte(out), &d); code != 0 || err != nil {
		t.Fatalf("exit %d, %v: %s%s", code, err, out, errs)
	}
	return answer
}

// TestFramesAreTheMoments: each frame of a film is the picture of its moment, in a file of its own,
// and the answer lists them.
func TestFramesAreTheMoments(t *testing.T) {
	folder, in := programtest.Folder(t, map[string]string{"a.gltf": filmed()})
	film := run(t, "--frames", "3-6", "--fps", "4", "-o", in("f%03d.png"), in("a.gltf"))
	programtest.Alone(t, folder, "a.gltf", "f003.png", "f004.png", "f005.png", "f006.png")
	if len(film.Frames) != 4 || film.Width != 32 {
		t.Fatalf("%+v", film)
	}
	rays, digests := 0, map[string]bool{}
	for i, f := range film.Frames {
		one := run(t, "--at", fmt.Sprint(0.5+0.25*float64(i)), in("a.gltf"))
		if f.Frame != 3+i || f.SHA256 != one.SHA256 || f.Rays != one.Rays {
			t.Errorf("frame %+v; the picture alone is %s of %d rays", f, one.SHA256, one.Rays)
		}
		rays, digests[f.SHA256] = rays+f.Rays, true
	}
	// The animation stands still from its first second on: frames 5 and 6.
	if film.Rays != rays || len(digests) != 3 {
		t.Errorf("%d rays, %d different pictures", film.Rays, len(digests))
	}
}

// TestFilmInOneFile makes an animated PNG: it has as many frames as were asked for, in their order,
// and is a PNG of the first.
func TestFilmInOneFile(t *testing.T) {
	folder, in := programtest.Folder(t, map[string]string{"a.gltf": filmed(), "old.apng": "a film"})
	code, out, errs := programtest.Run(Application(), "run", "--frames", "2-4", "--fps", "4", "--size", "32x18", "--samples", "1", "-o", in("f.apng"), in("a.gltf"))
	if code != 0 || out != in("f.apng")+"\n" {
		t.Fatalf("exit %d: %q, %s", code, out, errs)
	}
	film := run(t, "--frames", "2-4", "--fps", "4", "-o", in("old.apng"), in("a.gltf"))
	programtest.Alone(t, folder, "a.gltf", "f.apng", "old.apng")
	strip := raytracer.NewStrip(4)
	for i := range 3 {
		one := run(t, "--at", fmt.Sprint(0.25+0.25*float64(i)), "-o", in("one.png"), in("a.gltf"))
		f, err := os.Open(in("one.png"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := raytracer.ReadImage(f, "one.png")
		if f.Close(); err != nil || m.SHA256() != one.SHA256 || film.Frames[i].SHA256 != one.SHA256 {
			t.Fatalf("frame %d: %v, %s, %s", i, err, m.SHA256(), one.SHA256)
		}
		if err := strip.Add(m); err != nil {
			t.Fatal(err)
		}
	}
	var want bytes.Buffer
	if err := strip.Write(&want); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"f.apng", "old.apng"} {
		if got, err := os.ReadFile(in(name)); err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s has %d bytes, not the %d of its frames, %v", name, len(got), want.Len(), err)
		}
	}
}

// TestFilmSoFar: while a film is made its file has all frames that are finished, whole.
func TestFilmSoFar(t *testing.T) {
	folder, in := programtest.Folder(t, map[string]string{"a.gltf": filmed()})
	r := &reel{first: 1, last: 9, fps: 1, light: &lighting{}}
	if linear, err := r.goesTo(in("f.apng")); linear || err != nil {
		t.Fatal(linear, err)
	}
	f := &film{reel: r, strip: raytracer.NewStrip(1)}
	if a, ok := f.Partial(); ok {
		t.Errorf("before the first frame there is %v", a)
	}
	picture := raytracer.Image{Width: 1, Height: 1, Pixels: []byte{1, 2, 3, 255}}
	var sizes []int
	for i := range 3 {
		if err := f.strip.Add(picture); err != nil {
			t.Fatal(err)
		}
		f.frames = append(f.frames, still{Frame: i + 1})
		a, ok := f.Partial()
		if !ok || a.(footage).Extent() != fmt.Sprintf("%d of 9 frames", i+1) {
			t.Fatalf("%v, %v", a, ok)
		}
		if err := a.(footage).Keep(); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(in("f.apng"))
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(b, []byte("fcTL")); got != i+1 {
			t.Errorf("%d frames in the file, not %d", got, i+1)
		}
		sizes = append(sizes, len(b))
	}
	programtest.Alone(t, folder, "a.gltf", "f.apng")
	if sizes[0] >= sizes[1] || sizes[1] >= sizes[2] {
		t.Error(sizes)
	}
}

// TestFilmIsSeenFromOnePlace reads moments of a model that has no camera: camera, lamp and ground
// stay, while the model moves.
func TestFilmIsSeenFromOnePlace(t *testing.T) {
	_, in := programtest.Folder(t, map[string]string{"a.gltf": moving("", "")})
	code, out, errs := programtest.Run(Application(), "run", "--frames", "1-2", "--fps", "1", "--size", "32x18", "--samples", "1", "-o", in("%d.pfm"), in("a.gltf"))
	if want := in("1.pfm") + "\n" + in("2.pfm") + "\n"; code != 0 || out != want {
		t.Fatalf("exit %d: %q, %s", code, out, errs)
	}
	var pictures [2]string
	for i := range pictures {
		b, err := os.ReadFile(in(fmt.Sprintf("%d.pfm", i+1)))
		if err != nil {
			t.Fatal(err)
		}
		pictures[i] = string(b)
	}
	if pictures[0] == pictures[1] {
		t.Error("the triangle did not move")
	}
	// A later part of a film, or a picture alone, is seen alike.
	code, _, errs = programtest.Run(Application(), "run", "--at", "1", "--size", "32x18", "--samples", "1", "-o", in("one.pfm"), in("a.gltf"))
	if one, err := os.ReadFile(in("one.pfm")); code != 0 || err != nil || string(one) != pictures[1] {
		t.Errorf("exit %d, %v, %s: the picture alone differs from the frame", code, err, errs)
	}
	if code, out, errs = programtest.Run(Application(), "check", in("a.gltf"), in("2.pfm"), "--at", "1", "--samples", "1"); code != 0 {
		t.Errorf("check: exit %d: %s%s", code, out, errs)
	}
	start, _, err := raytracer.ReadScene(in("a.gltf"), 0)
	if err != nil {
		t.Fatal(err)
	}
	light := lighting{task: raytracer.Render{Scene: *start}}
	r := reel{first: 1, last: 2, fps: 1, input: in("a.gltf"), light: &light, begins: start}
	var scenes [2]scene.Scene
	for i := range scenes {
		task, err := r.task(i + 1)
		if err != nil {
			t.Fatal(err)
		}
		scenes[i] = task.Scene
	}
	first, second := &scenes[0], &scenes[1]
	if first.Camera != second.Camera || first.Mesh.Position(0) == second.Mesh.Position(0) {
		t.Errorf("seen from %v, then %v", first.Camera, second.Camera)
	}
}

// TestFilmWithAMovingCamera moves the node of the camera.
func TestFilmWithAMovingCamera(t *testing.T) {
	_, in := programtest.Folder(t, map[string]string{"a.gltf": moving(`,{"children":[2]},{"camera":0,"translation":[1,0.5,4]}`,
		`,"cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":1}}]`)})
	text, err := os.ReadFile(in("a.gltf"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("a.gltf"), []byte(strings.Replace(string(text), `"target":{"node":0`, `"target":{"node":1`, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	film := run(t, "--frames", "1-2", "--fps", "1", in("a.gltf"))
	if len(film.Frames) != 2 || film.Frames[0].SHA256 == film.Frames[1].SHA256 {
		t.Errorf("%+v: the camera did not move", film.Frames)
	}
}

// TestFilmThatCannotBeWritten ends when its second file cannot be made, with the first one there.
func TestFilmThatCannotBeWritten(t *testing.T) {
	folder, in := programtest.Folder(t, map[string]string{"a.gltf": filmed()})
	if err := os.Mkdir(in("2.png"), 0o700); err != nil {
		t.Fatal(err)
	}
	code, out, errs := programtest.Run(Application(), "run", "--frames", "1-3", "--size", "32x18", "--samples", "1", "-o", filepath.Join(folder, "%d.png"), in("a.gltf"))
	if code != 1 || !strings.Contains(errs, "frame 2: -o "+in("2.png")+" is a folder") {
		t.Errorf("exit %d: %q, %q", code, out, errs)
	}
	programtest.Alone(t, folder, "1.png", "2.png", "a.gltf")
}

func TestSumOfStats(t *testing.T) {
	a := satin.Stats{
		Seconds: 1, Peers: []satin.PeerStats{{Name: "a/1", Jobs: 3, Busy: 0.5, State: "here"}, {Name: "b/1", Jobs: 1}},
		Losses: []satin.Loss{{Peer: "c/1", How: "kill", Restarted: 1}}, Masters: []string{"a/1"},
	}
	b := satin.Stats{
		Seconds: 2, Peers: []satin.PeerStats{{Name: "a/1", Jobs: 4, Busy: 1, State: "left"}, {Name: "a/2", Jobs: 7}},
		Losses: []satin.Loss{{Peer: "c/1", How: "kill", Restarted: 2}, {Peer: "a/1", How: "leave"}}, Masters: []string{"a/1", "b/1"},
	}
	want := satin.Stats{
		Seconds: 3, Peers: []satin.PeerStats{{Name: "a/1", Jobs: 7, Busy: 1.5, State: "left"}, {Name: "a/2", Jobs: 7}, {Name: "b/1", Jobs: 1}},
		Losses: []satin.Loss{{Peer: "c/1", How: "kill", Restarted: 3}, {Peer: "a/1", How: "leave"}}, Masters: []string{"a/1", "b/1"},
	}
	if got := sum(a, b); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if a.Peers[0].Jobs != 3 || a.Losses[0].Restarted != 1 {
		t.Error("the first of two was changed")
	}
}
