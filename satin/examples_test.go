package satin_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// exemplified are the packages that programs, and their tests, are written with.
var exemplified = []string{"satin", "satin/program", "satin/satintest", "satin/store"}

// TestPublicCallsHaveExamples: each call of these packages is made in a file of examples beside it.
// Those of two types that have one name are not told apart.
func TestPublicCallsHaveExamples(t *testing.T) {
	root := moduleRoot(t)
	calls := 0
	for _, folder := range exemplified {
		public, made := []string{}, map[string]bool{}
		for _, name := range goFiles(t, root) {
			if path.Dir(name) != folder {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(name, "_test.go") {
				callsOfExamples(file, made)
			} else {
				public = append(public, publicCalls(file)...)
			}
		}
		calls += len(public)
		for _, call := range public {
			if !made[call[strings.LastIndexByte(call, '.')+1:]] {
				t.Errorf("no example of %s calls %s", folder, call)
			}
		}
	}
	if calls < 100 {
		t.Errorf("%d calls were looked for", calls)
	}
}

// publicCalls are the functions and methods of a file that others may call; but for what fmt and
// errors call, what ends the process, and what takes a test, which no example has.
func publicCalls(file *ast.File) (calls []string) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !f.Name.IsExported() {
			continue
		}
		switch f.Name.Name {
		case "Error", "Unwrap", "String", "Main":
			continue
		}
		name := declaredBy(f)[0]
		if ast.IsExported(name) && !takesTest(f) {
			calls = append(calls, name)
		}
	}
	return calls
}

func takesTest(f *ast.FuncDecl) bool {
	for _, p := range f.Type.Params.List {
		of := p.Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		if s, ok := of.(*ast.SelectorExpr); ok && fmt.Sprint(s.X) == "testing" {
			return true
		}
	}
	return false
}

// callsOfExamples notes what a file names of others, if it has an example.
func callsOfExamples(file *ast.File, made map[string]bool) {
	has := false
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		has = has || ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example")
	}
	if !has {
		return
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			made[s.Sel.Name] = true
		}
		return true
	})
}
