package satin_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// sharedNames are the names of types that stand in several packages, and what all of them name. A
// name that is exported in one and not in another is the same name: both are read aloud. Where two
// mean different things one has to be called otherwise.
//
// Whoever works on an application reads that and the library's names for programs. So the packages
// of each application are judged by themselves, and each example.
//
// One more package that takes such a name is looked at, too: it may have stretched far enough.
var sharedNames = map[string]sharedName{
	// who and what there is, as the packages have it that look at it from their sides
	"visitor":     {"satin/p2p satin/program/across", "who asks hosts of any build: one of them, all that are known"},
	"facts":       {"satin satin/peer", "what jobs have told: to the workers, on the way, to the machine"},
	"grid":        {"satin/program/across satin/program/local satin/satintest", "peers: that one process has started, to try them; of one build"},
	"host":        {"gridsim satin/p2p satin/peer satin/satintest satin/ticket", "one end of the network: libp2p's, in memory, in virtual time, where one is"},
	"job":         {"satin satin/peer satin/peer/workerstest", "a job: as its worker, the machine and the conformance suite have it"},
	"loan":        {"satin/peer/workerstest satin/program/across steal", "a lending: the ledger's, the conformance suite's model of it, as people see one that has ended"},
	"borrow":      {"satin/peer/workerstest steal", "what was borrowed: the ledger's number, and the conformance suite's model of it"},
	"loop":        {"gridsim satin/control satin/peer/workers", "the goroutine that owns the machine: itself, as workers see it, simulated"},
	"loss":        {"satin/control/statistics satin/peer satin/program/local", "a peer that is gone: as the machine, the workers, people and a script see it"},
	"member":      {"membership satin/control", "a peer of the view: as it travels, as people see it"},
	"peer":        {"satin satin/peer satin/program/across satin/program/local", "a peer: for programs, as the machine, as a process of a grid on this machine, as a list has it"},
	"plane":       {"gridsim satin satin/peer/workers", "a data plane: the contract, the workers, the simulated one"},
	"redone":      {"satin satin/peer", "the work that a loss has made necessary again"},
	"result":      {"satin satin/peer/workerstest satin/store steal", "what a job came to: typed, as bytes, on the disk, in the conformance suite"},
	"root":        {"satin/peer satin/program", "the root of a run: what is submitted, and what the command has of it"},
	"run":         {"satin satin/peer satin/peer/workers satin/peer/workerstest", "a run: of the workers, the machine, the contract and the conformance suite"},
	"runs":        {"satin/control satin/peer", "the runs of this process: of the loop, of the machine"},
	"runstate":    {"satin/control satin/peer", "what a run is doing: as the machine knows it, in a word for people"},
	"session":     {"gridsim satin/p2p", "a connection to another host: libp2p's, simulated"},
	"site":        {"gridsim membership satin/program/local satin/satintest", "peers that are near each other: its name, and with its size where one starts it"},
	"submission":  {"satin satin/control satin/control/driver satin/peer satin/program steal", "a run that was asked for: its name, the machine's, the loop's, for programs"},
	"submissions": {"satin/control satin/control/driver satin/peer", "those of this process: of the machine, of the loop"},
	"answer":      {"gridsim satin/peer satin/peer/workerstest satin/program", "what a run has come to: on its way, delivered, to be shown"},
	"joining":     {"satin/control satin/peer", "how this peer comes in: for the machine, for people"},
	"orders":      {"gridsim satin/control/driver satin/peer", "orders to leave: given by the machine, awaited by who gave them, counted"},
	"outcome":     {"satin steal", "what a job came to, and of which sort that is"},
	"part":        {"orphan satin satin/peer", "a finished child of an unfinished job: the workers', the machine's, on its way"},
	"folder":      {"gridsim satin/control satin/control/driver satin/ticket", "a directory with what is kept there: for the next start, for whoever joins"},
	"handshake":   {"satin satin/control satin/p2p", "what hosts show each other before they talk"},
	"hello":       {"membership satin", "who one is: a host and its build at the handshake, a member to its peers"},

	// both sides of one call
	"arrival":    {"satin/control satin/peer", "a message that has come: in the loop's queue, in the machine"},
	"carrier":    {"satin/control/driver satin/p2p", "what moves bytes: as it is, as the driver has it"},
	"clock":      {"satin satin/control", "where the loop has its time from"},
	"disk":       {"gridsim satin/control satin/control/driver", "where a host has its runs stored, beside its loop: the real one, a simulated one"},
	"effect":     {"membership satin/peer", "what a machine wants done: the whole one, and membership alone"},
	"fault":      {"gridsim satin/program/chaos", "what shall happen to a grid, to try it: in a simulation, to its processes"},
	"event":      {"satin/control satin/program", "what happens on the grid: for programs, as a line of --events, as a script has it"},
	"events":     {"satin/p2p satin/peer/workers", "what the loop is told: by a data plane, by the carrier"},
	"goroutines": {"satin/control satin/p2p", "those that somebody waits for"},
	"ground":     {"satin/program satin/program/chaos", "what a script is played on"},
	"ofdriver":   {"gridsim satin/control", "whoever has a driver, as that sees it: the loop, a simulated host"},
	"outbox":     {"membership satin/peer", "what a component of a machine wants done, in order"},
	"publish":    {"membership satin/peer", "to publish: of a body by membership, of a whole message by a peer"},
	"send":       {"membership satin/peer", "to send: of a body by membership, of a whole message by a peer"},
	"tohosts":    {"gridsim satin/control", "the carrier as the driver has it"},
	"withdraw":   {"satin/peer steal", "to withdraw: a loan from its thief, a job from the workers"},

	// what any package may have, and calls so
	"codec":     {"satin/peer/workerstest satin/wire", "how values become bytes"},
	"config":    {"membership membership/addresses satin satin/control satin/control/driver satin/p2p satin/peer satin/satintest", "what a constructor is told"},
	"cut":       {"gridsim satin/program/local", "a way on which nothing passes"},
	"link":      {"gridsim satin/p2p/wan satin/satintest", "what lies between two hosts, one way"},
	"network":   {"gridsim satin/satintest", "hosts and what lies between them, in memory or in virtual time"},
	"options":   {"cmd/satin/bench gridsim satin/program/local satin/program/recovery satin/store", "what a call is told beside what it works on"},
	"parcel":    {"satin/p2p/wan satin/satintest", "what is on its way over an emulated distance"},
	"report":    {"cmd/satin/bench gridsim satin/peer satin/program/recording satin/program/recovery", "what is told to people of a run, a simulation, a measurement"},
	"view":      {"membership satin/program satin/program/observe", "what is seen: of the grid by a peer, of an answer by people"},
	"head":      {"satin/peer satin/store", "all of a record but what is long: a run's but its root, a value's but its bytes"},
	"header":    {"satin/store satin/wire", "what stands before a body: of a message, of a batch in a file"},
	"item":      {"orphan satin/store", "what is kept: a result in memory, a value in a file"},
	"key":       {"satin/store steal", "the identity of a value, of 16 bytes; what keeps files knows no machine"},
	"kind":      {"satin/peer satin/store", "of which sort something is: a message, a value in a file"},
	"storedrun": {"satin/control satin/store", "what a disk has of a run: of this program, of any"},
	"listed":    {"orphan satin/store", "what a list says of one run: on its way, for people"},
	"terms":     {"satin satin/peer satin/program", "under which a run is computed and kept: submitted, on the disk"},
	"toldof":    {"gridsim satin/control/driver", "a run as others are told of it: by the driver, by a simulated data plane"},
	"value":     {"satin satin/store", "a value of a run: made once for its jobs, kept in a file"},

	// of one application
	"apps/knapsack item":     {"apps/knapsack apps/knapsack/instance", "what may be packed: as it is given, as it is searched"},
	"apps/raytracer sky":     {"apps/raytracer/scene apps/raytracer/trace", "the light from beyond: as it is described, as rays find it"},
	"apps/raytracer texture": {"apps/raytracer/scene apps/raytracer/trace", "a picture on surfaces: as it is described, as rays find it"},
	"apps/sat answer":        {"apps/sat apps/sat/check apps/sat/cli", "what was found of a formula: by the solver, printed, read again"},
	"apps/sat status":        {"apps/sat apps/sat/cdcl", "what is known of a formula: of the whole, in the search"},
}

// sharedName is in which folders a name is a type's, sorted, and what all of these types are.
type sharedName struct{ folders, means string }

// TestOneWordOneMeaning is red when a type takes a name that another package uses for its own.
func TestOneWordOneMeaning(t *testing.T) {
	found := namesOfTypes(t, moduleRoot(t))
	if len(found) < 500 {
		t.Errorf("only %d names were looked at", len(found))
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		for _, wrong := range wrongOfName(name, found[name], sharedNames[name]) {
			t.Error(wrong)
		}
	}
	for name := range sharedNames {
		if len(found[name]) < 2 {
			t.Errorf("sharedNames: %q is a type in %d packages: take it off", name, len(found[name]))
		}
	}
}

// wrongOfName says which folders have a name and are not among those that may, and which of these
// have it no more.
func wrongOfName(name string, folders []string, may sharedName) (wrong []string) {
	listed := strings.Fields(may.folders)
	if len(folders) > 1 {
		for _, folder := range folders {
			if !slices.Contains(listed, folder) {
				wrong = append(wrong, fmt.Sprintf("%q is a type in %s: call that in %s otherwise, or say in sharedNames what all are", name, strings.Join(folders, " and "), folder))
			}
		}
	}
	for _, folder := range listed {
		if !slices.Contains(folders, folder) {
			wrong = append(wrong, fmt.Sprintf("sharedNames: %q is no type in %s: take that off", name, folder))
		}
	}
	return wrong
}

func TestWrongNamesAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		in    string
		may   sharedName
		wrong int
	}{
		"one package's own":         {in: "a"},
		"two that are listed":       {in: "a b", may: sharedName{"a b", "both"}},
		"two that are not":          {in: "a b", wrong: 2},
		"a third joins":             {in: "a b c", may: sharedName{"a b", "both"}, wrong: 1},
		"one has another name now":  {in: "a b", may: sharedName{"a b c", "all"}, wrong: 1},
		"nobody else has it at all": {in: "a", may: sharedName{"a b", "both"}, wrong: 1},
	} {
		if got := wrongOfName("x", strings.Fields(c.in), c.may); len(got) != c.wrong {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestNamesOfTypesAreFound(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go":                        "package a\ntype Part struct{}\ntype ( one int; Two[T any] []T )\nfunc f() { type inner int }\n",
		"b/b.go":                        "package b\nimport \"a\"\ntype part int\ntype Two = a.Two[int]\n",
		"b/b_test.go":                   "package b\ntype one int\n",
		"apps/x/x.go":                   "package x\ntype Part int\n",
		"apps/x/cli/x.go":               "package cli\ntype part int\n",
		"satin/program/examples/y/y.go": "package main\ntype part int\n",
	} {
		if err := os.MkdirAll(filepath.Join(root, path.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := namesOfTypes(t, root)
	want := map[string][]string{
		"part": {"a", "b"}, "one": {"a"}, "two": {"a"},
		"apps/x part": {"apps/x/cli", "apps/x"}, "satin/program/examples/y part": {"satin/program/examples/y"},
	}
	if !maps.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("%q, wanted %q", got, want)
	}
}

// namesOfTypes are the folders in which types are declared, by the types' names in small letters.
// An alias is the type that it stands for. Tests are left out.
func namesOfTypes(t *testing.T, root string) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	for _, name := range goFiles(t, root) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				s := spec.(*ast.TypeSpec)
				key := wordsOf(path.Dir(name)) + strings.ToLower(s.Name.Name)
				if folder := path.Dir(name); !s.Assign.IsValid() && !slices.Contains(found[key], folder) {
					found[key] = append(found[key], folder)
				}
			}
		}
	}
	return found
}

var ownProgram = regexp.MustCompile(`^(apps|satin/program/examples)/[^/]+`)

// wordsOf is before the names of a folder whose words are its application's own.
func wordsOf(folder string) string {
	if program := ownProgram.FindString(folder); program != "" {
		return program + " "
	}
	return ""
}

// goneWords are words that others have replaced, and which.
var goneWords = map[string]string{
	"arrange":   "argv, for command lines",
	"contest":   "claim",
	"crew":      "goroutines",
	"deed":      "what a node is told",
	"dismiss":   "drain, or bar",
	"door":      "handshake",
	"grave":     "tombstones",
	"graveyard": "tombstones",
	"obey":      "follow an order",
	"ration":    "limit, or rate",
	"reign":     "mastership: a master is master, under an epoch",
	"shelf":     "the public part of a deque",
	"shelve":    "the public part of a deque",
}

// TestGoneWords: what has one name is not called by its old one, in no identifier and no comment.
func TestGoneWords(t *testing.T) {
	root := moduleRoot(t)
	words := 0
	for _, name := range goFiles(t, root) {
		if path.Base(name) == "words_test.go" {
			continue // which has the list
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		n, gone := goneWordsOf(t, name, text)
		words += n
		for _, at := range gone {
			t.Error(at)
		}
	}
	if words < 100_000 {
		t.Errorf("only %d words were looked at", words)
	}
}

func TestGoneWordsAreFound(t *testing.T) {
	for text, gone := range map[string]int{
		"package p\n\n// f knocks at the doors.\nfunc f() {}\n":               1,
		"package p\n\nfunc f(graveyardMax int) { doorOf(graveyardMax) }\n":    3,
		"package p\n\nfunc reigns() { say(\"a door\") }\n":                    1,
		"package p\n\n// outdoors, duration, foreign\nfunc generation() {}\n": 0,
	} {
		if _, got := goneWordsOf(t, "p.go", []byte(text)); len(got) != gone {
			t.Errorf("%q: %q, wanted %d", text, got, gone)
		}
	}
}

// goneWordsOf counts the words of a file's identifiers and comments, and says which are gone.
func goneWordsOf(t *testing.T, name string, text []byte) (words int, gone []string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	look := func(at token.Pos, text string) {
		for _, word := range wordsIn(text) {
			words++
			if instead := goneWords[stem(word)]; instead != "" {
				gone = append(gone, files.Position(at).String()+": the word is "+instead+", not "+word)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			look(id.Pos(), id.Name)
		}
		return true
	})
	for _, c := range commentsOf(file) {
		look(c.Pos(), c.Text)
	}
	return words, gone
}

// wordsIn takes text and identifiers apart: peerOf is two words.
func wordsIn(text string) (words []string) {
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
			end()
			continue
		case unicode.IsUpper(r) && len(word) > 0 && unicode.IsLower(word[len(word)-1]):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// stem is a word without its ending, as far as those of goneWords need it.
func stem(word string) string {
	for _, ending := range []string{"s", "ed", "ing"} {
		if s := strings.TrimSuffix(word, ending); goneWords[s] != "" {
			return s
		}
	}
	return word
}
