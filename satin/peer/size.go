package peer

import (
	"slices"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// Size is how many bytes of roots, arguments, results and bests a message carries: about how long
// it is, where that may be long.
func Size(body membership.Body) (bytes int) {
	switch b := body.(type) {
	case Submit:
		return len(b.Root)
	case Record:
		return len(b.Root) + len(b.Best.Value)
	case BestIs:
		return len(b.Best.Value)
	case steal.Lend:
		for _, j := range b.Jobs {
			bytes += len(j.Args)
		}
		return bytes + len(b.Best.Value)
	case steal.Return:
		return len(b.Result.Bytes) + len(b.Best.Value)
	case Answer:
		return len(b.Result.Bytes) + len(b.Best.Value)
	case Keep:
		return len(b.Result.Bytes) + len(b.Best.Value)
	case Fail:
		return len(b.Result.Bytes)
	case orphan.ResultIs:
		return len(b.Result.Bytes) + len(b.Best.Value)
	case orphan.Copy:
		return copySize(&b) + len(b.Best.Value)
	case orphan.Will:
		return willSize(&b) + len(b.Best.Value)
	}
	return 0
}

// Detached is a message that may be encoded while this peer goes on: what it shares with it, is
// never written to. Bytes are read-only anyway.
func Detached(body membership.Body) membership.Body {
	switch b := body.(type) {
	case Record:
		b.Head.Deaths = slices.Clone(b.Head.Deaths)
		return b
	case steal.Lend:
		b.Jobs = slices.Clone(b.Jobs)
		return b
	case orphan.Copy:
		b.Parts, b.Gone = slices.Clone(b.Parts), slices.Clone(b.Gone)
		return b
	case orphan.Will:
		b.Items = slices.Clone(b.Items)
		for n := range b.Items {
			b.Items[n].Claims = slices.Clone(b.Items[n].Claims)
		}
		return b
	}
	return body
}
