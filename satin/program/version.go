package program

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	satinbuild "satingrid/satin/build"

	"satingrid/satin/program/console"
)

// Build says what this binary was made from. Revision is empty where the build does not know it.
type Build struct {
	Schema int `json:"schema"`
	// the digest that peers compare; "" where this program has none
	Build    string `json:"build"`
	Of       string `json:"of"` // what the build is told by
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Modified bool   `json:"modified"` // the source differed from the revision
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// ThisBuild is the build of this process.
func ThisBuild() Build {
	b := Build{Schema: console.Schema, Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if identity, err := satinbuild.This(); err == nil {
		b.Build, b.Of = identity.Digest, identity.Name
	} else {
		b.Of = err.Error()
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

// words are the build of a program for a person.
func (b Build) words(name string) string {
	s := name + " " + b.Version
	if b.Revision != "" {
		s += ", revision " + b.Revision
	}
	if b.Modified {
		s += " with changes"
	}
	return fmt.Sprintf("%s, %s, %s/%s\nbuild %s, %s", s, b.Go, b.OS, b.Arch, cmp.Or(b.Build, "unknown"), b.Of)
}

func versionCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name:     "version",
		Category: "5 KEYS",
		Usage:    "which build this is",
		Description: `Peers of a grid must have the same build. One of a clean commit is told by its commit, one with changes
by its executable. Go's stamp of a commit does not see files that git ignores, be they Go, C, assembly,
.syso or embedded, files that "git update-index --assume-unchanged" hides, -overlay and -toolexec: two
builds that differ in such pass for one, and a grid of them may give wrong answers. Copy the
executable where you use any.`,
		Flags: []cli.Flag{&cli.BoolFlag{Name: "json", Usage: "print one line of JSON"}},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return console.Usage("version takes no argument, but there is %q", c.Args().First())
			}
			if c.Bool("json") {
				return console.PrintJSON(con.Out, ThisBuild())
			}
			_, err := fmt.Fprintln(con.Out, ThisBuild().words(con.Name))
			return err
		},
	}
}
