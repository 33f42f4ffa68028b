package launch

import (
	_ "embed" // the scripts
	"fmt"
	"strconv"
	"strings"
	"time"
)

var (
	//go:embed nodes.sh
	nodesScript string
	//go:embed start.sh
	startScript string
	//go:embed list.sh
	listScript string
	//go:embed stop.sh
	stopScript string
	//go:embed copy.sh
	copyScript string
)

const (
	// startMax is how long a node may take to be in its grid: founders that die one after the
	// other take ten seconds each, and a busy machine is slow.
	startMax = time.Minute

	// stopMax is how long nodes are waited for that leave. They have 20 s if nothing else was
	// said.
	stopMax = 25 * time.Second
)

// missing is the word of a line that says that the executable is not on the machine, with the
// machine's system.
const missing = "missing"

// paths are where things are on a machine, each as a word of its shell.
type paths struct {
	folder  string // of the launch
	program string // the executable
}

// head sets what all scripts about nodes of a machine use.
func (w paths) head(l *Launch, m Machine) string {
	return fmt.Sprintf("dir=%s\nname=%s\nfrom=%d upto=%d\n", w.folder, quoted(l.Name), m.First, m.Last)
}

// start is the script that starts the nodes of a machine.
func (w paths) start(l *Launch, m Machine) string {
	flags := l.Flags
	shared := "yes"
	if m.Workers > 0 {
		flags = append([]string{"--workers", strconv.Itoa(m.Workers)}, flags...)
	}
	if says(flags, "workers") {
		shared = "no"
	}
	if site := m.Site; site != "" || l.Site != "" {
		if site == "" {
			site = l.Site
		}
		flags = append([]string{"--site", site}, flags...)
	}
	return w.head(l, m) + fmt.Sprintf("program=%s\njoin=%s\nshared=%s seconds=%d\nset -- %s\n", w.program, quoted(l.joins()), shared, int(startMax.Seconds()), quotedAll(flags)) +
		nodesScript + startScript
}

// list is the script that says how they stand.
func (w paths) list(l *Launch, m Machine) string { return w.head(l, m) + nodesScript + listScript }

// stop is the script that lets some of them leave.
func (w paths) stop(l *Launch, m Machine, nodes []int, remove bool) string {
	words := make([]string, len(nodes))
	for n, node := range nodes {
		words[n] = strconv.Itoa(node)
	}
	removes := "no"
	if remove {
		removes = "yes"
	}
	return w.head(l, m) + fmt.Sprintf("remove=%s seconds=%d\nset -- %s\n", removes, int(stopMax.Seconds()), strings.Join(words, " ")) + nodesScript + stopScript
}

// says tells whether words have a flag.
func says(words []string, flag string) bool {
	for _, word := range words {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if name != word && name == flag {
			return true
		}
	}
	return false
}

// absent is the word of a line that says that a node cannot be looked after on this machine.
const absent = "unreached"

// found is the line of a script's output that begins with a word: what a machine says at the login
// may come before.
func found(out, word string) (line string, ok bool) {
	for line := range strings.Lines(out) {
		if first, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); first == word {
			return line, true
		}
	}
	return "", false
}

// standings are what a script has said of the nodes of a machine, by their numbers.
func standings(m Machine, out string) map[int]Standing {
	told := map[int]Standing{}
	for line := range strings.Lines(out) {
		number, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		word, said, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(number)
		if err != nil || n < m.First || n > m.Last {
			continue
		}
		s := standing(n, m.String(), Condition(word), said)
		switch s.State {
		case absent:
			s.State = Unreached
		case Failed:
			code, why, _ := strings.Cut(said, " ")
			if s.Code, err = strconv.Atoi(code); err != nil {
				continue
			}
			s.Said = why
		case Here, Starting, Leaving, Ended:
		default:
			continue
		}
		told[n] = s
	}
	return told
}
