package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"runtime/debug"
	"slices"
	"strings"
)

// irrelevant are settings that a grid may mix: where and for what it was built. Cgo and whether the
// architecture fuses x*y+z are among them, see Limitations. A profile names a file by its path; it
// changes how fast. All others count, those too that a later Go brings.
var irrelevant = map[string]bool{
	"GOOS": true, "GOARCH": true, "GO386": true, "GOARM": true, "GOARM64": true, "GOMIPS": true, "GOMIPS64": true,
	"GOPPC64": true, "GORISCV64": true, "GOWASM": true, "CGO_ENABLED": true, "-buildmode": true, "-pgo": true,
	"vcs": true, "vcs.time": true, "vcs.modified": true,
}

// Of is the identity that Go has stamped on a program. A why that is not empty says what the stamp
// leaves open: then there is none.
func Of(info *debug.BuildInfo) (i Identity, why string) {
	if info == nil {
		return i, "Go has stamped nothing on it"
	}
	source, name, why := sourceOf(info)
	if why == "" {
		why = unknown(info)
	}
	if why != "" {
		return i, why
	}
	lines := []string{"package " + info.Path, "go " + info.GoVersion, "source " + source}
	name += fmt.Sprintf(" of %s with %s", path.Base(info.Path), info.GoVersion)
	for _, s := range info.Settings {
		if irrelevant[s.Key] || s.Value == "" || s.Key == "vcs.revision" || s.Key == "GOAMD64" && !fuses(s.Value) {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s %q", s.Key, s.Value))
		if s.Key != "-compiler" && s.Key != "DefaultGODEBUG" {
			name += ", " + s.Key + "=" + s.Value
		}
	}
	var modules []string
	for _, m := range info.Deps {
		at := m
		if m.Replace != nil {
			at = m.Replace
		}
		modules = append(modules, string(pair(m.Path, at.Path+" "+at.Version+" "+at.Sum)))
	}
	slices.Sort(modules)
	if i.Modules = []byte(strings.Join(modules, "")); len(modules) > modulesMax {
		lines = append(lines, "modules "+string(i.Modules))
		i.Modules = nil
	}
	sum := sha256.Sum256([]byte(strings.Join(lines, "\n")))
	i.Digest, i.Name = hex.EncodeToString(sum[:]), cut(name)
	return i, ""
}

// fuses tells whether Go rounds x*y+z once for such a level of amd64, and not twice: then floats
// come to other bits. Within one architecture that is the only setting by which it does.
func fuses(level string) bool { return level != "v1" && level != "v2" }

// sourceOf is the source, and what to call it: a clean revision, or a release of the module.
func sourceOf(info *debug.BuildInfo) (source, name, why string) {
	revision, modified := setting(info, "vcs.revision"), setting(info, "vcs.modified")
	switch {
	case info.Path == "" || info.Path == "command-line-arguments":
		return "", "", "it was built from files and not from a package"
	case revision != "" && modified == "false":
		return "revision " + revision, fmt.Sprintf("revision %.12s", revision), ""
	case revision != "":
		return "", "", fmt.Sprintf("revision %.12s with uncommitted changes", revision)
	case info.Main.Replace == nil && info.Main.Sum != "":
		return info.Main.Path + " " + info.Main.Version + " " + info.Main.Sum, info.Main.Version, ""
	}
	return "", "", "no revision is stamped on it"
}

// unknown says what else the stamp does not tell.
func unknown(info *debug.BuildInfo) string {
	if setting(info, "-trimpath") != "" {
		return "-trimpath hides the linker's flags"
	}
	for _, m := range info.Deps {
		switch {
		case m.Replace != nil && m.Replace.Sum == "":
			return "module " + m.Path + " is replaced by a folder"
		case m.Replace == nil && m.Sum == "":
			return "module " + m.Path + " has no sum, as in a workspace"
		}
	}
	return ""
}

func setting(info *debug.BuildInfo, key string) string {
	for _, s := range info.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}
