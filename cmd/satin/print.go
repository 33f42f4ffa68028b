package main

import (
	"encoding/json"
	"io"
)

// printJSON prints one document on one line.
func printJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
