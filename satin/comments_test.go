package satin_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// commentMost is the last column of a comment, a tab being eight.
const commentMost = 100

// TestCommentsAreNarrow: nobody has to scroll to read what is meant. Code and tables in a comment,
// which are indented, are as wide as they are, as is the output of an example.
func TestCommentsAreNarrow(t *testing.T) {
	root := moduleRoot(t)
	lines := 0
	for _, name := range goFiles(t, root) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		n, wide := wideComments(t, name, text)
		lines += n
		for _, at := range wide {
			t.Errorf("%s: the comment goes beyond column %d", at, commentMost)
		}
	}
	for _, pattern := range []string{".ci/steps/*.sh", "*/testdata/*.txt", "*/*/testdata/*.txt", "cmd/satin/testdata/script/*.txtar"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(names) == 0 {
			t.Fatalf("no file is %s: %v", pattern, err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for n, line := range strings.Split(string(text), "\n") {
				if strings.HasPrefix(line, "# ") && utf8.RuneCountInString(line) > commentMost {
					t.Errorf("%s:%d: the comment goes beyond column %d", name, n+1, commentMost)
				}
			}
		}
	}
	if lines < 5000 {
		t.Errorf("only %d lines of comments were looked at", lines)
	}
}

// wideComments counts the lines that are comments and nothing else, and says where a comment,
// beside code or alone, ends too far to the right.
func wideComments(t *testing.T, name string, text []byte) (lines int, wide []string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	source := strings.Split(string(text), "\n")
	for _, group := range file.Comments {
		if isOutput(group) {
			continue
		}
		for _, c := range group.List {
			at := files.Position(c.Pos())
			line := source[at.Line-1]
			said, own := strings.CutPrefix(strings.TrimLeft(line, "\t"), "//")
			if own {
				lines++
			} else if said, own = strings.CutPrefix(c.Text, "//"); !own {
				continue // it ends within the line
			}
			isIndented := strings.HasPrefix(said, "\t")
			width := utf8.RuneCountInString(line) + 7*strings.Count(line, "\t")
			if width > commentMost && !isIndented && strings.Contains(strings.TrimSpace(said), " ") {
				wide = append(wide, at.String())
			}
		}
	}
	return lines, wide
}

// isOutput tells whether comments are what an example prints.
func isOutput(group *ast.CommentGroup) bool {
	said := strings.ToLower(strings.TrimSpace(group.Text()))
	return strings.HasPrefix(said, "output:") || strings.HasPrefix(said, "unordered output:")
}

// TestWideCommentsAreFound plants some.
func TestWideCommentsAreFound(t *testing.T) {
	long := strings.Repeat("word ", 21)
	for _, c := range []struct {
		text string
		wide int
	}{
		{"// " + long + "\npackage p\n", 1},
		{"package p\n\nfunc f() {\n\t// " + long[:91] + "\n}\n", 1},
		{"package p\n\nfunc f() {\n\t// " + long[:88] + "\n}\n", 0},
		{"// A table:\n//\n//\t" + long + "\npackage p\n", 0},
		{"// A list:\n//\n//   - " + long[:70] + "\n//     " + long + "\npackage p\n", 1},
		{"package p\n\nvar x int // " + long + "\n", 1},
		{"package p\n\nfunc f() {\n\tg() // " + long[:86] + "\n}\n", 1},
		{"package p\n\nfunc f() {\n\tg() // " + long[:84] + "\n}\n", 0},
		{"package p\n\nfunc Example() {\n\t// Output:\n\t// " + long + "\n}\n", 0},
	} {
		if _, wide := wideComments(t, "p.go", []byte(c.text)); len(wide) != c.wide {
			t.Errorf("%q: %v, wanted %d", c.text, wide, c.wide)
		}
	}
}
