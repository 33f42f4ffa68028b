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
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ordered are the packages whose documentation lists their files from low to high.
var ordered = []string{"satin", "satin/control", "satin/peer"}

// upwardMax is how many of a hundred arrows may point upward. An arrow is one file's use of what
// another declares.
const upwardMax = 10

// TestFilesUseWhatIsBelow: whoever reads a package in the order of its documentation meets what a
// file uses before the file, nearly always.
func TestFilesUseWhatIsBelow(t *testing.T) {
	root := moduleRoot(t)
	for _, folder := range ordered {
		files, arrows := arrowsOf(t, root, folder)
		listed := filesListed(t, filepath.Join(root, folder), files)
		for _, wrong := range judgeFiles(files, listed) {
			t.Errorf("%s: %s", folder, wrong)
		}
		up := upward(arrows, listed)
		t.Logf("%s: %d arrows, %d of them upward", folder, len(arrows), len(up))
		if len(arrows) == 0 || 100*len(up) > upwardMax*len(arrows) {
			t.Errorf("%s: %d of %d arrows point upward, which is more than %d in a hundred:\n%s",
				folder, len(up), len(arrows), upwardMax, strings.Join(up, "\n"))
		}
	}
}

func TestFilesUseWhatIsBelowNoticesViolations(t *testing.T) {
	arrows := map[arrow]string{{"b.go", "a.go"}: "A", {"a.go", "b.go"}: "B"}
	if up := upward(arrows, []string{"a.go", "b.go"}); !slices.Equal(up, []string{"a.go uses B of b.go"}) {
		t.Errorf("upward is %q", up)
	}
	if wrong := judgeFiles([]string{"a.go", "b.go", "doc.go"}, []string{"b.go", "c.go"}); len(wrong) != 2 {
		t.Errorf("one file is not listed, and one is not there: %q", wrong)
	}
}

// arrow is that one file uses another.
type arrow struct{ from, to string }

// upward says which arrows point to a file that stands later in the list.
func upward(arrows map[arrow]string, listed []string) (up []string) {
	for a, name := range arrows {
		if slices.Index(listed, a.from) < slices.Index(listed, a.to) {
			up = append(up, fmt.Sprintf("%s uses %s of %s", a.from, name, a.to))
		}
	}
	slices.Sort(up)
	return up
}

// judgeFiles compares the files of a package with those that its documentation lists.
func judgeFiles(files, listed []string) (wrong []string) {
	for _, name := range files {
		if !isDoc(name) && !slices.Contains(listed, name) {
			wrong = append(wrong, name+" is not listed in the documentation")
		}
	}
	for _, name := range listed {
		if !slices.Contains(files, name) {
			wrong = append(wrong, name+" is listed in the documentation, and not there")
		}
	}
	return wrong
}

var fileListed = regexp.MustCompile(`(?m)^//\t(\w+\.go) `)

// isDoc tells whether a file has nothing but documentation: doc.go, doc_files.go.
func isDoc(name string) bool { return strings.HasPrefix(name, "doc") }

// filesListed are the files that a package's documentation lists.
func filesListed(t *testing.T, folder string, files []string) (listed []string) {
	t.Helper()
	for _, name := range files {
		if !isDoc(name) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range fileListed.FindAllStringSubmatch(string(text), -1) {
			listed = append(listed, m[1])
		}
	}
	return listed
}

// arrowsOf are the files of a package, and its arrows, each with a name that is used.
func arrowsOf(t *testing.T, root, folder string) (files []string, arrows map[arrow]string) {
	t.Helper()
	p := typed(t, root, folder)
	arrows = map[arrow]string{}
	byPlace := func(a, b *ast.Ident) int { return int(a.Pos() - b.Pos()) }
	for _, id := range slices.SortedFunc(maps.Keys(p.info.Uses), byPlace) {
		used := p.info.Uses[id]
		if from, to := p.fileOf(id.Pos()), p.fileOf(used.Pos()); used.Pkg() == p.pkg && from != to {
			if _, known := arrows[arrow{from, to}]; !known {
				arrows[arrow{from, to}] = used.Name()
			}
		}
	}
	return p.names, arrows
}

// typedPackage is a package of the module whose types are known.
type typedPackage struct {
	names []string // of its files
	files []*ast.File
	fset  *token.FileSet
	pkg   *types.Package
	info  *types.Info
}

func (p *typedPackage) fileOf(at token.Pos) string {
	return filepath.Base(p.fset.Position(at).Filename)
}

func typed(t *testing.T, root, folder string) *typedPackage {
	t.Helper()
	listed, exports := listPackages(t, root, "./"+folder)
	p := &typedPackage{
		names: listed[0].GoFiles, fset: token.NewFileSet(),
		info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}},
	}
	for _, name := range listed[0].GoFiles {
		file, err := parser.ParseFile(p.fset, filepath.Join(listed[0].Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, file)
	}
	config := types.Config{Importer: importer.ForCompiler(p.fset, "gc", exports)}
	pkg, err := config.Check(listed[0].ImportPath, p.fset, p.files, p.info)
	if err != nil {
		t.Fatal(err)
	}
	p.pkg = pkg
	return p
}
