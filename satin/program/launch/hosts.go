package launch

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
	"satingrid/satin/program/node"
	"satingrid/satin/program/wording"
)

// readHosts reads a file of machines, one a line, each of which gets so many nodes.
func readHosts(name string, nodes int) ([]Machine, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, console.Usage("--hosts %v", wording.Bare(err))
	}
	defer f.Close()
	var all []Machine
	seen := map[string]int{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(text)
		if len(words) == 0 {
			continue
		}
		m, err := parseHost(words)
		if err == nil && seen[m.String()] > 0 {
			err = fmt.Errorf("%s stands in line %d already: -n says how many nodes a host gets", m, seen[m.String()])
		}
		if err == nil && (len(all)+1)*nodes > nodesMax {
			err = fmt.Errorf("with %d for each host that is more than %s", nodes, wording.Count(nodesMax, "node"))
		}
		if err != nil {
			return nil, console.Usage("%s:%d: %v", name, n, err)
		}
		seen[m.String()] = n
		m.First = len(all)*nodes + 1
		m.Last = m.First + nodes - 1
		all = append(all, m)
	}
	if err := lines.Err(); err != nil {
		return nil, console.Usage("--hosts %s: %v", name, err)
	}
	if len(all) == 0 {
		return nil, console.Usage("%s:1: no host is there: user@host[:port] [site=S] [workers=N] is expected, one a line", name)
	}
	return all, nil
}

// parseHost reads the words of one line.
func parseHost(words []string) (m Machine, err error) {
	if m.Target, m.Port, err = parseTarget(words[0]); err != nil {
		return m, err
	}
	for _, word := range words[1:] {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "site":
			if err := local.CheckName(value); err != nil {
				return m, err
			}
			m.Site = value
		case "workers":
			if m.Workers, err = strconv.Atoi(value); err != nil || m.Workers < 1 || m.Workers > node.WorkersMax {
				return m, fmt.Errorf("%q: workers= and 1 to %d is expected", word, node.WorkersMax)
			}
		default:
			return m, fmt.Errorf("%q: site=S or workers=N is expected after the host", word)
		}
	}
	return m, nil
}

// parseTarget takes a port off what ssh is to reach. What begins with a dash would be an option
// of ssh.
func parseTarget(word string) (target string, port int, err error) {
	bad := fmt.Errorf("%q: user@host, or user@host:port is expected", word)
	user, host, has := strings.Cut(word, "@")
	if !has {
		user, host = "", word
	}
	inner, bracketed := strings.CutPrefix(host, "[")
	number := ""
	switch {
	case bracketed:
		var closed bool
		if host, number, closed = strings.Cut(inner, "]"); !closed {
			return "", 0, bad
		}
		if number, has = strings.CutPrefix(number, ":"); !has && number != "" {
			return "", 0, bad
		}
	case strings.Count(host, ":") == 1:
		if host, number, _ = strings.Cut(host, ":"); number == "" {
			return "", 0, bad
		}
	}
	target = host
	if user != "" {
		target = user + "@" + host
	}
	if host == "" || strings.HasPrefix(word, "@") || strings.HasPrefix(target, "-") || strings.HasPrefix(host, "-") || strings.ContainsAny(target, `'"\$;&|<>`+"`") {
		return "", 0, bad
	}
	if number != "" {
		if port, err = strconv.Atoi(number); err != nil || port < 1 || port > 65535 {
			return "", 0, fmt.Errorf("%q: a port from 1 to 65535 is expected after the colon", word)
		}
	}
	return target, port, nil
}
