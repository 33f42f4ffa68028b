package program_test

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/console"
)

// Sum is a job: the numbers from From to To.
type Sum struct{ From, To int }

func (t Sum) Run(s *satin.Scope) (int, error) {
	if t.From == t.To {
		return t.From, nil
	}
	mid := (t.From + t.To) / 2
	high := satin.Spawn(s, Sum{mid + 1, t.To})
	low, err := Sum{t.From, mid}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := high.Wait(s)
	return low + n, err
}

// numbers reads the command line.
func numbers(in *program.Input) (Sum, error) {
	n, err := in.Number(100)
	if err == nil && n < 1 {
		err = errors.New("a number from 1 on is expected")
	}
	return Sum{1, n}, err
}

// typed runs a command line as Main would.
func typed(p *program.Program, words ...string) {
	code := p.Run(words, &console.Console{Out: os.Stdout, Err: os.Stdout, Terminal: -1})
	fmt.Println("exit code", code)
}

// This is all of a program: main would be program.Main(program.Of("sum", numbers)).
func ExampleOf() {
	p := &program.Program{Applications: []*program.Application{program.Of("sum", numbers)}}
	typed(p, "run", "1000", "--workers", "2")
	typed(p, "run", "0")
	// Output:
	// 500500
	// exit code 0
	// sum: a number from 1 on is expected
	// exit code 2
}

// total is an answer that is shown in its own way.
type total struct {
	value, per int
}

func (t total) JSON() any { return map[string]int{"total": t.value} }
func (t total) Text(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%d dozen and %d\n", t.value/t.per, t.value%t.per)
	return err
}

// byTheDozen shows a sum of these numbers as a flag says.
func byTheDozen(_ *Sum, in *program.Input) (program.View[int], error) {
	per := in.Flags.Int("per")
	if per < 1 {
		return program.View[int]{}, fmt.Errorf("--per is %d: 1 or more are expected", per)
	}
	return program.View[int]{Answer: func(n int) program.Answer { return total{n, per} }}, nil
}

// A program of two applications, one of which has a flag and an answer of its own.
func ExampleProgram() {
	p := &program.Program{
		Name: "arithmetic", Summary: "sums for beginners",
		Applications: []*program.Application{
			program.Of("sum", numbers),
			{
				Name: "dozens", Summary: "sums, by the dozen", Input: "[N]",
				AnswerFlags: []cli.Flag{&cli.IntFlag{Name: "per", Value: 12, Usage: "in a dozen"}},
				App:         satin.App{Tasks: []satin.TaskType{satin.Type[Sum]()}},
				Root:        program.RootOf(numbers, byTheDozen),
			},
		},
	}
	typed(p, "run", "sum")
	typed(p, "run", "dozens", "10", "--per=13")
	typed(p, "run", "dozen")
	// Output:
	// 5050
	// exit code 0
	// 4 dozen and 3
	// exit code 0
	// arithmetic: there is no application "dozen"; did you mean dozens?
	// exit code 2
}

// A file that an answer is kept in appears whole or not at all.
func ExampleOpenOutput() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	out, err := program.OpenOutput("-o", folder+"/answer") // before anything is computed
	if err != nil {
		fmt.Println(err)
		return
	}
	err = out.Write(func(w io.Writer) error {
		fmt.Fprintln(w, "half of it")
		return errors.New("the disk is full")
	})
	_, missing := os.Stat(folder + "/answer")
	fmt.Println(err, os.IsNotExist(missing))
	err = out.Write(func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "all of it")
		return err
	})
	text, _ := os.ReadFile(folder + "/answer")
	fmt.Printf("%v %s", err, text)
	again, err := program.OpenOutput("-o", folder+"/answer")
	fmt.Println(out.IsNew(), again.IsNew(), err)
	// Output:
	// the disk is full true
	// <nil> all of it
	// true false <nil>
}

// A peer of which nothing was told is drawn in grey.
func ExampleAttributions_Color() {
	var of program.Attributions
	fmt.Println(of.Color("a/1"))
	// Output: {153 153 153 255}
}
