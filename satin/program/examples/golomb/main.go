// Golomb finds a shortest ruler whose marks have a different distance each: branch and bound.
//
//	golomb run 10
package main

import (
	"fmt"
	"io"

	"satingrid/satin"
	"satingrid/satin/program"
)

const (
	// spawnMarks is how many marks a ruler has at most whose continuations are jobs.
	spawnMarks = 5

	marksMax  = 14  // whose shortest ruler, of 127, takes hours
	lengthMax = 256 // longer than the shortest ruler of so many marks
)

// Ruler is a job, and an answer: marks from 0 on, which shall be Want.
type Ruler struct {
	Want  int
	Marks []int
}

// Run tries every next mark that may lead to a shorter ruler than the best so far. What it returns
// is of no use: the run answers with its best.
func (r Ruler) Run(s *satin.Scope) (Ruler, error) {
	if r.whole() {
		satin.Offer(s, r)
		return Ruler{}, nil
	}
	distances, left := r.distances(), r.Want-len(r.Marks)
	var spawned []satin.Future[Ruler, Ruler]
	for next := r.length() + 1; next+left*(left-1)/2 < bound(s); next++ {
		if !r.fits(&distances, next) {
			continue
		}
		longer := Ruler{r.Want, append(r.Marks[:len(r.Marks):len(r.Marks)], next)}
		if len(r.Marks) < spawnMarks {
			spawned = append(spawned, satin.Spawn(s, longer))
		} else if _, err := longer.Run(s); err != nil { // a plain call
			return Ruler{}, err
		}
	}
	for _, job := range spawned {
		if _, err := job.Wait(s); err != nil {
			return Ruler{}, err
		}
	}
	return Ruler{}, nil
}

// bound is what a ruler must be shorter than.
func bound(s *satin.Scope) int {
	if best, ok := satin.Best[Ruler](s); ok {
		return best.length()
	}
	return lengthMax
}

// Better compares rulers that are offered, which are whole.
func (r Ruler) Better(than Ruler) bool { return r.length() < than.length() }

func (r Ruler) whole() bool { return len(r.Marks) == r.Want }

// length is that of the ruler, and longer than any where there is none.
func (r Ruler) length() int {
	if len(r.Marks) == 0 {
		return lengthMax
	}
	return r.Marks[len(r.Marks)-1]
}

// distances are those between the marks.
func (r Ruler) distances() (taken [lengthMax]bool) {
	for i, a := range r.Marks {
		for _, b := range r.Marks[:i] {
			taken[a-b] = true
		}
	}
	return taken
}

// fits tells whether one more mark has distances to the others that none of them have.
func (r Ruler) fits(taken *[lengthMax]bool, next int) bool {
	for _, m := range r.Marks {
		if taken[next-m] {
			return false
		}
	}
	return true
}

// Text prints the length, and the marks.
func (r Ruler) Text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%d %v\n", r.length(), r.Marks)
	return err
}

// JSON has both.
func (r Ruler) JSON() any {
	return struct {
		Length int   `json:"length"`
		Marks  []int `json:"marks"`
	}{r.length(), r.Marks}
}

// Brief is what is said of the best so far while the run goes on.
func (r Ruler) Brief() string { return fmt.Sprintf("best %d", r.length()) }

func parse(in *program.Input) (Ruler, error) {
	marks, err := in.Number(10)
	if err == nil && (marks < 2 || marks > marksMax) {
		err = fmt.Errorf("%d marks are out of range: 2 to %d are expected", marks, marksMax)
	}
	return Ruler{marks, []int{0}}, err
}

func application() *program.Application {
	a := program.Of("golomb", parse)
	a.Summary = "find a shortest ruler whose marks have a different distance each"
	a.Input, a.Chooses = "[MARKS]", true
	a.Details = fmt.Sprintf("MARKS is 2 to %d, by default 10. Prints the length and the marks.", marksMax)
	return a
}

func main() { program.Main(application()) }
