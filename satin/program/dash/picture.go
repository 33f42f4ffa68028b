package dash

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

const (
	// PictureMax bounds the bytes of a picture that pages show.
	PictureMax = 4 << 20

	// FiguresMax is how many a page shows at once.
	FiguresMax = 4
)

// Exhibit is a picture of what a run that goes on has so far.
type Exhibit struct {
	Image []byte   // PNG or SVG, of at most [PictureMax] bytes
	Says  string   // below it
	Keys  []Legend // what its colours stand for
}

// Legend is what a colour in a figure stands for.
type Legend struct {
	Name  string `json:"name"`
	Color string `json:"color"` // as #rrggbb
}

// drawing is what pages show of a run, and the event that tells them of it.
type drawing struct {
	figures  []drawn
	event    []byte
	reserved bool // there will be one
}

// drawn is a figure, and how often another has stood in its place.
type drawn struct {
	Exhibit
	no int
}

// drawingTold is a drawing as a page is told of it.
type drawingTold struct {
	Says    string       `json:"says"`
	Figures []figureTold `json:"figures"`
}

type figureTold struct {
	No   int      `json:"no"`
	Says string   `json:"says"`
	Keys []Legend `json:"keys"`
}

// Draw has all pages show some figures below a line: what a run that goes on has so far. What is
// larger, or of more figures, than pages show is left out.
func (s *Dashboard) Draw(figures []Exhibit, says string) {
	figures = slices.DeleteFunc(slices.Clone(figures), func(f Exhibit) bool { return len(f.Image) > PictureMax || f.Image == nil })
	figures = figures[:min(len(figures), FiguresMax)]
	s.mu.Lock()
	defer s.mu.Unlock()
	told := drawingTold{Says: says, Figures: []figureTold{}}
	was := s.drawn.figures
	s.drawn.figures = nil
	for i, f := range figures {
		is := drawn{Exhibit: f, no: 1}
		if i < len(was) {
			is.no = was[i].no
			if !bytes.Equal(was[i].Image, f.Image) {
				is.no++
			}
		}
		s.drawn.figures = append(s.drawn.figures, is)
		told.Figures = append(told.Figures, figureTold{is.no, f.Says, append([]Legend{}, f.Keys...)})
	}
	is, err := json.Marshal(told)
	if err != nil {
		panic("dash: BUG: " + err.Error())
	}
	var b bytes.Buffer
	event(&b, "picture", is)
	if bytes.Equal(b.Bytes(), s.drawn.event) {
		return
	}
	s.drawn.event = b.Bytes()
	s.tell()
}

// Reserve has pages keep a place for what is drawn, before there is anything.
func (s *Dashboard) Reserve() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drawn.reserved = true
}

// IsWatched tells whether a page shows it.
func (s *Dashboard) IsWatched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams > 0
}

// picture is a figure, by itself: as an image of a page it runs nothing.
func (s *Dashboard) picture(w http.ResponseWriter, r *http.Request) {
	which, err := strconv.Atoi(r.URL.Query().Get("figure"))
	s.mu.Lock()
	var image []byte
	if err == nil && which >= 0 && which < len(s.drawn.figures) {
		image = s.drawn.figures[which].Image
	}
	s.mu.Unlock()
	if image == nil {
		http.Error(w, "there is no such picture", http.StatusNotFound)
		return
	}
	kind := "image/svg+xml"
	if bytes.HasPrefix(image, []byte("\x89PNG")) {
		kind = "image/png"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	w.Write(image) // where it fails nobody is there
}
