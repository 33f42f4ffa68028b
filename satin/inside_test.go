package satin_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTestsInsideSayWhy: package satin is tested as programs see it. A test that looks inside says
// in its first line why it has to.
func TestTestsInsideSayWhy(t *testing.T) {
	files, err := filepath.Glob("*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if looksInside(string(text)) && !saysWhy(string(text)) {
			t.Errorf("%s is in package satin and does not begin with %q", name, inside)
		}
	}
	bare := "package satin\n\nimport \"testing\"\n"
	if !looksInside(bare) || saysWhy(bare) || looksInside("package satin_test\n") {
		t.Error("a file that says nothing would not be noticed")
	}
}

const inside = "// Inside the package: "

func looksInside(text string) bool { return strings.Contains("\n"+text, "\npackage satin\n") }

func saysWhy(text string) bool { return strings.Contains("\n"+text, "\npackage satin\n\n"+inside) }
