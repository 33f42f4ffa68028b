package satin_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A function fits on a screen and a file is one idea. Tests are exempt: a table is
// as long as its cases.
const (
	functionLinesMax = 60
	fileLinesMax     = 400
)

// tooLong are the exceptions, each with its reason: "folder/file.go" or "folder/file.go Function".
var tooLong = map[string]string{}

func TestSizes(t *testing.T) {
	used := map[string]bool{}
	for _, v := range checkSizes(t, moduleRoot(t)) {
		name, _, _ := strings.Cut(v.text, ":")
		used[name] = true
		if tooLong[name] == "" {
			t.Error(v)
		}
	}
	for name := range tooLong {
		if !used[name] {
			t.Errorf("%s is short enough now: take it off the list of exceptions", name)
		}
	}
}

func TestSizesNoticeViolations(t *testing.T) {
	root := t.TempDir()
	function := func(name string, lines int) string {
		return "func " + name + "() {\n" + strings.Repeat("\tprintln()\n", lines-2) + "}\n"
	}
	literal := strings.Replace(function("", functionLinesMax+1), "func ", "var v = func", 1)
	filled := func(lines int) string { return "package p\n" + strings.Repeat("\n", lines-1) }
	for name, source := range map[string]string{
		"function.go":  "package p\n" + function("fits", functionLinesMax) + "\n" + function("long", functionLinesMax+1),
		"literal.go":   "package p\n" + literal,
		"fits.go":      filled(fileLinesMax),
		"long.go":      filled(fileLinesMax + 1),
		"long_test.go": filled(2*fileLinesMax) + function("long", 2*functionLinesMax),
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, v := range checkSizes(t, root) {
		got = append(got, v.String())
	}
	want := []string{
		"function.go:63: function.go long: 61 lines, 60 at most",
		"literal.go:2: literal.go a function literal: 61 lines, 60 at most",
		"long.go:401: long.go: 401 lines, 400 at most",
	}
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// checkSizes measures every source file below root, and the functions in it.
func checkSizes(t *testing.T, root string) []violation {
	var found []violation
	for _, name := range goFiles(t, root) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(source, []byte("\n")); lines > fileLinesMax {
			found = append(found, violation{name, lines, fmt.Sprintf("%s: %d lines, %d at most", name, lines, fileLinesMax)})
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			ast.Inspect(decl, func(n ast.Node) bool {
				what := functionName(n)
				if what == "" {
					return true
				}
				first, last := fset.Position(n.Pos()).Line, fset.Position(n.End()).Line
				if lines := last - first + 1; lines > functionLinesMax {
					found = append(found, violation{name, first, fmt.Sprintf("%s %s: %d lines, %d at most", name, what, lines, functionLinesMax)})
				}
				return false // what is inside is counted
			})
		}
	}
	return found
}

// functionName names a function, or returns nothing for what is none.
func functionName(n ast.Node) string {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Name.Name
	case *ast.FuncLit:
		return "a function literal"
	}
	return ""
}
