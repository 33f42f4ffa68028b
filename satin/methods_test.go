package satin_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// methodsMax is how many methods a type may have, with those of what it embeds: whoever has the
// type has to know them all. One that needs more is several components with fields of their own.
// Tests are exempt.
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
	source.WriteString("package p\n")
	for n := range methodsMax {
		fmt.Fprintf(&source, "func (plain) m%d() {}\nfunc (l *listed[K, V]) m%d() {}\nfunc (o *other) m%d() {}\n", n, n, n)
	}
	rest.WriteString(`package p

type plain struct{}
type listed[K, V any] struct{}
type other struct{}

// with those of what they embed, as far as they have none of that name
type embeds struct{ plain }
type inherits struct{ *embeds }
type composed struct{ p plain }
type promised interface {
	anything
	more()
}
type anything interface{ one(); two() }

func (p *plain) more() {}
func (l listed[_, _]) more() {}
func (e *embeds) m0() {}
func (e *embeds) yet() {}
func more(o *other) {}
`)
	for name, text := range map[string]string{
		"go.mod": "module p\n\ngo 1.26\n",
		"p.go":   source.String(), "rest.go": rest.String(), "p_test.go": "package p\nfunc (o *other) more() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int{
		"p.plain": methodsMax + 1, "p.listed": methodsMax + 1, "p.other": methodsMax,
		"p.embeds": methodsMax + 2, "p.inherits": methodsMax + 2, "p.promised": 3, "p.anything": 2,
	}
	if got := countMethods(t, root); !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

// countMethods counts the methods of every type below root that has some, by "package.Type".
func countMethods(t *testing.T, root string) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, pkg := range declaredTypes(t, root) {
		for _, name := range pkg.Scope().Names() {
			of, ok := pkg.Scope().Lookup(name).(*types.TypeName)
			if !ok || of.IsAlias() {
				continue
			}
			typ := of.Type()
			if !types.IsInterface(typ) {
				typ = types.NewPointer(typ)
			}
			if n := types.NewMethodSet(typ).Len(); n > 0 {
				found[strings.TrimPrefix(pkg.Path(), module+"/")+"."+name] = n
			}
		}
	}
	return found
}

// declaredTypes are the packages below root, without their tests and without what their functions
// do.
func declaredTypes(t *testing.T, root string) (all []*types.Package) {
	t.Helper()
	listed, exports := listPackages(t, root, "./...")
	fset := token.NewFileSet()
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", exports), IgnoreFuncBodies: true}
	for _, p := range listed {
		var files []*ast.File
		for _, name := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		pkg, err := config.Check(p.ImportPath, fset, files, nil)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pkg)
	}
	return all
}
