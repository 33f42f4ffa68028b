package recording

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

const (
	billsMax   = 1000 // the latest; more are counted
	billsShown = 20   // in a table, the dearest

	// sameLoss is how many seconds apart what two tell of a peer may be the same loss: a host's
	// clock is known to some, and a member is off the list some after it is gone.
	sameLoss = 15.0
)

// Who has told what a loss has cost.
const (
	byPeers = "peers" // their totals from this loss until the next, of all runs
	byRun   = "run"   // who has waited for the run, of that run
)

// Bill is that one peer was lost or has left, and what that has cost. What is nil is unknown.
type Bill struct {
	At   *float64 `json:"t"` // seconds of the recording
	Peer string   `json:"peer"`
	Site string   `json:"site"`
	// kill, silent, cut, kick, leave; "": unknown
	How string `json:"how"`
	// it left before it had handed over everything
	Late      bool     `json:"late,omitempty"`
	Noticed   *float64 `json:"noticed_seconds"` // after it was heard last, or happened
	Restarted *uint64  `json:"restarted"`       // jobs that were put back
	Reused    *uint64  `json:"reused"`          // finished parts that were found
	Redone    *float64 `json:"redone_seconds"`  // of workers, to catch up; about
	Saved     *float64 `json:"saved_seconds"`   // of workers, that what was reused had cost
	By        string   `json:"by,omitempty"`    // who tells: "run" or "peers"
	// it was seen to be lost together with that peer, where the figures of both stand
	With string `json:"with,omitempty"`
}

// inOrder tells whether it has left, and nothing is to be done again.
func (b Bill) inOrder() bool { return b.How == "leave" && !b.Late }

// Went is what has happened to the peer, in words that follow its name.
func (b Bill) Went() string { return observe.Went(b.How, b.Late) }

// costs adds what peers have told to what is known; the numbers behind it may be shared.
func (b *Bill) costs(restarted, reused uint64, redone float64) {
	restarted, reused, redone = restarted+of(b.Restarted), reused+of(b.Reused), redone+of(b.Redone)
	b.Restarted, b.Reused, b.Redone, b.By = &restarted, &reused, &redone, byPeers
}

func of[N any](known *N) (n N) {
	if known != nil {
		n = *known
	}
	return n
}

// lastLoss is when a peer was lost last, and its bill.
type lastLoss struct {
	at   float64
	bill int // its number, from the first there was; -1: nobody looked yet
}

// billing makes bills of what hosts tell of who is gone, and of what is done after that.
type billing struct {
	all    []Bill
	more   int                 // that were forgotten
	gone   map[string]lastLoss // by the peer's id
	since  float64             // when it was looked first
	looked bool
	// the numbers of the bills that what is put back goes to, and what is done later: those of
	// the latest look with some, and of the latest with a loss
	last, loss []int
}

func newBilling() billing { return billing{gone: map[string]lastLoss{}} }

// looks takes who is gone: as hosts tell, and those that are not on the list of members any more,
// of whom may be known how they have gone.
func (b *billing) looks(now Look, m moves, how string) {
	at := now.At.Seconds()
	if !b.looked {
		b.looked, b.since = true, at
	}
	fresh := len(b.all) + b.more
	told, _ := now.Gone()
	for _, g := range slices.Backward(told) {
		b.told(g, at-g.Ago)
	}
	for _, peer := range m.left {
		b.missing(peer, at, "leave")
	}
	for _, peer := range m.gone {
		b.missing(peer, at, how)
	}
	var some, lost []int
	for n := fresh; n < len(b.all)+b.more; n++ {
		if some = append(some, n); !b.bill(n).inOrder() {
			lost = append(lost, n)
		}
	}
	if len(lost) > 0 {
		some, b.loss = lost, lost
	}
	if len(some) > 0 {
		b.last = some
	}
}

// told takes a host's word on one.
func (b *billing) told(g observe.Absence, at float64) {
	was, known := b.gone[g.ID]
	switch {
	case known && at-was.at < sameLoss:
		if is := b.bill(was.bill); is != nil {
			is.How, is.Late, is.Noticed = cmp.Or(is.How, g.How), is.Late || g.Late, cmp.Or(is.Noticed, g.Noticed)
		}
		return
	case at < b.since: // before anybody looked
		if len(b.gone) < entriesMax {
			b.gone[g.ID] = lastLoss{at, -1}
		}
		return
	}
	at = console.Round(at)
	b.add(g.ID, Bill{At: &at, Peer: g.Peer, Site: g.Site, How: g.How, Late: g.Late, Noticed: g.Noticed})
}

// missing takes one that is not on the list of members any more.
func (b *billing) missing(peer across.Peer, at float64, how string) {
	if was, known := b.gone[peer.ID]; !known || at-was.at >= sameLoss {
		b.add(peer.ID, Bill{At: &at, Peer: peer.Name, Site: peer.Site, How: how})
	}
}

// how is how a peer has gone last, as its bill says; "": it is not known.
func (b *billing) how(id string) string {
	if was, known := b.gone[id]; known {
		if is := b.bill(was.bill); is != nil {
			return is.How
		}
	}
	return ""
}

func (b *billing) add(id string, is Bill) {
	if len(b.all) == billsMax {
		b.all, b.more = slices.Delete(b.all, 0, 1), b.more+1
	}
	b.all = append(b.all, is)
	if _, known := b.gone[id]; known || len(b.gone) < entriesMax {
		b.gone[id] = lastLoss{*is.At, len(b.all) - 1 + b.more}
	}
}

// bill is that of a number; nil: it is forgotten, or there is none.
func (b *billing) bill(n int) *Bill {
	if n < b.more || n >= len(b.all)+b.more {
		return nil
	}
	return &b.all[n-b.more]
}

// charge takes what all peers have put back, found and done again since the look before.
func (b *billing) charge(restarted, reused uint64, redone float64) {
	b.to(b.last, restarted, 0, 0)
	b.to(b.loss, 0, reused, redone)
}

// to puts that down to some bills: of several, to the first.
func (b *billing) to(some []int, restarted, reused uint64, redone float64) {
	first := (*Bill)(nil)
	for _, n := range some {
		switch is := b.bill(n); {
		case is == nil:
		case first == nil:
			first = is
			is.costs(restarted, reused, redone)
		default:
			is.With = first.Peer
		}
	}
}

// clone is a copy that goes its own way.
func (b billing) clone() billing {
	b.all, b.gone = slices.Clone(b.all), maps.Clone(b.gone)
	return b // the lists of numbers are made anew, and never changed
}

// bills are those of a report.
func (b *billing) bills() []Bill {
	all := append([]Bill{}, b.all...)
	for i, is := range all {
		if is.Redone != nil {
			redone := console.Round(*is.Redone)
			all[i].Redone = &redone
		}
	}
	return all
}

// adopt takes the bills of who has waited for the run, which knows them best.
func (r *Report) adopt(told []Bill) {
	taken := make([]bool, len(r.Bills))
	for _, is := range told {
		is.By = byRun
		i := -1
		for n, was := range r.Bills {
			if n < len(taken) && !taken[n] && was.Peer == is.Peer && (is.At == nil || was.At == nil || max(*is.At-*was.At, *was.At-*is.At) < sameLoss) {
				i = n
				break
			}
		}
		if i < 0 {
			if len(r.Bills) < billsMax {
				r.Bills = append(r.Bills, is)
			}
			continue
		}
		taken[i] = true
		was := r.Bills[i]
		is.At, is.Site, is.How = cmp.Or(was.At, is.At), cmp.Or(is.Site, was.Site), cmp.Or(is.How, was.How)
		is.Late, is.Noticed = was.Late, cmp.Or(is.Noticed, was.Noticed)
		r.Bills[i] = is
	}
	slices.SortStableFunc(r.Bills, func(a, b Bill) int {
		if a.At == nil || b.At == nil {
			return cmp.Compare(rank(a.At == nil), rank(b.At == nil))
		}
		return cmp.Compare(*a.At, *b.At)
	})
	for i, is := range r.Bills {
		with := func(o Bill) bool { return o.Peer == is.With && o.By == byPeers }
		if is.With != "" && !slices.ContainsFunc(r.Bills, with) {
			r.Bills[i].With = "" // that one's figures are its own now
		}
	}
}

// rank is 1 of what comes after what has 0.
func rank(late bool) int {
	if late {
		return 1
	}
	return 0
}

// BillsTable are the losses with what each has cost, in their order: those of many that cost most.
func (r *Report) BillsTable() observe.Sheet {
	t := observe.Sheet{Columns: []observe.Column{
		right("AT", 8), {Title: "PEER", Width: 15, Most: 30}, {Title: "SITE", Width: 8, Most: 16}, {Title: "WHAT", Width: 14, Most: 45},
		right("NOTICED", 8), right("PUT BACK", 8), right("REUSED", 7), right("REDONE", 8), right("SAVED", 8),
	}}
	for _, i := range r.dearest() {
		b := r.Bills[i]
		at := "unknown"
		if b.At != nil {
			at = Clock(*b.At)
		}
		noticed := known(b.Noticed, console.Brief)
		if b.inOrder() && b.Noticed == nil {
			noticed = "-" // it has said so
		}
		row := cells(at, b.Peer, b.Site, b.Went(), noticed, known(b.Restarted, counted), known(b.Reused, counted), known(b.Redone, console.Brief), known(b.Saved, console.Brief))
		if b.With != "" {
			row = cells(at, b.Peer, b.Site, b.Went()+", with "+b.With, noticed, `"`, `"`, `"`, `"`)
		}
		t.Lines = append(t.Lines, observe.SheetRow{Key: fmt.Sprint(i), Cells: row})
	}
	return t
}

// known is a figure in words.
func known[N any](n *N, say func(N) string) string {
	if n == nil {
		return "unknown"
	}
	return say(*n)
}

func counted(n uint64) string { return observe.Amount(float64(n)) }

// dearest are the numbers of the bills that are shown.
func (r *Report) dearest() (some []int) {
	for i := range r.Bills {
		some = append(some, i)
	}
	if len(some) <= billsShown {
		return some
	}
	slices.SortStableFunc(some, func(a, b int) int {
		x, y := r.Bills[a], r.Bills[b]
		return cmp.Or(-cmp.Compare(of(x.Redone), of(y.Redone)), -cmp.Compare(of(x.Restarted), of(y.Restarted)), cmp.Compare(b, a))
	})
	some = some[:billsShown]
	slices.Sort(some)
	return some
}
