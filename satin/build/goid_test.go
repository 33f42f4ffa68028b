package build

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"satingrid/satin/effort"
)

// TestBuildIDs are what the go command says they are; SATIN_SLOW: on all systems that people have.
func TestBuildIDs(t *testing.T) {
	systems := []string{runtime.GOOS}
	if effort.Long() {
		systems = []string{"linux", "darwin", "windows", "freebsd"}
	}
	folder := t.TempDir()
	write(t, filepath.Join(folder, "go.mod"), "module lab\n\ngo 1.26\n")
	write(t, filepath.Join(folder, "main.go"), "package main\n\nfunc main() {}\n")
	for _, system := range systems {
		name := filepath.Join(folder, system)
		command(t, folder, []string{"GOOS=" + system, "GOARCH=amd64", "CGO_ENABLED=0"}, "go", "build", "-o", name, ".")
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if got, want := goID(f), command(t, folder, nil, "go", "tool", "buildid", name); got != want || got == "" {
			t.Errorf("%s: %q, and go says %q", system, got, want)
		}
	}
}

// TestNoBuildID: what is no executable has none, nor what somebody has written in its place.
func TestNoBuildID(t *testing.T) {
	const digest = "0123456789abcdefghij"
	whole := strings.Join([]string{digest, digest, digest, digest}, "/")
	for name, c := range map[string]struct{ text, want string }{
		"whole":           {idBefore + whole + idAfter, whole},
		"behind much":     {strings.Repeat("x", idWithin-200) + idBefore + whole + idAfter, whole},
		"behind more":     {strings.Repeat("x", idWithin) + idBefore + whole + idAfter, ""},
		"nothing":         {"", ""},
		"no end":          {idBefore + whole, ""},
		"redacted":        {idBefore + "redacted" + idAfter, ""},
		"three":           {idBefore + strings.Join([]string{digest, digest, digest}, "/") + idAfter, ""},
		"one is short":    {idBefore + whole[1:] + idAfter, ""},
		"broken as ELF":   {"\x7fELF" + idBefore + whole + idAfter, whole},
		"ELF, and no end": {"\x7fELF\x02\x01\x01", ""},
	} {
		if got := goID(bytes.NewReader([]byte(c.text))); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
