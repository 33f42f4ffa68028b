package control

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCalled: names that people cannot read are refused, wherever they come from; what is kept is
// what comes back.
func TestCalled(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []Config{{Site: "a\x1b[2J"}, {Name: "a\nb"}, {Site: "\xff"}, {Name: strings.Repeat("x", 65)}} {
		if _, err := c.recall(); err == nil {
			t.Errorf("%q at %q is let in", c.Name, c.Site)
		}
	}
	c := Config{State: folder, Site: "delft", Name: "delft/one"}
	kept, err := c.recall()
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.keep(folder); err != nil {
		t.Fatal(err)
	}
	again := Config{State: folder}
	if _, err := again.recall(); err != nil || again.Site != "delft" || again.Name != "delft/one" {
		t.Errorf("it comes back as %q at %q, %v", again.Name, again.Site, err)
	}
	moved := Config{State: folder, Site: "paris"}
	if _, err := moved.recall(); err != nil || moved.Name != "" {
		t.Errorf("moved it is %q, %v", moved.Name, err)
	}
	if err := os.WriteFile(filepath.Join(folder, keptFile), []byte(`{"site":"a\u001b"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&Config{State: folder}).recall(); err == nil || !strings.Contains(err.Error(), keptFile+":1: ") {
		t.Errorf("a kept name that cannot be printed: %v", err)
	}
}
