package raytracer

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"satingrid/satin/effort"
)

// exactMath is what package math does exactly, or by looking at bits: the same on every machine.
var exactMath = map[string]bool{
	"Sqrt": true, "Floor": true, "Ceil": true, "Trunc": true, "Abs": true, "Copysign": true, "Signbit": true,
	"Inf": true, "NaN": true, "IsInf": true, "IsNaN": true,
	"Float32bits": true, "Float32frombits": true, "Float64bits": true, "Float64frombits": true,
}

// TestSourcesAreExact reads the raytracer's own sources. A compiler may fuse a product with a later
// sum into one instruction that rounds once, across statements and calls, unless an explicit
// conversion stands around the product. So every product of floats that is not a constant stands
// directly inside a conversion, or inside another product, a quotient or a comparison, which cannot
// be fused; and of package math only what is exact is used.
func TestSourcesAreExact(t *testing.T) {
	if effort.Raced() {
		t.Skip("it reads sources, in one goroutine: nothing for the race detector")
	}
	cfg := &packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedSyntax | packages.NeedTypes |
		packages.NeedTypesInfo | packages.NeedImports | packages.NeedExportFile}
	found, err := packages.Load(cfg, "./...")
	if err != nil {
		t.Fatal(err)
	}
	products := 0
	for _, p := range found {
		for _, err := range p.Errors {
			t.Fatalf("%s: %v", p.PkgPath, err)
		}
		for _, f := range p.Syntax {
			n, faults := inexact(p.Fset, f, p.TypesInfo)
			products += n
			for _, fault := range faults {
				t.Error(fault)
			}
		}
	}
	if products < 300 {
		t.Errorf("only %d products of floats were looked at; the raytracer has many more", products)
	}
}

func TestPlantedInexactSourcesAreFound(t *testing.T) {
	files, err := filepath.Glob("testdata/inexact/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no planted sources:", err)
	}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
		if _, err := (&types.Config{Importer: mathOnly{}}).Check("planted", fset, []*ast.File{f}, info); err != nil {
			t.Fatal(err)
		}
		_, faults := inexact(fset, f, info)
		got := map[int]bool{}
		for _, fault := range faults {
			var line int
			_, rest, _ := strings.Cut(fault, ".go:")
			fmt.Sscanf(rest, "%d", &line)
			got[line] = true
		}
		for i, line := range strings.Split(string(src), "\n") {
			if want := strings.Contains(line, "// fault"); want != got[i+1] {
				t.Errorf("%s:%d: found %v, planted %v: %s", name, i+1, got[i+1], want, strings.TrimSpace(line))
			}
		}
	}
}

// mathOnly imports a package math that has what the planted sources use.
type mathOnly struct{}

func (mathOnly) Import(path string) (*types.Package, error) {
	p := types.NewPackage(path, "math")
	f64 := types.NewVar(token.NoPos, p, "x", types.Typ[types.Float64])
	sig := types.NewSignatureType(nil, nil, nil, types.NewTuple(f64), types.NewTuple(f64), false)
	for _, name := range []string{"Sqrt", "Sin"} {
		p.Scope().Insert(types.NewFunc(token.NoPos, p, name, sig))
	}
	p.MarkComplete()
	return p, nil
}

// inexact counts a file's products of floats and tells which of them, and which calls, may
// differ between machines.
func inexact(fset *token.FileSet, f *ast.File, info *types.Info) (products int, faults []string) {
	fault := func(n ast.Node, what string) {
		faults = append(faults, fmt.Sprintf("%s: %s", fset.Position(n.Pos()), what))
	}
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.MUL && isFloat(info, n) && info.Types[n].Value == nil {
				products++
				if !rounded(info, stack) {
					fault(n, "a product of floats that may be fused; expected a conversion such as float64(x*y) around it")
				}
			}
		case *ast.AssignStmt:
			if n.Tok == token.MUL_ASSIGN && isFloat(info, n.Lhs[0]) {
				fault(n, "a product of floats that may be fused; expected x = float64(x * y)")
			}
		case *ast.SelectorExpr:
			if o := info.Uses[n.Sel]; o != nil && o.Pkg() != nil && strings.HasPrefix(o.Pkg().Path(), "math") {
				_, isFunc := o.(*types.Func)
				if isFunc && (o.Pkg().Path() == "math" && !exactMath[o.Name()] || o.Pkg().Path() == "math/cmplx" || o.Pkg().Path() == "math/rand") {
					fault(n, o.Pkg().Path()+"."+o.Name()+" may differ between machines; expected one of package num")
				}
			}
		}
		stack = append(stack, n)
		return true
	})
	return products, faults
}

// rounded tells whether the expression whose ancestors are given is used where nothing
// can be fused with it.
func rounded(info *types.Info, ancestors []ast.Node) bool {
	for i := len(ancestors) - 1; i >= 0; i-- {
		switch p := ancestors[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			return info.Types[p.Fun].IsType()
		case *ast.BinaryExpr:
			switch p.Op {
			case token.MUL, token.QUO, token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
				return true
			}
		}
		return false
	}
	return false
}

func isFloat(info *types.Info, e ast.Expr) bool {
	t := info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}
