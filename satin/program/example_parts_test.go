package program_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
)

// verified says whether a file has the sum of so many numbers. It shares nothing with Sum.
func verified(_ *cli.Context, given program.Case) (program.Verdict, error) {
	n, err := strconv.Atoi(given.Instance)
	if err != nil {
		return program.Verdict{}, console.Usage("%q is no number", given.Instance)
	}
	said, err := program.ReadAnswer(given, number)
	if err != nil {
		return program.Verdict{}, err
	}
	if sum := n * (n + 1) / 2; said != sum {
		return program.Verdict{}, program.Wrongf("%s has %d, and the sum is %d", given.Name(), said, sum)
	}
	return program.Verdict{Says: fmt.Sprint("the sum of ", n, " numbers"), Verified: said}, nil
}

// number reads one from a file.
func number(r io.Reader, file string) (n int, err error) {
	if _, err = fmt.Fscan(r, &n); err != nil {
		err = fmt.Errorf("%s: %w", file, err)
	}
	return n, err
}

func ExampleChecker() {
	sum := program.Of("sum", numbers)
	sum.Checker = &program.Checker{Verify: verified}
	p := &program.Program{Applications: []*program.Application{sum}}
	typed(p, "check", "100", "testdata/right.txt")
	typed(p, "check", "100", "testdata/wrong.txt")
	// Output:
	// sum: 100: the sum of 100 numbers
	// exit code 0
	// sum: testdata/wrong.txt has 5049, and the sum is 5050
	// exit code 1
}

// A program whose input is the number in a file, or in its own text where none is named.
func ExampleInput_Read() {
	parse := func(in *program.Input) (t Sum, err error) {
		err = in.Read("10", func(r io.Reader, name string) (err error) {
			t.From = 1
			t.To, err = number(r, name)
			return err
		})
		return t, err
	}
	p := &program.Program{Applications: []*program.Application{program.Of("sum", parse)}}
	typed(p, "run", "testdata/right.txt")
	typed(p, "run")
	// Output:
	// 12753775
	// exit code 0
	// 55
	// exit code 0
}

// A program of which some inputs have names.
func ExampleInput_Word() {
	parse := func(in *program.Input) (Sum, error) {
		if in.Word() == "gauss" {
			in.Called = "what Gauss was told to add up"
			return Sum{1, 100}, nil
		}
		return numbers(in)
	}
	for _, words := range [][]string{{"gauss"}, {"10"}, nil} {
		in := &program.Input{Words: words}
		task, err := parse(in)
		fmt.Printf("%v %v %s %q\n", task, err, in.Name(), in.Called)
	}
	// Output:
	// {1 100} <nil> gauss "what Gauss was told to add up"
	// {1 10} <nil> 10 ""
	// {1 100} <nil> (embedded) ""
}

// What the verb run does, for a program that has its own idea of when.
func ExampleApplication_Prepare() {
	a := program.Of("sum", numbers)
	ready, err := a.Prepare(&program.Input{Words: []string{"100"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := ready.Start(context.Background(), nil) // on a peer, or alone
	if err != nil {
		fmt.Println(err)
		return
	}
	<-run.Done()
	answer, err := run.Answer()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(ready.Input)
	answer.Text(os.Stdout)
	// Output:
	// 100
	// 5050
}

func ExampleLossRow() {
	noticed := 0.1
	fmt.Println(program.LossRow{
		Peer: "b/1", How: "kill", Noticed: &noticed, Restarted: 2, Reused: 14, Redone: 0.4,
	})
	// Output: b/1 lost (kill): noticed in 0.1 s, 2 jobs restarted, 14 results reused, 0.4 s redone
}

func ExampleThisBuild() {
	b := program.ThisBuild()
	fmt.Println(b.Schema, b.Go == runtime.Version(), b.OS == runtime.GOOS)
	// Output: 1 true true
}

// What a program that makes its own peers of this machine starts.
func ExamplePeer() {
	command, err := program.Peer()
	fmt.Println(len(command), err) // the executable, and the word that makes it a peer
	// Output: 2 <nil>
}

// An interrupt that ends the process at once leaves no half of a file.
func ExampleDiscardUnfinished() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	out, err := program.OpenOutput("-o", folder+"/answer")
	if err != nil {
		fmt.Println(err)
		return
	}
	err = out.Write(func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "half of it")
		program.DiscardUnfinished()
		return err
	})
	left, _ := os.ReadDir(folder)
	fmt.Println(err != nil, len(left))
	// Output: true 0
}
