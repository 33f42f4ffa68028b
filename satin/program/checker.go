package program

import (
	"fmt"
	"io"
	"os"

	"github.com/urfave/cli/v2"
)

// Checker verifies answers of an application. It shares nothing with the code that finds them but
// the types of the problem.
type Checker struct {
	Details string // what ANSWER and PROOF may be, in a few lines
	Proof   bool   // whether a PROOF may follow
	Flags   []cli.Flag
	// the flag that makes the instance, so that no INSTANCE is given; "": there is none
	Maker  string
	Verify func(c *cli.Context, given Case) (Verdict, error)
}

// Case is what is to be verified: names of files.
type Case struct {
	Instance string // "" is the embedded example, or what the checker's Maker makes
	Answer   string // "-" is standard input
	Proof    string // "": none is given
}

// Name is how messages name the answer.
func (c Case) Name() string {
	if c.Answer == "-" {
		return "standard input"
	}
	return c.Answer
}

// Verdict is what a checker has verified.
type Verdict struct {
	Says     string // in a sentence, and what it has not
	Verified any    // the same for --json
}

// Wrong is the error of an answer, or of a proof, that could be read and is not right.
type Wrong struct{ Err error }

func (w Wrong) Error() string { return w.Err.Error() }
func (w Wrong) Unwrap() error { return w.Err }

// Wrongf is a Wrong in these words: check says them, and ends with exit code 1.
func Wrongf(format string, args ...any) error { return Wrong{fmt.Errorf(format, args...)} }

// ReadAnswer reads the answer of a case: a file, or standard input. read gets the name that errors
// say. Who returns its error from Verify has check end with exit code 2.
func ReadAnswer[T any](c Case, read func(r io.Reader, file string) (T, error)) (said T, err error) {
	if c.Answer == "-" {
		return read(os.Stdin, c.Name())
	}
	err = ReadFile(c.Answer, func(r io.Reader) (err error) {
		said, err = read(r, c.Answer)
		return err
	})
	return said, err
}
