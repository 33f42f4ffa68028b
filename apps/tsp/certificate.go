package tsp

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
)

// WriteCertificate writes the certificate that no tour is shorter than this one; the documentation
// of package check has the format.
func WriteCertificate(w io.Writer, t Tour) error {
	if t.Proof == nil {
		return errors.New("tsp: there is no certificate of a tour that was not proved, or without Solve.Certify")
	}
	if t.Length < 0 {
		return errors.New("tsp: there are no certificates of tours with a negative length")
	}
	z := gzip.NewWriter(w)
	out := bufio.NewWriter(z)
	out.WriteString("satin tsp certificate 1\n")
	out.Write(binary.AppendUvarint(nil, uint64(len(t.Cities))))
	out.Write(binary.AppendUvarint(nil, uint64(t.Length)))
	out.Write(t.Proof)
	return errors.Join(out.Flush(), z.Close())
}
