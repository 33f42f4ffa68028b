package program

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// mistakeVariable names, in the environment, the mistake of the program whose peer this process is.
const mistakeVariable = "SATIN_TEST_MISTAKE"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == peerWord {
		p := mistakes[os.Getenv(mistakeVariable)].program
		os.Exit(p.Run(os.Args[1:], console.New("", os.Stdout, os.Stderr)))
	}
	os.Exit(m.Run())
}

// slip is a job that makes a mistake, or lets its child make it.
type slip struct {
	Mistake string
	Child   bool
}

func (j slip) Run(s *satin.Scope) (int, error) {
	if !j.Child {
		return satin.Spawn(s, slip{j.Mistake, true}).Wait(s)
	}
	switch j.Mistake {
	case "forgotten":
		_, err := satin.Spawn(s, fib{1}).Wait(s)
		return 0, err
	case "panic":
		panic("it broke") // here: panic
	case "index":
		return int(j.Mistake[len(j.Mistake)]), nil // here: index
	case "nil task":
		return satin.Spawn(s, (*pointed)(nil)).Wait(s)
	case "twice":
		x := satin.Spawn(s, &pointed{1})
		x.Wait(s)
		return x.Wait(s) // here: twice
	case "root":
		return satin.Root[pointed](s).N, nil // here: root
	case "offer":
		satin.Offer(s, unsure{1}) // here: offer
	case "never waited":
		satin.Spawn(s, slip{"error", true})
	case "error":
		return 0, errors.New("it is so")
	}
	return 1, nil
}

type pointed struct{ N int }

func (p *pointed) Run(*satin.Scope) (int, error) { return p.N, nil } // here: nil task

type hidden struct{ n int }

func (h hidden) Run(*satin.Scope) (int, error) { return h.n, nil }

type vague struct{ N int }

func (v vague) Run(*satin.Scope) (any, error) { return v.N, nil }

// twins is a root whose fields share what they point to.
type twins struct{ A, B *int }

func (t twins) Run(*satin.Scope) (int, error) { return *t.A + *t.B, nil }

// halves are a result whose parts share memory.
type halves struct{ A, B []int }

type halver struct{ N int }

func (h halver) Run(*satin.Scope) (halves, error) {
	all := make([]int, 2*h.N)
	return halves{all[:h.N], all[h.N:]}, nil
}

// unsure is a solution that cannot be compared.
type unsure struct{ N int }

func (unsure) Better(unsure) bool { panic("which?") } // here: better

type chooser struct{ N int }

func (c chooser) Run(s *satin.Scope) (unsure, error) {
	satin.Offer(s, unsure(c))
	satin.Offer(s, unsure{c.N + 1})
	return unsure(c), nil
}

// unprintable has an answer that panics where it is printed, and unreadable a parse that does.
func unprintable() *Program {
	p := rooted(pointed0)
	p.Applications[0].Root = RootOf(
		func(*Input) (*pointed, error) { return &pointed{1}, nil },
		func(**pointed, *Input) (View[int], error) {
			return View[int]{Answer: func(int) Answer {
				panic("no ink") // here: printer
			}}, nil
		})
	return p
}

func unreadable() *Program {
	return &Program{Applications: []*Application{Of("x", func(in *Input) (*pointed, error) {
		return &pointed{int(in.Name()[99])}, nil // here: parse
	})}}
}

// rooted is a program with this root; others are the types of its other tasks.
func rooted[T satin.Task[R], R any](root T, others ...satin.TaskType) *Program {
	return &Program{Applications: []*Application{Of("x", func(*Input) (T, error) { return root, nil }, others...)}}
}

func slips(mistake string) *Program {
	return rooted(slip{mistake, false}, satin.Type[*pointed]())
}

// A mistake is a program that has one, and what its author reads: alone, and on a grid. LINE is
// where it is made, which a comment tells.
type mistake struct {
	program     *Program
	code        int
	alone, grid string
}

func mistaken(p *Program, says string) mistake {
	return mistake{p, console.ExitFailed, says, says}
}

var mistakes = map[string]mistake{
	"forgotten": mistaken(slips("forgotten"),
		"x: task program.fib is not among the tasks of its application, so no other peer could run it: list satin.Type[program.fib]() in program.Of, "),
	"forgotten root": {forgottenRoot(), console.ExitFailed,
		"x: task program.slip is not among the tasks of its application, so no other peer could run it: list satin.Type[program.slip]() in program.Of, ",
		"x: task program.slip is not among the tasks of its application, so no peer could run it: list satin.Type[program.slip]() in program.Of, "},
	"one name":     unstarted(rooted(pointed0, satin.Type[fib]().Named("*program.pointed")), `task types *program.pointed and program.fib are both named "*program.pointed": give one another name with Named`),
	"screen":       unstarted(rooted(pointed0, satin.Type[fib]().Named("\x1b[2J")), `a task type's name is one line of at most 256 bytes, and that of program.fib is "\x1b[2J": give it another with Named`),
	"hidden":       unstarted(rooted(hidden{1}), "task program.hidden cannot travel: program.hidden.n is unexported"),
	"vague":        unstarted(rooted(vague{1}), "the result of task program.vague cannot travel: interface {} is an interface"),
	"enough":       unstarted(versionless(), "App.VersionIsEnough without a Version: give it one, "),
	"panic":        mistaken(slips("panic"), " panicked at program/mistakes_test.go:LINE: it broke\n"),
	"index":        mistaken(slips("index"), " panicked at program/mistakes_test.go:LINE: runtime error: index out of range [5] with length 5\n"),
	"nil task":     mistaken(slips("nil task"), " panicked at program/mistakes_test.go:LINE: runtime error: invalid memory address or nil pointer dereference\n"),
	"twice":        mistaken(slips("twice"), " panicked at program/mistakes_test.go:LINE: satin: a future of *program.pointed was waited for twice, or by a job that did not spawn it\n"),
	"root":         mistaken(slips("root"), " panicked at program/mistakes_test.go:LINE: satin: Root[program.pointed]: the root task of this run is a program.slip\n"),
	"offer":        mistaken(slips("offer"), " panicked at program/mistakes_test.go:LINE: satin: Offer of a program.unsure in a run whose root returns a int: they must be one type\n"),
	"never waited": mistaken(slips("never waited"), "x: it is so (job program.slip "),
	"error":        mistaken(slips("error"), "x: it is so (job program.slip "),
	"better":       mistaken(rooted(chooser{1}), " panicked at program/mistakes_test.go:LINE: which?\n"),
	"printer":      mistaken(unprintable(), "x: panicked at program/mistakes_test.go:LINE: no ink\n"),
	"parse":        mistaken(unreadable(), "x: panicked at program/mistakes_test.go:LINE: runtime error: index out of range [99] with length "),
	"nil root": {rooted((*pointed)(nil)), console.ExitUsage,
		"x: parse has returned a nil *program.pointed and no error\n", "x: parse has returned a nil *program.pointed and no error\n"},
	// What depends on the value is looked at where it leaves the process.
	"halves": {rooted(halver{1}), console.ExitFailed, "", "x: the result of a job of task program.halver cannot travel: program.halves: .A and .B share memory, with what slices may grow into, and would come apart: copy one, or cut it as x[i:j:j]\n"},
	"twins": {rooted(twins{&one, &one}), console.ExitFailed, "",
		"x: the root task program.twins cannot travel: program.twins.B and .A are pointers to one value, which would become two\n"},
}

var (
	one      = 1
	pointed0 = &pointed{0}
)

// unstarted is a mistake with which no peer starts.
func unstarted(p *Program, says string) mistake {
	return mistake{p, console.ExitFailed, "x: " + says, "x: --sites: a/1 did not start: satin: " + says}
}

func forgottenRoot() *Program {
	p := slips("")
	p.Applications[0].App.Tasks = []satin.TaskType{satin.Type[fib]()}
	return p
}

func versionless() *Program {
	p := rooted(pointed0)
	p.Applications[0].App.VersionIsEnough = true
	return p
}

// TestMistakesOfJobs: what is wrong with the tasks of a program is met where its author runs it,
// alone at once, and says where it was made. On a grid he reads the same.
func TestMistakesOfJobs(t *testing.T) {
	for name, m := range mistakes {
		t.Run(name, func(t *testing.T) {
			t.Setenv(mistakeVariable, name)
			place := strings.NewReplacer("LINE", lineOf(t, "// here: "+name))
			check := func(line, want string) {
				t.Helper()
				code, out, err := ran(m.program, strings.Fields(line)...)
				if want == "" {
					if code != console.ExitOK || out == "" {
						t.Errorf("%s: exit %d, %q, %q", line, code, out, err)
					}
					return
				}
				if want = place.Replace(want); code != m.code || out != "" || !strings.Contains(err, want) {
					t.Errorf("%s: exit %d, %q, %q; wanted %q", line, code, out, err, want)
				}
			}
			check("run", m.alone)
			check("run --sites a:1", m.grid)
			if m.alone == "" { // met without a grid, too, by who looks
				check("run --strict", m.grid)
			}
		})
	}
}

// lineOf is the number of the line of this file that ends so.
func lineOf(t *testing.T, end string) string {
	t.Helper()
	text, err := os.ReadFile("mistakes_test.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(text), " "+end+"\n")
	return strconv.Itoa(strings.Count(before, "\n") + 1)
}

// TestNoParse is a mistake that is met at the first start.
func TestNoParse(t *testing.T) {
	defer func() {
		const want = "program: Of and RootOf need a function that makes the root, a program.fib: parse is nil"
		if said := fmt.Sprint(recover()); said != want {
			t.Errorf("it panics with %q, wanted %q", said, want)
		}
	}()
	Of[fib]("fib", nil)
}
