package satin

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Rand returns the job's random source. It is seeded with a digest of the root task, its fields,
// the task and its fields, so that a job draws the same numbers wherever it runs and when it is
// redone. Two jobs with equal fields draw equal numbers: Monte Carlo children need a stream
// number among their fields.
//
// The source is made when the job first asks, which costs about a microsecond, and then kept.
func (s *Scope) Rand() *rand.Rand {
	lv := s.ownTracked()
	if lv.rand == nil {
		s.refloor(true)
		j := s.slots[lv.slot]
		scope, err := s.run.seed()
		if err != nil {
			panic(fmt.Sprintf("satin: Rand needs fields that can be encoded: %v", err))
		}
		key, err := keyOfTask(scope, typeName(j), j.fields())
		if err != nil {
			panic(fmt.Sprintf("satin: Rand needs fields that can be encoded: %v", err))
		}
		lv.rand = rand.New(rand.NewPCG(binary.BigEndian.Uint64(key[:8]), binary.BigEndian.Uint64(key[8:])))
	}
	return lv.rand
}
