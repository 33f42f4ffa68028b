package dash

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"satingrid/satin/program/moments"
)

// tapeTold is where a tape stands, as a page is told.
type tapeTold struct {
	Says    string  `json:"says"`
	At      float64 `json:"at"`  // seconds
	End     float64 `json:"end"` // seconds
	Speed   int     `json:"speed"`
	Playing bool    `json:"playing"`
}

func toldOf(p moments.Position) tapeTold {
	return tapeTold{p.String(), p.At.Seconds(), p.End.Seconds(), p.Speed, p.Playing}
}

// pressed presses the button that a page says, at the second that it says.
func (s *Dashboard) pressed(w http.ResponseWriter, r *http.Request) {
	p := moments.Press{Button: moments.Button(r.URL.Query().Get("button"))}
	if text := r.URL.Query().Get("at"); text != "" {
		seconds, err := strconv.ParseFloat(text, 64)
		if err != nil || !(math.Abs(seconds) < math.MaxInt32) {
			http.Error(w, "at is to be a number of seconds", http.StatusBadRequest)
			return
		}
		p.At = time.Duration(seconds * float64(time.Second))
	}
	s.press(p)
	w.WriteHeader(http.StatusNoContent)
}
