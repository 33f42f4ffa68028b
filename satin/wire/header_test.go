package wire

import (
	"bytes"
	"errors"
	"testing"

	"github.com/fxamacker/cbor/v2"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// twin is a message as the library reads it.
type twin struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	From peer.Life
	To   peer.Life
	Body cbor.RawMessage
}

// written is a message as the library writes it.
type written struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	From peer.Life
	To   peer.Life
	Body membership.Body
}

// FuzzSplit demands that a head read by hand is what the library reads, and one written by hand
// what the library writes.
func FuzzSplit(f *testing.F) {
	for _, m := range samples() {
		for _, long := range []uint64{0, 23, 24, 0xff, 0x100, 0xffff, 0x1_0000, 0xffff_ffff, 0x1_0000_0000, 1<<64 - 1} {
			m.From = membership.Incarnation{Join: long, Rejoin: m.To.Random, Random: long}
			m.To = membership.Incarnation{Join: 1, Rejoin: long, Random: m.To.Join}
			data, err := Encode(m)
			if err != nil {
				f.Fatal(err)
			}
			if head, _, err := Split(data); err != nil || head != (Header{m.Body.Kind(), m.From, m.To}) {
				f.Fatalf("%x is split to %+v, %v", data, head, err)
			}
			want, err := encMode.Marshal(written{Kind: m.Body.Kind(), From: peer.LifeOf(m.From), To: peer.LifeOf(m.To), Body: m.Body})
			if err != nil || !bytes.Equal(data, want) {
				f.Fatalf("%T is %x, the library writes %x, %v", m.Body, data, want, err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		head, body, err := Split(data)
		var want twin
		if err != nil || decMode.Unmarshal(data, &want) != nil {
			return
		}
		if head.Kind != want.Kind || peer.LifeOf(head.From) != want.From || peer.LifeOf(head.To) != want.To || !bytes.Equal(body, want.Body) {
			t.Fatalf("%x is split to %+v and %x, the library reads %+v", data, head, body, want)
		}
	})
}

func TestHeadsThatAreNone(t *testing.T) {
	for _, data := range []string{
		// nothing, too little, no array of four,
		"", "\x84", "\x83\x01\x83\x00\x00\x00\x83\x00\x00\x00\xa0",
		"\x84\x19\x01\x00\x83\x00\x00\x00\x83\x00\x00\x00\xa0", // a kind over 255,
		"\x84\x01\x82\x00\x00\x83\x00\x00\x00\xa0",             // no life,
		"\x84\x01\x83\x20\x00\x00\x83\x00\x00\x00\xa0",         // a negative number,
		"\x84\x01\x83\x00\x00\x00\x83\x00\x00\x1b\xff\xff\xff", // and one that ends early
	} {
		if head, _, err := Split([]byte(data)); !errors.Is(err, ErrHeader) {
			t.Errorf("%x is taken for %+v, %v", data, head, err)
		}
	}
	if _, err := codec.Decode([]byte("\x84\x01\x83\x00\x00\x00\x83\x00\x00\x00")); err == nil {
		t.Error("a message without a body is read")
	}
	if _, err := codec.Decode([]byte("\x84\x01\x83\x00\x00\x00\x83\x00\x00\x00\xa0\xa0")); err == nil {
		t.Error("bytes behind a message are not missed")
	}
}
