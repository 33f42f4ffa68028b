package satin_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"math/bits"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

var rewriteLimits = flag.Bool("limits", false, "write the files and values of docs/limits.md as they are now; units and reasons stay")

// limited are the folders, with those below them, whose limits are in the table.
var limited = []string{"membership", "steal", "orphan", "satin/peer", "satin/wire", "satin/store", "satin/control", "satin/p2p", "satin/ticket"}

// unlimited are folders below those, for tests.
var unlimited = []string{"satin/peer/workerstest", "satin/p2p/wan"}

// noLimits are numbers that bound nothing: they are part of a form of bytes, or names of something.
var noLimits = map[string][]string{
	"satin/p2p":   {"Port", "frameHeader", "bulkTooBig", "bulkBusy", "bulkWrong", "bulkNotUp", "bulkMore"},
	"satin/store": {"formatVersion", "block"},
	"satin/wire":  {"Version", "arrayOf", "messageHas", "lifeHas", "byItself", "bytesLogMax"},
}

// A limit is a constant that bounds something: how many, how long, how big.
type limit struct {
	file, name string
	value      int64
	isTime     bool
}

func (l limit) String() string { return l.file + ": " + l.name }

// isLimit tells whether a constant looks like one: it is a number or a time, and its type is no
// name for one of several things.
func isLimit(c *types.Const) (value int64, isTime, ok bool) {
	value, ok = constant.Int64Val(constant.ToInt(c.Val()))
	isTime = c.Type().String() == "time.Duration"
	isNumber := types.Identical(c.Type(), types.Typ[types.UntypedInt])
	isForm := strings.HasSuffix(c.Name(), "Size") || strings.HasPrefix(c.Name(), "kind")
	return value, isTime, ok && (isTime || isNumber) && !isForm && value > 0 && value < math.MaxInt64
}

// TestLimitsAreInTheTable: each limit stands in docs/limits.md, once, with the value that it has.
func TestLimitsAreInTheTable(t *testing.T) {
	root := moduleRoot(t)
	var limits []limit
	elsewhere := map[string]bool{} // files that are for other systems
	for _, folder := range limited {
		listed, exports := listPackages(t, root, "./"+folder+"/...")
		for _, p := range listed {
			found, fault := limitsOf(root, p, exports)
			if fault != nil {
				t.Fatal(fault)
			}
			limits = append(limits, found...)
			rel, _ := filepath.Rel(root, p.Dir)
			for _, f := range p.IgnoredGoFiles {
				elsewhere[path.Join(filepath.ToSlash(rel), f)] = true
			}
		}
	}
	name := filepath.Join(root, "docs", "limits.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if *rewriteLimits {
		page = []byte(tabulate(string(page), limits))
		if err := os.WriteFile(name, page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, wrong := range judgeLimits(string(page), limits, elsewhere) {
		t.Errorf("docs/limits.md: %s", wrong)
	}
	if t.Failed() {
		t.Log("go test ./satin -run TestLimitsAreInTheTable -limits writes files and values; the reason is yours")
	}
}

// limitsOf are the limits of a package, in the order in which they are declared.
func limitsOf(root string, p listedPackage, exports importer.Lookup) (limits []limit, err error) {
	rel, err := filepath.Rel(root, p.Dir)
	folder := filepath.ToSlash(rel)
	if err != nil || slices.Contains(unlimited, folder) {
		return nil, err
	}
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: importer.ForCompiler(fset, "gc", exports), IgnoreFuncBodies: true}
	if _, err := config.Check(p.ImportPath, fset, files, info); err != nil {
		return nil, err
	}
	seen := 0
	for _, file := range files {
		for _, id := range constantsOf(file) {
			if slices.Contains(noLimits[folder], id.Name) {
				seen++
			} else if v, isTime, ok := isLimit(info.Defs[id].(*types.Const)); ok {
				limits = append(limits, limit{path.Join(folder, filepath.Base(fset.Position(id.Pos()).Filename)), id.Name, v, isTime})
			}
		}
	}
	if seen != len(noLimits[folder]) {
		return nil, fmt.Errorf("%s has %d of the %d constants that are no limits", folder, seen, len(noLimits[folder]))
	}
	return limits, nil
}

// constantsOf are the constants of a file that are declared with a value of their own, not counted.
func constantsOf(file *ast.File) (all []*ast.Ident) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		counted := false
		ast.Inspect(g, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			counted = counted || ok && id.Name == "iota"
			return true
		})
		for _, s := range g.Specs {
			if !counted {
				all = append(all, s.(*ast.ValueSpec).Names...)
			}
		}
	}
	return all
}

// unit are the units of the table. Any other word, or none, counts things.
var units = map[string]int64{
	"µs": int64(time.Microsecond), "ms": int64(time.Millisecond), "s": int64(time.Second), "min": int64(time.Minute), "h": int64(time.Hour),
	"B": 1, "KiB": 1 << 10, "MiB": 1 << 20,
}

var timeUnits = []string{"µs", "ms", "s", "min", "h"}

// A row is one of the table.
type row struct{ file, name, value, unit, why string }

var tableRow = regexp.MustCompile("^\\| `([\\w./]+): (\\w+)` \\| *(\\S+) *\\|([^|]*)\\|([^|]*)\\|$")

func rowsOf(page string) (rows []row) {
	for _, line := range strings.Split(page, "\n") {
		if m := tableRow.FindStringSubmatch(line); m != nil {
			rows = append(rows, row{m[1], m[2], m[3], strings.TrimSpace(m[4]), strings.TrimSpace(m[5])})
		}
	}
	return rows
}

// judgeLimits says what is wrong with the table. Rows of files that are for other systems cannot be
// judged here.
func judgeLimits(page string, limits []limit, elsewhere map[string]bool) (wrong []string) {
	rows := map[string]row{}
	for _, r := range rowsOf(page) {
		name := r.file + ": " + r.name
		_, twice := rows[name]
		rows[name] = r
		switch {
		case twice:
			wrong = append(wrong, name+" stands there twice")
		case r.why == "" || r.why == "?":
			wrong = append(wrong, name+" has no reason")
		case !elsewhere[r.file] && !slices.ContainsFunc(limits, func(l limit) bool { return l.String() == name }):
			wrong = append(wrong, name+" is no limit, or is none any more")
		}
	}
	for _, l := range limits {
		r, there := rows[l.String()]
		value, unit := l.in(r.unit)
		switch {
		case !there:
			value, unit = l.in("")
			wrong = append(wrong, fmt.Sprintf("%v, %s %s, is missing", l, value, unit))
		case r.value != value || r.unit != unit:
			wrong = append(wrong, fmt.Sprintf("%v is %s %s there, and %s %s in the code", l, r.value, r.unit, value, unit))
		}
	}
	return wrong
}

// in is a limit in a unit, or in another where it is no whole number of that.
func (l limit) in(unit string) (value, as string) {
	if l.isTime && (!slices.Contains(timeUnits, unit) || l.value%units[unit] != 0) {
		for _, u := range timeUnits { // the longest that fits
			if l.value%units[u] == 0 {
				unit = u
			}
		}
	}
	if !l.isTime && (slices.Contains(timeUnits, unit) || units[unit] > 1 && l.value%units[unit] != 0) {
		unit = "B"
	}
	n := l.value / max(units[unit], 1)
	if n >= 1<<20 && bits.OnesCount64(uint64(n)) == 1 {
		return fmt.Sprintf("2^%d", bits.Len64(uint64(n))-1), unit
	}
	return strconv.FormatInt(n, 10), unit
}

// tabulate is the page with the limits as they are now, and with the units and reasons that it has.
func tabulate(page string, limits []limit) string {
	was := map[string]row{}
	for _, r := range rowsOf(page) {
		was[path.Dir(r.file)+": "+r.name] = r
	}
	head, _, _ := strings.Cut(page, "\n## ")
	out := strings.TrimRight(head, "\n") + "\n"
	slices.SortStableFunc(limits, func(a, b limit) int {
		return cmp.Or(cmp.Compare(path.Dir(a.file), path.Dir(b.file)), cmp.Compare(a.file, b.file))
	})
	folder := ""
	for _, l := range limits {
		if in := path.Dir(l.file); in != folder {
			folder = in
			out += "\n## " + folder + "\n\n| limit | value | unit | why |\n|---|--:|---|---|\n"
		}
		r, known := was[folder+": "+l.name]
		if !known {
			r.why = "?"
		}
		value, unit := l.in(r.unit)
		out += fmt.Sprintf("| `%v` | %s | %s | %s |\n", l, value, unit, r.why)
	}
	return out
}

func TestLimitsNoticeWhatDiffers(t *testing.T) {
	limits := []limit{
		{"a/b.go", "waitMax", int64(90 * time.Second), true},
		{"a/b.go", "bytesMax", 64 << 10, false},
		{"a/c.go", "loansMax", 1 << 20, false},
	}
	right := []string{"| `a/b.go: waitMax` | 90 | s | patience |", "| `a/b.go: bytesMax` | 64 | KiB | memory |", "| `a/c.go: loansMax` | 2^20 | loans | memory |"}
	for _, c := range []struct {
		name string
		page []string
		want string
	}{
		{"it is right", right, ""},
		{"a system's own", append([]string{"| `a/other.go: max` | 1 | | why |"}, right...), ""},
		{"a row is missing", right[:2], "a/c.go: loansMax, 2^20 , is missing"},
		{"a row too many", append([]string{"| `a/b.go: gone` | 1 | | why |"}, right...), "a/b.go: gone is no limit, or is none any more"},
		{"a row twice", append(right[:1:1], right...), "a/b.go: waitMax stands there twice"},
		{"another value", append([]string{"| `a/b.go: waitMax` | 80 | s | patience |"}, right[1:]...), "a/b.go: waitMax is 80 s there, and 90 s in the code"},
		{"another unit", append([]string{"| `a/b.go: waitMax` | 90 | ms | patience |"}, right[1:]...), "a/b.go: waitMax is 90 ms there, and 90000 ms in the code"},
		{"no unit fits", append([]string{"| `a/b.go: waitMax` | 1 | min | patience |"}, right[1:]...), "a/b.go: waitMax is 1 min there, and 90 s in the code"},
		{"no reason", append([]string{"| `a/b.go: waitMax` | 90 | s | ? |"}, right[1:]...), "a/b.go: waitMax has no reason"},
	} {
		got := judgeLimits(strings.Join(c.page, "\n"), limits, map[string]bool{"a/other.go": true})
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
	page := "# Limits\n\nWords.\n\n## a\n\n" + strings.Replace(right[0], "90", "5", 1) + "\n" + strings.Replace(right[1], "b.go", "z.go", 1)
	now := tabulate(page, limits)
	if wrong := judgeLimits(now, limits, nil); len(wrong) != 1 || wrong[0] != "a/c.go: loansMax has no reason" || !strings.HasPrefix(now, "# Limits\n\nWords.\n\n## a\n") {
		t.Errorf("written anew it is %s: %v", now, wrong)
	}
}
