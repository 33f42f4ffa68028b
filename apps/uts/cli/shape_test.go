package cli

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
	"satingrid/satin/program"
)

// TestFigure: there is a bar for each depth of the tree, and one for each depth at which a subtree
// was lent; many depths share one.
func TestFigure(t *testing.T) {
	task, err := uts.New(tree.Default)
	if err != nil {
		t.Fatal(err)
	}
	r := &shaped{tree: &task}
	draw := func(jobs ...program.Attribution) string {
		t.Helper()
		var b bytes.Buffer
		says, err := r.DrawCredits(&b, program.Attributions{Jobs: jobs})
		if err != nil || says == "" {
			t.Fatalf("%q, %v", says, err)
		}
		for d := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				return b.String()
			} else if err != nil {
				t.Fatalf("%v:\n%s", err, &b)
			}
		}
	}
	lent := func(what string) program.Attribution {
		return program.Attribution{What: what, Peer: "b/1", Site: "b"}
	}
	text := draw()
	depths := strings.Count(text, `class="nodes"`)
	if depths < 5 || strings.Contains(text, "<rect fill") {
		t.Errorf("%d depths:\n%s", depths, text)
	}
	text = draw(lent("depth 1"), lent("depth 1"), lent("depth 3"), lent("tile 3"))
	if strings.Count(text, "<rect fill") != 2 || !strings.Contains(text, "up to 2 at a depth") {
		t.Errorf("of subtrees at two depths:\n%s", text)
	}
	text = draw(lent("depth 1"), lent("depth 999"))
	if n := strings.Count(text, `class="nodes"`); n != 63 || strings.Count(text, "<rect fill") != 2 {
		t.Errorf("%d bars:\n%s", n, text)
	}
}
