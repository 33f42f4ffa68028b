// Package build says what a program was built from, so that two builds can tell whether they
// would compute the same.
//
// An [Identity] is what hosts show each other at the handshake. [Of] makes it from what Go has
// stamped, where that names everything that was compiled: a clean revision or a released module,
// with every module's version and sum, the Go version, tags and flags. Otherwise [This] is the
// SHA-256 of what the go command has written into the executable that was started as its build ID,
// which has a digest of all its bytes, or, where there is none, of these bytes. Identities match or
// they do not; there is no third answer.
//
// # Costs
//
// A stamped identity takes some microseconds, and a build ID a hundred. An executable without one,
// as -ldflags=-buildid= makes them, is read once a process, at the first call of [This]: about 30
// ms for 40 MB on a core with SHA instructions.
//
// # Limitations
//
// Go's stamp does not see files that version control ignores or was told to take for unchanged,
// -overlay and -toolexec: builds that differ in such match. That goes for all that is compiled or
// linked in, be it Go, C, assembly or .syso, and for files that are embedded. Builds with cgo and
// without match, since Go turns cgo off when it builds for another architecture. Platforms import
// different modules, so only those that both have are compared.
//
// Builds for all architectures match, though Go rounds x*y+z once for some, as arm64, and twice for
// others, as amd64 below GOAMD64=v3. A program whose floats must come to the same bits on all
// converts, float64(x*y) + z, which is rounded twice everywhere.
package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Identity says what a program was built from.
type Identity struct {
	Digest  string // of all that both of two must have, 64 hexadecimal digits
	Name    string // what it is, in words for people
	Modules []byte // in pairs: each module, and its version and sum; in order
}

const (
	nameMax = 160 // bytes; two of them and advice are one refusal
	// of an identity; more are part of the digest, so that a greeting stays small
	modulesMax = 256
	// bytes of a digest of a module: two of one name are told apart, nobody is kept out by them
	halfSize = 4
)

// Check says what is wrong with an identity that came from elsewhere.
func (i Identity) Check() error {
	switch {
	case len(i.Digest) != 2*sha256.Size || strings.Trim(i.Digest, "0123456789abcdef") != "":
		return errors.New("its build has no identity")
	case len(i.Modules)%(2*halfSize) != 0 || len(i.Modules) > modulesMax*2*halfSize:
		return errors.New("its build has a list of modules that is none")
	case len(i.Name) > nameMax || strings.ContainsFunc(i.Name, func(r rune) bool { return !unicode.IsPrint(r) }):
		return errors.New("its build has a name that cannot be printed")
	}
	return nil
}

// Matches tells whether two programs were built from the same.
func (i Identity) Matches(other Identity) bool {
	if i.Digest != other.Digest {
		return false
	}
	theirs := map[string]string{}
	for pair := range slices.Chunk(other.Modules, 2*halfSize) {
		theirs[string(pair[:halfSize])] = string(pair[halfSize:])
	}
	for pair := range slices.Chunk(i.Modules, 2*halfSize) {
		if version, both := theirs[string(pair[:halfSize])]; both && version != string(pair[halfSize:]) {
			return false
		}
	}
	return true
}

// String names the build, with enough of its digest to see a difference.
func (i Identity) String() string {
	return fmt.Sprintf("build %.12s, %s", i.Digest, i.Name)
}

// This is the identity of the program that runs. The error says that it has none: nothing is
// stamped, and its file cannot be read.
func This() (Identity, error) {
	this.once.Do(func() {
		info, _ := debug.ReadBuildInfo()
		var why string
		if this.identity, why = Of(info); why != "" {
			this.identity, this.err = ofExecutable(why)
		}
	})
	return this.identity, this.err
}

var this struct {
	once     sync.Once
	identity Identity
	err      error
}

// ofExecutable is the identity of a program whose stamp does not say everything,
// and why it does not.
func ofExecutable(why string) (Identity, error) {
	f, err := openExecutable()
	if err == nil {
		defer f.Close()
		h := sha256.New()
		if id := goID(f); id != "" {
			h.Write([]byte(id))
			return executable(h.Sum(nil), why), nil
		}
		if _, err = io.Copy(h, f); err == nil {
			return executable(h.Sum(nil), why), nil
		}
	}
	return Identity{}, fmt.Errorf("this program cannot be told from other builds: %s, and its executable cannot be read: %w: "+
		"build it from a clean commit, or let it be read", why, err)
}

func executable(sum []byte, why string) Identity {
	return Identity{Digest: hex.EncodeToString(sum), Name: cut("told by its executable: " + why)}
}

// cut makes words fit to be shown.
func cut(words string) string {
	words = strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, words)
	if len(words) <= nameMax {
		return words
	}
	return strings.ToValidUTF8(words[:nameMax-len("…")], "") + "…"
}

// pair is a module's name and what of it was built, digested.
func pair(path, built string) []byte {
	a, b := sha256.Sum256([]byte(path)), sha256.Sum256([]byte(built))
	return bytes.Join([][]byte{a[:halfSize], b[:halfSize]}, nil)
}
