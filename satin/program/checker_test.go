package program_test

import (
	"errors"
	"io"
	"io/fs"
	"testing"

	"satingrid/satin/program"
	"satingrid/satin/program/programtest"
)

// TestReadAnswer gives the reader the file and its name, and says of a file that is not there
// which.
func TestReadAnswer(t *testing.T) {
	_, in := programtest.Folder(t, map[string]string{"a": "7 apples"})
	read := func(r io.Reader, file string) (string, error) {
		text, err := io.ReadAll(r)
		return file + " has " + string(text), err
	}
	if got, err := program.ReadAnswer(program.Case{Answer: in("a")}, read); err != nil || got != in("a")+" has 7 apples" {
		t.Errorf("%q, %v", got, err)
	}
	_, err := program.ReadAnswer(program.Case{Answer: in("b")}, read)
	if !errors.Is(err, fs.ErrNotExist) || err.Error() != in("b")+": no such file or directory" {
		t.Error(err)
	}
	if got := (program.Case{Answer: "-"}).Name(); got != "standard input" {
		t.Error(got)
	}
}

// TestWrong is a reason that can be told from a file that could not be read.
func TestWrong(t *testing.T) {
	reason := errors.New("it has 8")
	err := program.Wrongf("the answer has 7: %w", reason)
	var wrong program.Wrong
	if !errors.As(err, &wrong) || !errors.Is(err, reason) || err.Error() != "the answer has 7: it has 8" {
		t.Error(err)
	}
}
