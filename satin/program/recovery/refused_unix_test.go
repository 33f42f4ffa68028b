//go:build unix

package recovery

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestRunErrorTellsWhatTheProgramSaid: of a run that ends without an answer the code and the last
// line are known, so that whoever has mistyped an input is told what is wrong with it.
func TestRunErrorTellsWhatTheProgramSaid(t *testing.T) {
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!/bin/sh\necho running >&2\necho 'program: no such input' >&2\nexit 2\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Measure(t.Context(), Options{Program: program, Name: "program", Run: []string{"x"}, Rounds: 1})
	var refused *RunError
	if !errors.As(err, &refused) || refused.Code != 2 || refused.Said != "program: no such input" {
		t.Errorf("%v", err)
	}
}
