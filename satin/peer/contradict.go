package peer

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"

	"satingrid/membership"
	"satingrid/steal"
)

// compareMax is up to which length an answer is kept whole, to be compared with later ones.
const compareMax = 64 << 10

func isLong(r steal.Result) bool { return len(r.Bytes) > compareMax }

// short keeps of a long result only what tells it from another: its length and a sum, which a
// processor makes as fast as it reads memory.
func short(r steal.Result) steal.Result {
	if isLong(r) {
		sum := make([]byte, len(steal.Key{}))
		binary.LittleEndian.PutUint64(sum, uint64(len(r.Bytes)))
		binary.LittleEndian.PutUint32(sum[8:], crc32.Checksum(r.Bytes, castagnoli))
		r.Bytes = sum
	}
	return r
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// contradicts tells whether two answers cannot both be right. Those of choosing runs may differ
// where neither is better. An error names the job that it came from: which of several a run fails
// with depends on the order, so two are compared only when they are of one job.
func (o *submissions) contradicts(d delivered, whole steal.Result) bool {
	r, isSum := short(whole), d.isSum || isLong(whole)
	if d.result.Outcome == r.Outcome && bytes.Equal(d.result.Bytes, r.Bytes) ||
		d.result.Outcome == steal.Panicked || r.Outcome == steal.Panicked {
		return false
	}
	if !d.result.Choosing && !r.Choosing {
		return d.result.Outcome != steal.Failed || r.Outcome != steal.Failed || !isSum && o.isSameJob(d.result, r)
	}
	if d.result.Outcome != steal.Value || r.Outcome != steal.Value {
		return false
	}
	if !isSum && !o.differing { // a sum cannot be compared
		o.differing = true
		o.do(Differ{Nonce: d.nonce, Task: d.task, A: d.result.Bytes, B: r.Bytes})
	}
	return false
}

// differed hears whether one of two answers is better than the other.
func (o *submissions) differed(nonce steal.Nonce, differ bool) []membership.Effect {
	if o.differing = false; differ {
		o.differ(nonce)
	}
	return o.flush()
}

// differ tells that not both of two answers can be right.
func (o *submissions) differ(nonce steal.Nonce) {
	o.do(Contradiction{Nonce: nonce, Text: "two answers to one submission differ: a job that is not a function of its fields"})
}

// isSameJob tells whether two errors came from one job. A sum names none.
func (o *submissions) isSameJob(a, b steal.Result) bool {
	return o.jobOf != nil && o.jobOf(a.Bytes) == o.jobOf(b.Bytes)
}
