package tsplib

import "fmt"

// Map is what people see of a problem, in a tour's file and its picture. Nothing is computed of it.
type Map struct {
	Name    string
	Metric  Metric
	Points  []Point  // by city; nil where there are distances only
	Display []Point  // by city, for a picture; nil where there are none
	Names   []string // by city; nil where they have none

	Numbering Numbering // in tours
}

// Map is that of the problem, whose cities may have names.
func (p *Problem) Map(names []string) Map {
	return Map{Name: p.Name, Metric: p.Metric, Points: p.Points, Display: p.Display, Names: names, Numbering: p.Numbering}
}

// Check says what is wrong with the map of so many cities.
func (m *Map) Check(cities int) error {
	for _, n := range []int{len(m.Points), len(m.Display), len(m.Names)} {
		if n != 0 && n != cities {
			return fmt.Errorf("a map that has %d of %d cities", n, cities)
		}
	}
	return nil
}
