package main

import (
	bits "encoding/binary"
	"encoding/json"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/program/programtest"
)

// small is a picture that takes a moment.
var small = []string{"--size", "32x18", "--samples", "1", "--bounces", "2"}

func render(t *testing.T, args ...string) ended {
	t.Helper()
	return runBinary(t, nil, append(append([]string{"run", "raytracer"}, small...), args...)...)
}

// TestPicture renders one picture in its three forms, with one worker and several.
func TestPicture(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "out.png")
	if got := render(t, "-o", file); got.code != 0 || got.out != file+"\n" {
		t.Fatalf("exit %d, %q, %q", got.code, got.out, got.err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if m, err := png.Decode(f); err != nil || m.Bounds().Dx() != 32 || m.Bounds().Dy() != 18 {
		t.Errorf("the file has no picture of 32 by 18: %v", err)
	}
	digests := map[string]bool{}
	for _, workers := range []string{"1", "2", "3"} {
		var d struct {
			Answer struct {
				Width, Height int
				SHA256        string
			}
		}
		got := render(t, "--json", "--workers", workers)
		if err := json.Unmarshal([]byte(got.out), &d); err != nil || d.Answer.Width != 32 || len(d.Answer.SHA256) != 64 {
			t.Fatalf("%v: %q, %q", err, got.out, got.err)
		}
		digests[d.Answer.SHA256] = true
	}
	if len(digests) != 1 {
		t.Errorf("different pictures: %v", digests)
	}
	floats := filepath.Join(folder, "out.pfm")
	if got := render(t, "-o", floats); got.code != 0 {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
	if text, err := os.ReadFile(floats); err != nil || !strings.HasPrefix(string(text), "PF\n32 18\n") {
		t.Errorf("no float map: %v", err)
	}
	programtest.Alone(t, folder, "out.pfm", "out.png")
}

// TestPictureFlags has a scene's own size, another size, and light from around alone.
func TestPictureFlags(t *testing.T) {
	folder := t.TempDir()
	in := func(name, text string) string {
		t.Helper()
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	balls := in("a.nff", "b 0 0 1\nv\nfrom 0 0 5\nat 0 0 0\nup 0 1 0\nangle 45\nhither 1\nresolution 24 16\nl 1 2 3\nf 1 0.5 0 1 0 0 0 0\ns 0 0 0 1\n")
	plate := in("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
	for line, want := range map[string]string{
		balls:                               "PF\n24 16\n 0 0 1",
		balls + " --size 20x10":             "PF\n20 10\n 0 0 1",
		plate + " --size 20x10":             "PF\n20 10\n 0.28",
		plate + " --size 20x10 --env 4,2,1": "PF\n20 10\n 4 2 1",
		plate + " --size 20x10 --env 4,2,1:0,0,0:3,3,3": "PF\n20 10\n 1.39 1.39 1.39",
	} {
		file := filepath.Join(folder, "a.pfm")
		args := append([]string{"run", "raytracer", "--samples", "1", "--bounces", "1", "-o", file}, strings.Fields(line)...)
		if got := runBinary(t, nil, args...); got.code != 0 {
			t.Fatalf("%s: exit %d, %q", line, got.code, got.err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The first pixel is that of the lower left corner.
		head, rest, _ := strings.Cut(string(data), "-1.0\n")
		for k := range 3 {
			head += fmt.Sprintf(" %.3g", math.Float32frombits(bits.LittleEndian.Uint32([]byte(rest[4*k:]))))
		}
		if !strings.HasPrefix(head, want) {
			t.Errorf("%s: %q, wanted %q", line, head, want)
		}
	}
}

// endless is a picture that takes hours, after a sketch that takes a moment.
var endless = []string{"run", "raytracer", "--size", "64x36", "--samples", "60000"}

// pictureIn opens a PNG file of the size that endless has.
func pictureIn(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err == nil && (m.Bounds().Dx() != 64 || m.Bounds().Dy() != 36) {
		err = fmt.Errorf("the picture has the size %v", m.Bounds())
	}
	return err
}

// TestPictureOutOfTime ends runs by the clock: the file is whole or not there at all.
func TestPictureOutOfTime(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "out.png")
	line := append(endless[:len(endless):len(endless)], "-o", file, "--timeout")
	if got := runBinary(t, nil, append(line, "1ms")...); got.code != exitTimeout || got.out != "" {
		t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
	}
	programtest.Alone(t, folder)
	for _, place := range []string{"--workers 1", "--sites a:1,b:1"} {
		os.Remove(file)
		var got ended
		for _, timeout := range []string{"1s", "4s", "16s"} { // a slow machine gets more
			if got = runBinary(t, nil, append(append(line, timeout), strings.Fields(place)...)...); got.code == exitPartial {
				break
			}
		}
		if got.code != exitPartial || got.out != file+"\n" || !strings.Contains(got.err, "this is the best so far: ") || !strings.Contains(got.err, " tiles are finished, the rest is a sketch") {
			t.Errorf("%s: exit %d, %q, %q", place, got.code, got.out, got.err)
		}
		if err := pictureIn(file); err != nil {
			t.Errorf("%s: %v", place, err)
		}
	}
	programtest.Alone(t, folder, "out.png")
}
