package satin_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is how our own packages are imported.
const module = "satingrid"

// A layer is a folder with all below it that no other layer names, and what its packages
// may import of ours. Another layer's name stands for that whole layer. Nobody imports what
// is not written here.
type layer struct {
	// "apps/*" is one layer for each folder in apps, "apps/*/cli" for each cli in one of them
	folder string
	may    []string
	tests  []string // what its tests may import besides
	// it may also import the layers within its own folder, but those that import it
	below bool
	// it may also import the folder that its own is in, and the layers within that
	beside bool
}

// The machines know only the machines before them, so that the simulator runs the very code that
// ships, and the carrier knows nothing of ours, so that it can be changed for another.
var layers = []layer{
	{folder: "membership"},
	{folder: "steal", may: []string{"membership"}},
	{folder: "orphan", may: []string{"membership", "steal"}},
	{folder: "satin/peer", may: []string{"membership", "steal", "orphan"}},
	// without a carrier: gridsim encodes, too
	{folder: "satin/wire", may: []string{"membership", "satin/peer"}, tests: []string{"steal", "orphan"}},
	// the suite that holds data planes to satin/peer/workers
	{folder: "satin/peer/workerstest", may: []string{"membership", "steal", "satin/peer"}},
	{folder: "satin/atomicfile"},
	{folder: "satin/await"},  // how tests wait
	{folder: "satin/golden"}, // how tests compare with files
	{folder: "satin/effort"}, // how much tests do
	// what a node keeps on disk: it knows no jobs
	{folder: "satin/store", may: []string{"satin/atomicfile"}, tests: []string{"satin/await"}},
	{folder: "satin/p2p", may: []string{"satin/atomicfile"}, tests: []string{"satin/p2p/wan", "satin/await"}},
	// distance, for who tries sites at home: the carrier takes it by an interface
	{folder: "satin/p2p/wan", tests: []string{"satin/await"}},
	// what a program hands to satin.Open, without the carrier
	{folder: "satin/ticket", may: []string{"satin/atomicfile"}},
	{folder: "satin/build", tests: []string{"satin/effort"}},
	// how long a run will take
	{folder: "satin/forecast"},
	// what was foretold beside what came
	{folder: "satin/forecast/trial", may: []string{"satin/forecast", "satin/program/figure"}},
	// what a submitter knows of its run
	{folder: "satin/control/statistics", may: []string{"membership", "satin/peer"}},
	{
		// the part of the loop that gridsim drives its hosts by, too: so without the
		// carrier, which brings libp2p
		folder: "satin/control/driver",
		may:    []string{"membership", "steal", "satin/peer", "satin/control/statistics"},
		tests:  []string{"satin/wire"},
	},
	{ // the loop: it knows tasks and values by what satin gives it
		folder: "satin/control",
		may: []string{
			"membership", "steal", "satin/peer", "satin/wire", "satin/p2p", "satin/ticket",
			"satin/control/driver", "satin/control/statistics", "satin/atomicfile", "satin/store",
		},
		tests: []string{"orphan"},
	},
	{
		folder: "satin",
		may: []string{
			"satin/control", "satin/control/driver", "satin/control/statistics", "steal", "satin/peer", "satin/wire",
			"satin/p2p", "satin/ticket", "satin/build", "satin/forecast",
		},
		tests: []string{
			"membership", "orphan", "satin/satintest", "satin/peer/workerstest", "satin/await", "satin/effort", "apps", "apps/*",
		},
	},
	{ // its network in memory speaks the carrier's words
		folder: "satin/satintest",
		may:    []string{"satin", "satin/p2p", "satin/ticket"},
		tests:  []string{"satin/await", "apps/*", "apps/uts/tree"},
	},
	{ // what makes any binary a grid program
		folder: "satin/program",
		may: []string{
			"satin", "satin/atomicfile", "satin/build", "satin/program/wording", "satin/program/console",
			"satin/program/node", "satin/program/launch", "satin/program/runs", "satin/program/local",
			"satin/program/chaos", "satin/program/recovery", "satin/program/figure", "satin/program/recording", "satin/program/across",
		},
		tests: []string{"satin/ticket", "satin/program/programtest", "satin/satintest", "satin/await"},
	},
	{folder: "satin/program/wording"},
	// what measurements came to
	{folder: "satin/program/figure"},
	// applications' tests of what they say of themselves
	{folder: "satin/program/programtest", may: []string{"satin/program", "satin/program/console"}},
	// programs as anybody writes them
	{
		folder: "satin/program/examples",
		may:    []string{"satin", "satin/program"},
		tests:  []string{"satin/satintest", "satin/program/programtest", "satin/await"},
	},
	// how commands talk
	{folder: "satin/program/console", may: []string{"satin"}},
	{ // what a person does with nodes; the carrier is for identities and refusals
		folder: "satin/program/node",
		may: []string{
			"satin", "satin/atomicfile", "satin/build", "satin/p2p", "satin/ticket", "satin/forecast", "satin/program/wording",
			"satin/program/console",
			"satin/program/admin", "satin/program/metrics", "satin/program/across", "satin/program/observe", "satin/program/top", "satin/program/recording", "satin/program/moments", "satin/program/dash", "satin/program/runs", "satin/program/hosting",
			"satin/program/local",
		},
		tests: []string{"satin/satintest", "satin/await"},
	},
	{ // nodes where people have machines: it runs them as processes, and knows their tickets
		folder: "satin/program/launch",
		may: []string{
			"satin/atomicfile", "satin/ticket", "satin/program/wording", "satin/program/console", "satin/program/node",
			"satin/program/local",
		},
		tests: []string{"satin", "satin/await"},
	},
	// where a node runs
	{folder: "satin/program/hosting", may: []string{"satin/program/local"}},
	{ // what runs are called, and what has happened to them
		folder: "satin/program/runs",
		may:    []string{"satin", "satin/atomicfile", "satin/program/wording", "satin/program/local"},
	},
	// a grid of processes on this machine
	{folder: "satin/program/local", may: []string{"satin", "satin/ticket", "satin/p2p/wan"}},
	{folder: "satin/program/chaos", may: []string{"satin/program/local"}},
	// what losses cost a run: it runs the binary
	{folder: "satin/program/recovery", may: []string{"satin/program/wording", "satin/program/figure"}},
	// what a command tells the node that runs here
	{folder: "satin/program/admin", may: []string{"satin", "satin/program/runs"}},
	// what a node tells whoever watches many
	{folder: "satin/program/metrics", may: []string{"satin", "satin/program/admin"}},
	// what hosts of two builds say to each other
	{folder: "satin/program/across", may: []string{"satin", "satin/ticket", "satin/program/runs"}, tests: []string{"satin/p2p"}},
	// what a whole grid does, as hosts tell
	{
		folder: "satin/program/observe",
		may:    []string{"satin", "satin/forecast", "satin/program/across", "satin/program/console", "satin/program/wording"},
		tests:  []string{"satin/golden"},
	},
	// the same on a full screen
	{
		folder: "satin/program/top",
		may:    []string{"satin/program/observe", "satin/program/moments", "satin/program/wording"},
		tests:  []string{"satin", "satin/program/across", "satin/await", "satin/golden"},
	},
	// the same written down
	{
		folder: "satin/program/recording",
		may:    []string{"satin/program/across", "satin/program/observe", "satin/program/console", "satin/program/wording"},
		tests:  []string{"satin"},
	},
	// one moment of it after the other, live and recorded
	{
		folder: "satin/program/moments",
		may:    []string{"satin/program/observe", "satin/program/recording"},
		tests:  []string{"satin", "satin/program/across"},
	},
	{ // the same on a page
		folder: "satin/program/dash",
		may:    []string{"satin/program/observe", "satin/program/recording", "satin/program/moments"},
		tests:  []string{"satin/await", "satin/program/across"},
	},
	// the list of them
	{folder: "apps", may: []string{"satin/program", "apps/*/cli"}},
	// a pure generator: gridsim draws its trees from it
	{folder: "apps/uts/tree", tests: []string{"satin/effort"}},
	{folder: "apps/*", may: []string{"satin"}, tests: []string{"satin/satintest", "satin/effort"}, below: true},
	// of its own application only
	{
		folder: "apps/*/cli",
		may:    []string{"satin", "satin/program", "satin/program/wording"},
		tests:  []string{"satin/program/programtest", "satin/program/console", "satin/await"},
		beside: true,
	},
	{
		folder: "gridsim",
		may:    []string{"membership", "steal", "orphan", "satin/peer", "satin/wire", "satin/control/driver", "satin/control/statistics", "apps/uts/tree"},
		tests:  []string{"satin/peer/workerstest", "gridsim/plants", "satin/effort"},
	},
	{ // what people ask it: it has its words from satin run --chaos
		folder: "gridsim/scenario",
		may: []string{
			"membership", "steal", "gridsim", "satin", "satin/program/chaos", "satin/program/local", "satin/program/wording", "satin/program/figure",
			"satin/program/console", "satin/program/across", "satin/program/observe", "satin/program/recording", "apps/uts/tree",
		},
		tests: []string{"satin/golden"},
	},
	// it reads sources, and imports none
	{folder: "gridsim/plants", tests: []string{"satin/effort"}},
	{
		// the applications of this binary, bench and sim
		folder: "cmd",
		may: []string{
			"satin", "satin/atomicfile", "satin/program", "satin/program/wording", "satin/program/console", "satin/program/figure", "apps",
			"cmd/satin/bench", "gridsim/scenario", "satin/forecast/trial",
		},
		tests: []string{"satin/ticket", "satin/program/admin", "satin/program/runs", "satin/await"},
	},
	{ // it measures programs of its choice, beside the same without spawns
		folder: "cmd/satin/bench",
		may: []string{
			"satin", "satin/p2p", "satin/ticket", "satin/program/local", "satin/program/across", "satin/program/observe", "satin/program/figure", "apps/*", "apps/uts/tree",
			"satin/forecast/trial",
		},
	},
}

// kept libraries are imported by few layers only: nobody else sees what they do.
var kept = []struct {
	library string
	layers  []string
	tests   string
}{
	{library: "github.com/libp2p/", layers: []string{"satin/p2p"}, tests: "satin"},
	{library: "github.com/urfave/cli", layers: []string{"satin/program", "satin/program/console", "satin/program/node", "satin/program/launch", "satin/program/programtest", "satin/program/examples", "apps/*/cli", "cmd"}},
}

// TestImports is red when a file imports what it may not, and when no file needs a permission.
func TestImports(t *testing.T) {
	found, used := checkImports(t, moduleRoot(t))
	report(t, found)
	for _, unused := range unusedPermissions(layers, used) {
		t.Errorf("no file needs it: %s", unused)
	}
}

func TestUnusedPermissionsAreFound(t *testing.T) {
	planted := []layer{{folder: "a", may: []string{"b", "c"}, tests: []string{"d"}}, {folder: "b"}}
	used := map[use]bool{{from: "a", to: "b"}: true, {from: "a", to: "c", test: true}: true}
	got := unusedPermissions(planted, used)
	if want := []string{"a may import c, but for tests", "tests of a may import d"}; !slices.Equal(got, want) {
		t.Errorf("%q, wanted %q", got, want)
	}
}

// use is that a file of one layer, or a test of it, imports another.
type use struct {
	from, to string
	test     bool
}

// unusedPermissions lists what may be imported and is not.
func unusedPermissions(layers []layer, used map[use]bool) (unused []string) {
	for _, l := range layers {
		for _, to := range l.may {
			switch {
			case used[use{from: l.folder, to: to}]:
			case used[use{from: l.folder, to: to, test: true}]:
				unused = append(unused, fmt.Sprintf("%s may import %s, but for tests", l.folder, to))
			default:
				unused = append(unused, fmt.Sprintf("%s may import %s", l.folder, to))
			}
		}
		for _, to := range l.tests {
			if !used[use{from: l.folder, to: to, test: true}] {
				unused = append(unused, fmt.Sprintf("tests of %s may import %s", l.folder, to))
			}
		}
	}
	return unused
}

// TestTableOfImports holds the table of docs/architecture.md to the layers.
func TestTableOfImports(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(moduleRoot(t), "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := tableOfImports(layers)
	if !strings.Contains(string(page), "\n\n"+want+"\n") {
		t.Errorf("the table of docs/architecture.md is another than that of layers, which is\n%s", want)
	}
}

// tableOfImports is what is said of the layers to people.
func tableOfImports(layers []layer) string {
	table := "| folder | may import, of ours |\n|---|---|\n"
	for _, l := range layers {
		var may []string
		for _, to := range l.may {
			may = append(may, "`"+to+"`")
		}
		switch {
		case l.below:
			may = append(may, "and folders of its own that do not import it")
		case l.beside:
			may = append(may, "and the folder that it is in, with all below that")
		case len(may) == 0:
			may = []string{"nothing"}
		}
		table += fmt.Sprintf("| `%s` | %s |\n", l.folder, strings.Join(may, ", "))
	}
	return table
}

// TestLayersAreThere is red when a rule is about nothing: a layer or a library whose name is
// misspelt, or that is gone.
func TestLayersAreThere(t *testing.T) {
	root := moduleRoot(t)
	used, imported := map[string]bool{}, map[[2]string]bool{}
	for _, name := range goFiles(t, root) {
		from, _ := layerOf(path.Dir(name))
		if from == nil {
			continue // which TestImports reports
		}
		used[from.folder] = true
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			for _, k := range kept {
				if strings.HasPrefix(spec.Path.Value, `"`+k.library) {
					imported[[2]string{k.library, from.folder}] = true
				}
			}
		}
	}
	for _, l := range layers {
		if !used[l.folder] {
			t.Errorf("there is no source file in layer %s", l.folder)
		}
		for _, other := range slices.Concat(l.may, l.tests) {
			if !used[other] {
				t.Errorf("layer %s may import %s, which is no layer with source files", l.folder, other)
			}
		}
	}
	for _, k := range kept {
		for _, l := range k.layers {
			if !imported[[2]string{k.library, l}] {
				t.Errorf("%s is kept for layer %s, which does not import it", k.library, l)
			}
		}
	}
}

func TestImportsNoticeViolations(t *testing.T) {
	root := filepath.Join(moduleRoot(t), "satin", "testdata", "architecture", "imports")
	found, _ := checkImports(t, root)
	comparePlanted(t, root, found)
}

// A violation is one broken rule.
type violation struct {
	file string // from the root of the tree that was checked, with slashes
	line int
	text string
}

func (v violation) String() string { return fmt.Sprintf("%s:%d: %s", v.file, v.line, v.text) }

func report(t *testing.T, found []violation) {
	t.Helper()
	for _, v := range found {
		t.Error(v)
	}
}

// checkImports reads the imports of every source file below root, whatever system it is built for.
func checkImports(t *testing.T, root string) (found []violation, used map[use]bool) {
	used = map[use]bool{}
	for _, name := range goFiles(t, root) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(root, name), nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		from, match := layerOf(path.Dir(name))
		if from == nil {
			found = append(found, violation{name, 1, fmt.Sprintf("folder %s has no layer: who may import it?", path.Dir(name))})
			continue
		}
		for _, spec := range file.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			test := strings.HasSuffix(name, "_test.go")
			if to, _ := layerOf(strings.TrimPrefix(imported, module+"/")); to != nil {
				used[use{from.folder, to.folder, test}] = true
			}
			if text := judgeImport(from, match, imported, test); text != "" {
				found = append(found, violation{name, fset.Position(spec.Pos()).Line, text})
			}
		}
	}
	return found, used
}

// judgeImport says which rule an import breaks, or nothing. match is the folder that the
// layer's name stands for.
func judgeImport(from *layer, match, imported string, test bool) string {
	for _, k := range kept {
		mayTest := test && k.tests == from.folder
		if strings.HasPrefix(imported, k.library) && !slices.Contains(k.layers, from.folder) && !mayTest {
			return fmt.Sprintf("%s is imported by %s only", imported, strings.Join(k.layers, " and "))
		}
	}
	folder, ours := strings.CutPrefix(imported+"/", module+"/")
	if !ours {
		return ""
	}
	folder = path.Clean(folder)
	to, toMatch := layerOf(folder)
	switch {
	case to == nil:
		return fmt.Sprintf("%s is in no layer", imported)
	case to == from && toMatch == match, slices.Contains(from.may, to.folder):
		return ""
	case from.below && !to.beside && strings.HasPrefix(folder, match+"/"):
		return ""
	case from.beside && strings.HasPrefix(folder+"/", path.Dir(match)+"/"):
		return ""
	case test && slices.Contains(from.tests, to.folder):
		return ""
	}
	return fmt.Sprintf("%s may not import %s", match, imported)
}

// layerOf finds the layer of a folder, the deepest that holds it, and the folder that
// its name stands for.
func layerOf(folder string) (found *layer, match string) {
	for i := range layers {
		pattern, elements := strings.Split(layers[i].folder, "/"), strings.Split(folder, "/")
		if len(pattern) > len(elements) {
			continue
		}
		prefix := path.Join(elements[:len(pattern)]...)
		if ok, _ := path.Match(layers[i].folder, prefix); ok && len(prefix) > len(match) {
			found, match = &layers[i], prefix
		}
	}
	return found, match
}

// moduleRoot is the folder of go.mod.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above this test")
		}
		dir = filepath.Dir(dir)
	}
}

// goFiles lists the Go files below root that the go command would see, from root and with slashes.
func goFiles(t *testing.T, root string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == root {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")
		if d.IsDir() && (hidden || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if !d.IsDir() && !hidden && strings.HasSuffix(name, ".go") {
			rel, err := filepath.Rel(root, name)
			files = append(files, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no Go files below %s: this check would see nothing", root)
	}
	return files
}

// comparePlanted holds what was found in a tree of planted violations against its
// comments: a line with
//
//	// want "part of the text"
//
// must be found, and no other.
func comparePlanted(t *testing.T, root string, found []violation) {
	t.Helper()
	type place struct {
		file string
		line int
	}
	want := map[place]string{}
	for _, name := range goFiles(t, root) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(root, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, comment := range commentsOf(file) {
			if quoted, ok := strings.CutPrefix(comment.Text, "// want "); ok {
				text, err := strconv.Unquote(quoted)
				if err != nil {
					t.Fatalf("%s: %s: %v", name, comment.Text, err)
				}
				want[place{name, fset.Position(comment.Pos()).Line}] = text
			}
		}
	}
	if len(want) == 0 {
		t.Fatalf("nothing is planted below %s", root)
	}
	seen := map[place]bool{}
	for _, v := range found {
		p := place{v.file, v.line}
		seen[p] = true
		if text, ok := want[p]; !ok || !strings.Contains(v.text, text) {
			t.Errorf("found %q, want %q", v, text)
		}
	}
	for p, text := range want {
		if !seen[p] {
			t.Errorf("%s:%d: not found: %s", p.file, p.line, text)
		}
	}
}

func commentsOf(file *ast.File) []*ast.Comment {
	var all []*ast.Comment
	for _, group := range file.Comments {
		all = append(all, group.List...)
	}
	return all
}
