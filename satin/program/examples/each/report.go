package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// failed is the exit code of a run of which an executable's was not 0.
const failed = 10

// Report is the answer: what became of each line, in their order.
type Report []Ended

// Text prints what they have written, and says on standard error who has failed.
func (r Report) Text(w io.Writer) error {
	for n, e := range r {
		if _, err := w.Write(e.Out); err != nil {
			return err
		}
		if e.Cut {
			fmt.Fprintf(os.Stderr, "each: line %d: an output of more than %d bytes is cut\n", n+1, outputMax)
		}
		if e.Code != 0 {
			said, _, _ := bytes.Cut(e.Err, []byte("\n"))
			fmt.Fprintf(os.Stderr, "each: line %d: exit code %d: %s\n", n+1, e.Code, said)
		}
	}
	return nil
}

// JSON has everything. Outputs are text there.
func (r Report) JSON() any {
	type row struct {
		Line int    `json:"line"`
		Code int    `json:"code"`
		Out  string `json:"out"`
		Err  string `json:"err"`
		Cut  bool   `json:"cut"`
	}
	rows := make([]row, len(r))
	for n, e := range r {
		rows[n] = row{n + 1, e.Code, string(e.Out), string(e.Err), e.Cut}
	}
	return rows
}

// Code is the run's exit code.
func (r Report) Code() int {
	for _, e := range r {
		if e.Code != 0 {
			return failed
		}
	}
	return 0
}
