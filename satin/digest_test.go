package satin_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// digested are the functions of a machine that may make digests: of what is short, and those that
// are called elsewhere than on the loop.
var digested = []string{
	// the callers', and of two short ones
	"steal/key.go KeyOf", "steal/loan.go StampOf", "steal/loan.go ID",
	// where values are made, or decoded
	"satin/peer/effects.go RootOf", "satin/peer/vet.go vetStamp", "satin/peer/vet.go vetRoot",
	"satin/peer/check.go Check", // for tests
	"satin/peer/facts.go add",   // a fact is short
}

// TestMachinesDigestNothingLong: a digest of a root of 60 MB takes a tenth of a second, in which
// heartbeats would wait.
func TestMachinesDigestNothingLong(t *testing.T) {
	root := moduleRoot(t)
	calls := 0
	for _, folder := range machines {
		files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", folder, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, text, 0)
			if err != nil {
				t.Fatal(err)
			}
			name, _ := filepath.Rel(root, file)
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok {
					continue
				}
				ast.Inspect(fn, func(n ast.Node) bool {
					if !isDigest(n) {
						return true
					}
					calls++
					if by := filepath.ToSlash(name) + " " + fn.Name.Name; !slices.Contains(digested, by) {
						t.Errorf("%s makes a digest: of what, how long may it be?", by)
					}
					return true
				})
			}
		}
	}
	if calls < 5 {
		t.Errorf("only %d calls were seen", calls)
	}
}

// isDigest tells whether a piece of a program calls what makes a digest.
func isDigest(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	return slices.Contains([]string{"KeyOf", "StampOf", "RootOf", "Sum256"}, name)
}
