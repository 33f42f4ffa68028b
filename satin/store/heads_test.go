package store

import (
	"bytes"
	"hash/crc32"
	"math"
	"runtime"
	"slices"
	"testing"
)

// sampleHeads are values of all sorts.
func sampleHeads() []value {
	first, second := found{best: Key{1}, verify: 0.25}, found{verify: 1}
	return []value{
		newValue(head{kind: kindRoot, gone: true}, nil),
		newValue(head{kind: kindResult, gone: true, key: Key{9}}, nil),
		newValue(head{kind: kindRecord}, nil),
		newValue(head{kind: kindBest}, []byte("best")),
		newValue(head{kind: kindResult, key: Key{1}}, []byte("found under nothing")),
		newValue(head{kind: kindResult, key: Key{2}, found: first, cost: math.MaxUint32, outcome: 255, choosing: true}, make([]byte, shortMax)),
		newValue(head{kind: kindResult, key: Key{3}, found: first, cost: 127}, make([]byte, shortMax+1)),
		newValue(head{kind: kindResult, gone: true, key: Key{2}}, nil),
		newValue(head{kind: kindResult, key: Key{4}, found: first, cost: 128}, nil),
		newValue(head{kind: kindResult, key: Key{5}, found: second}, make([]byte, 1000)),
		newValue(head{kind: kindResult, key: Key{6}}, []byte("nothing again")),
	}
}

// Heads are read as they were written, each takes as many bytes as it says, and under what a result
// was found is told where that changes.
func TestHeads(t *testing.T) {
	values := sampleHeads()
	b, behind := appendHeads(nil, values), int64(0)
	r := headReader{left: b}
	for n, v := range values {
		if !r.more() {
			t.Fatalf("there are %d of %d", n, len(values))
		}
		h, short := r.next()
		if h != v.head || h.isShort() != (len(v.bytes) <= shortMax) || h.isShort() && !bytes.Equal(short, v.bytes) {
			t.Fatalf("head %d is %+v, wanted %+v", n, h, v.head)
		}
		behind += h.behind()
	}
	if r.more() || r.wrong || behind != shortMax+1+1000 {
		t.Errorf("%x are left, %d bytes are behind", r.left, behind)
	}
	if founds := foundsSize(values); founds != 3*foundSize {
		t.Errorf("%d bytes tell under what results were found", founds)
	}
	if size := batchSize(values); size != headerSize+int64(len(b))+behind {
		t.Errorf("a batch of %d bytes is said to be of %d", headerSize+len(b)+int(behind), size)
	}
}

// What the store holds itself to: a deletion takes a key and a byte, a small result less than 30
// bytes more than its value.
func TestHeadsAreSmall(t *testing.T) {
	if n := len(newValue(head{kind: kindResult, key: Key{1}, gone: true}, nil).append(nil, found{}, nil)); n != 17 {
		t.Errorf("a deletion takes %d bytes", n)
	}
	under := found{best: Key{1}, verify: 1}
	for _, length := range []int{0, 4, shortMax} {
		v := newValue(head{kind: kindResult, key: Key{1}, cost: math.MaxUint32, found: under}, make([]byte, length))
		if n := len(v.append(nil, under, v.bytes)); n > length+24 || int64(n) != v.size() {
			t.Errorf("a result of %d bytes takes %d, and says %d", length, n, v.size())
		}
	}
}

// What append does not write is refused, and nothing is read from beyond the end.
func TestWrongHeads(t *testing.T) {
	key := make([]byte, 16)
	result := slices.Concat([]byte{3}, key)
	for _, c := range []struct {
		what string
		b    []byte
	}{
		{"a flag that there is not", []byte{1 << 5, 0}},
		{"a deletion that chooses", slices.Concat([]byte{3 | flagGone | flagChoosing}, key)},
		{"a deletion that was found", slices.Concat([]byte{3 | flagGone | flagFound}, key, make([]byte, foundSize))},
		{"a root that chooses", []byte{flagChoosing, 0}},
		{"a root that was found", slices.Concat([]byte{flagFound}, make([]byte, foundSize), []byte{0})},
		{"a key that is cut", result[:10]},
		{"no outcome", result},
		{"no cost", slices.Concat(result, []byte{0})},
		{"no length", slices.Concat(result, []byte{0, 0})},
		{"a cost in more bytes than it takes", slices.Concat(result, []byte{0, 0x80, 0, 0})},
		{"a cost that is too much", slices.Concat(result, []byte{0, 0xff, 0xff, 0xff, 0xff, 0x10, 0})},
		{"a length that is too much", []byte{0, 0x81, 0x80, 0x80, 0x80, 0x04}},
		{"a number without end", []byte{0, 0xff}},
		{"a value that is cut", []byte{0, 2, 'a'}},
		{"a digest that is cut", []byte{0, shortMax + 1, 'd'}},
		{"found under the same again", slices.Concat([]byte{3 | flagFound}, key, make([]byte, foundSize), []byte{0, 0, 0})},
		{"verified to more than all", slices.Concat([]byte{3 | flagFound}, key, key, []byte{0, 0, 0, 0x40}, []byte{0, 0, 0})},
	} {
		r := headReader{left: c.b}
		for r.more() {
			r.next()
		}
		if !r.wrong {
			t.Errorf("%s: %x is read", c.what, c.b)
		}
	}
}

// The form of a file is known by its version: whoever changes the one changes the other.
func TestTheFormHasItsVersion(t *testing.T) {
	if form := digestOf(sampleFile()).String(); formatVersion != 3 || form != "e06294ec5a6041e94088734817fca014" {
		t.Errorf("version %d has the form %s: a file of another form has another version", formatVersion, form)
	}
}

// As many results are left of a batch as there is room for, with what it takes to tell under what
// they were found.
func TestAsManyAsHaveRoom(t *testing.T) {
	values := []value{newValue(head{kind: kindRoot}, []byte("root"))}
	for n := range 60 {
		h := head{kind: kindResult, key: Key{byte(n)}, cost: uint32(n % 7), found: found{best: Key{byte(n / 6)}}}
		values = append(values, newValue(h, make([]byte, n)))
	}
	must, results := needed(values, &runFile{})
	must -= preface{}.size()
	for room := range results + 1 {
		left := (&Store{}).dearest(slices.Clone(values), room)
		if took := batchSize(left) - must; took > room || room == results && took < room {
			t.Fatalf("in a room for %d bytes of results there are %d that take %d", room, len(left)-1, took)
		}
	}
}

// written is a file with one batch, whose header may say what it likes, and has the digest for it.
func written(h header, heads, values []byte) []byte {
	p := preface{build: "build", salt: 7}
	h.digest = h.digestWith(p, p.size(), heads)
	return slices.Concat(p.append(nil), h.append(nil, p, p.size()), heads, values)
}

// What a header says that cannot be is refused, though its digest is right.
func TestWrongHeaders(t *testing.T) {
	long := newValue(head{kind: kindRoot}, make([]byte, 100))
	heads := appendHeads(nil, []value{long})
	right := header{lifetime: lifetime{written: 1, keep: KeepDefault}, heads: int64(len(heads)), values: 100}
	with := func(change func(h *header)) []byte {
		h := right
		change(&h)
		return written(h, heads, long.bytes)
	}
	ended := with(func(h *header) { h.ended = true })
	at := bytes.Index(ended, headerMagic) + toldSize - 1
	if ended[at] != 1 {
		t.Fatal("it does not say at its end that the run has ended")
	}
	for _, c := range []struct {
		what string
		file []byte
		ok   bool
	}{
		{"all is right", with(func(h *header) {}), true},
		{"less behind the heads than these say", with(func(h *header) { h.values = 99 }), false},
		{"more behind the heads than there is", with(func(h *header) { h.values = 101 }), false},
		{"so much that its end is before its beginning", with(func(h *header) { h.values = math.MaxInt64 }), false},
		{"heads of that length", with(func(h *header) { h.heads = math.MaxInt64 }), false},
		{"fewer bytes than none", with(func(h *header) { h.values = -1 }), false},
		{"fewer heads than none", with(func(h *header) { h.heads, h.values = -1, 100+int64(len(heads)) }), false},
		{"time before all", with(func(h *header) { h.written = -1 }), false},
		{"kept for longer than may be", with(func(h *header) { h.keep = KeepMax + 1 }), false},
		{"heads that are none", written(header{lifetime: right.lifetime, heads: 1}, []byte{1 << 5}, nil), false},
	} {
		got, ok := scan(bytes.NewReader(c.file), int64(len(c.file)))
		if !ok || got.slots[kindRoot].there() != c.ok || got.written == 1 != c.ok {
			t.Errorf("%s: %v, %+v", c.what, ok, got)
		}
	}
	ended[at] = 2
	order.PutUint32(ended[at+1+len(Key{}):], crc32.Checksum(ended[at+1-toldSize:at+1+len(Key{})], castagnoli))
	if _, ok := readHeader(bytes.NewReader(ended), int64(len(ended)), int64(at+1-toldSize), 7); ok {
		t.Error("whether it has ended may be anything")
	}
}

// A file cannot have much memory taken: what is allocated while it is read is bounded by its
// length, whatever it says of lengths, and though a head may be of one byte.
func TestHostileFilesTakeLittleMemory(t *testing.T) {
	const most = 24 // times the length
	of := func(heads []byte, values int64, behind []byte) []byte {
		return written(header{lifetime: lifetime{keep: KeepDefault}, heads: int64(len(heads)), values: values}, heads, behind)
	}
	var results []byte
	for n := range 50_000 {
		results = head{kind: kindResult, key: Key{byte(n), byte(n >> 8), byte(n >> 16)}}.append(results, found{}, nil)
	}
	for _, c := range []struct {
		what    string
		file    []byte
		results int
	}{
		{"heads of one byte", of(bytes.Repeat([]byte{flagGone}, 1<<20), 0, nil), 0},
		{"many results", of(results, 0, nil), 50_000},
		{"lengths that are made up", of(bytes.Repeat(head{kind: kindRoot, length: valueMax}.append(nil, found{}, nil), 50_000), 50_000*valueMax, nil), 0},
		{"long values that are the same", of(bytes.Repeat(head{kind: kindRoot, length: 1 << 19}.append(nil, found{}, nil), 1), 1<<19, make([]byte, 1<<19)), 0},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got, ok := scan(bytes.NewReader(c.file), int64(len(c.file)))
		runtime.ReadMemStats(&after)
		if !ok || len(got.results) != c.results {
			t.Errorf("%s: %v, %d results", c.what, ok, len(got.results))
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > most*uint64(len(c.file))+64<<10 {
			t.Errorf("%s: %d bytes of memory for a file of %d", c.what, took, len(c.file))
		} else {
			t.Logf("%s: %d bytes of memory for a file of %d", c.what, took, len(c.file))
		}
	}
}
