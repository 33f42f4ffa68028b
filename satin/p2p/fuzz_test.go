package p2p

import (
	"bytes"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/libp2p/go-libp2p/core/peer"
)

// Every decoder of the wire: no panic, and what is accepted is written again
// as the same bytes, so that there is one form of everything.

func FuzzGreeting(f *testing.F) {
	f.Add(challenge{wire: 1, grid: "lab"}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if g, err := decodeChallenge(b); err == nil && !bytes.Equal(g.append(nil), b) {
			t.Fatalf("%x became %+v", b, g)
		}
	})
}

func FuzzProof(f *testing.F) {
	f.Add(proof{mac: make([]byte, macSize), hello: []byte("hello")}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := decodeProof(b); err == nil && !bytes.Equal(p.append(nil), b) {
			t.Fatalf("%x became %+v", b, p)
		}
	})
}

func FuzzVerdict(f *testing.F) {
	f.Add(decision{}.append(nil))
	f.Add(decision{why: WhyGrid, reason: "another"}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := decodeDecision(b); err == nil && !bytes.Equal(v.append(nil), b) {
			t.Fatalf("%x became %+v", b, v)
		}
	})
}

func FuzzOpening(f *testing.F) {
	f.Add(streamOpening{start: 1, number: 2, hello: []byte("hi"), addrs: []string{"/ip4/1.2.3.4/tcp/5"}}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if o, err := decodeOpening(b); err == nil && !bytes.Equal(o.append(nil), b) {
			t.Fatalf("%x became %+v", b, o)
		}
	})
}

// TestOddAddresses: who says that it can be dialled at what nobody could pass on in a ticket is
// hung up on.
func TestOddAddresses(t *testing.T) {
	for addr, taken := range map[string]bool{
		"/ip4/1.2.3.4/tcp/5": true, "/" + strings.Repeat("x", addrMax-1): true, "": false, "x": false,
		"/x y/p2p/z": false, "/x\x1b[2J": false, "/\x7f": false, "/größe": false,
	} {
		o := streamOpening{addrs: []string{"/ip4/1.2.3.4/tcp/4", addr}}
		if got, err := decodeOpening(o.append(nil)); (err == nil) != taken || taken && !reflect.DeepEqual(got.addrs, o.addrs) {
			t.Errorf("%q: %v, %v", addr, got.addrs, err)
		}
	}
}

func FuzzAsking(f *testing.F) {
	f.Add(asking{1, 2, 3}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if a, err := decodeAsking(b); err == nil && !bytes.Equal(a.append(nil), b) {
			t.Fatalf("%x became %+v", b, a)
		}
	})
}

func FuzzAnnouncement(f *testing.F) {
	f.Add(announcement{length: 3, header: []byte("result")}.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if a, err := decodeAnnouncement(b); err == nil && !bytes.Equal(a.append(nil), b) {
			t.Fatalf("%x became %+v", b, a)
		}
	})
}

func FuzzGuests(f *testing.F) {
	f.Add(appendGuests(nil, []peer.ID{"a", "b"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		if ids, err := decodeGuests(b); err == nil && !bytes.Equal(appendGuests(nil, ids), b) {
			t.Fatalf("%x became %q", b, ids)
		}
	})
}

// FuzzFrames reads a whole stream of frames, whose lengths are the stranger's.
func FuzzFrames(f *testing.F) {
	f.Add(appendFrame(appendFrame(nil, kindFrame, []byte("one")), kindGoodbye, []byte{1}))
	f.Add([]byte{0, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := frameReader{r: bytes.NewReader(b)}
		var again []byte
		for {
			kind, payload, err := r.next()
			if err != nil {
				break
			}
			again = appendFrame(again, kind, payload)
		}
		if !bytes.HasPrefix(b, again) || cap(r.buf) > FrameMax {
			t.Fatalf("%x became %x with a buffer of %d", b, again, cap(r.buf))
		}
	})
}

// strangerConn plays a stranger's bytes to the handshake and takes what it says.
type strangerConn struct {
	net.Conn
	in io.Reader
}

func (s strangerConn) Read(b []byte) (int, error)       { return s.in.Read(b) }
func (s strangerConn) Write(b []byte) (int, error)      { return len(b), nil }
func (s strangerConn) SetReadDeadline(time.Time) error  { return nil }
func (s strangerConn) SetWriteDeadline(time.Time) error { return nil }

// FuzzHandshake gives both sides of the handshake whatever a stranger may say. Nobody
// gets in who does not know nonces that were drawn after he spoke.
func FuzzHandshake(f *testing.F) {
	message := func(kind byte, payload []byte) []byte {
		var b bytes.Buffer
		writeHandshake(&b, kind, payload)
		return b.Bytes()
	}
	hi := message(kindGreeting, challenge{wire: 1, grid: "lab"}.append(nil))
	f.Add(hi)
	f.Add(append(hi, message(kindProof, proof{mac: make([]byte, macSize)}.append(nil))...))
	f.Add(append(hi, message(kindVerdict, decision{}.append(nil))...))
	f.Add(append(hi, message(kindVerdict, decision{why: WhyBarred, reason: "no"}.append(nil))...))
	own, err := volatileIdentity()
	if err != nil {
		f.Fatal(err)
	}
	other, err := volatileIdentity()
	if err != nil {
		f.Fatal(err)
	}
	g, _ := newGate(own.id, nil, nil)
	d := &handshake{id: own.id, grid: "lab", wire: 1, secret: secret, hello: says(""), gate: g, told: func(*DeniedError) {}}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, side := range []func(net.Conn, peer.ID) error{d.listen, d.dial} {
			if side(strangerConn{in: bytes.NewReader(b)}, other.id) == nil {
				t.Fatalf("let in by %x", b)
			}
		}
	})
}

// A message of the handshake is at most as long as its limit says, whatever the
// parts are, so that no honest host refuses another's.
func TestTheLongestMessagesFit(t *testing.T) {
	long := func(n int) []byte { return bytes.Repeat([]byte{'x'}, n) }
	v := decision{why: WhyHello, reason: string(long(reasonMax)), proof: proof{mac: long(macSize), hello: long(HelloMax)}}
	g := challenge{grid: string(long(GridMax))}
	for _, b := range [][]byte{v.append(nil), v.proof.append(nil), g.append(nil)} {
		if len(b) > handshakeMax {
			t.Errorf("%d bytes, the handshake takes %d", len(b), handshakeMax)
		}
	}
	got, err := decodeDecision(v.append(nil))
	if err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("%v, %v", got, err)
	}
	o := streamOpening{hello: long(HelloMax)}
	for range AddrsMax {
		o.addrs = append(o.addrs, "/"+string(long(addrMax-1)))
	}
	if b := o.append(nil); len(b) > openingMax {
		t.Errorf("an opening of %d bytes, the limit is %d", len(b), openingMax)
	}
	if n := guestsMax * (2 + idMax); n > FrameMax {
		t.Errorf("a list of guests of %d bytes, a frame has %d", n, FrameMax)
	}
	if b := (announcement{header: long(HeaderMax)}).append(nil); len(b) > announcementMax {
		t.Errorf("an announcement of %d bytes, the limit is %d", len(b), announcementMax)
	}
}
