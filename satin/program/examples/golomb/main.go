// Golomb finds a shortest ruler whose marks have a different distance each: branch and bound.
package main

import (
	"fmt"
	"slices"

	"satingrid/satin"
	"satingrid/satin/program"
)

// Ruler is an answer: marks, from 0 on.
type Ruler []int

func (r Ruler) Better(than Ruler) bool { return r.length() < than.length() } // the run keeps it
func (r Ruler) String() string         { return fmt.Sprint(r.length(), []int(r)) }
func (r Ruler) Brief() string          { return fmt.Sprint("best ", r.length()) } // so far
func (r Ruler) length() int            { return r[len(r)-1] }

// Search is a job: the rulers that begin with these marks and have so many more.
type Search struct {
	Marks Ruler
	More  int
}

// Run tries each next mark that may make a ruler shorter than the best, which the run answers with.
func (j Search) Run(s *satin.Scope) (Ruler, error) {
	if j.More == 0 {
		satin.Offer(s, j.Marks)
		return nil, nil
	}
	var taken [256]bool // distances between marks: a shortest ruler of 14 has 127
	for i, a := range j.Marks {
		for _, b := range j.Marks[:i] {
			taken[a-b] = true
		}
	}
	most, least := len(taken), j.More*(j.More-1)/2 // from the next mark on: 1, 2, 3 and so on
	if best, ok := satin.Best[Ruler](s); ok {
		most = best.length()
	}
	var longer []Search
	for next := j.Marks.length() + 1; next+least < most; next++ {
		if !slices.ContainsFunc(j.Marks, func(m int) bool { return taken[next-m] }) {
			longer = append(longer, Search{append(slices.Clip(j.Marks), next), j.More - 1})
		}
	}
	_, err := satin.All(s, longer)
	return nil, err
}

func application() *program.Application {
	a := program.Of("golomb", func(in *program.Input) (Search, error) {
		marks, err := in.Number(10)
		if err == nil && (marks < 2 || marks > 14) {
			err = fmt.Errorf("%d marks are out of range: 2 to 14 are expected", marks)
		}
		return Search{Ruler{0}, marks - 1}, err
	})
	a.Summary, a.Input, a.Chooses = "find a shortest ruler whose marks have a different distance each", "[MARKS]", true
	return a
}

func main() { program.Main(application()) }
