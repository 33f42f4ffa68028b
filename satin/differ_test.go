package satin

// Inside the package: values that refer to themselves, or are long, come only from types with
// methods of their own, and of what is found out about them programs see little.

import (
	"encoding/binary"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// The types of the tables below carry themselves: each comes back as another value of the same
// shape.
type (
	// sliceLoop and mapLoop refer to themselves.
	sliceLoop struct{ next []sliceLoop }
	mapLoop   struct{ next map[byte]mapLoop }

	// chain and boxes are long, and the last of them may be spoilt.
	chain struct {
		n     uint32
		first *chained
	}
	chained struct {
		v    int
		next *chained
	}
	boxes struct {
		n     uint32
		first boxed
	}
	boxed struct {
		v    int
		next any
	}

	// within points to a whole, and to its first part.
	within struct {
		part  *int
		whole *[2]int
	}

	stamp struct{ at time.Time }
)

func (sliceLoop) MarshalBinary() ([]byte, error) { return nil, nil }
func (l *sliceLoop) UnmarshalBinary([]byte) error {
	l.next = make([]sliceLoop, 1)
	l.next[0] = *l
	return nil
}

func (mapLoop) MarshalBinary() ([]byte, error) { return nil, nil }
func (l *mapLoop) UnmarshalBinary([]byte) error {
	l.next = map[byte]mapLoop{}
	l.next[1] = *l
	return nil
}

// spoilt has the last of a chain come back as another one.
var spoilt int

func (c chain) MarshalBinary() ([]byte, error) { return binary.BigEndian.AppendUint32(nil, c.n), nil }
func (c *chain) UnmarshalBinary(data []byte) error {
	*c = chain{binary.BigEndian.Uint32(data), &chained{v: spoilt}}
	for range c.n {
		c.first = &chained{1, c.first}
	}
	return nil
}

func (c boxes) MarshalBinary() ([]byte, error) { return binary.BigEndian.AppendUint32(nil, c.n), nil }
func (c *boxes) UnmarshalBinary(data []byte) error {
	*c = boxes{binary.BigEndian.Uint32(data), boxed{v: spoilt}}
	for range c.n {
		c.first = boxed{1, c.first}
	}
	return nil
}

func (within) MarshalBinary() ([]byte, error) { return nil, nil }
func (x *within) UnmarshalBinary([]byte) error {
	x.whole = &[2]int{1, 2 + spoilt}
	x.part = &x.whole[0]
	return nil
}

func (s stamp) MarshalBinary() ([]byte, error)     { return s.at.MarshalBinary() }
func (s *stamp) UnmarshalBinary(data []byte) error { return s.at.UnmarshalBinary(data) }

// came is a value as its type makes it.
func came[T any, P interface {
	*T
	UnmarshalBinary([]byte) error
}](t *testing.T, data ...byte) *T {
	t.Helper()
	v := new(T)
	if err := P(v).UnmarshalBinary(data); err != nil {
		t.Fatal(err)
	}
	return v
}

// Comparing ends, whatever refers to what, and however long it is.
func TestDifferEnds(t *testing.T) {
	defer func() { spoilt = 0 }()
	// who recurses for each link has no more room
	defer debug.SetMaxStack(debug.SetMaxStack(100 << 20))
	long, longest := binary.BigEndian.AppendUint32(nil, 20_000), binary.BigEndian.AppendUint32(nil, 150_000)
	values := []any{
		came[sliceLoop](t), came[mapLoop](t), came[chain](t, longest...), came[boxes](t, long...), came[within](t),
	}
	for n, want := range []string{"", "", "chain ….", "boxes ….", "within.whole[1]"} {
		for spoilt = range 2 {
			if n == 2 && spoilt == 0 {
				continue // as the next one
			}
			_, err := roundTrip(values[n], scrutiny{})
			if spoils := spoilt == 1 && want != ""; (err != nil) != spoils || spoils && (!strings.Contains(err.Error(), want) || len(err.Error()) > 20_000) {
				t.Errorf("%T: spoilt %v: %.200v, want %q", values[n], spoilt, err, want)
			}
		}
	}
}

// A time in an unexported field arrives as it left on all computers, or is found.
func TestHiddenTimes(t *testing.T) {
	now := time.Now()
	for _, c := range []struct {
		at   time.Time
		want string
	}{
		{now.UTC().Round(0), ""}, {time.Time{}, ""}, {time.Unix(1, 2).UTC(), ""},
		{now, "clock reading"}, {now.UTC(), ""},
		{now.Round(0), "Local"}, {time.Unix(1, 2), "Local"},
		{time.Unix(1, 2).In(time.FixedZone("", 3600)), "without a name"}, {time.Unix(1, 2).In(time.FixedZone("", 0)), "without a name"},
		{time.Unix(1, 2).In(time.FixedZone("here", 5400)), "at.loc.name"},
	} {
		_, err := roundTrip(&stamp{c.at}, scrutiny{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.at, err, c.want)
		}
	}
	// what is looked at are fields that Go's own may lose
	for _, name := range []string{"wall", "loc"} {
		if _, ok := timeType.FieldByName(name); !ok {
			t.Errorf("a time has no %s any more", name)
		}
	}
	if name, ok := reflect.TypeFor[time.Location]().FieldByName("name"); !ok || name.Type.Kind() != reflect.String {
		t.Error("a location has no name any more")
	}
}
