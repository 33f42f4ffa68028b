package cli

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/program/console"
	"satingrid/satin/program/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m, Application()) }

// balls is a scene that is ready at once, also under the race detector.
const balls = "testdata/balls.nff"

// endless is a picture that takes hours, after a sketch that takes a moment.
var endless = []string{"run", "--size", "64x36", "--samples", "60000", balls}

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

// TestPictureHoldsItsTiles ends runs by the clock, with more workers than cores: the picture has
// finished tiles, and the message says how many.
func TestPictureHoldsItsTiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "out.png")
	for _, place := range []string{"--workers 8", "--sites a:2,b:2"} {
		code, done, tiles, said := 0, 0, 0, ""
		for _, try := range [][2]string{{"1s", "3000"}, {"2s", "1000"}, {"4s", "500"}, {"8s", "200"}, {"16s", "60"}, {"64s", "60"}} {
			// if it is slow it has more time, for tiles that take less
			line := []string{"run", "--size", "320x180", "--samples", try[1], "-o", file, "--timeout", try[0], balls}
			code, _, said = programtest.Process(t, append(line, strings.Fields(place)...)...)
			_, best, _ := strings.Cut(said, "this is the best so far: ")
			if fmt.Sscanf(best, "%d of %d tiles are finished, the rest is a sketch", &done, &tiles); done > 0 {
				break
			}
		}
		if code != console.ExitPartial || done < 1 || done >= tiles {
			t.Errorf("%s: exit %d, %d of %d tiles: %q", place, code, done, tiles, said)
		}
	}
	programtest.Alone(t, folder, "out.png")
}

// TestPictureOutOfTime ends runs by the clock: the file is whole or not there at all.
func TestPictureOutOfTime(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "out.png")
	// nothing is ready by then
	soon := []string{"run", "--size", "640x360", "-o", file, "--timeout", "1ms"}
	if code, out, said := programtest.Process(t, soon...); code != console.ExitTimeout || out != "" {
		t.Errorf("exit %d, %q, %q", code, out, said)
	}
	programtest.Alone(t, folder)
	line := append(endless[:len(endless):len(endless)], "-o", file, "--timeout")
	for _, place := range []string{"--workers 1", "--sites a:1,b:1"} {
		os.Remove(file)
		var code int
		var out, said string
		// a slow machine gets more
		for _, timeout := range []string{"1s", "2s", "4s", "8s", "16s", "32s"} {
			if code, out, said = programtest.Process(t, append(append(line, timeout), strings.Fields(place)...)...); code == console.ExitPartial {
				break
			}
		}
		if code != console.ExitPartial || out != file+"\n" || !strings.Contains(said, "this is the best so far: ") || !strings.Contains(said, " tiles are finished, the rest is a sketch") {
			t.Errorf("%s: exit %d, %q, %q", place, code, out, said)
		}
		if err := pictureIn(file); err != nil {
			t.Errorf("%s: %v", place, err)
		}
	}
	programtest.Alone(t, folder, "out.png")
}
