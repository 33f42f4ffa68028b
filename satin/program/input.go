package program

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"
)

// Embedded is the name of the input that a run without one gets.
const Embedded = "(embedded)"

// Input is what stands on the command line of a run.
type Input struct {
	Words []string     // the arguments; none: whatever the application does without
	Flags *cli.Context // the values of flags: the application's own, and those of the verb

	// Elsewhere tells that the run is, or will be, on a grid of others', and not in this
	// process or some of its own.
	Elsewhere bool

	// Watched tells that somebody looks on: the command says on a terminal how far it is.
	Watched bool

	// Called is how the answer names the input. Whoever parses it may set it; "": by its words.
	Called string
}

// Name is how the answer names the input.
func (in *Input) Name() string {
	if len(in.Words) == 0 {
		return Embedded
	}
	return strings.Join(in.Words, " ")
}

// Word is the first argument; "" where there is none.
func (in *Input) Word() string {
	if len(in.Words) == 0 {
		return ""
	}
	return in.Words[0]
}

// Number is the first argument, a whole number, or otherwise where there is none. The error is for
// whoever has typed something else.
func (in *Input) Number(otherwise int) (int, error) {
	if len(in.Words) == 0 {
		return otherwise, nil
	}
	n, err := strconv.Atoi(in.Words[0])
	if err != nil {
		return 0, fmt.Errorf("%q is no input: a whole number is expected", in.Words[0])
	}
	return n, nil
}

// Read reads the files that the arguments name, one after the other; - is standard input. Where
// there is none, read gets what otherwise says. The name is for messages.
func (in *Input) Read(otherwise string, read func(r io.Reader, name string) error) error {
	if len(in.Words) == 0 {
		return read(strings.NewReader(otherwise), Embedded)
	}
	for _, name := range in.Words {
		var err error
		if name == "-" {
			err = read(os.Stdin, "standard input")
		} else {
			err = ReadFile(name, func(r io.Reader) error { return read(r, name) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}
