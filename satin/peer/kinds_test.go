package peer

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
	"testing"

	"satingrid/membership"
)

// elsewhere are the kinds of messages that have no method of their own, and who hears them.
var elsewhere = map[string]string{
	"Heartbeat": "isSign", // that it has come is all that it says
	"Ping":      "viewed", "PingFor": "viewed", "Alive": "viewed",
	"Barred": "view", // it merges them, as it does what a Snapshot tells
}

// TestComponentsHearByName: the method for a message, of a component or of a machine inside, is
// named hear and the message, and each entry of the table calls the one of its own message and no
// other's.
func TestComponentsHearByName(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "kinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	ast.Inspect(file, func(n ast.Node) bool {
		entry, _ := n.(*ast.CompositeLit)
		if entry == nil {
			return true
		}
		index, ok := entry.Type.(*ast.IndexExpr)
		if !ok {
			return true
		}
		seen++
		name := last(index.Index)
		hears, names := heardIn(entry)
		who, isElsewhere := elsewhere[name]
		switch {
		case !isElsewhere && len(hears) == 0:
			t.Errorf("nobody has hear%s: name the method so, or the exception here", name)
		case isElsewhere && (len(hears) > 0 || !names[who]):
			t.Errorf("%s is heard by %v, and not by %s alone", name, hears, who)
		}
		if n := statements(entry); n > 1 {
			t.Errorf("what %s tells is heard in %d steps: who hears it takes them", name, n)
		}
		for _, h := range hears {
			if !strings.EqualFold(h, "hear"+name) {
				t.Errorf("%s is heard by %s", name, h)
			}
		}
		return false
	})
	if seen != len(kinds) {
		t.Errorf("%d entries were found, of %d", seen, len(kinds))
	}
}

// statements is how many there are at the most in a function of an entry that is not of what the
// message carries.
func statements(entry *ast.CompositeLit) (most int) {
	for _, e := range entry.Elts {
		field := e.(*ast.KeyValueExpr)
		if f, ok := field.Value.(*ast.FuncLit); ok && field.Key.(*ast.Ident).Name == "heard" {
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if b, ok := n.(*ast.BlockStmt); ok {
					most += len(b.List)
				}
				return true
			})
		}
	}
	return most
}

// heardIn are the methods that an entry calls to hear its message, and all names in it.
func heardIn(entry *ast.CompositeLit) (hears []string, names map[string]bool) {
	names = map[string]bool{}
	isHear := regexp.MustCompile(`^[hH]ear[A-Z]`)
	ast.Inspect(entry, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		names[id.Name] = true
		if isHear.MatchString(id.Name) {
			hears = append(hears, id.Name)
		}
		return true
	})
	return hears, names
}

// last is a type's name without its package.
func last(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return e.(*ast.Ident).Name
}

func TestKindsAreDistinct(t *testing.T) {
	seen := map[uint8]membership.Body{}
	for _, b := range Bodies() {
		if other, ok := seen[b.Kind()]; ok || b.Kind() == 0 {
			t.Errorf("%T and %T are of kind %d", b, other, b.Kind())
		}
		seen[b.Kind()] = b
	}
}
