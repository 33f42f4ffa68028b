package plants

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// sources are files' lines, by their names from the module's root, with slashes.
type sources map[string][]string

// apply puts defects into the files of a module, and returns those that are changed or new.
func apply(root string, defects []string) (edited map[string]string, err error) {
	edited = map[string]string{}
	folders := map[string]sources{}
	for _, name := range defects {
		text, err := files.ReadFile("testdata/" + name + ".txt")
		if err != nil {
			return nil, err
		}
		where, lines := "", []string(nil)
		for _, l := range append(strings.Split(string(text), "\n"), "") {
			heads := strings.HasPrefix(l, "-- ") && strings.HasSuffix(l, " --")
			if !heads && l != "" {
				lines = append(lines, l)
				continue
			}
			switch {
			case where == "" || len(lines) == 0: // in words
			case strings.HasSuffix(where, ".go"):
				edited[where] += added(lines)
			default:
				if folders[where] == nil {
					if folders[where], err = read(root, where); err != nil {
						return nil, err
					}
				}
				if err := folders[where].change(lines); err != nil {
					return nil, fmt.Errorf("plants: %s does not fit %s any more: %w", name, where, err)
				}
			}
			lines = nil
			if heads {
				where = strings.TrimSuffix(strings.TrimPrefix(l, "-- "), " --")
			}
		}
	}
	for folder, all := range folders {
		for name, lines := range all {
			edited[name] = strings.Join(lines, "\n")
		}
		edited[path.Join(folder, "planted.go")] = fmt.Sprintf(switches, path.Base(folder), Env)
	}
	return edited, nil
}

// read reads the sources of a folder, without tests.
func read(root, folder string) (sources, error) {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*.go"))
	all := sources{}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		all[path.Join(folder, filepath.Base(name))] = strings.Split(string(text), "\n")
	}
	return all, err
}

// change makes one change, in the one place where it fits.
func (s sources) change(lines []string) error {
	var old, now []string
	for _, l := range lines {
		switch l[0] {
		case ' ':
			old, now = append(old, l[1:]), append(now, l[1:])
		case '-':
			old = append(old, l[1:])
		case '+':
			now = append(now, l[1:])
		default:
			return fmt.Errorf("a line of it begins with neither a space nor + nor -: %q", l)
		}
	}
	var in string
	at, found := 0, 0
	for name, have := range s {
		for n := range len(have) - len(old) + 1 {
			if slices.Equal(have[n:n+len(old)], old) {
				in, at = name, n
				found++
			}
		}
	}
	if found != 1 {
		return fmt.Errorf("these lines stand there %d times, and must once:\n%s", found, strings.Join(old, "\n"))
	}
	s[in] = slices.Replace(slices.Clone(s[in]), at, at+len(old), now...)
	return nil
}

// added is the text of a new file, or of a part of it.
func added(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(strings.TrimPrefix(l, "+") + "\n")
	}
	return b.String()
}
