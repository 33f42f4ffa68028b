// Mergesort sorts the lines of files.
//
//	mergesort run FILE… >SORTED
//
// The lines are the root, which every peer gets once; a job is a range of them and its result the
// sorted lines. So each line travels as often as ranges are stolen that hold it, and a grid pays
// where comparing costs more than that: this is an example of files and results, not a fast sort.
package main

import (
	"bufio"
	"io"
	"slices"
	"strings"

	"satingrid/satin"
	"satingrid/satin/program"
)

// leaf is how many lines are sorted by one job: some milliseconds of work.
const leaf = 10_000

// Files is the root: the lines of all files.
type Files struct{ Lines []string }

// Run sorts all lines.
func (f Files) Run(s *satin.Scope) (Sorted, error) { return Range{0, len(f.Lines)}.Run(s) }

// Range is a job: some lines of the root.
type Range struct{ From, To int }

// Run sorts the halves and merges them.
func (r Range) Run(s *satin.Scope) (Sorted, error) {
	if r.To-r.From <= leaf {
		lines := slices.Clone(satin.Root[Files](s).Lines[r.From:r.To])
		slices.Sort(lines)
		return lines, nil
	}
	mid := (r.From + r.To) / 2
	spawned := satin.Spawn(s, Range{mid, r.To})
	low, err := Range{r.From, mid}.Run(s)
	if err != nil {
		return nil, err
	}
	high, err := spawned.Wait(s)
	return merge(low, high), err
}

// merge is the sorted lines of both.
func merge(a, b Sorted) Sorted {
	out := make(Sorted, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		from := &a
		if b[0] < a[0] {
			from = &b
		}
		out = append(out, (*from)[0])
		*from = (*from)[1:]
	}
	return append(append(out, a...), b...)
}

// Sorted is the answer: it prints a line a line.
type Sorted []string

// Text prints the lines.
func (l Sorted) Text(w io.Writer) error {
	out := bufio.NewWriter(w)
	for _, line := range l {
		out.WriteString(line + "\n")
	}
	return out.Flush()
}

// JSON is the lines as an array.
func (l Sorted) JSON() any { return []string(l) }

// read reads the files that are named, or - for standard input.
func read(in *program.Input) (f Files, err error) {
	err = in.Read("pears\napples\n", func(r io.Reader, _ string) error {
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			f.Lines = append(f.Lines, strings.TrimSuffix(lines.Text(), "\r"))
		}
		return lines.Err()
	})
	return f, err
}

func application() *program.Application {
	a := program.Of("mergesort", read, satin.Type[Range]())
	a.Summary = "sort the lines of files"
	a.Input, a.Many = "FILE…", true
	a.Details = "FILE is a text file, or - for standard input. Prints the lines of all, sorted by their bytes."
	return a
}

func main() { program.Main(application()) }
