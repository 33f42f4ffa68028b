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
	if size := byNumber[body.Kind()].size; size != nil {
		return size(body)
	}
	return 0
}

func (k *kind[B]) sizeOf(b B) (bytes int) {
	if k.root != nil {
		root, _ := k.root(b)
		bytes += len(root)
	}
	if k.best != nil {
		bytes += len(k.best(b).Value)
	}
	if k.size != nil {
		bytes += k.size(b)
	}
	return bytes
}

// Detached is a message that may be encoded while this peer goes on: what it shares with it, is
// never written to.
func Detached(body membership.Body) membership.Body {
	if detached := byNumber[body.Kind()].detached; detached != nil {
		return detached(body)
	}
	return body
}

func detachedRecord(b Record) Record {
	b.Head.Deaths = slices.Clone(b.Head.Deaths)
	return b
}

func detachedLend(b steal.Lend) steal.Lend {
	b.Jobs = slices.Clone(b.Jobs)
	return b
}

func detachedCopy(b orphan.Copy) orphan.Copy {
	b.Parts, b.Gone = slices.Clone(b.Parts), slices.Clone(b.Gone)
	return b
}

func detachedWill(b orphan.Will) orphan.Will {
	b.Items = slices.Clone(b.Items)
	for n := range b.Items {
		b.Items[n].Owners = slices.Clone(b.Items[n].Owners)
	}
	return b
}

// argsSize is how many bytes of arguments jobs have.
func argsSize(b steal.Lend) (bytes int) {
	for _, j := range b.Jobs {
		bytes += len(j.Args)
	}
	return bytes
}
