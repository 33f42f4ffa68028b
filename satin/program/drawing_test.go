package program

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// sketched is an answer that draws so many bytes, or fails.
type sketched struct {
	Answer
	bytes int
	err   error
}

func (s sketched) Draw(w io.Writer) error {
	if s.err != nil {
		return s.err
	}
	for range s.bytes {
		if _, err := w.Write([]byte{'<'}); err != nil {
			return err
		}
	}
	return nil
}

func (s sketched) Brief() string { return "quite short" }

// measured is one that says how much of all it is.
type measured struct{ Answer }

func (measured) Extent() string { return "half of it" }

// TestDrawn: an answer is shown by its drawing, which is of so many bytes at most, and by what it
// says of itself.
func TestDrawn(t *testing.T) {
	for _, c := range []struct {
		is   Answer
		size int
		says string
	}{
		{sketched{bytes: 3}, 3, "quite short"},
		{sketched{bytes: DrawingMax}, DrawingMax, "quite short"},
		{sketched{bytes: DrawingMax + 1}, 0, "quite short"},
		{sketched{err: errors.New("nothing to be drawn")}, 0, "quite short"},
		{measured{}, 0, "half of it"},
		{shown(3), 0, ""},
	} {
		image, says := drawn(c.is)
		if len(image) != c.size || says != c.says || (image == nil) != (c.size == 0) {
			t.Errorf("%T is drawn by %d bytes, and %q", c.is, len(image), says)
		}
	}
	var none *easel
	none.look(nil)
	if err := none.close(); err != nil {
		t.Error(err)
	}
}

// TestPaper: what is too large is refused, and nothing of it is taken.
func TestPaper(t *testing.T) {
	var b paper
	b.Write([]byte("<svg"))
	if n, err := b.Write(make([]byte, DrawingMax)); n != 0 || !errors.Is(err, errDrawing) || !bytes.Equal(b.Bytes(), []byte("<svg")) {
		t.Errorf("%d more bytes were taken, %v", n, err)
	}
}
