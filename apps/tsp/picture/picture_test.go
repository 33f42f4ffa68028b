package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"strings"
	"testing"

	"satingrid/apps/tsp/tsplib"
)

var corners = &tsplib.Map{Metric: tsplib.Euc2D, Points: []tsplib.Point{{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 1}, {X: 0, Y: 1}}}

// TestSVG writes well-formed SVG with a circle for each city, and names escaped.
func TestSVG(t *testing.T) {
	named := *corners
	named.Names = []string{"A", "B & C", "<D>", "É"}
	pic, ok := New(&named, []int{0, 1, 2, 3}, "a title")
	if !ok {
		t.Fatal("no picture")
	}
	var b bytes.Buffer
	if err := pic.SVG(&b); err != nil {
		t.Fatal(err)
	}
	counts, text := map[string]int{}, ""
	for d := xml.NewDecoder(&b); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch x := token.(type) {
		case xml.StartElement:
			counts[x.Name.Local]++
		case xml.CharData:
			text += string(x)
		}
	}
	if counts["circle"] != 4 || counts["polygon"] != 1 || counts["text"] != 4 || !strings.Contains(text, "B & C") || !strings.Contains(text, "a title") {
		t.Errorf("%v, %q", counts, text)
	}
}

// TestPNG looks at a few pixels.
func TestPNG(t *testing.T) {
	pic, _ := New(corners, []int{0, 1, 2, 3}, "")
	var b bytes.Buffer
	if err := pic.PNG(&b); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size.X != 1280 || size.Y != 680 {
		t.Errorf("the picture is %v", size)
	}
	for _, c := range []struct {
		what string
		x, y int
		want any
	}{
		{"a city", 40, 40, city}, {"a city", 1240, 640, city}, {"the tour", 640, 640, ink}, {"the tour", 40, 340, ink}, {"paper", 640, 340, paper},
	} {
		if got := img.At(c.x, c.y); got != c.want {
			t.Errorf("%s at %d, %d is %v, want %v", c.what, c.x, c.y, got, c.want)
		}
	}
}

// TestPlaces lays out what it can.
func TestPlaces(t *testing.T) {
	none := &tsplib.Map{Metric: tsplib.Explicit}
	if _, ok := New(none, nil, ""); ok {
		t.Error("a picture of distances")
	}
	none.Display = corners.Points
	if _, ok := New(none, nil, ""); !ok {
		t.Error("no picture of display data")
	}
	one := &tsplib.Map{Metric: tsplib.Euc2D, Points: make([]tsplib.Point, 3)}
	if pic, ok := New(one, []int{0, 1, 2}, ""); !ok || pic.PNG(io.Discard) != nil {
		t.Error("no picture of cities at one place")
	}
	// At 60 degrees north a degree of longitude is half as long as one of latitude.
	north := &tsplib.Map{Metric: tsplib.Geo, Points: []tsplib.Point{{X: 60, Y: 10}, {X: 60, Y: 12}, {X: 60, Y: 11.30}}}
	pic, _ := New(north, nil, "")
	if middle := (pic.points[2].X - pic.points[0].X) / (pic.points[1].X - pic.points[0].X); middle < 0.749 || middle > 0.751 {
		t.Errorf("11 degrees 30 is at %.3f of the way from 10 to 12", middle)
	}
}
