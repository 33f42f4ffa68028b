package observe

import (
	"cmp"
	"slices"
	"strings"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
)

// View is what grids of one secret did between two samples.
type View struct {
	Schema   int            `json:"schema"`
	Grid     string         `json:"grid"`
	Sites    []SiteView     `json:"sites"`
	Peers    []PeerView     `json:"peers"`
	Runs     []RunView      `json:"runs"`
	Lost     map[string]int `json:"lost"`     // peers, by how; as one host saw
	Gone     []Absence      `json:"gone"`     // the last of them, the latest first
	Again    uint64         `json:"put_back"` // jobs, after losses
	Reused   uint64         `json:"reused"`   // results that spared work, after losses
	Warnings []string       `json:"warnings"`

	seen float64 // since so many seconds somebody who was asked has seen who goes
}

// SiteView is a site.
type SiteView struct {
	Site    string `json:"site"`
	Peers   int    `json:"peers"`
	Answers int    `json:"answers"` // of them
	Workers int    `json:"workers"`
	Rates
}

// PeerView is a peer.
type PeerView struct {
	across.Doing
	Rates
	// nobody of its site has told what is done there, which is said of all of them
	untold *Untold
}

// RunView is a run.
type RunView struct {
	across.RunLine
	Workers *float64 `json:"workers"` // that compute it; nil: not known
}

// Between is what was done from a sample to a later one.
func Between(before, now Sample) View {
	v := View{Grid: now.Grid, Sites: []SiteView{}, Peers: []PeerView{}, Runs: []RunView{}, Lost: map[string]int{}}
	old := map[string]across.Doing{}
	for _, d := range before.Peers {
		if d.Answers {
			old[d.ID] = d
		}
	}
	spent := map[string]*float64{} // workers, by run
	for _, d := range now.Peers {
		v.Peers = append(v.Peers, PeerView{d, rates(old[d.ID], d), now.untold(d)})
		v.Again += d.Totals.Again
		v.Reused += d.Totals.Reused
		share(spent, old[d.ID], d)
	}
	slices.SortStableFunc(v.Peers, func(a, b PeerView) int {
		return cmp.Or(strings.Compare(a.Site, b.Site), strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
	for _, r := range now.Runs {
		v.Runs = append(v.Runs, RunView{r, spent[r.ID]})
	}
	v.Sites = sitesOf(v.Peers)
	for _, h := range now.Hosts {
		if sum(h.Lost) > sum(v.Lost) {
			v.Lost = h.Lost
		}
	}
	if v.Gone, v.seen = now.Gone(); v.Gone == nil {
		v.Gone = []Absence{}
	}
	v.Warnings = warnings(now, v)
	return v
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// between is how long passed for a peer, by its own clock; 0: it does not tell, or has begun anew.
func between(before, now across.Doing) float64 {
	if !before.Answers || !now.Answers {
		return 0
	}
	return max(now.Uptime-before.Uptime, 0)
}

// share adds the workers that a peer has given to each run.
func share(spent map[string]*float64, before, now across.Doing) {
	took := between(before, now)
	if took == 0 {
		return
	}
	for _, r := range now.Runs {
		was := 0.0
		if i := slices.IndexFunc(before.Runs, func(b across.RunShare) bool { return b.ID == r.ID }); i >= 0 {
			was = before.Runs[i].Busy
		}
		if spent[r.ID] == nil {
			spent[r.ID] = new(float64)
		}
		*spent[r.ID] += console.Round(min(max(r.Busy-was, 0)/took, float64(max(now.Workers, 0))))
	}
}

// Whole is the grid as one site would be.
func (v View) Whole() (s SiteView) {
	one := slices.Clone(v.Peers)
	for i := range one {
		one[i].Site = ""
	}
	if all := sitesOf(one); len(all) > 0 {
		s = all[0]
	}
	return s
}

// IsOn tells whether a run is computed, or waits to be.
func (r RunView) IsOn() bool { return r.State == "computing" || r.State == "waiting" }
