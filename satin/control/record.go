package control

import (
	"encoding/binary"
	"errors"
	"time"

	"satingrid/satin/peer"
	"satingrid/satin/wire"
)

// A store keeps the record of a run as when it was written, in nanoseconds of wall-clock time, how
// many lives it was on in without a result (see [restarts]), a byte, and the message that tells of
// it, without its root. The time is the record's own: batches that follow leave it as it is.

// dateSize is how many bytes the time takes, and aheadSize all that is ahead of the message.
const (
	dateSize  = 8
	aheadSize = dateSize + 1
)

// encodeRecord is a record as a store has it.
func encodeRecord(head peer.Head, starts uint8, at time.Time) []byte {
	data, err := wire.Encode(peer.Message{Body: peer.Record{Head: head}})
	if err != nil {
		panic("control: BUG: " + err.Error())
	}
	ahead := append(binary.BigEndian.AppendUint64(nil, uint64(at.UnixNano())), starts)
	return append(ahead, data...)
}

// decodeRecord is the record that a store has.
func decodeRecord(data []byte) (is recordOnDisk, err error) {
	if len(data) < aheadSize {
		return is, errors.New("it has no date")
	}
	m, err := wire.NewCodec().Decode(data[aheadSize:])
	if err != nil {
		return is, err
	}
	rec, ok := m.Body.(peer.Record)
	if !ok {
		return is, errors.New("it is no record")
	}
	return recordOnDisk{rec.Head, time.Unix(0, int64(binary.BigEndian.Uint64(data))), data[dateSize]}, nil
}
