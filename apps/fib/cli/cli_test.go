package cli

import (
	"testing"

	"satingrid/satin/program/programtest"
)

func TestInputs(t *testing.T) {
	programtest.Names(t, Application(), "(embedded)", "")
	programtest.Names(t, Application(), "20", "20")
	programtest.Refused(t, Application(), `"twenty" is no input: a whole number is expected`, "twenty")
	programtest.Refused(t, Application(), "-1 is out of range: a number from 0 to 92 is expected", "-1")
}
