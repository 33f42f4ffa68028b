package satin_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

var (
	docsSpan = regexp.MustCompile("`([^`\n]+)`")
	docsFile = regexp.MustCompile(`^([\w./-]+\.go)(?:: ([\w.]+))?$`)
	docsTest = regexp.MustCompile(`^(?:Test|Fuzz|Benchmark)[A-Z]\w*$`)
	docsLink = regexp.MustCompile(`\]\(([^)#:]+)\)`)
)

// TestDocsNameWhatIsThere holds the pages for people against the code: a file, a function of it, a
// test and a page that they name must exist.
func TestDocsNameWhatIsThere(t *testing.T) {
	root := moduleRoot(t)
	declared, tests := declarations(t, root)
	for _, page := range pages(t, root) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(page)
		for n, line := range strings.Split(string(text), "\n") {
			for _, wrong := range judgeLine(line, declared, tests) {
				t.Errorf("%s:%d: %s", name, n+1, wrong)
			}
			for _, link := range docsLink.FindAllStringSubmatch(line, -1) {
				if _, err := os.Stat(filepath.Join(filepath.Dir(page), link[1])); err != nil {
					t.Errorf("%s:%d: a link leads nowhere: %v", name, n+1, err)
				}
			}
		}
	}
}

// pages are those for people.
func pages(t *testing.T, root string) []string {
	t.Helper()
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(docs) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	return append(docs, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"))
}

// TestPagesAreNarrow: what is told on a page is as narrow as a comment. A row of a table is a line,
// and blocks show what programs print.
func TestPagesAreNarrow(t *testing.T) {
	root := moduleRoot(t)
	for _, page := range pages(t, root) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		block := false
		for n, line := range strings.Split(string(text), "\n") {
			if strings.HasPrefix(line, "```") {
				block = !block
			}
			if !block && !strings.HasPrefix(line, "|") && utf8.RuneCountInString(line) > commentMost {
				t.Errorf("%s:%d: the line goes beyond column %d", filepath.Base(page), n+1, commentMost)
			}
		}
	}
}

func TestDocsNoticeWhatIsGone(t *testing.T) {
	declared := map[string][]string{"a/b.go": {"T.Do", "Make"}}
	tests := map[string]bool{"TestMake": true}
	right := "see `a/b.go`, `a/b.go: Make`, `a/b.go: T.Do` and `TestMake`, run `go test ./a`"
	if wrong := judgeLine(right, declared, tests); len(wrong) > 0 {
		t.Errorf("%q: %v", right, wrong)
	}
	for _, line := range []string{"`a/c.go`", "`a/b.go: Do`", "`a/c.go: Make`", "`TestDo`"} {
		if len(judgeLine(line, declared, tests)) != 1 {
			t.Errorf("%s is not noticed", line)
		}
	}
}

// judgeLine says what a line names that is not there.
func judgeLine(line string, declared map[string][]string, tests map[string]bool) (wrong []string) {
	for _, span := range docsSpan.FindAllStringSubmatch(line, -1) {
		if m := docsFile.FindStringSubmatch(span[1]); m != nil && m[1] != "main.go" {
			// which the reader writes
			names, there := declared[m[1]]
			switch {
			case !there:
				wrong = append(wrong, "there is no file "+m[1])
			case m[2] != "" && !slices.Contains(names, m[2]):
				wrong = append(wrong, fmt.Sprintf("%s declares no %s", m[1], m[2]))
			}
		}
		if docsTest.MatchString(span[1]) && !tests[span[1]] {
			wrong = append(wrong, "there is no test "+span[1])
		}
	}
	return wrong
}

// declarations lists what each file declares, methods as Type.Method, and all tests, fuzz targets
// and benchmarks.
func declarations(t *testing.T, root string) (declared map[string][]string, tests map[string]bool) {
	declared, tests = map[string][]string{}, map[string]bool{}
	for _, name := range goFiles(t, root) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		declared[name] = []string{}
		for _, d := range file.Decls {
			for _, x := range declaredBy(d) {
				declared[name] = append(declared[name], x)
				if strings.HasSuffix(path.Base(name), "_test.go") && docsTest.MatchString(x) {
					tests[x] = true
				}
			}
		}
	}
	return declared, tests
}

func declaredBy(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		of := d.Recv.List[0].Type
		if star, ok := of.(*ast.StarExpr); ok {
			of = star.X
		}
		switch x := of.(type) {
		case *ast.IndexExpr:
			of = x.X
		case *ast.IndexListExpr:
			of = x.X
		}
		return []string{fmt.Sprint(of) + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}
