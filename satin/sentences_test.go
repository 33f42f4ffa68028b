package satin_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// sentenceMost is how many words a sentence may have that tells what a function or a type is.
// Whoever needs more has a list to tell.
const sentenceMost = 50

// TestSentencesAreShort: what tells of a function, a type or a value is taken in at once.
// Packages' documentation is exempt, which is read in rest.
func TestSentencesAreShort(t *testing.T) {
	root := moduleRoot(t)
	sentences := 0
	for _, name := range goFiles(t, root) {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		n, long := longSentencesOf(t, name, text)
		sentences += n
		for _, at := range long {
			t.Errorf("%s; %d are the most: make a list of it", at, sentenceMost)
		}
	}
	if sentences < 5000 {
		t.Errorf("only %d sentences were looked at", sentences)
	}
}

var (
	fullStop = regexp.MustCompile(`([.!?]\)?)\s+([A-Z(\[])`)

	// blocks end at an empty line and before an item of a list
	blockEnds = regexp.MustCompile(`\n\s*\n|\n\s+(?:-|\d+\.) `)
)

// longSentencesOf counts the sentences that document what is declared, and says which of them are
// too long. Code and tables, which a tab indents, are none.
func longSentencesOf(t *testing.T, name string, text []byte) (sentences int, long []string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	look := func(doc *ast.CommentGroup) {
		if doc == nil {
			return
		}
		var prose []string
		for line := range strings.Lines(doc.Text()) {
			if !strings.HasPrefix(line, "\t") {
				prose = append(prose, line)
			}
		}
		for _, sentence := range blockEnds.Split(fullStop.ReplaceAllString(strings.Join(prose, ""), "$1\n\n$2"), -1) {
			words := strings.Fields(sentence)
			if len(words) > 0 {
				sentences++
			}
			if len(words) > sentenceMost {
				long = append(long, fmt.Sprintf("%s: a sentence of %d words, %q…", files.Position(doc.Pos()), len(words), strings.Join(words[:6], " ")))
			}
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			look(d.Doc)
		case *ast.GenDecl:
			look(d.Doc)
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					look(spec.Doc)
				case *ast.ValueSpec:
					look(spec.Doc)
				}
			}
		}
	}
	return sentences, long
}

// TestLongSentencesAreFound plants some.
func TestLongSentencesAreFound(t *testing.T) {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	for _, c := range []struct {
		doc  string
		long int
	}{
		{words(sentenceMost) + ".", 0},
		{words(sentenceMost+1) + ".", 1},
		{words(30) + ". " + "Word " + words(30) + ".", 0},
		{words(30) + ":\n//\n//   - " + words(30) + "\n//   - " + words(30) + ".", 0},
		{"Code:\n//\n//\t" + words(sentenceMost+1), 0},
	} {
		text := "// Package p " + words(sentenceMost) + "\npackage p\n\n// " + c.doc + "\nfunc f() {}\n"
		if _, long := longSentencesOf(t, "p.go", []byte(text)); len(long) != c.long {
			t.Errorf("%q: %q, wanted %d", c.doc, long, c.long)
		}
	}
}
