package cli

import (
	"testing"

	"satingrid/satin/program/programtest"
)

func TestInputs(t *testing.T) {
	programtest.Names(t, Application(), "(embedded)", "")
	programtest.Names(t, Application(), "8", "8")
	programtest.Refused(t, Application(), `"eight" is no input: a whole number is expected`, "eight")
	programtest.Refused(t, Application(), "99 queens are out of range: 0 to 24 are expected", "99")
}
