package satin

// Inside the package: no test has the time to make lists that are as long as a grid carries them.

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// The limit on bytes is all there is: no list or map is refused for the number of its elements.
func TestElementsAreBoundedByBytes(t *testing.T) {
	for _, n := range []uint32{1<<26 + 1, elementsMax} {
		head := binary.BigEndian.AppendUint32(nil, n)
		list := unmarshal(append([]byte{0x9a}, head...), new([]bool))
		pairs := unmarshal(append([]byte{0xba}, head...), new(map[int]bool))
		if errors.As(list, new(*cbor.MaxArrayElementsError)) || errors.As(pairs, new(*cbor.MaxMapPairsError)) || list == nil || pairs == nil {
			t.Errorf("of %d elements there are none: %v, %v", n, list, pairs)
		}
	}
	over := elementsMax
	over++ // on some computers below 0
	for max, ok := range map[int]bool{elementsMax: true, over: false, -1: false} {
		p, err := Open(context.Background(), Config{Alone: true, Workers: 1, ResultMax: max})
		if (err == nil) != ok {
			t.Errorf("ResultMax of %d: %v", max, err)
		}
		if err == nil {
			p.Close()
		}
	}
}
