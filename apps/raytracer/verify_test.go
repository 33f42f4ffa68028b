package raytracer

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"satingrid/apps/raytracer/num"
)

// written is the picture as it is in a file.
func written(t *testing.T, m Image) []byte {
	t.Helper()
	var b bytes.Buffer
	write := m.PNG
	if m.Linear {
		write = m.PFM
	}
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestVerify accepts pictures as they come out of the files, and finds one bit that
// is wrong in any place.
func TestVerify(t *testing.T) {
	for name, r := range map[string]Render{
		"shown":   {Width: 61, Height: 35},
		"linear":  {Width: 50, Height: 34, Linear: true},
		"raw":     {Width: 30, Height: 17, Raw: true, Linear: true},
		"whitted": {Width: 30, Height: 17, Whitted: true},
		"narrow":  {Width: 3, Height: 40},
	} {
		t.Run(name, func(t *testing.T) {
			r.Scene, r.Samples, r.Bounces = *simple(), 2, 3
			m, err := ReadImage(bytes.NewReader(written(t, render(t, r))), "a")
			if err != nil {
				t.Fatal(err)
			}
			if n, err := Verify(r, m, 1); err != nil || n != r.Width*r.Height {
				t.Fatalf("%d pixels of %d, %v", n, r.Width*r.Height, err)
			}
			for _, at := range []int{0, 5, len(m.Pixels) / 2, len(m.Pixels) - 2} {
				spoiled := m
				spoiled.Pixels = slices.Clone(m.Pixels)
				spoiled.Pixels[at] ^= 1
				var found *Different
				if _, err := Verify(r, spoiled, 1); !errors.As(err, &found) || found.Y*r.Width+found.X != at/r.pixelBytes() {
					t.Errorf("byte %d: %v", at, err)
				}
			}
			r.Scene.Camera.Eye = num.V{X: 1, Y: 2, Z: 9}
			r.Scene.Camera.Fov = 30
			if _, err := Verify(r, m, 1); err == nil {
				t.Error("a picture from another place is accepted")
			}
		})
	}
}

// TestVerifyDraws looks at a part of a large picture, and the seed says at which.
func TestVerifyDraws(t *testing.T) {
	r := Render{Scene: *simple(), Width: 160, Height: 120, Samples: 1, Bounces: 1}
	m := render(t, r)
	if n, err := Verify(r, m, 1); err != nil || n != patchesMost*patchSize*patchSize {
		t.Fatalf("%d pixels, %v", n, err)
	}
	m.Pixels[4*(60*160+80)] ^= 1 // one bit, which some draws find
	found := 0
	const draws = 20
	for seed := range int64(draws) {
		if _, err := Verify(r, m, seed); err != nil {
			found++
		}
	}
	if found == 0 || found == draws {
		t.Errorf("%d of %d draws find one wrong bit, at some of 300 places", found, draws)
	}
	r.Width++
	if _, err := Verify(r, m, 1); err == nil {
		t.Error("a picture of another size is accepted")
	}
}

func TestReadImageRefuses(t *testing.T) {
	small := written(t, render(t, Render{Scene: *simple(), Width: 4, Height: 4, Samples: 1, Bounces: 1}))
	for text, want := range map[string]string{
		"":                           "a:1: neither a PNG picture",
		"hello":                      "a:1: neither a PNG picture",
		string(small[:60]):           "a: the PNG picture is broken",
		"PF\n":                       "a:2: the file ends here",
		"PF\n4\n-1.0\n":              `a:2: "4", width and height`,
		"PF\n100000 100000\n-1.0\n":  "a:2: 100000×100000 pixels, at most",
		"PF\n1 1\n0.5\n":             `a:3: "0.5", -1.0 is expected`,
		"PF\n1 1\n-1.0\n12345678901": "a:4: 11 bytes of pixels, 12 are expected",
	} {
		if _, err := ReadImage(strings.NewReader(text), "a"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
	m, err := ReadImage(strings.NewReader("PF\n1 2\n1.0\nabcdefghijklmnopqrstuvwx"), "a")
	if err != nil || string(m.Pixels) != "ponmtsrqxwvudcbahgfelkji" {
		t.Errorf("%q, %v", m.Pixels, err)
	}
}
