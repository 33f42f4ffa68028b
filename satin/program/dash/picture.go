package dash

import (
	"bytes"
	"encoding/json"
	"net/http"
)

// PictureMax bounds the bytes of a picture that pages show.
const PictureMax = 4 << 20

// drawing is the picture that pages show, and the event that tells them of it.
type drawing struct {
	no    int
	image []byte // PNG or SVG; nil: there is none
	says  string
	event []byte
}

// drawingTold is a picture as a page is told of it.
type drawingTold struct {
	No   int    `json:"no"` // 0: there is none
	Says string `json:"says"`
}

// Draw has all pages show a picture with a line below it: what a run that goes on has so far. It is
// PNG or SVG, of at most [PictureMax] bytes; nil: there is the line alone.
func (s *Dashboard) Draw(image []byte, says string) {
	if len(image) > PictureMax {
		image = nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &s.drawn
	if bytes.Equal(d.image, image) && d.says == says {
		return
	}
	d.no++
	d.image, d.says = image, says
	told := drawingTold{d.no, says}
	if image == nil {
		told.No = 0
	}
	is, err := json.Marshal(told)
	if err != nil {
		panic("dash: BUG: " + err.Error())
	}
	var b bytes.Buffer
	event(&b, "picture", is)
	d.event = b.Bytes()
	s.tell()
}

// IsWatched tells whether a page shows it.
func (s *Dashboard) IsWatched() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams > 0
}

// picture is the picture, by itself: as an image of a page it runs nothing.
func (s *Dashboard) picture(w http.ResponseWriter) {
	s.mu.Lock()
	image := s.drawn.image
	s.mu.Unlock()
	if image == nil {
		http.Error(w, "there is no picture", http.StatusNotFound)
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
