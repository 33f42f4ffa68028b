// Golomb finds a shortest ruler whose marks have a different distance each: branch and bound.
//
//	golomb run 10
package main

import (
	"fmt"
	"slices"

	"satingrid/satin"
	"satingrid/satin/program"
)

const (
	marksMax   = 14  // whose shortest ruler, of 127, takes hours
	lengthMax  = 256 // longer than the shortest ruler of so many marks
	spawnMarks = 5   // a ruler of more has too little left to search for a job of its own
)

// Ruler is an answer: marks, from 0 on.
type Ruler []int

// Better tells which of two rulers the run keeps.
func (r Ruler) Better(than Ruler) bool { return r.length() < than.length() }

// String is what is printed: the length, and the marks.
func (r Ruler) String() string { return fmt.Sprint(r.length(), []int(r)) }

// Brief is what is said of the best so far while the run goes on.
func (r Ruler) Brief() string { return fmt.Sprint("best ", r.length()) }

func (r Ruler) length() int { return r[len(r)-1] }

// Search is a job: the rulers that begin with these marks and have so many more.
type Search struct {
	Marks Ruler
	More  int
}

// Run tries every next mark that may lead to a shorter ruler than the best so far. What it returns
// is of no use: the run answers with its best.
func (j Search) Run(s *satin.Scope) (Ruler, error) {
	if j.More == 0 {
		satin.Offer(s, j.Marks)
		return nil, nil
	}
	var taken [lengthMax]bool // distances between marks
	for i, a := range j.Marks {
		for _, b := range j.Marks[:i] {
			taken[a-b] = true
		}
	}
	least := j.More * (j.More - 1) / 2 // from the next mark to the last: 1, 2, 3 and so on
	var longer []Search
	for next := j.Marks.length() + 1; next+least < bound(s); next++ {
		if slices.ContainsFunc(j.Marks, func(m int) bool { return taken[next-m] }) {
			continue
		}
		l := Search{append(slices.Clip(j.Marks), next), j.More - 1}
		if len(l.Marks) <= spawnMarks {
			longer = append(longer, l)
		} else if _, err := l.Run(s); err != nil { // a plain call
			return nil, err
		}
	}
	_, err := satin.All(s, longer)
	return nil, err
}

// bound is what a ruler must be shorter than.
func bound(s *satin.Scope) int {
	if best, ok := satin.Best[Ruler](s); ok {
		return best.length()
	}
	return lengthMax
}

func parse(in *program.Input) (Search, error) {
	marks, err := in.Number(10)
	if err == nil && (marks < 2 || marks > marksMax) {
		err = fmt.Errorf("%d marks are out of range: 2 to %d are expected", marks, marksMax)
	}
	return Search{Ruler{0}, marks - 1}, err
}

func application() *program.Application {
	a := program.Of("golomb", parse)
	a.Summary = "find a shortest ruler whose marks have a different distance each"
	a.Input, a.Chooses = "[MARKS]", true
	a.Details = fmt.Sprintf("MARKS is 2 to %d, by default 10. Prints the length and the marks.", marksMax)
	return a
}

func main() { program.Main(application()) }
