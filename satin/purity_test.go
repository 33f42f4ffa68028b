package satin_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// machines do no I/O, start no goroutine, read no clock, use no global random source and let no map
// decide an order: a schedule that fails replays from its seed. Nor does what drives them in a
// process and in the simulator alike.
var machines = []string{
	"membership", "steal", "orphan", "satin/peer", "satin/control/driver", "satin/control/statistics",
}

// pureImports are the packages that a machine may import besides ours: none of them reaches outside
// by itself. It is a list of what is allowed because a list of what is not would never be complete.
var pureImports = []string{
	"bytes", "cmp", "container/heap", "container/list", "crypto/sha256", "encoding/binary", "encoding/hex",
	"errors", "fmt", "hash/crc32", "hash/fnv", "iter", "maps", "math", "math/bits", "math/rand", "math/rand/v2", "slices", "sort",
	"strconv", "strings", "time", "unicode", "unicode/utf8",
}

// pureFunctions are, of packages whose other functions reach outside, the functions that do not.
// Methods and types are free: whoever needs a source or a clock must be given it.
var pureFunctions = map[string][]string{
	"fmt":          {"Append", "Appendf", "Appendln", "Errorf", "Fprint", "Fprintf", "Fprintln", "Sprint", "Sprintf", "Sprintln"},
	"math/rand":    {"New", "NewSource", "NewZipf"},
	"math/rand/v2": {"New", "NewChaCha8", "NewPCG", "NewZipf"},
	"time":         {"ParseDuration"},
}

func TestMachinesArePure(t *testing.T) {
	root := moduleRoot(t)
	for _, folder := range machines {
		if _, err := os.Stat(filepath.Join(root, folder)); err != nil {
			t.Errorf("a machine that is not there is not judged: %v", err)
			continue
		}
		report(t, checkPurity(t, root, folder))
	}
}

func TestMachinesArePureNoticesViolations(t *testing.T) {
	const folder = "satin/testdata/architecture/purity"
	root := moduleRoot(t)
	found := checkPurity(t, root, folder)
	for i := range found {
		found[i].file = strings.TrimPrefix(found[i].file, folder+"/")
	}
	comparePlanted(t, filepath.Join(root, folder), found)
}

// A listedPackage is what the go command tells of a package.
type listedPackage struct {
	Dir, ImportPath string
	GoFiles         []string
	CgoFiles        []string
	IgnoredGoFiles  []string
	Export          string // the file with its types
	DepOnly         bool
}

// checkPurity type-checks the packages in folder, without their tests, and looks for what a
// machine must not do.
func checkPurity(t *testing.T, root, folder string) []violation {
	t.Helper()
	checked, exports := listPackages(t, root, "./"+folder+"/...")
	fset := token.NewFileSet()
	types := importer.ForCompiler(fset, "gc", exports)
	var found []violation
	for _, p := range checked {
		found = append(found, checkPackage(t, root, p, fset, types)...)
	}
	return found
}

// listPackages are the packages that a pattern names, and where the types of what
// they import are found.
func listPackages(t *testing.T, root, pattern string) (listed []listedPackage, exports importer.Lookup) {
	t.Helper()
	// the profile would have all that the command is made of built twice
	listing := goTool(t, "list", "-C", root, "-deps", "-export", "-pgo=off",
		"-json=Dir,ImportPath,GoFiles,CgoFiles,IgnoredGoFiles,Export,DepOnly", pattern)
	files := map[string]string{}
	for d := json.NewDecoder(strings.NewReader(listing)); ; {
		var p listedPackage
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		files[p.ImportPath] = p.Export
		if !p.DepOnly {
			listed = append(listed, p)
		}
	}
	if len(listed) == 0 {
		t.Fatalf("no package in %s", pattern)
	}
	return listed, func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

func checkPackage(t *testing.T, root string, p listedPackage, fset *token.FileSet, imports types.Importer) []violation {
	t.Helper()
	rel, err := filepath.Rel(root, p.Dir)
	if err != nil {
		t.Fatal(err)
	}
	i := &inspector{fset: fset, folder: filepath.ToSlash(rel)}
	for _, name := range slices.Concat(p.CgoFiles, p.IgnoredGoFiles) {
		if !strings.HasSuffix(name, "_test.go") {
			i.found = append(i.found, violation{path.Join(i.folder, name), 1, "a build constraint: a machine is the same everywhere"})
		}
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	i.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports}
	if _, err := config.Check(p.ImportPath, fset, files, i.info); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		i.file(file)
	}
	return i.found
}

// An inspector collects what the files of one package must not do.
type inspector struct {
	fset   *token.FileSet
	folder string
	info   *types.Info
	above  []ast.Node // what the node in hand stands in, the file first
	found  []violation
}

func (i *inspector) fault(n ast.Node, format string, args ...any) {
	at := i.fset.Position(n.Pos())
	i.found = append(i.found, violation{path.Join(i.folder, filepath.Base(at.Filename)), at.Line, fmt.Sprintf(format, args...)})
}

func (i *inspector) file(file *ast.File) {
	for _, spec := range file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		if !strings.HasPrefix(imported, module+"/") && !slices.Contains(pureImports, imported) {
			i.fault(spec, "%s is not on the list of what a machine may import", imported)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			i.above = i.above[:len(i.above)-1]
			return true
		}
		i.node(n)
		i.above = append(i.above, n)
		return true
	})
}

func (i *inspector) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		i.fault(n, "a go statement")
	case *ast.SelectStmt:
		i.fault(n, "a select statement")
	case *ast.ChanType, *ast.SendStmt:
		i.fault(n, "a channel")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			i.fault(n, "a channel is received from")
		}
	case *ast.RangeStmt:
		i.loop(n)
	case *ast.Ident:
		i.use(n)
	}
}

// use judges a function of another package, or a builtin, wherever it is named.
func (i *inspector) use(id *ast.Ident) {
	switch used := i.info.Uses[id].(type) {
	case *types.Builtin:
		if used.Name() == "print" || used.Name() == "println" {
			i.fault(id, "%s writes to the process's standard error", used.Name())
		}
	case *types.Func:
		if used.Pkg() == nil || used.Signature().Recv() != nil {
			return
		}
		from := used.Pkg().Path()
		if allowed, ok := pureFunctions[from]; ok && !slices.Contains(allowed, used.Name()) {
			i.fault(id, "%s.%s reaches outside: a machine is given its time and its random source", from, used.Name())
		}
		if from == "maps" {
			i.useOfMaps(id)
		}
	}
}
