//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/programtest"
)

// TestSATProofTooLarge has a proof that may not travel: the run fails and names the flag.
func TestSATProofTooLarge(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	_, got := runSites(t, "run", "sat", "--generate", "3sat,200,1", "--proof", filepath.Join(folder, "a.drat"),
		"--sites", "a:1,b:1", "--result-max", "64KiB")
	if got.code != console.ExitFailed || !strings.Contains(got.out, `"answer":null,"complete":false,"error":"a result of task sat.Cube is `) || !strings.Contains(got.err, "65536 may travel (--result-max)") {
		t.Errorf("exit %d, %s%s", got.code, got.out, got.err)
	}
	programtest.Alone(t, folder)
}

// TestSATProofAfterKill has a proof of which a site that was killed would have made a part. On a
// fast machine it is killed sooner.
func TestSATProofAfterKill(t *testing.T) {
	t.Parallel()
	proof, answer := filepath.Join(t.TempDir(), "a.drat"), filepath.Join(t.TempDir(), "a")
	var d program.Document
	var got ended
	for _, at := range []string{"100ms", "30ms", "10ms", "3ms"} {
		d, got = runSites(t, "run", "sat", "--generate", "3sat,250,3", "--proof", proof, "--sites", "a:1,b:2", "--chaos", "kill b@"+at)
		if len(d.Chaos.Missed) == 0 && len(d.Losses) == 2 {
			break // or else it had ended before, or before both losses were noticed
		}
	}
	if got.code != console.ExitOK || len(d.Losses) != 2 {
		t.Fatalf("exit %d, %d losses, %s", got.code, len(d.Losses), got.err)
	}
	if err := os.WriteFile(answer, []byte("s UNSATISFIABLE\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, said := inProcess("check", "sat", "--generate", "3sat,250,3", answer, proof); code != console.ExitOK || !strings.HasPrefix(out, "satin: 3sat,250,3: unsatisfiable (proof: ") {
		t.Errorf("exit %d, %q, %q", code, out, said)
	}
}
