package control

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"satingrid/satin/atomicfile"
)

// eachLine has the lines of a file in the state folder read, one after the other; there may be no
// such file. An error names the line.
func eachLine(name string, read func(line []byte) error) error {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		if err := read(lines.Bytes()); err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return lines.Err()
}

// replaceLines replaces such a file by one with a line of JSON for each.
func replaceLines[T any](name string, all []T) error {
	var b bytes.Buffer
	for _, x := range all {
		line, err := json.Marshal(x)
		if err != nil {
			return err
		}
		b.Write(append(line, '\n'))
	}
	return atomicfile.Replace(name, atomicfile.Private, b.Bytes())
}
