package build

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// clean is what Go stamps on a clean build.
func clean() *debug.BuildInfo {
	return &debug.BuildInfo{
		GoVersion: "go1.26.1", Path: "lab/cmd/solve", Main: debug.Module{Path: "lab", Version: "v0.0.0-2026+x"},
		Deps: []*debug.Module{{Path: "b", Version: "v1.0.0", Sum: "h1:b"}, {Path: "a", Version: "v1.2.0", Sum: "h1:a"}},
		Settings: []debug.BuildSetting{
			{Key: "-buildmode", Value: "exe"}, {Key: "-compiler", Value: "gc"}, {Key: "CGO_ENABLED", Value: "1"}, {Key: "CGO_CFLAGS"},
			{Key: "GOARCH", Value: "amd64"}, {Key: "GOOS", Value: "linux"}, {Key: "GOAMD64", Value: "v1"},
			{Key: "vcs", Value: "git"}, {Key: "vcs.revision", Value: strings.Repeat("9f", 20)}, {Key: "vcs.modified", Value: "false"},
		},
	}
}

func set(key, value string) func(*debug.BuildInfo) {
	return func(info *debug.BuildInfo) {
		for i := range info.Settings {
			if info.Settings[i].Key == key {
				info.Settings[i].Value = value
				return
			}
		}
		info.Settings = append(info.Settings, debug.BuildSetting{Key: key, Value: value})
	}
}

func TestStamp(t *testing.T) {
	one, why := Of(clean())
	if why != "" || one.Check() != nil || !one.Matches(one) {
		t.Fatalf("%+v, %q", one, why)
	}
	if want := "revision 9f9f9f9f9f9f of solve with go1.26.1"; one.Name != want {
		t.Errorf("it is called %q, wanted %q", one.Name, want)
	}
	for _, c := range []struct {
		name   string
		change func(*debug.BuildInfo)
		equal  bool
		why    string // of one without an identity
	}{
		{"another architecture", func(i *debug.BuildInfo) {
			set("GOARCH", "arm64")(i)
			set("GOARM64", "v8.0")(i)
			set("CGO_ENABLED", "0")(i)
		}, true, ""},
		{"an amd64 that rounds as the first does", set("GOAMD64", "v2"), true, ""},
		{"one that fuses", set("GOAMD64", "v3"), false, ""},
		{"another system, with modules of its own", func(i *debug.BuildInfo) {
			set("GOOS", "darwin")(i)
			i.Deps = append(i.Deps[:1:1], &debug.Module{Path: "darwin", Version: "v3.0.0", Sum: "h1:d"})
		}, true, ""},
		{"another time and version of the same revision", func(i *debug.BuildInfo) {
			set("vcs.time", "2026-01-01")(i)
			i.Main.Version = "v1.0.0"
		}, true, ""},
		{"another revision", set("vcs.revision", strings.Repeat("8e", 20)), false, ""},
		{"another Go", func(i *debug.BuildInfo) { i.GoVersion = "go1.26.2" }, false, ""},
		{"another program", func(i *debug.BuildInfo) { i.Path = "lab/cmd/other" }, false, ""},
		{"tags", set("-tags", "debug"), false, ""},
		{"flags of the linker", set("-ldflags", "-X main.limit=3"), false, ""},
		{"a flag that nobody knows yet", set("-meaning", "other"), false, ""},
		{"another version of a module", func(i *debug.BuildInfo) { i.Deps[1].Version = "v1.2.1" }, false, ""},
		{"another sum of a module", func(i *debug.BuildInfo) { i.Deps[1].Sum = "h1:c" }, false, ""},
		{"another module in a module's place", func(i *debug.BuildInfo) {
			i.Deps[0].Replace = &debug.Module{Path: "fork", Version: "v1.0.0", Sum: "h1:f"}
		}, false, ""},
		{"a folder in a module's place", func(i *debug.BuildInfo) {
			i.Deps[0].Replace = &debug.Module{Path: "../b", Version: "(devel)"}
		}, false, "module b is replaced by a folder"},
		{"a workspace", func(i *debug.BuildInfo) { i.Deps[0].Version, i.Deps[0].Sum = "(devel)", "" }, false, "module b has no sum"},
		{"uncommitted changes", set("vcs.modified", "true"), false, "revision 9f9f9f9f9f9f with uncommitted changes"},
		{"nobody knows of changes", set("vcs.modified", ""), false, "uncommitted changes"},
		{"no revision", set("vcs.revision", ""), false, "no revision"},
		{"hidden flags", set("-trimpath", "true"), false, "-trimpath"},
		{"files", func(i *debug.BuildInfo) { i.Path = "command-line-arguments" }, false, "from files"},
		{"a release", func(i *debug.BuildInfo) {
			i.Settings = i.Settings[:6]
			i.Main = debug.Module{Path: "lab", Version: "v1.0.0", Sum: "h1:x"}
		}, false, ""},
	} {
		info := clean()
		c.change(info)
		other, why := Of(info)
		if c.why == "" && (why != "" || one.Matches(other) != c.equal || other.Matches(one) != c.equal || other.Check() != nil) {
			t.Errorf("%s: %+v, %q, wanted equal: %v", c.name, other, why, c.equal)
		}
		if c.why != "" && (!strings.Contains(why, c.why) || other.Digest != "") {
			t.Errorf("%s: %+v, %q, wanted none since %s", c.name, other, why, c.why)
		}
	}
	if _, why := Of(nil); why == "" {
		t.Error("no stamp is an identity")
	}
}

// TestManyModules are compared too, when they are too many to be shown.
func TestManyModules(t *testing.T) {
	info := clean()
	for i := range modulesMax {
		info.Deps = append(info.Deps, &debug.Module{Path: "m" + hex.EncodeToString([]byte{byte(i)}), Version: "v1.0.0", Sum: "h1:m"})
	}
	one, _ := Of(info)
	info.Deps[7].Sum = "h1:n"
	other, _ := Of(info)
	if one.Modules != nil || one.Check() != nil || one.Matches(other) {
		t.Errorf("%v and %v", one, other)
	}
}

// TestThis: a test has no revision, and is told by its executable.
func TestThis(t *testing.T) {
	got, err := This()
	if err != nil {
		t.Fatal(err)
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "buildid", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(bytes.TrimSpace(out)); got.Digest != hex.EncodeToString(sum[:]) || got.Check() != nil {
		t.Errorf("%v is not of %x", got, sum)
	}
}

func TestCheck(t *testing.T) {
	good, _ := This()
	for name, change := range map[string]func(*Identity){
		"none": func(i *Identity) { *i = Identity{} }, "short": func(i *Identity) { i.Digest = i.Digest[1:] },
		"letters": func(i *Identity) { i.Digest = strings.Repeat("Z", 64) }, "a bell": func(i *Identity) { i.Name = "x\ay" },
		"long": func(i *Identity) { i.Name = strings.Repeat("x", nameMax+1) }, "half a module": func(i *Identity) { i.Modules = make([]byte, 7) },
		"many": func(i *Identity) { i.Modules = make([]byte, 8*(modulesMax+1)) },
	} {
		bad := good
		if change(&bad); bad.Check() == nil {
			t.Errorf("%s: %+v passes", name, bad)
		}
	}
}

// program prints what it was built from.
const program = `package main

import "lab/build"

func main() {
	i, err := build.This()
	if err != nil {
		panic(err)
	}
	print(i.Digest, " ", i.Name)
}
`

// lab is a module of its own in a repository of its own: this package and a program.
func lab(t *testing.T) (folder string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	folder = t.TempDir()
	files := map[string]string{"go.mod": "module lab\n\ngo 1.26\n", "main.go": program, ".gitignore": "/bin\n"}
	for _, name := range []string{"build.go", "stamp.go", "executable.go", "goid.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files["build/"+name] = string(text)
	}
	for name, text := range files {
		write(t, filepath.Join(folder, name), text)
	}
	command(t, folder, nil, "git", "init", "-q")
	commit(t, folder)
	return folder
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, folder string) {
	t.Helper()
	command(t, folder, nil, "git", "add", "-A")
	command(t, folder, nil, "git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false", "commit", "-qm", "x")
}

// command runs a command in a folder, whatever this test was started with, and
// returns what it says.
func command(t *testing.T, folder string, environment []string, words ...string) string {
	t.Helper()
	c := exec.Command(words[0], words[1:]...)
	c.Dir = folder
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") && !strings.HasPrefix(v, "GOFLAGS=") && !strings.HasPrefix(v, "GOWORK=") {
			c.Env = append(c.Env, v)
		}
	}
	c.Env = append(c.Env, environment...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestRealBuilds builds as users do: clean, for another architecture, in another folder, with a
// line changed, copied, run.
func TestRealBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is given: it builds for another architecture")
	}
	folder := lab(t)
	build := func(folder, name string, environment ...string) string {
		command(t, folder, environment, "go", "build", "-buildvcs=true", "-o", name, ".")
		return filepath.Join(folder, name)
	}
	ran := func(name string) string { return command(t, filepath.Dir(name), nil, name) }
	stamped := func(name string) Identity {
		t.Helper()
		info, err := buildinfo.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		identity, why := Of(info)
		if why != "" {
			t.Fatalf("%s has no identity: %s", name, why)
		}
		return identity
	}
	one := build(folder, "bin/one")
	two := build(folder, "bin/two", "GOARCH="+map[bool]string{true: "arm64", false: "amd64"}[runtime.GOARCH == "amd64"])
	a, b := stamped(one), stamped(two)
	if !a.Matches(b) || a.Digest+" "+a.Name != ran(one) {
		t.Errorf("of one commit, for two architectures: %+v and %+v; it says itself %s", a, b, ran(one))
	}
	clone := filepath.Join(t.TempDir(), "clone")
	command(t, folder, nil, "git", "clone", "-q", folder, clone)
	if c := stamped(build(clone, "bin/one")); !a.Matches(c) {
		t.Errorf("of one commit, in two folders: %+v and %+v", a, c)
	}
	if c := stamped(build(clone, "bin/tags", "GOFLAGS=-tags=debug")); a.Matches(c) {
		t.Errorf("with other tags: %+v and %+v", a, c)
	}
	write(t, filepath.Join(folder, "main.go"), program+"\n// one line\nvar _ = 1\n")
	dirty := build(folder, "bin/dirty")
	said := ran(dirty)
	if strings.HasPrefix(said, a.Digest) || !strings.Contains(said, "uncommitted changes") {
		t.Errorf("with a line changed it says %s", said)
	}
	copied := filepath.Join(t.TempDir(), "copied")
	data, err := os.ReadFile(dirty)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, data, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := ran(copied); got != said {
		t.Errorf("copied it says %s, and said %s", got, said)
	}
	write(t, filepath.Join(folder, "main.go"), program+"\n// one line\nvar _ = 2\n")
	if got := ran(build(folder, "bin/again")); got[:64] == said[:64] {
		t.Errorf("two that differ by a line both say %s", got)
	}
	var without [2]string
	for n, id := range []string{"", "redacted"} {
		without[n] = ran(build(folder, "bin/without"+id, "GOFLAGS=-ldflags=-buildid="+id))
	}
	if without[0][:64] == without[1][:64] || !strings.Contains(without[0], "told by its executable") {
		t.Errorf("without a build ID they say %s and %s", without[0], without[1])
	}
	if got := command(t, folder, nil, "go", "run", "."); !strings.Contains(got, "told by its executable") {
		t.Errorf("go run says %s", got)
	}
}
