// Package read reads scenes from files: OBJ with MTL, NFF, glTF, and pictures for them.
//
// [Scene] chooses the reader by the name's ending. What a file cannot mean is an [Error] that names
// file and line, and so is what would make the picture wrong; what a picture can do without is said
// in words. Files are not trusted: their sizes, counts and pictures are bounded by named limits,
// and they lead to no file outside of the scene's folder.
package read

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"satingrid/apps/raytracer/scene"
)

// Limits on a file.
const (
	fileMax = 1 << 30 // bytes
	lineMax = 1 << 20 // bytes of one line: a polygon of 65,536 corners fits
)

// Error is what is wrong with a file, and where.
type Error struct {
	File string
	Line int    // from 1; 0: not in a line
	What string // what is wrong and what is expected
}

// Error is FILE:LINE: what.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.What
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What)
}

// Open opens a file by its name: the scene's own, or one that it names, joined to the scene's
// folder with slashes, in which it is.
type Open func(name string) (io.ReadCloser, error)

// source is what a reader reads from.
type source struct {
	name string
	open Open
	skip *ignored
	time float64
}

// Rest is the time of a scene that nothing has moved.
const Rest = -1

// still refuses a time for a scene of a format that has none.
func (s *source) still() error {
	if s.time < 0 {
		return nil
	}
	return &Error{File: s.name, What: "it has no animation, and no time; expected one in glTF, or no time to be asked for"}
}

// formats are the readers, by the ending of a scene's name.
var formats = []struct {
	ending string
	read   func(from source) (*scene.Scene, error)
}{
	{".obj", obj},
	{".nff", nff},
	{".gltf", gltfScene},
	{".glb", gltfScene},
}

// Endings are the endings of the names of scenes that can be read.
func Endings() []string {
	var all []string
	for _, f := range formats {
		all = append(all, f.ending)
	}
	return all
}

// Scene reads the scene of the given name, as it is at a time of its animation, in seconds from 0,
// or at Rest. It returns what is ignored in it, too: a line for each
// kind of thing, which begins with the file's name.
func Scene(name string, open Open, time float64) (*scene.Scene, []string, error) {
	for _, f := range formats {
		if !strings.EqualFold(path.Ext(name), f.ending) {
			continue
		}
		skip := &ignored{}
		s, err := f.read(source{name, inside(name, open), skip, time})
		if err != nil {
			return nil, nil, err
		}
		if err := s.Check(); err != nil {
			return nil, nil, &Error{File: name, What: err.Error()}
		}
		return s, skip.all(name), nil
	}
	return nil, nil, &Error{File: name, What: "no known kind of scene; expected a name that ends in " + strings.Join(Endings(), ", ")}
}

// errOutside is a scene that names what is not its own: whoever reads scenes of others must not
// show them other files.
var errOutside = errors.New("it is outside of the scene's folder, and only what is in it is read: move it there")

// inside opens a scene and the files in its folder.
func inside(scene string, open Open) Open {
	folder := path.Dir(scene)
	return func(name string) (io.ReadCloser, error) {
		if name == scene {
			return open(name)
		}
		in, ok := name, true
		switch folder {
		case ".":
		case "/":
			in, ok = strings.CutPrefix(name, folder)
		default:
			in, ok = strings.CutPrefix(name, folder+"/")
		}
		if !ok || !filepath.IsLocal(in) {
			return nil, errOutside
		}
		return open(name)
	}
}

// beside is the name of a file that the file name mentions as other.
func beside(name, other string) string {
	other = strings.ReplaceAll(other, `\`, "/")
	if path.IsAbs(other) {
		return other
	}
	return path.Join(path.Dir(name), other)
}

// bytesOf is the content of a whole file.
func bytesOf(name string, open Open) ([]byte, error) {
	f, err := open(name)
	if err != nil {
		return nil, missing(name, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, fileMax+1))
	if err != nil {
		return nil, &Error{File: name, What: err.Error()}
	}
	if len(b) > fileMax {
		return nil, &Error{File: name, What: fmt.Sprintf("longer than %d bytes, the most that is read", fileMax)}
	}
	return b, nil
}

// missing says of a file that it cannot be opened, without repeating its name as the
// system's error does.
func missing(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return &Error{File: name, What: "cannot be read: " + err.Error()}
}

// lines goes through the lines of a text file.
type lines struct {
	name   string
	line   int
	fields []string
	in     *bufio.Scanner
	read   int
	close  func() error
	err    error
}

func openLines(name string, open Open) (*lines, error) {
	f, err := open(name)
	if err != nil {
		return nil, missing(name, err)
	}
	in := bufio.NewScanner(f)
	in.Buffer(make([]byte, 0, 64<<10), lineMax)
	return &lines{name: name, in: in, close: f.Close}, nil
}

// next goes to the next line that says anything. A # starts a comment; a backslash at the end of a
// line joins the next one.
func (l *lines) next() bool {
	for l.err == nil && l.in.Scan() {
		l.line++
		text := l.in.Text()
		l.read += len(text) + 1
		for strings.HasSuffix(text, `\`) && l.in.Scan() {
			l.line++
			l.read += len(l.in.Bytes()) + 1
			if text = text[:len(text)-1] + " " + l.in.Text(); len(text) > lineMax {
				l.err = l.fault("a line longer than %d bytes, the most that is read", lineMax)
				return false
			}
		}
		if l.read > fileMax {
			l.err = l.fault("longer than %d bytes, the most that is read", fileMax)
			return false
		}
		text, _, _ = strings.Cut(text, "#")
		if l.fields = strings.Fields(text); len(l.fields) > 0 {
			return true
		}
	}
	if err := l.in.Err(); err != nil && l.err == nil {
		l.line++
		if errors.Is(err, bufio.ErrTooLong) {
			l.err = l.fault("a line longer than %d bytes, the most that is read", lineMax)
		} else {
			l.err = l.fault("%v", err)
		}
	}
	return false
}

// fault is an error at the present line.
func (l *lines) fault(format string, args ...any) error {
	return &Error{File: l.name, Line: l.line, What: fmt.Sprintf(format, args...)}
}
