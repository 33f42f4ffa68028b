package peer

import (
	"fmt"

	"satingrid/membership"
	"satingrid/steal"
)

// kind is one kind of message as it is registered in the list of all: who may say it, who hears it,
// and what it carries that may be long. B is its body, which has its number.
type kind[B membership.Body] struct {
	by   role
	load Load
	// own takes out what a sender that is no member may not say, and tells whether it may
	// say the rest; nil: it may say all of it
	own   func(from membership.PeerID, b B) (B, bool)
	heard func(p *Peer, a *arrival, b B)

	root func(B) (root []byte, digest steal.Key)
	best func(B) steal.Stamp // that rides on it
	size func(B) int         // of the arguments and results that it carries
	name func(B) (Name, bool)
	// detached is a copy of what the peer goes on writing to, so that it may be encoded
	// meanwhile; nil: it writes to none of it. Bytes are read-only anyway
	detached func(B) B
}

// Load says what a message may cost whoever hears it, for whoever bounds how much one peer says.
type Load uint8

// The loads.
const (
	News Load = iota // of the grid and its runs: said seldom, and perhaps dear to answer
	List             // news of many things, each of which is looked at
	// about a job, or a sign of life: of these there are many, and each is cheap
	Business
)

// anyKind is a kind whose body's type is known to its functions alone.
type anyKind struct {
	body     membership.Body // nil: there is no such kind
	by       role
	load     Load
	own      func(from membership.PeerID, b membership.Body) (membership.Body, bool)
	heard    func(*Peer, *arrival)
	vet      func(membership.Body) error
	size     func(membership.Body) int
	name     func(membership.Body) (Name, bool)
	detached func(membership.Body) membership.Body
	decode   func(unmarshal Unmarshal, data []byte) (membership.Body, error)
}

// Unmarshal reads bytes into what the pointer shows.
type Unmarshal func(data []byte, pointer any) error

// registered is a kind of any body.
type registered interface{ row() anyKind }

func (k kind[B]) row() anyKind {
	var b B
	r := anyKind{body: b, by: k.by, load: k.load, decode: decode[B]}
	r.heard = func(p *Peer, a *arrival) { k.heard(p, a, a.message.Body.(B)) }
	if k.own != nil {
		r.own = func(from membership.PeerID, b membership.Body) (membership.Body, bool) { return k.own(from, b.(B)) }
	}
	if k.root != nil || k.best != nil {
		r.vet = func(b membership.Body) error { return k.vet(b.(B)) }
	}
	if k.root != nil || k.best != nil || k.size != nil {
		r.size = func(b membership.Body) int { return k.sizeOf(b.(B)) }
	}
	if k.name != nil {
		r.name = func(b membership.Body) (Name, bool) { return k.name(b.(B)) }
	}
	if k.detached != nil {
		r.detached = func(b membership.Body) membership.Body { return k.detached(b.(B)) }
	}
	return r
}

func decode[B membership.Body](unmarshal Unmarshal, data []byte) (membership.Body, error) {
	var b B
	err := unmarshal(data, &b)
	return b, err
}

// byNumber are the kinds by their numbers. It is filled before anything else happens, and not where
// it is declared, since those who hear messages look here, too.
var byNumber [256]anyKind

func init() {
	for _, k := range kinds {
		r := k.row()
		number := r.body.Kind()
		if number == 0 || byNumber[number].body != nil {
			panic(fmt.Sprintf("peer: BUG: %T has the number %d, which is no message's or another's", r.body, number))
		}
		byNumber[number] = r
	}
}

// Bodies lists every kind of message that a peer sends or understands, for the codec.
//
// A decoder must refuse what is longer than these:
//
//   - ids, names and names of tasks: membership.IDBytesMax, NameBytesMax, TaskNameMax;
//   - roots, bests, facts and results: RootMax, BestMax, FactMax, the application's limit;
//   - addresses, wherever: AddrsMax;
//   - Lend: steal.JobsFar jobs;
//   - Probe, Missing, Returned, Withdraw, Uncovered, Covered: steal.LentMax numbers or loans;
//   - Snapshot: membership.SnapshotMax members, membership.BarsMax bars, RunsMax heads, EndedMax
//     tombstones; Versions as many of members;
//   - Head: SubmissionsMax submissions and contacts, DeathsMax deaths;
//   - Support: RunsMax runs; Whereabouts: hostsTold hosts; Facts: factsAtOnce facts;
//   - Advert: orphan.ChangesMax changes, orphan.RunsMax runs; List: orphan.EntriesMax entries;
//   - Copy: orphan.PartsMax parts, orphan.EntriesMax keys; Will: as many parts, orphan.OwnersMax
//     owners of each;
//   - Report: lossSharesMax losses.
//
// A nil Root or Value means that it did not travel, which is not the same as an empty one.
func Bodies() []membership.Body {
	all := make([]membership.Body, 0, len(kinds))
	for _, k := range kinds {
		all = append(all, k.row().body)
	}
	return all
}

// Decode reads the body of a message of a kind that is listed in [Bodies]. What it returns without
// an error may be brought to a [Peer]. Whoever decodes messages does this, not the loop: it reads
// all that the message carries.
func Decode(number uint8, unmarshal Unmarshal, data []byte) (membership.Body, error) {
	body, err := byNumber[number].decode(unmarshal, data)
	if err != nil {
		return nil, err
	}
	return body, Vet(body)
}

// LoadOf is what a message may cost whoever hears it.
func LoadOf(body membership.Body) Load { return byNumber[body.Kind()].load }
