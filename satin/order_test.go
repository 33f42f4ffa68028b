package satin_test

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// The order of a map is drawn anew each time, so a machine may go through a map in these ways only:
//
//	for _, k := range slices.Sorted(maps.Keys(m))
//
// or by a loop that only collects into a slice, with the sorting of that slice as the next
// statement. Whether a sort leaves no ties to the map's order is not seen here.

// loop judges a range statement.
func (i *inspector) loop(n *ast.RangeStmt) {
	over := i.info.TypeOf(n.X)
	if _, ok := over.Underlying().(*types.Chan); ok {
		i.fault(n, "a channel is received from")
	}
	if isMap(over) && !i.sortedNext(n) {
		i.fault(n, "a range over a map whose keys are not sorted")
	}
}

// isMap tells whether a type, or any that a type parameter stands for, is a map.
func isMap(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return true
	case *types.Interface:
		for k := range u.NumEmbeddeds() {
			if isMap(u.EmbeddedType(k)) {
				return true
			}
		}
	case *types.Union:
		for k := range u.Len() {
			if isMap(u.Term(k).Type()) {
				return true
			}
		}
	}
	return false
}

// sortedNext tells whether a loop only collects, and the statement after it sorts what was
// collected.
func (i *inspector) sortedNext(loop *ast.RangeStmt) bool {
	statement, ok := i.following(loop).(*ast.ExprStmt)
	if !ok || loop.Tok != token.DEFINE {
		return false
	}
	call, ok := statement.X.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || !i.sorts(call) {
		return false
	}
	sorted, ok := call.Args[0].(*ast.Ident)
	return ok && i.collects(loop.Body, i.info.ObjectOf(sorted))
}

// following is the statement after a loop in its block, or nil. The loop is the node in hand.
func (i *inspector) following(loop *ast.RangeStmt) ast.Stmt {
	block, ok := i.above[len(i.above)-1].(*ast.BlockStmt)
	if !ok {
		return nil
	}
	for k, statement := range block.List[:len(block.List)-1] {
		if statement == loop {
			return block.List[k+1]
		}
	}
	return nil
}

// sorts tells whether a call sorts its first argument.
func (i *inspector) sorts(call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := i.info.Uses[selector.Sel].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "slices":
		return strings.HasPrefix(f.Name(), "Sort")
	case "sort":
		return slices.Contains([]string{"Float64s", "Ints", "Slice", "SliceStable", "Strings"}, f.Name())
	}
	return false
}

// collects tells whether statements do nothing but append to one slice, perhaps on a condition that
// does not depend on what was collected before.
func (i *inspector) collects(block *ast.BlockStmt, into types.Object) bool {
	for _, statement := range block.List {
		switch s := statement.(type) {
		case *ast.BranchStmt:
			if s.Tok != token.CONTINUE {
				return false
			}
		case *ast.IfStmt:
			if s.Init != nil || s.Else != nil || i.mentions(s.Cond, into) || !i.collects(s.Body, into) {
				return false
			}
		case *ast.AssignStmt:
			if !i.appends(s, into) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// appends tells whether a statement is x = append(x, …) for the given x, with nothing of x
// in what is appended.
func (i *inspector) appends(s *ast.AssignStmt, into types.Object) bool {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 || !i.names(s.Lhs[0], into) {
		return false
	}
	call, ok := s.Rhs[0].(*ast.CallExpr)
	if !ok || !i.names(call.Fun, types.Universe.Lookup("append")) || !i.names(call.Args[0], into) {
		return false
	}
	return !slices.ContainsFunc(call.Args[1:], func(e ast.Expr) bool { return i.mentions(e, into) })
}

func (i *inspector) mentions(e ast.Expr, object types.Object) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && i.info.ObjectOf(id) == object
		return !found
	})
	return found
}

func (i *inspector) names(e ast.Expr, object types.Object) bool {
	id, ok := e.(*ast.Ident)
	return ok && i.info.ObjectOf(id) == object
}

// useOfMaps judges a function of package maps: its iterators must go straight into slices.Sorted
// and the like, and a function that it calls for each entry must be a mere expression, so that it
// cannot tell the order.
func (i *inspector) useOfMaps(id *ast.Ident) {
	switch id.Name {
	case "Keys", "Values", "All":
		if !i.sortedAtOnce() {
			i.fault(id, "maps.%s, which is not sorted at once", id.Name)
		}
	case "DeleteFunc", "EqualFunc":
		call := i.callInHand()
		if call == nil || !isExpression(call.Args[len(call.Args)-1]) {
			i.fault(id, "maps.%s with a function that is more than one expression", id.Name)
		}
	}
}

// callInHand is the call whose function the identifier in hand names, as in maps.Keys(m), or nil.
func (i *inspector) callInHand() *ast.CallExpr {
	if len(i.above) < 2 {
		return nil
	}
	selector := i.above[len(i.above)-1]
	call, ok := i.above[len(i.above)-2].(*ast.CallExpr)
	if !ok || call.Fun != selector {
		return nil
	}
	return call
}

// sortedAtOnce tells whether the call in hand is the first argument of slices.Sorted, SortedFunc
// or SortedStableFunc.
func (i *inspector) sortedAtOnce() bool {
	inner := i.callInHand()
	if inner == nil || len(i.above) < 3 {
		return false
	}
	outer, ok := i.above[len(i.above)-3].(*ast.CallExpr)
	return ok && outer.Args[0] == inner && i.sorts(outer)
}

func isExpression(e ast.Expr) bool {
	f, ok := e.(*ast.FuncLit)
	if !ok || len(f.Body.List) != 1 {
		return false
	}
	_, ok = f.Body.List[0].(*ast.ReturnStmt)
	return ok
}
