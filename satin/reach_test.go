package satin_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// TestComponentsAreTold: what a component of a peer has in its fields is changed by its own methods
// alone; all others tell it what has happened. Who makes them may do it, too.
func TestComponentsAreTold(t *testing.T) {
	p := typed(t, moduleRoot(t), "satin/peer")
	components := map[types.Type]bool{}
	for _, group := range []string{"entryComponents", "workComponents", "runComponents"} {
		all := p.pkg.Scope().Lookup(group).Type().Underlying().(*types.Struct)
		for n := range all.NumFields() {
			components[all.Field(n).Type()] = true
		}
	}
	if len(components) < 40 {
		t.Fatalf("only %d components were found", len(components))
	}
	for _, file := range p.files {
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil && (strings.HasPrefix(f.Name.Name, "compose") || f.Name.Name == "New") {
				continue
			}
			for _, wrong := range p.reaches(f, components) {
				t.Error(wrong)
			}
		}
	}
}

func TestComponentsAreToldNoticesViolations(t *testing.T) {
	const source = `package p
type a struct{ n int; other *b }
type b struct{ n int }
func (x *a) own()     { x.n++ }
func (x *a) reaches() { x.other.n = 1 }
func reachesToo(x *b) { x.n++ }`
	p := &typedPackage{fset: token.NewFileSet(), info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	file, err := parser.ParseFile(p.fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	if p.pkg, err = (&types.Config{}).Check("p", p.fset, []*ast.File{file}, p.info); err != nil {
		t.Fatal(err)
	}
	components := map[types.Type]bool{p.pkg.Scope().Lookup("a").Type(): true, p.pkg.Scope().Lookup("b").Type(): true}
	var found []string
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			found = append(found, p.reaches(f, components)...)
		}
	}
	if len(found) != 2 || !strings.Contains(found[0], "reaches sets n of b") || !strings.Contains(found[1], "reachesToo sets n of b") {
		t.Errorf("found is %q", found)
	}
}

// reaches says where a function changes a field of what others' methods are of.
func (p *typedPackage) reaches(f *ast.FuncDecl, components map[types.Type]bool) (wrong []string) {
	var own types.Type
	if f.Recv != nil {
		own = bare(p.info.TypeOf(f.Recv.List[0].Type))
	}
	changes := func(e ast.Expr) {
		field, ok := e.(*ast.SelectorExpr)
		if !ok {
			return
		}
		if of := bare(p.info.TypeOf(field.X)); components[of] && of != own {
			at := p.fset.Position(e.Pos())
			wrong = append(wrong, fmt.Sprintf("%s:%d: %s sets %s of %s: tell that what has happened",
				p.fileOf(e.Pos()), at.Line, f.Name.Name, field.Sel.Name, types.TypeString(of, types.RelativeTo(p.pkg))))
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				changes(e)
			}
		case *ast.IncDecStmt:
			changes(n.X)
		}
		return true
	})
	return wrong
}

// bare is a type without its pointer.
func bare(t types.Type) types.Type {
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
