package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/programtest"
	"satingrid/satin/satintest"
)

// TestFiles sorts the lines of two files into one, and says which file is not there.
func TestFiles(t *testing.T) {
	_, in := programtest.Folder(t, map[string]string{"a": "pear\napple\n", "b": "fig\r\n\nquince"})
	if code, out, err := programtest.Run(application(), "run", in("a"), in("b")); code != 0 || out != "\napple\nfig\npear\nquince\n" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	if code, out, err := programtest.Run(application(), "run", in("a"), "--json"); code != 0 || !strings.Contains(out, `"answer":["apple","pear"]`) {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
	if code, out, err := programtest.Run(application(), "run", in("a"), in("c")); code != 2 || out != "" || err != "mergesort: "+in("c")+": no such file or directory\n" {
		t.Errorf("exit %d, %q, %q", code, out, err)
	}
}

// TestOnAGrid sorts more lines than one job takes, on peers that come and go.
func TestOnAGrid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, 12*leaf)
	for i := range lines {
		lines[i] = fmt.Sprint(rnd.IntN(len(lines)))
	}
	sorted := slices.Sorted(slices.Values(lines))
	same := func(alone, grid Sorted) bool { return slices.Equal(alone, grid) && slices.Equal(grid, sorted) }
	satintest.Check(t, satintest.Config{App: application().App, Strict: true}, satintest.Storm{Seed: 1, Every: 20 * time.Millisecond}, Files{lines}, time.Minute, same)
}
