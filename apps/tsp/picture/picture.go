// Package picture draws tours.
//
// [New] lays out a tour on a map that has coordinates; [Picture.SVG] and
// [Picture.PNG] write it.
package picture

import (
	"math"

	"satingrid/apps/tsp/tsplib"
)

const (
	sideMax = 1200.0 // pixels of the longer side, without the margin
	margin  = 40.0
)

// Picture is a tour laid out: x to the right and y downwards, in pixels.
type Picture struct {
	Title         string
	width, height float64
	points        []tsplib.Point // by city
	names         []string       // by city, or nil
	tour          []int
	dot           float64 // radius of a city
}

// New lays out a tour, whose cities count from 0. ok is false when the map has no coordinates to
// draw.
func New(m *tsplib.Map, tour []int, title string) (pic *Picture, ok bool) {
	points := flat(m)
	if points == nil {
		return nil, false
	}
	low, high := points[0], points[0]
	for _, q := range points {
		low = tsplib.Point{X: min(low.X, q.X), Y: min(low.Y, q.Y)}
		high = tsplib.Point{X: max(high.X, q.X), Y: max(high.Y, q.Y)}
	}
	pic = &Picture{Title: title, names: m.Names, tour: tour}
	span := max(high.X-low.X, high.Y-low.Y)
	if span == 0 {
		span = 1
	}
	zoom := sideMax / span
	pic.width, pic.height = (high.X-low.X)*zoom+2*margin, (high.Y-low.Y)*zoom+2*margin
	for _, q := range points {
		pic.points = append(pic.points, tsplib.Point{X: margin + (q.X-low.X)*zoom, Y: margin + (high.Y-q.Y)*zoom})
	}
	pic.dot = min(max(100/math.Sqrt(float64(len(points))), 2), 5)
	return pic, true
}

// flat are the cities' places, y upwards. Those on a ball are stretched so that the middle of the
// map has the right proportions.
func flat(m *tsplib.Map) []tsplib.Point {
	if m.Metric != tsplib.Geo {
		if m.Points != nil {
			return m.Points
		}
		return m.Display
	}
	var sum float64
	for _, q := range m.Points {
		sum += degrees(q.X)
	}
	stretch := 1 / max(math.Cos(sum/float64(len(m.Points))*math.Pi/180), 0.1)
	var points []tsplib.Point
	for _, q := range m.Points {
		points = append(points, tsplib.Point{X: degrees(q.Y), Y: degrees(q.X) * stretch})
	}
	return points
}

// degrees converts DDD.MM.
func degrees(x float64) float64 {
	whole := math.Trunc(x)
	return whole + (x-whole)*100/60
}
