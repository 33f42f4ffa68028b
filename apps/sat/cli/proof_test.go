//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/programtest"
)

func TestMain(m *testing.M) { programtest.Main(m, Application()) }

// TestProofTooLarge has a proof that may not travel: the run fails and names the flag.
func TestProofTooLarge(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	code, out, said := programtest.Process(t, "run", "--generate", "3sat,200,1", "--proof", filepath.Join(folder, "a.drat"),
		"--sites", "a:1,b:1", "--result-max", "64KiB", "--json")
	if code != console.ExitFailed || !strings.Contains(out, `"answer":null,"complete":false,"error":"a result of task sat.Cube is `) || !strings.Contains(said, "65536 may travel (--result-max)") {
		t.Errorf("exit %d, %s%s", code, out, said)
	}
	programtest.Alone(t, folder)
}

// TestProofAfterKill has a proof of which a site that was killed would have made a part. On a fast
// machine it is killed sooner.
func TestProofAfterKill(t *testing.T) {
	t.Parallel()
	proof, answer := filepath.Join(t.TempDir(), "a.drat"), filepath.Join(t.TempDir(), "a")
	var d program.Document
	code, said := 0, ""
	for _, at := range []string{"100ms", "30ms", "10ms", "3ms"} {
		var out string
		d = program.Document{}
		code, out, said = programtest.Process(t, "run", "--generate", "3sat,250,3", "--proof", proof, "--sites", "a:1,b:2", "--chaos", "kill b@"+at, "--json")
		if err := json.Unmarshal([]byte(out), &d); err != nil {
			t.Fatalf("%v: %q, %s", err, out, said)
		}
		if len(d.Chaos.Missed) == 0 && len(d.Losses) == 2 {
			break // or else it had ended before, or before both losses were noticed
		}
	}
	if code != console.ExitOK || len(d.Losses) != 2 {
		t.Fatalf("exit %d, %d losses, %s", code, len(d.Losses), said)
	}
	if err := os.WriteFile(answer, []byte("s UNSATISFIABLE\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, said := programtest.Run(Application(), "check", "--generate", "3sat,250,3", answer, proof); code != console.ExitOK || !strings.Contains(out, ": 3sat,250,3: unsatisfiable (proof: ") {
		t.Errorf("exit %d, %q, %q", code, out, said)
	}
}
