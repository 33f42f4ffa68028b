package peer

import (
	"reflect"
	"testing"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// shortBytes are bytes that no size counts, since they are short, and why.
var shortBytes = map[string]string{
	"peer.Facts.Facts[0]": "they are published, at most factsBytes at a time",
}

// TestSizeCountsAllThatIsLong: whatever carries bytes is as long as they are.
func TestSizeCountsAllThatIsLong(t *testing.T) {
	const long = 1000
	counted := 0
	eachCarried(func(message func() membership.Body, path string, field reflect.Value) {
		if field.Kind() != reflect.Slice || field.Type().Elem().Kind() != reflect.Uint8 {
			return
		}
		before := Size(message())
		field.SetBytes(make([]byte, long))
		if more := Size(message()) - before; more != long && shortBytes[path] == "" {
			t.Errorf("with %d bytes in %s the message is %d longer", long, path, more)
		}
		counted++
	})
	if counted < 14 {
		t.Errorf("only %d fields have bytes", counted)
	}
	if n := Size(Pull{}); n != 0 {
		t.Errorf("what carries nothing is %d long", n)
	}
}

// TestSizeAddsUp: of lists all are counted, and with them the best that all ride under.
func TestSizeAddsUp(t *testing.T) {
	best := steal.Stamp{Value: make([]byte, 100)}
	part := orphan.Part{Result: steal.Result{Bytes: make([]byte, 10)}}
	for _, b := range []membership.Body{
		steal.Lend{Best: best, Jobs: []steal.Lent{{Args: make([]byte, 10)}, {Args: make([]byte, 20)}}},
		orphan.Copy{Best: best, Parts: []orphan.Part{part, part, part}},
		orphan.Will{Best: best, Items: []orphan.Bequest{{Part: part}, {Part: part}, {Part: part}}},
		Record{Best: best, Root: make([]byte, 30)},
	} {
		if n := Size(b); n != 130 {
			t.Errorf("%T is %d long", b, n)
		}
	}
}

// TestDetachedIsNotWrittenTo: what goes on being written to does not change a message that waits to
// be encoded.
func TestDetachedIsNotWrittenTo(t *testing.T) {
	deaths := []Death{{Key: steal.Key{1}}}
	record := Detached(Record{Head: Head{Deaths: deaths}}).(Record)
	deaths[0].Key = steal.Key{2}

	jobs := []steal.Lent{{Number: 1}}
	lend := Detached(steal.Lend{Jobs: jobs}).(steal.Lend)
	jobs[0].Number = 2

	parts, gone := []orphan.Part{{Key: steal.Key{1}}}, []steal.Key{{1}}
	copied := Detached(orphan.Copy{Parts: parts, Gone: gone}).(orphan.Copy)
	parts[0].Key, gone[0] = steal.Key{2}, steal.Key{2}

	items := []orphan.Bequest{{Owners: []orphan.KeptFor{{Owner: "a"}}}}
	will := Detached(orphan.Will{Items: items}).(orphan.Will)
	items[0].Owners[0].Owner = "b"

	if record.Head.Deaths[0].Key[0] != 1 || lend.Jobs[0].Number != 1 || copied.Parts[0].Key[0] != 1 || copied.Gone[0][0] != 1 || will.Items[0].Owners[0].Owner != "a" {
		t.Errorf("%+v, %+v, %+v, %+v", record, lend, copied, will)
	}
	if b := Detached(Pull{}); b != (Pull{}) {
		t.Errorf("what nobody writes to is %+v", b)
	}
}
