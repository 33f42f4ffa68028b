package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fitsLeast is how much of the weight of a profile's calls must still be where it says.
const fitsLeast = 0.9

// TestProfileFits is red when the profile that the command is built with is of other code than
// this: then the compiler looks for calls where none are. A call is told by the function that makes
// it, by how many lines below the beginning of that it is, and by what it calls.
func TestProfileFits(t *testing.T) {
	calls := profiledCalls(t, "default.pgo")
	sources := &sources{t: t, functions: map[string]map[string]*source{}}
	fits, all := 0, 0
	for _, c := range calls {
		all += c.weight
		if sources.has(c) {
			fits += c.weight
		} else {
			t.Logf("it has a call that is not there: %s, line %d, calls %s", c.caller, c.line, c.callee)
		}
	}
	t.Logf("%d calls, of whose weight %.1f %% are where the profile says", len(calls), 100*float64(fits)/float64(max(all, 1)))
	if len(calls) < 100 || float64(fits) < fitsLeast*float64(all) {
		t.Errorf("default.pgo no longer fits. Make it anew, on a machine that has nothing else to do: go run ./cmd/satin bench --profile cmd/satin/default.pgo")
	}
	moved := calls[0]
	moved.line += 10_000
	gone := calls[0]
	gone.caller += "Gone"
	if sources.has(moved) || sources.has(gone) {
		t.Error("a call that was moved, or whose function is gone, fits")
	}
}

// profiledCall is a call between functions of this module, as the compiler reads it.
type profiledCall struct {
	caller, callee string
	line           int // from that on where the caller begins
	weight         int
}

const module = "satingrid/"

// profiledCalls are those that a profile names, the heaviest first.
func profiledCalls(t *testing.T, file string) (calls []profiledCall) {
	t.Helper()
	text := filepath.Join(t.TempDir(), "calls")
	if out, err := exec.Command("go", "tool", "preprofile", "-i", file, "-o", text).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	data, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")[1:] // below a title
	for ; len(lines) >= 3; lines = lines[3:] {
		c := profiledCall{caller: lines[0], callee: lines[1]}
		if _, err := fmt.Sscanf(lines[2], "%d %d", &c.line, &c.weight); err != nil {
			t.Fatalf("%q: %v", lines[2], err)
		}
		if strings.HasPrefix(c.caller, module) && strings.HasPrefix(c.callee, module) {
			calls = append(calls, c)
		}
	}
	return calls
}

// source is a function's declaration: the lines from its own on that have calls.
type source struct{ calls map[int]bool }

// sources are the functions of packages, by import path and by name as the linker has it.
type sources struct {
	t         *testing.T
	functions map[string]map[string]*source
}

var (
	typeArguments = regexp.MustCompile(`\[.*\]`)
	inClosure     = regexp.MustCompile(`\.(func|gowrap|deferwrap)\d.*|-(fm|range\d+).*`)
)

// has tells whether a call is there. A closure's lines are not looked at, but its function is.
func (s *sources) has(c profiledCall) bool {
	name := typeArguments.ReplaceAllString(c.caller, "")
	outer := inClosure.ReplaceAllString(name, "")
	slash := strings.LastIndexByte(outer, '/') + 1
	dot := slash + strings.IndexByte(outer[slash:], '.')
	f := s.of(strings.TrimPrefix(outer[:dot], module))[outer[dot+1:]]
	return f != nil && (outer != name || f.calls[c.line])
}

// of are the functions of the package in a folder.
func (s *sources) of(folder string) map[string]*source {
	if known := s.functions[folder]; known != nil {
		return known
	}
	found := map[string]*source{}
	s.functions[folder] = found
	files, err := filepath.Glob(filepath.Join("..", "..", folder, "*.go"))
	if err != nil {
		s.t.Fatal(err)
	}
	for _, name := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			s.t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Body == nil {
				continue
			}
			src := &source{calls: map[int]bool{}}
			start := set.Position(f.Pos()).Line
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					src.calls[set.Position(c.Pos()).Line-start] = true
					src.calls[set.Position(c.Lparen).Line-start] = true
				}
				return true
			})
			found[linkedName(f)] = src
		}
	}
	return found
}

// linkedName is what the linker calls a function, without its package: Name, Type.Name or
// (*Type).Name.
func linkedName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of, pointer := f.Recv.List[0].Type, false
	for {
		switch x := of.(type) {
		case *ast.StarExpr:
			of, pointer = x.X, true
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		case *ast.Ident:
			if pointer {
				return "(*" + x.Name + ")." + f.Name.Name
			}
			return x.Name + "." + f.Name.Name
		default:
			return strconv.Quote(fmt.Sprint(of))
		}
	}
}
