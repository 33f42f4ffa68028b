package build

import (
	"bytes"
	"debug/elf"
	"io"
	"strings"
)

// What goID looks for.
const (
	idNote   = ".note.go.buildid" // the section of an ELF file that has it
	noteHead = 16                 // bytes before it there, which name it as Go's
	idBefore = "\xff Go build ID: \""
	idAfter  = "\"\n \xff"
	// other files have it between these, at the beginning of the code
	idWithin = 64 << 10
	// it is four digests, of this length each; who builds without writes something else there
	idDigests, idDigest = 4, 20
)

// goID is what the go command has written into an executable: digests of what it was built from and
// of all its bytes, of 120 bits each. It is "" where that is not there, or was replaced. To read it
// takes a thousandth of what it takes to read the file.
func goID(f io.ReaderAt) string {
	id := noteOf(f)
	if id == "" {
		begin := make([]byte, idWithin)
		n, _ := f.ReadAt(begin, 0) // of a shorter file, what there is
		_, after, _ := bytes.Cut(begin[:n], []byte(idBefore))
		if within, _, ok := bytes.Cut(after, []byte(idAfter)); ok {
			id = string(within)
		}
	}
	digests := strings.Split(id, "/")
	if len(digests) != idDigests {
		return ""
	}
	for _, d := range digests {
		if len(d) != idDigest {
			return ""
		}
	}
	return id
}

// noteOf is what an ELF file has in the section for it, if it is one.
func noteOf(f io.ReaderAt) string {
	file, err := elf.NewFile(f)
	if err != nil {
		return ""
	}
	section := file.Section(idNote)
	if section == nil {
		return ""
	}
	note, err := section.Data()
	if err != nil || len(note) < noteHead {
		return ""
	}
	return string(bytes.TrimRight(note[noteHead:], "\x00"))
}
