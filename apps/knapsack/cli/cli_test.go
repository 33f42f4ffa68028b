package cli

import (
	"testing"

	"satingrid/satin/program/programtest"
)

// TestRefused says what is wrong in one line.
func TestRefused(t *testing.T) {
	_, in := programtest.Folder(t, map[string]string{"bad.kp": "3\n5\n\n6 1\n10 x\n12 3\n"})
	for _, c := range []struct {
		want, input string
		flags       []string
	}{
		{"none.kp: no such file or directory", "none.kp", nil},
		{in("bad.kp") + `:5: the weight is "x", a whole number is expected`, in("bad.kp"), nil},
		{`--generate "13,10,100,1": a class from 0 to 12`, "", []string{"--generate", "13,10,100,1"}},
		{"CLASS,N,R,SEED, subsetsum,N,R,SEED or several,N,M,PERCENT,SEED", "", []string{"--generate", "subset"}},
		{"one of them is expected", in("bad.kp"), []string{"--generate", "1,10,100,1"}},
	} {
		programtest.Refused(t, Application(), c.want, c.input, c.flags...)
	}
}

// TestInputs names the input as the answer does.
func TestInputs(t *testing.T) {
	_, in := programtest.Folder(t, map[string]string{"a.kp": "3\n5\n\n6 1\n10 2\n12 3\n"})
	programtest.Names(t, Application(), "(embedded)", "")
	programtest.Names(t, Application(), in("a.kp"), in("a.kp"))
	programtest.Names(t, Application(), "02StronglyCorrelated_n00060_R01000_s001", "", "--generate", "2,60,1000,1")
}
