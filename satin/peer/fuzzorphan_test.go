package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// orphanBody is a message about results that are kept.
func (r *reader) orphanBody() membership.Body {
	n := func() uint64 { return r.n(8) }
	switch r.byte() % 12 {
	case 10:
		return orphan.Will{Run: r.instance(), Number: n(), Best: r.stamp(), Items: []orphan.Bequest{{Part: orphan.Part{Key: steal.Key{byte(n())}, Result: r.result()},
			Orphan: n() > 3, Owners: []orphan.KeptFor{{Owner: r.id(), Incarnation: r.incarnation(), Why: orphan.Purpose(n()), Loan: r.loan()}}}}}
	case 11:
		return orphan.Willed{Number: n()}
	case 6:
		return orphan.Copy{Run: r.instance(), Round: n(), Whole: n() > 3, Best: r.stamp(),
			Parts: []orphan.Part{{Key: steal.Key{byte(n())}, Result: r.result()}, {Key: steal.Key{byte(n())}, Result: r.result()}}[:r.n(3)%3], Gone: []steal.Key{{byte(n())}}}
	case 7:
		return orphan.Copied{Run: r.instance(), Round: n(), Sum: n()}
	case 8:
		return orphan.Uncovered{Run: r.instance(), Loans: r.loans()}
	case 9:
		return orphan.Covered{Run: r.instance(), Loans: r.loans()}
	case 0:
		return orphan.Advert{After: n(), Runs: []steal.Instance{r.instance(), r.instance()}[:r.n(3)%3],
			Changes: []orphan.Change{{Run: uint16(n()), Key: steal.Key{byte(n())}, Cost: 9}, {Key: steal.Key{byte(n())}, Gone: n() > 3}}[:r.n(3)%3]}
	case 1:
		return orphan.Versions{All: []orphan.Version{{Holder: r.id(), Incarnation: r.incarnation(), Number: n()}}, Settled: []uint64{n(), n()}[:r.n(3)%3]}
	case 2:
		return orphan.WantList{Holder: r.id()}
	case 3:
		return orphan.List{Version: orphan.Version{Holder: r.id(), Incarnation: r.incarnation(), Number: n()},
			Runs: []orphan.Listed{{Run: r.instance(), Entries: []orphan.Entry{{Key: steal.Key{byte(n())}, Cost: 3}, {Key: steal.Key{byte(n())}}}}}}
	case 4:
		return orphan.WantResult{Run: r.instance(), Key: steal.Key{byte(n())}}
	}
	return orphan.ResultIs{Run: r.instance(), Key: steal.Key{byte(n())}, Found: n() > 1, Best: r.stamp(), Result: r.result()}
}

// salvage tells of an orphan what becomes of it.
func (w *workers) salvage(r *reader, p *Peer, now time.Duration) []Effect {
	if len(w.orphans) == 0 || r.n(3) == 0 {
		return p.Salvaged(now, []Part{{Run: RunNo(1 + r.n(3)), Key: steal.Key{byte(r.n(8))}, Result: r.result()}})
	}
	b := w.orphans[0]
	w.orphans = w.orphans[1:]
	if r.n(2) == 0 {
		return p.Stopped(now, b)
	}
	return p.Finished(now, b, r.result())
}
