package recording

import "math"

// stripMax is how many moments a strip has at most: twice what a page has columns for.
const stripMax = 2048

// Strip is what a site did over time, in moments of the same length, the first at the beginning:
// how many workers it had, and how many of them computed, on average.
type Strip struct {
	Length  float64   `json:"seconds"` // of a moment
	Workers []float64 `json:"workers"`
	Busy    []float64 `json:"busy"`
	Most    int       `json:"most"` // workers at once
}

// add adds worker seconds that there were, and were used, from a second to a later one.
func (s *Strip) add(from, to, workers, busy float64) {
	if to <= from {
		return
	}
	if s.Length == 0 {
		s.Length = 1
	}
	for to > s.Length*stripMax {
		*s = s.halved()
	}
	for at := int(from / s.Length); float64(at)*s.Length < to; at++ {
		for len(s.Workers) <= at {
			s.Workers, s.Busy = append(s.Workers, 0), append(s.Busy, 0)
		}
		begin, end := max(from, float64(at)*s.Length), min(to, float64(at+1)*s.Length)
		part := (end - begin) / (to - from) / s.Length
		s.Workers[at] += workers * part
		s.Busy[at] += busy * part
	}
}

// halved is the strip with moments that are twice as long.
func (s Strip) halved() Strip {
	half := func(was []float64) []float64 {
		is := make([]float64, (len(was)+1)/2)
		for i, n := range was {
			is[i/2] += n / 2
		}
		return is
	}
	return Strip{2 * s.Length, half(s.Workers), half(s.Busy), s.Most}
}

// rounded is a copy with as many digits as a page shows.
func (s Strip) rounded() Strip {
	digits := func(was []float64) []float64 {
		is := make([]float64, len(was))
		for i, n := range was {
			is[i] = math.Round(n*1000) / 1000
		}
		return is
	}
	return Strip{s.Length, digits(s.Workers), digits(s.Busy), s.Most}
}
