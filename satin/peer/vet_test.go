package peer

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

// eachField visits all that a message carries, by its path; lists have one element each.
func eachField(v reflect.Value, path string, visit func(path string, field reflect.Value)) {
	visit(path, v)
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				eachField(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
			}
		}
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		eachField(v.Index(0), path+"[0]", visit)
	}
}

// eachCarried visits what each kind of message carries, in a message that is its own, and tells how
// many kinds there are.
func eachCarried(visit func(message func() membership.Body, path string, field reflect.Value)) (kinds int) {
	for _, body := range Bodies() {
		m := reflect.New(reflect.TypeOf(body)).Elem()
		eachField(m, fmt.Sprintf("%T", body), func(path string, field reflect.Value) {
			visit(func() membership.Body { return m.Interface().(membership.Body) }, path, field)
		})
		kinds++
	}
	return kinds
}

// TestVetReadsAllBests: whatever kind of message carries a best, one that is not what its digest
// names is found, and one that did not travel is not looked for.
func TestVetReadsAllBests(t *testing.T) {
	bests := 0
	kinds := eachCarried(func(message func() membership.Body, path string, field reflect.Value) {
		stamp, is := reflect.TypeAssert[steal.Stamp](field)
		if !is {
			return
		}
		bests++
		stamp.Value, stamp.Digest = []byte("a best"), steal.KeyOf([]byte("a best"))
		field.Set(reflect.ValueOf(stamp))
		if err := Vet(message()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		stamp.Digest[3] ^= 1
		field.Set(reflect.ValueOf(stamp))
		if err := Vet(message()); !errors.Is(err, errStamp) {
			t.Errorf("%s is another: %v", path, err)
		}
		stamp.Value = nil
		field.Set(reflect.ValueOf(stamp))
		if err := Vet(message()); err != nil {
			t.Errorf("%s did not travel: %v", path, err)
		}
	})
	if bests < 9 || kinds < 40 {
		t.Errorf("there are %d bests in %d kinds of messages", bests, kinds)
	}
}

// TestVetReadsAllRoots does the same with roots, whose digests stand beside them.
func TestVetReadsAllRoots(t *testing.T) {
	root, other := []byte("a root"), steal.KeyOf([]byte("another"))
	for _, c := range []struct {
		right, wrong, none membership.Body
	}{
		{Submit{Root: root, RootDigest: steal.KeyOf(root)}, Submit{Root: root, RootDigest: other}, Submit{RootDigest: other}},
		{Record{Root: root, Head: Head{RootDigest: steal.KeyOf(root)}}, Record{Root: root, Head: Head{RootDigest: other}}, Record{Head: Head{RootDigest: other}}},
	} {
		if err := Vet(c.right); err != nil {
			t.Errorf("%T: %v", c.right, err)
		}
		if err := Vet(c.wrong); !errors.Is(err, errRoot) {
			t.Errorf("%T with another root: %v", c.wrong, err)
		}
		if err := Vet(c.none); err != nil {
			t.Errorf("%T without a root: %v", c.none, err)
		}
	}
	both := Record{Root: root, Best: steal.Stamp{Value: root}}
	if err := Vet(both); !errors.Is(err, errRoot) || !errors.Is(err, errStamp) {
		t.Errorf("of two that are wrong: %v", err)
	}
	roots := 0
	eachCarried(func(_ func() membership.Body, path string, field reflect.Value) {
		if field.Kind() == reflect.Struct && field.FieldByName("Root").Kind() == reflect.Slice {
			roots++
		}
	})
	if roots != 2 {
		t.Errorf("%d kinds of messages carry a root: this test knows two", roots)
	}
}
