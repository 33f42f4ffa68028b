package satin_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// methodsMax is how many methods a type may have. One that needs more is several parts with fields
// of their own. Tests are exempt.
const methodsMax = 60

func TestMethods(t *testing.T) {
	found := countMethods(t, moduleRoot(t))
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if n := found[name]; n > methodsMax {
			t.Errorf("%s has %d methods, and may have %d", name, n, methodsMax)
		}
	}
}

func TestMethodsNoticeViolations(t *testing.T) {
	root := t.TempDir()
	var source, rest strings.Builder
	source.WriteString("package p\ntype plain struct{}\ntype listed[K, V any] struct{}\ntype other struct{}\n")
	rest.WriteString("package p\n")
	for n := range methodsMax {
		fmt.Fprintf(&source, "func (plain) m%d() {}\nfunc (l *listed[K, V]) m%d() {}\nfunc (o *other) m%d() {}\n", n, n, n)
	}
	rest.WriteString("func (p *plain) more() {}\nfunc (l listed[_, _]) more() {}\nfunc more(o *other) {}\n")
	for name, text := range map[string]string{
		"p.go": source.String(), "rest.go": rest.String(), "p_test.go": "package p\nfunc (o *other) more() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int{". plain": methodsMax + 1, ". listed": methodsMax + 1, ". other": methodsMax}
	if got := countMethods(t, root); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

// countMethods counts the methods of every type below root, by "folder Type".
func countMethods(t *testing.T, root string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, name := range goFiles(t, root) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv != nil {
				found[path.Dir(filepath.ToSlash(name))+" "+receiverOf(f.Recv.List[0].Type)]++
			}
		}
	}
	return found
}

// receiverOf names the type of a receiver, which may be a pointer and may have parameters.
func receiverOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiverOf(e.X)
	case *ast.ParenExpr:
		return receiverOf(e.X)
	case *ast.IndexExpr:
		return receiverOf(e.X)
	case *ast.IndexListExpr:
		return receiverOf(e.X)
	case *ast.Ident:
		return e.Name
	}
	return fmt.Sprintf("%T", e)
}
