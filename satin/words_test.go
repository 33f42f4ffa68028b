package satin_test

import (
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
var sharedNames = map[string]string{
	// who and what there is, as the packages have it that look at it from their sides
	"visitor":     "who asks hosts of any build: one of them, all that are known",
	"facts":       "what jobs have told: to the workers, on the way, to the machine",
	"grid":        "peers: that one process has started, to try them; of one build",
	"host":        "one end of the network: libp2p's, in memory, in virtual time, where one is",
	"job":         "a job: as its worker, the machine and the conformance suite have it",
	"loan":        "a lending: the ledger's, and the conformance suite's model of it",
	"borrow":      "what was borrowed: the ledger's number, and the conformance suite's model of it",
	"loop":        "the goroutine that owns the machine: itself, as workers see it, simulated",
	"loss":        "a peer that is gone: as the machine, the workers, people and a script see it",
	"member":      "a peer of the view: as it travels, as people see it",
	"peer":        "a peer: for programs, as the machine, as a process of a grid on this machine",
	"plane":       "a data plane: the contract, the workers, the simulated one",
	"redone":      "the work that a loss has made necessary again",
	"result":      "what a job came to: typed, as bytes, in the conformance suite",
	"root":        "the root of a run: what is submitted, and what the command has of it",
	"run":         "a run: of the workers, the machine, the contract and the conformance suite",
	"runs":        "the runs of this process: of the loop, of the machine",
	"runstate":    "what a run is doing: as the machine knows it, in a word for people",
	"session":     "a connection to another host: libp2p's, simulated",
	"site":        "peers that are near each other: its name, and with its size where one starts it",
	"submission":  "a run that was asked for: its name, the machine's, the loop's, for programs",
	"submissions": "those of this process: of the machine, of the loop",
	"answer":      "what a run has come to: on its way, delivered, to be shown",
	"joining":     "how this peer comes in: for the machine, for people",
	"orders":      "orders to leave: given by the machine, awaited by who gave them, counted",
	"outcome":     "what a job came to, and of which sort that is",
	"part":        "a finished child of an unfinished job: the workers', the machine's, on its way",
	"folder":      "a directory with what is kept there: for the next start, for whoever joins",
	"handshake":   "what hosts show each other before they talk",
	"hello":       "who one is: a host and its build at the handshake, a member to its peers",

	// both sides of one call
	"arrival":    "a message that has come: in the loop's queue, in the machine",
	"carrier":    "what moves bytes: as it is, as the driver has it",
	"clock":      "where the loop has its time from",
	"disk":       "where a host has its runs stored, beside its loop: the real one, a simulated one",
	"effect":     "what a machine wants done: the whole one, and membership alone",
	"fault":      "what shall happen to a grid, to try it: in a simulation, to its processes",
	"event":      "what happens on the grid: for programs, as a line of --events, as a script has it",
	"events":     "what the loop is told: by a data plane, by the carrier",
	"goroutines": "those that somebody waits for",
	"ground":     "what a script is played on",
	"ofdriver":   "whoever has a driver, as that sees it: the loop, a simulated host",
	"outbox":     "what a component of a machine wants done, in order",
	"publish":    "to publish: of a body by membership, of a whole message by a peer",
	"send":       "to send: of a body by membership, of a whole message by a peer",
	"tohosts":    "the carrier as the driver has it",
	"withdraw":   "to withdraw: a loan from its thief, a job from the workers",

	// what any package may have, and calls so
	"codec":   "how values become bytes",
	"config":  "what a constructor is told",
	"cut":     "a way on which nothing passes",
	"link":    "what lies between two hosts, one way",
	"network": "hosts and what lies between them, in memory or in virtual time",
	"options": "what a call is told beside what it works on",
	"parcel":  "what is on its way over an emulated distance",
	"report":  "what is told to people of a run, a simulation, a measurement",
	"view":    "what is seen: of the grid by a peer, of an answer by people",
	"head":    "all of a record but what is long: a run's but its root, a value's but its bytes",
	"header":  "what stands before a body: of a message, of a batch in a file",
	"item":    "what is kept: a result in memory, a value in a file",
	"key":     "the identity of a value, of 16 bytes; what keeps files knows no machine",
	"kind":    "of which sort something is: a message, a value in a file",
	"listed":  "what a list says of one run: on its way, for people",
	"terms":   "under which a run is computed and kept: submitted, on the disk",
	"toldof":  "a run as others are told of it: by the driver, by a simulated data plane",
	"value":   "a value of a run: made once for its jobs, kept in a file",

	// of one application
	"apps/knapsack item":     "what may be packed: as it is given, as it is searched",
	"apps/raytracer sky":     "the light from beyond: as it is described, as rays find it",
	"apps/raytracer texture": "a picture on surfaces: as it is described, as rays find it",
	"apps/sat answer":        "what was found of a formula: by the solver, printed, read again",
	"apps/sat status":        "what is known of a formula: of the whole, in the search",
}

// TestOneWordOneMeaning is red when a type takes a name that another package uses for its own.
func TestOneWordOneMeaning(t *testing.T) {
	found := namesOfTypes(t, moduleRoot(t))
	if len(found) < 500 {
		t.Errorf("only %d names were looked at", len(found))
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if folders := found[name]; len(folders) > 1 && sharedNames[name] == "" {
			t.Errorf("%q is a type in %s: call one otherwise, or say in sharedNames what both are", name, strings.Join(folders, " and "))
		}
	}
	for name := range sharedNames {
		if len(found[name]) < 2 {
			t.Errorf("sharedNames: %q is a type in %d packages: take it off", name, len(found[name]))
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
