package golden

import (
	"os"
	"testing"
)

// counting is a test that counts what it is told, and goes on.
type counting struct {
	testing.TB
	errors int
}

func (c *counting) Helper()               {}
func (c *counting) Errorf(string, ...any) { c.errors++ }

// TestSame: another text is an error, until it is written.
func TestSame(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("testdata", 0o700); err != nil {
		t.Fatal(err)
	}
	says := func(got string, write bool) int {
		*rewrite = write
		defer func() { *rewrite = false }()
		c := &counting{TB: t}
		Same(c, "screen.txt", got)
		return c.errors
	}
	for _, c := range []struct {
		got   string
		write bool
		want  int
	}{{"one\n", true, 0}, {"one\n", false, 0}, {"two\n", false, 1}, {"two\n", true, 0}, {"two\n", false, 0}, {"one\n", false, 1}} {
		if errors := says(c.got, c.write); errors != c.want {
			t.Errorf("%q, which is written: %v: %d errors", c.got, c.write, errors)
		}
	}
}
