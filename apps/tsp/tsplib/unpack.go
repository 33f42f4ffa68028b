package tsplib

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
)

// Plain is what a file says that may be compressed by gzip, which its first bytes tell; file is the
// name that errors say. All of it is read before any is believed: half of a number is one, too.
func Plain(r io.Reader, file string) ([]byte, error) {
	wrong := func(format string, args ...any) ([]byte, error) {
		return nil, &Error{file, 1, fmt.Sprintf(format, args...)}
	}
	in := bufio.NewReader(r)
	r = in
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return wrong("the file begins as one of gzip, and is none (%v); a text file in the format of TSPLIB95 is expected", err)
		}
		r = z
	}
	text, err := io.ReadAll(io.LimitReader(r, textMax+1))
	switch {
	case err != nil && r != in:
		return wrong("the file of gzip is damaged, or not whole (%v): get it once more", err)
	case err != nil:
		return wrong("%v", err)
	case len(text) > textMax:
		return wrong("the text is longer than %d bytes; less is expected of %d cities at most", textMax, CitiesMax)
	}
	return text, nil
}
