//go:build unix

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// autoNode starts a node with --auto, with some variables, which has to be at a site of that name.
func autoNode(t *testing.T, site string, variables ...string) *node {
	t.Helper()
	n := startNodeBy(t, append([]string{"env"}, variables...), "--auto", "--grace", "10s", "--listen", anyPort)
	if !strings.HasPrefix(n.name, site+"/") {
		t.Errorf("it is %s, and has to be at site %s", n.name, site)
	}
	return n
}

// squeueOfASoonEnd is a squeue that tells job 12 an end 15 s after it was asked for the first time:
// however long the node takes to start, a leave of 10 s has to begin a second later.
const squeueOfASoonEnd = `#!/bin/sh
[ -s "$0.end" ] || echo $(($(date +%s) + 15)) >"$0.end"
echo 12 $(cat "$0.end")
`

// TestNodeOfSlurm: a task knows where it is, and leaves ahead of its time limit.
func TestNodeOfSlurm(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "squeue"), []byte(squeueOfASoonEnd), 0o700); err != nil {
		t.Fatal(err)
	}
	n := autoNode(t, "das5-rack0", "PATH="+folder+":"+os.Getenv("PATH"), "SLURM_JOB_ID=12", "SLURM_ARRAY_JOB_ID=9", "SLURM_ARRAY_TASK_ID=3",
		"SLURM_CLUSTER_NAME=das5", "SLURM_TOPOLOGY_ADDR=root.rack0.n1", "SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node", "SLURM_CPUS_PER_TASK=1")
	n.leftInOrder(t)
	for _, line := range []string{
		"satin: this is job 12 of Slurm's cluster das5; site das5-rack0\n", ": the time limit of job 12 of Slurm's cluster das5\n", "satin: left\n",
	} {
		if !strings.Contains(n.said(t), line) {
			t.Errorf("it does not say %q, but\n%s", line, n.said(t))
		}
	}
}

// TestNodeOnASpotInstance: one leaves when its cloud gives notice, and not before.
func TestNodeOnASpotInstance(t *testing.T) {
	t.Parallel()
	var notice atomic.Int64 // the second in which the instance is taken; 0: it is not
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/latest/api/token":
			fmt.Fprint(w, "token")
		case "/latest/meta-data/placement/availability-zone":
			fmt.Fprint(w, "eu-west-1b")
		case "/latest/meta-data/spot/instance-action":
			if at := notice.Load(); at > 0 {
				fmt.Fprintf(w, `{"action": "terminate", "time": %q}`, time.Unix(at, 0).UTC().Format(time.RFC3339))
				return
			}
			fallthrough
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(s.Close)
	n := autoNode(t, "eu-west-1b", "AWS_EC2_METADATA_SERVICE_ENDPOINT="+s.URL)
	n.awaitSaid(t, "this is an instance of Amazon EC2 in eu-west-1b; site eu-west-1b\n")
	if said := n.said(t); strings.Contains(said, "leaving") {
		t.Errorf("without a notice it says\n%s", said)
	}
	notice.Store(time.Now().Add(5 * time.Second).Unix())
	n.leftInOrder(t)
	if line := ": Amazon EC2 takes this spot instance back (terminate)\n"; !strings.Contains(n.said(t), line) {
		t.Errorf("it does not say %q, but\n%s", line, n.said(t))
	}
}
