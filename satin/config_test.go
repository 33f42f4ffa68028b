package satin_test

import (
	"reflect"
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/ticket"
)

// TestConfigIsForPrograms: what a program sets has types of Go's, of this package or of
// satin/ticket. Only Testing has those of the carrier. Some of this package's are made in
// satin/control, and have names here.
func TestConfigIsForPrograms(t *testing.T) {
	ours := strings.TrimSuffix(reflect.TypeFor[satin.Config]().PkgPath(), "satin")
	public := map[string]bool{
		reflect.TypeFor[satin.Config]().PkgPath():  true,
		reflect.TypeFor[satin.Event]().PkgPath():   true,
		reflect.TypeFor[ticket.Ticket]().PkgPath(): true,
	}
	var look func(field string, of reflect.Type)
	look = func(field string, of reflect.Type) {
		if p := of.PkgPath(); strings.HasPrefix(p, ours) && !public[p] {
			t.Errorf("Config.%s has %v, of %s", field, of, p)
		}
		switch of.Kind() {
		case reflect.Func:
			for i := range of.NumIn() {
				look(field, of.In(i))
			}
			for i := range of.NumOut() {
				look(field, of.Out(i))
			}
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Chan:
			look(field, of.Elem())
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[satin.Config]()) {
		if f.IsExported() && f.Name != "Testing" {
			look(f.Name, f.Type)
		}
	}
}
