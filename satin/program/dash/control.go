package dash

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"satingrid/satin/program/moments"
	"satingrid/satin/program/observe"
)

// choosable is a peer or a run, to which something can be done.
type choosable struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Says string `json:"says"` // the name, and what it is
	Run  bool   `json:"run"`
}

// choosables are those that are seen.
func choosables(v observe.View) []choosable {
	all := []choosable{}
	for _, l := range v.PeersTable().Lines {
		all = append(all, choosable{ID: l.Key, Name: l.Cells[0].Text, Says: l.Cells[0].Text})
	}
	for _, l := range v.RunsTable().Lines {
		var words []string
		for _, c := range l.Cells[:min(len(l.Cells), 4)] { // which, its state, and of what
			words = append(words, c.Text)
		}
		all = append(all, choosable{ID: l.Key, Name: l.Cells[0].Text, Says: strings.Join(words, " "), Run: true})
	}
	return all
}

// does what a page says to a peer or run that is seen, and answers with what came of it.
func (s *Dashboard) does(w http.ResponseWriter, r *http.Request) {
	do, id := moments.Ability(r.URL.Query().Get("do")), r.URL.Query().Get("id")
	s.mu.Lock()
	i := slices.IndexFunc(s.choosable, func(t choosable) bool { return t.ID == id && t.Run == (do == moments.Cancel) })
	var to choosable
	if i >= 0 {
		to = s.choosable[i]
	}
	s.mu.Unlock()
	switch {
	case !slices.Contains(s.control.Can, do):
		http.Error(w, "that cannot be done from here", http.StatusNotFound)
		return
	case i < 0:
		http.Error(w, "that is not to be seen any more", http.StatusNotFound)
		return
	case !s.acting.TryLock():
		http.Error(w, "what was wanted before is not done yet", http.StatusTooManyRequests)
		return
	}
	defer s.acting.Unlock()
	said, err := s.control.Act(r.Context(), moments.Intent{Do: do, ID: to.ID, Name: to.Name})
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	fmt.Fprintln(w, said) // where it fails nobody is there
}
