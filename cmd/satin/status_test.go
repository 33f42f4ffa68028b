package main

import (
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// TestPeersNamed shows the peers that are named, by name or id.
func TestPeersNamed(t *testing.T) {
	folder := listening(t, &administered{status: admin.Status{Members: []satin.Member{
		{ID: "id1", Name: "a/1", Site: "a", State: "here", Workers: 2},
		{ID: "id2", Name: "b/1", Site: "b", State: "leaving", Workers: 1},
		{ID: "id3", Name: "c/1", Site: "c", State: "here", Workers: 1},
		{ID: "id4", Name: "c/1", Site: "c", State: "here", Workers: 1},
	}}})
	for line, want := range map[string]string{
		"peers":         "a/1 b/1 c/1 c/1",
		"peers b/1":     "b/1",
		"peers id2":     "b/1",
		"peers id4 a/1": "c/1 a/1",
	} {
		code, out, err := inProcess(append(strings.Fields(line), "--state", folder)...)
		var names []string
		for _, row := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			names = append(names, strings.Fields(row)[0])
		}
		if got := strings.Join(names, " "); code != console.ExitOK || got != want {
			t.Errorf("%s: exit %d, %q, %q; wanted %q", line, code, got, err, want)
		}
	}
	const row = `{"schema":1,"peers":[{"name":"b/1","id":"id2","site":"b","state":"leaving","workers":1,"addrs":[]}]}` + "\n"
	if _, out, _ := inProcess("peers", "b/1", "--json", "--state", folder); out != row {
		t.Errorf("peers b/1 --json prints %s, wanted %s", out, row)
	}
	for line, want := range map[string]string{
		"peers b/2":     "satin: there is no peer \"b/2\"; there are a/1, b/1, c/1 and c/1\n",
		"peers a/1 b/2": "satin: there is no peer \"b/2\"; there are a/1, b/1, c/1 and c/1\n",
		"peers c/1":     "satin: several peers are called c/1: say which by its id, id3 or id4\n",
		"status a/1":    "satin: status takes no argument, but there is \"a/1\"\n",
	} {
		if code, out, err := inProcess(append(strings.Fields(line), "--state", folder)...); code != console.ExitUsage || out != "" || err != want {
			t.Errorf("%s: exit %d, %q, %q; wanted %q", line, code, out, err, want)
		}
	}
}
