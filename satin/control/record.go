package control

import (
	"encoding/binary"
	"errors"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// A store keeps the record of a run as when it was written, in nanoseconds of wall-clock time, and
// the message that tells of it, without its root. The time is the record's own: batches that follow
// leave it as it is.

// dateSize is how many bytes the time takes.
const dateSize = 8

// encodeRecord is a record as a store has it.
func encodeRecord(head peer.Head, at time.Time) []byte {
	data, err := wire.Encode(peer.Message{Body: peer.Record{Head: head}})
	if err != nil {
		panic("control: BUG: " + err.Error())
	}
	return append(binary.BigEndian.AppendUint64(nil, uint64(at.UnixNano())), data...)
}

// decodeRecord is the record that a store has, and when it was written.
func decodeRecord(data []byte) (rec peer.Record, at time.Time, err error) {
	if len(data) < dateSize {
		return rec, at, errors.New("it has no date")
	}
	m, err := wire.NewCodec().Decode(data[dateSize:])
	if err != nil {
		return rec, at, err
	}
	rec, ok := m.Body.(peer.Record)
	if !ok {
		return rec, at, errors.New("it is no record")
	}
	return rec, time.Unix(0, int64(binary.BigEndian.Uint64(data))), nil
}
