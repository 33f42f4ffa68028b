package tsplib

// Numbering is how a file numbers its cities. TSPLIB95 has them count from 1; files of others count
// from 0, all through.
type Numbering bool

// The numberings that are read.
const (
	FromOne  Numbering = false
	FromZero Numbering = true
)

// First is the number of the first city.
func (n Numbering) First() int {
	if n == FromZero {
		return 0
	}
	return 1
}

// Of is the number of a city that counts from 0 here.
func (n Numbering) Of(city int) int { return city + n.First() }
