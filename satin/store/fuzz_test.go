package store

import (
	"bytes"
	"hash/crc32"
	"slices"
	"testing"
)

// sampleFile is a file with two batches.
func sampleFile() []byte {
	p := preface{run: Key{1}, build: "build", salt: 7}
	b := bytes.NewBuffer(p.append(nil))
	best := newValue(head{kind: kindBest}, []byte("best"))
	under := found{best: digestOf(best.bytes), verify: 0.5}
	first := []value{
		newValue(head{kind: kindRoot}, []byte("root")), best,
		newValue(head{kind: kindResult, key: Key{2}, cost: 300, found: under}, []byte("result")),
		newValue(head{kind: kindResult, key: Key{3}, cost: 2, choosing: true, outcome: 1, found: under}, bytes.Repeat([]byte("long "), 20)),
	}
	writeBatch(b, p, int64(b.Len()), lifetime{written: 5, keep: KeepDefault}, first)
	second := []value{
		newValue(head{kind: kindRoot, gone: true}, nil), newValue(head{kind: kindResult, key: Key{2}, gone: true}, nil),
		newValue(head{kind: kindResult, key: Key{4}}, nil),
	}
	writeBatch(b, p, int64(b.Len()), lifetime{written: 6, keep: KeepDefault, ended: true}, second)
	return b.Bytes()
}

// FuzzFile reads files that are none. Whatever they are, what is returned has its digest, no result
// names a best that is not there, and what is read from a copy of what was read is the same.
func FuzzFile(f *testing.F) {
	whole := sampleFile()
	f.Add(whole)
	f.Add(whole[:len(whole)-3])
	f.Add(whole[:prefaceSize])
	f.Add(append(bytes.Clone(whole), whole...))
	f.Fuzz(func(t *testing.T, file []byte) {
		readFuzzed(t, file)
		readFuzzed(t, summed(file))
	})
}

// summed gives what may be prefaces, headers and heads the digests, checksums and places that they
// should have: what is behind those is tried, too.
func summed(file []byte) []byte {
	file = bytes.Clone(file)
	size := len(file)
	if size < prefaceSize {
		return file
	}
	copy(file, preface{}.append(nil)[:12])
	at := min(size, prefaceSize+int(order.Uint32(file[12:])%buildBytesMax))
	order.PutUint32(file[12:], uint32(at-prefaceSize))
	sum := crc32.Update(crc32.Checksum(file[:40], castagnoli), castagnoli, file[prefaceSize:at])
	order.PutUint32(file[40:], sum)
	before := bytes.Clone(file[:at])
	for at+headerSize <= size {
		h := file[at : at+headerSize]
		copy(h, appendHeaderMagic(nil, order.Uint64(file[32:])))
		order.PutUint64(h[12:], uint64(at))
		values := at + headerSize + int(order.Uint64(h[20:])%uint64(size))
		if values <= size {
			digest := digestOf(slices.Concat(before, h[:toldSize], file[at+headerSize:values]))
			copy(h[toldSize:], digest[:])
		}
		order.PutUint32(h[summedSize:], crc32.Checksum(h[:summedSize], castagnoli))
		next := values + int(order.Uint64(h[28:])%uint64(size))
		at = max(at+headerSize, next)
	}
	return file
}

func readFuzzed(t *testing.T, file []byte) {
	size := int64(len(file))
	c, ok := scan(bytes.NewReader(file), size)
	if !ok {
		return
	}
	if c.end > size || c.end < c.preface.size() || c.size() > size {
		t.Fatalf("%d bytes, batches until %d, %d of values", size, c.end, c.size())
	}
	all := c.recall(bytes.NewReader(file), size, size)
	if all.Left != 0 {
		t.Fatalf("%d results have no room in the length of the file", all.Left)
	}
	for _, r := range all.Results {
		if r.Best != (Key{}) && all.Best == nil || !isOf(c.results[r.Key], r.Bytes) {
			t.Fatalf("result %+v", r)
		}
	}
	if all.Best != nil && all.BestDigest != digestOf(all.Best) {
		t.Fatalf("best %q has digest %v", all.Best, all.BestDigest)
	}
	var b bytes.Buffer
	r := runFile{size: size}
	if wrong, err := r.copyTo(&b, bytes.NewReader(file), c); wrong != 0 || err != nil {
		t.Fatalf("%d wrong values in what was right, %v", wrong, err)
	}
	again, ok := scan(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if !ok || again.damaged != 0 || again.end != int64(b.Len()) || again.size() != c.size() || again.lifetime != c.lifetime {
		t.Fatalf("copied %+v, from %+v", again, c)
	}
	if len(c.items()) < copyHeads && size < copyBytes && !c.empty() && again.size() != int64(b.Len()) {
		t.Fatalf("one batch of %d bytes is said to be of %d", b.Len(), again.size())
	}
}

// isOf tells whether bytes are those of an item.
func isOf(i item, bytes []byte) bool {
	if i.isShort() {
		return string(bytes) == i.short && len(bytes) == int(i.length)
	}
	return digestOf(bytes) == i.digest
}

// TestReadsTheSample does with the sample what is done with what is no file.
func TestReadsTheSample(t *testing.T) { readFuzzed(t, sampleFile()) }

// What fuzzing repairs is read, or it would try nothing.
func TestSummed(t *testing.T) {
	file := sampleFile()
	for at := range prefaceSize {
		if at >= 12 && at < 16 || at >= 32 && at < 40 { // the length of the build, the salt
			continue
		}
		broken := bytes.Clone(file)
		broken[at] ^= 1
		c, ok := scan(bytes.NewReader(summed(broken)), int64(len(file)))
		if !ok || c.damaged != 0 || c.end != int64(len(file)) {
			t.Fatalf("byte %d: %+v", at, c)
		}
	}
}

// FuzzHeads: what is not refused is what append writes.
func FuzzHeads(f *testing.F) {
	for _, v := range sampleHeads() {
		f.Add(v.head.append(nil, found{}, v.bytes))
	}
	f.Add(appendHeads(nil, sampleHeads()))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, all := headReader{left: b}, []value(nil)
		for r.more() {
			h, short := r.next()
			all = append(all, value{h, short})
		}
		if r.wrong {
			return
		}
		if again := appendHeads(nil, all); !bytes.Equal(again, b) {
			t.Fatalf("%x is read as %+v, which are %x", b, all, again)
		}
	})
}

// The sample is what it is meant to be.
func TestSampleFile(t *testing.T) {
	file := sampleFile()
	c, ok := scan(bytes.NewReader(file), int64(len(file)))
	if !ok || c.damaged != 0 || c.end != int64(len(file)) || !c.ended || c.written != 6 {
		t.Fatalf("%+v", c)
	}
	all := c.recall(bytes.NewReader(file), int64(len(file)), 100)
	if all.Root != nil || string(all.Best) != "best" || len(all.Results) != 2 || all.Results[0].Cost != 2 {
		t.Errorf("%+v", all)
	}
	// a batch that is not whole is none
	for cut := range file {
		c, ok := scan(bytes.NewReader(file[:cut]), int64(cut))
		if ok && (c.damaged != 0 || c.written == 6 || c.written == 5 && c.slots[kindRoot].length != 4) {
			t.Fatalf("cut at %d: %+v", cut, c)
		}
	}
}

// counting counts what is read.
type counting struct {
	*bytes.Reader
	n int
}

func (c *counting) ReadAt(b []byte, at int64) (int, error) {
	c.n += len(b)
	return c.Reader.ReadAt(b, at)
}

// Of a file that consists of beginnings no more is read than a few times its length.
func TestNothingButBeginnings(t *testing.T) {
	p := preface{build: "build", salt: 7}
	begins := appendHeaderMagic(nil, p.salt)
	file := append(p.append(nil), bytes.Repeat(begins, 100_000)...)
	f := &counting{Reader: bytes.NewReader(file)}
	c, ok := scan(f, int64(len(file)))
	if most := len(file) * (2 + headerSize/len(begins)); !ok || c.damaged != 1 || !c.empty() || f.n > most {
		t.Errorf("%d bytes are read of %d", f.n, len(file))
	}
}

// The end of a best was lost, and the next one need not be better: what was before that is not used
// with it.
func TestALostEndOfABest(t *testing.T) {
	p := preface{build: "build", salt: 7}
	b := bytes.NewBuffer(p.append(nil))
	add := func(values ...value) (at int) {
		at = b.Len()
		writeBatch(b, p, int64(at), lifetime{keep: KeepDefault}, values)
		return at
	}
	good := newValue(head{kind: kindBest}, []byte("good"))
	add(good, newValue(head{kind: kindResult, key: Key{1}, found: found{best: digestOf(good.bytes)}}, nil), newValue(head{kind: kindResult, key: Key{2}}, nil))
	lost := add(newValue(head{kind: kindBest, gone: true}, nil))
	behind := b.Len()
	bad := newValue(head{kind: kindBest}, []byte("bad"))
	add(bad, newValue(head{kind: kindResult, key: Key{3}, found: found{best: digestOf(bad.bytes)}}, nil))
	for at := lost; at < behind; at++ {
		file := bytes.Clone(b.Bytes())
		file[at] ^= 4
		c, ok := scan(bytes.NewReader(file), int64(len(file)))
		if !ok || c.damaged != 1 || len(c.results) != 2 || c.slots[kindBest].short != "bad" {
			t.Fatalf("byte %d: %+v", at, c)
		}
		if _, used := c.results[Key{1}]; used {
			t.Fatalf("byte %d: what was found under a better best is used with a worse one", at)
		}
	}
}

// One that is the wrong one of its place is none: an old batch is not read as the latest word.
func TestAnOldBatchElsewhere(t *testing.T) {
	file := sampleFile()
	first := preface{build: "build"}.size()
	file = append(file, file[first:]...)
	c, ok := scan(bytes.NewReader(file), int64(len(file)))
	if !ok || c.written != 6 || c.slots[kindRoot].there() || c.damaged != 1 {
		t.Errorf("%+v", c)
	}
}

// Nor is one in the file of another run, though that has its salt and its place.
func TestABatchOfAnotherRun(t *testing.T) {
	file := sampleFile()
	for _, p := range []preface{{run: Key{2}, build: "build", salt: 7}, {run: Key{1}, build: "builD", salt: 7}} {
		other := append(p.append(nil), file[p.size():]...)
		if c, ok := scan(bytes.NewReader(other), int64(len(other))); !ok || !c.empty() || c.damaged == 0 {
			t.Errorf("%+v", c)
		}
	}
}
