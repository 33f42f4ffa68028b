package cli

import (
	"testing"

	"satingrid/satin/program/programtest"
)

// TestRefused says what is wrong in one line.
func TestRefused(t *testing.T) {
	folder, in := programtest.Folder(t, map[string]string{"a.cnf": "p cnf 2 2\n1 x 0\n", "a.wcnf": "1 1 0\nx 1 0\n"})
	for _, c := range []struct {
		want, input string
		flags       []string
	}{
		{in("a.cnf") + `:2: "x" is no literal: a number is expected`, in("a.cnf"), nil},
		{in("a.wcnf") + `:2: "x" is no weight: h, or a number from 0, is expected`, in("a.wcnf"), nil},
		{"--proof: late,3,1 has weights", "", []string{"--generate", "late,3,1", "--proof", "a"}},
		{"give a file or --generate, not both: a.cnf", "a.cnf", []string{"--generate", "php,3"}},
		{`--generate "php": "" is no number: php,N`, "", []string{"--generate", "php"}},
		{`--generate "php,0": holes 0: 1 to 200 is expected`, "", []string{"--generate", "php,0"}},
		{"--proof " + folder + " is a folder: the name of a file is", "", []string{"--generate", "php,3", "--proof", folder}},
		{"nothere.cnf: no such file or directory", "nothere.cnf", nil},
	} {
		programtest.Refused(t, Application(), c.want, c.input, c.flags...)
	}
}

// TestInputs names the input as the answer does.
func TestInputs(t *testing.T) {
	programtest.Names(t, Application(), "(embedded)", "")
	programtest.Names(t, Application(), "php,3", "", "--generate", "php,3")
}
