package admin

import (
	"net/http"
	"runtime/pprof"
	"strconv"
	"time"
)

const (
	// profileDefault is how long the processor is watched where nobody says otherwise, and
	// profileMost the longest.
	profileDefault = 10 * time.Second
	profileMost    = 5 * time.Minute
)

// profile answers with a profile of this process, by its name in runtime/pprof, or cpu. It is not
// net/http/pprof that does: whoever imports that opens the profiles of each program that serves
// HTTP, to everybody.
func (s *Server) profile(w http.ResponseWriter, asked *http.Request) {
	name := asked.PathValue("name")
	if name == "cpu" {
		watchProcessor(w, asked)
		return
	}
	p := pprof.Lookup(name)
	if p == nil {
		http.Error(w, "there is no profile of that name", http.StatusNotFound)
		return
	}
	debug, _ := strconv.Atoi(asked.FormValue("debug")) // 0: for go tool pprof
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(patience))
	p.WriteTo(w, debug)
}

// watchProcessor tells what the process computes from now on, for some seconds.
func watchProcessor(w http.ResponseWriter, asked *http.Request) {
	lasts := profileDefault
	if seconds := asked.FormValue("seconds"); seconds != "" {
		n, err := strconv.Atoi(seconds)
		if lasts = time.Duration(n) * time.Second; err != nil || n < 1 || lasts > profileMost {
			http.Error(w, "seconds are from 1 to 300", http.StatusBadRequest)
			return
		}
	}
	http.NewResponseController(w).SetReadDeadline(time.Time{}) // it takes longer
	if err := pprof.StartCPUProfile(w); err != nil {
		http.Error(w, err.Error(), http.StatusConflict) // somebody else is watching
		return
	}
	defer pprof.StopCPUProfile()
	select {
	case <-time.After(lasts):
	case <-asked.Context().Done():
	}
}
