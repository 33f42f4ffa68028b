package cli

import (
	"strings"
	"testing"

	"satingrid/satin/program/programtest"
)

// TestInputs names the tree as the answer does.
func TestInputs(t *testing.T) {
	programtest.Names(t, Application(), "(embedded)", "")
	programtest.Names(t, Application(), "T3", "t3")
	programtest.Names(t, Application(), "-t 1 -a 0 -d 6 -b 4 -r 0", "", strings.Fields("-t 1 -a 0 -d 6 -b 4 -r 0")...)
}

// TestRefused says what is wrong in one line.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		want, input string
		flags       []string
	}{
		{`there is no tree "T9"; did you mean T1?`, "T9", nil},
		{`there is no tree "oak"; there are `, "oak", nil},
		{"give a tree's name or its parameters, not both", "T1", []string{"-r", "5"}},
		{"-t 7 -a 0: a type and a shape from 0 to 3 are expected", "", []string{"-t", "7"}},
		{"-q 0.5 times -m 9 is 4.5: ", "", []string{"-t", "0", "-q", "0.5", "-m", "9"}},
	} {
		programtest.Refused(t, Application(), c.want, c.input, c.flags...)
	}
}
