package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/apps/knapsack"
	"satingrid/satin/program"
)

// keeping writes files into a folder, and names them.
func keeping(t *testing.T, files map[string]string) (in func(name string) string) {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return func(name string) string { return filepath.Join(folder, name) }
}

// checks has a checker say one line: what is right goes to out, what is not to err.
func checks(t *testing.T, code int, want string, args ...string) {
	t.Helper()
	got, out, errs := inProcess(append([]string{"check"}, args...)...)
	for line := range strings.Lines(errs) { // which a slow machine may say
		if strings.HasPrefix(line, "satin: verifying ") {
			errs = strings.Replace(errs, line, "", 1)
		}
	}
	said, silent := out, errs
	if code != exitOK {
		said, silent = errs, out
	}
	if got != code || silent != "" || !strings.HasPrefix(said, "satin: "+want) || strings.Count(said, "\n") != 1 {
		t.Errorf("check %q: exit %d, %q, %q; wanted exit %d, %q…", args, got, out, errs, code, want)
	}
}

// answered is what a run prints.
func answered(t *testing.T, args ...string) string {
	t.Helper()
	code, out, errs := inProcess(append([]string{"run"}, args...)...)
	if code != exitOK {
		t.Fatalf("run %q: exit %d, %s", args, code, errs)
	}
	return out
}

// detour is a tour of nine that is 12 long, and what may be said of it.
const detour = `{"app":"tsp","answer":{"length":%d,"tour":[1,3,2,6,5,9,8,7,4],"optimal":%v,"bound":%d}}`

func TestCheckTSP(t *testing.T) {
	in := keeping(t, map[string]string{
		"a.tsp":        nine,
		"point.tsp":    strings.NewReplacer(" 1\n", " 0\n", " 2\n", " 0\n", " 1 ", " 0 ", " 2 ", " 0 ").Replace(nine),
		"bad.tsp":      strings.Replace(nine, "5 1 1", "5 1 x", 1),
		"bad.tour":     "TOUR_SECTION\n1 2 x\n",
		"bare.tour":    "TOUR_SECTION\n1 3 2 6 5 9 8 7 4\n",
		"partial.json": fmt.Sprintf(detour, 12, false, 10),
		"greedy.json":  fmt.Sprintf(detour, 10, true, 10),
		"proud.json":   fmt.Sprintf(detour, 12, true, 12),
	})
	tour := answered(t, "tsp", in("a.tsp"), "--proof", in("a.proof"))
	document := answered(t, "tsp", in("a.tsp"), "--json")
	for name, text := range map[string]string{
		"a.tour": tour, "a.json": document,
		"twice.tour": strings.Replace(tour, "\n9\n", "\n8\n", 1),
		"wrong.json": strings.Replace(document, `"length":10,`, `"length":9,`, 1),
	} {
		if err := os.WriteFile(in(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	problem, proof := in("a.tsp"), in("a.proof")
	right := problem + ": a tour of length 10"
	checks(t, exitOK, right+", and no shorter one exists (certificate: ", "tsp", problem, in("a.tour"), proof)
	checks(t, exitOK, right+", and no shorter one exists (certificate: ", "tsp", problem, in("a.json"), proof)
	checks(t, exitOK, right+"; that none is shorter was not verified", "tsp", problem, in("a.tour"))
	checks(t, exitOK, problem+": a tour of length 12, and none is shorter than 10 (", "tsp", problem, in("partial.json"), proof)
	checks(t, exitOK, problem+": a tour of length 12; that none", "tsp", problem, in("bare.tour"))

	checks(t, exitFailed, in("twice.tour")+": the tour visits city 8 twice", "tsp", problem, in("twice.tour"), proof)
	checks(t, exitFailed, in("wrong.json")+": the tour's length is 10, the answer says 9", "tsp", problem, in("wrong.json"))
	checks(t, exitFailed, in("greedy.json")+": the tour's length is 12, the answer says 10", "tsp", problem, in("greedy.json"), proof)
	checks(t, exitFailed, proof+": it proves that no tour is shorter than 10, the answer says 12", "tsp", problem, in("proud.json"), proof)
	checks(t, exitFailed, proof+": record ", "tsp", in("point.tsp"), in("bare.tour"), proof)

	checks(t, exitUsage, in("bad.tour")+`:2: "x", a city is expected`, "tsp", problem, in("bad.tour"))
	checks(t, exitUsage, in("bad.tsp")+":10: coordinate ", "tsp", in("bad.tsp"), in("a.tour"))
	checks(t, exitUsage, in("a.tour")+": record 0: this is no gzip file", "tsp", problem, in("a.tour"), in("a.tour"))
	checks(t, exitUsage, in("none")+": no such file or directory", "tsp", problem, in("a.tour"), in("none"))
}

func TestCheckKnapsack(t *testing.T) {
	in := keeping(t, map[string]string{
		"a.kp": threeItems, "bad.kp": strings.Replace(threeItems, "10 2", "10 x", 1),
		"less":    "value 18\nweight 4\noptimal yes\nitems 1 3\n",
		"partial": "value 18\nweight 4\noptimal no, no value is more than 22\nitems 1 3\n",
		"heavy":   "value 28\nweight 6\noptimal yes\nitems 1 2 3\n",
		"bad":     "value 18\nweight four\n",
	})
	for name, args := range map[string][]string{
		"a": {"knapsack", in("a.kp")}, "json": {"knapsack", in("a.kp"), "--json"}, "made": {"knapsack", "--generate", "2,60,1000,1"},
	} {
		if err := os.WriteFile(in(name), []byte(answered(t, args...)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	problem := in("a.kp")
	right := ": a packing of value 22 and weight 5, which is no more than 5, and none is worth more"
	checks(t, exitOK, problem+right, "knapsack", problem, in("a"))
	checks(t, exitOK, problem+right, "knapsack", problem, in("json"))
	checks(t, exitOK, problem+": a packing of value 18 and weight 4, which is no more than 5; whether one is", "knapsack", problem, in("partial"))
	checks(t, exitOK, "2,60,1000,1: a packing of value ", "knapsack", "--generate", "2,60,1000,1", in("made"))
	checks(t, exitFailed, in("less")+": the value 18 is said to be optimal, but 22 is reached", "knapsack", problem, in("less"))
	checks(t, exitFailed, in("heavy")+": the items weigh 6", "knapsack", problem, in("heavy"))
	checks(t, exitFailed, in("made")+": ", "knapsack", "--generate", "2,60,1000,2", in("made"))
	checks(t, exitUsage, in("bad")+`:2: weight says "four"`, "knapsack", problem, in("bad"))
	checks(t, exitUsage, in("bad.kp")+":5: the weight is ", "knapsack", in("bad.kp"), in("a"))
}

// contradiction cannot be satisfied, which takes more than unit propagation to see.
const contradiction = "p cnf 2 4\n1 2 0\n1 -2 0\n-1 2 0\n-1 -2 0\n"

func TestCheckSAT(t *testing.T) {
	in := keeping(t, map[string]string{
		"a.cnf": "p cnf 3 2\n1 -2 0\n2 3 0\n", "un.cnf": contradiction, "plain.cnf": "p cnf 1 2\n1 0\n-1 0\n", "bad.cnf": "p cnf 2 2\n1 x 0\n",
		"false": "s SATISFIABLE\nv -1 2 3 0\n", "un": "s UNSATISFIABLE\n", "unknown": "s UNKNOWN\n", "bad": "s SATISFIABLE\nv 1 two 0\n",
		"hasty.drat": "0\n", "short.drat": "1 2 0\n", "bad.drat": "c hello\n2 zero\n",
	})
	for name, args := range map[string][]string{"a": {"sat", in("a.cnf")}, "json": {"sat", in("a.cnf"), "--json"}} {
		if err := os.WriteFile(in(name), []byte(answered(t, args...)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	answered(t, "sat", "--generate", "php,4", "--proof", in("php.drat"))
	checks(t, exitOK, in("a.cnf")+": satisfiable: the model satisfies all 2 clauses\n", "sat", in("a.cnf"), in("a"))
	checks(t, exitOK, in("a.cnf")+": satisfiable: the model satisfies all 2 clauses\n", "sat", in("a.cnf"), in("json"))
	checks(t, exitOK, "php,4: unsatisfiable (proof: ", "sat", "--generate", "php,4", in("un"), in("php.drat"))
	checks(t, exitOK, in("plain.cnf")+": unsatisfiable: all 2 clauses contradict", "sat", in("plain.cnf"), in("un"))

	checks(t, exitFailed, in("false")+": clause 1, [1 -2], is not satisfied", "sat", in("a.cnf"), in("false"))
	checks(t, exitFailed, in("hasty.drat")+":1: the empty clause does not follow", "sat", in("un.cnf"), in("un"), in("hasty.drat"))
	checks(t, exitFailed, in("short.drat")+": the proof ends without a contradiction", "sat", in("un.cnf"), in("un"), in("short.drat"))
	checks(t, exitFailed, in("php.drat")+":", "sat", "--generate", "php,5", in("un"), in("php.drat"))

	checks(t, exitUsage, in("un")+": nothing is verified of UNSATISFIABLE without a PROOF", "sat", in("un.cnf"), in("un"))
	checks(t, exitUsage, in("unknown")+": it says UNKNOWN", "sat", in("un.cnf"), in("unknown"))
	checks(t, exitUsage, in("hasty.drat")+": a proof is given, but ", "sat", in("a.cnf"), in("a"), in("hasty.drat"))
	checks(t, exitUsage, in("bad")+`:2: "two": a literal is expected`, "sat", in("a.cnf"), in("bad"))
	checks(t, exitUsage, in("bad.cnf")+`:2: "x" is no literal`, "sat", in("bad.cnf"), in("a"))
	checks(t, exitUsage, in("bad.drat")+`:2: "zero": a literal is expected`, "sat", "--generate", "php,4", in("un"), in("bad.drat"))
}

// triangle is a scene that is ready at once.
const triangle = "v -1 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n"

func TestCheckPicture(t *testing.T) {
	in := keeping(t, map[string]string{"a.obj": triangle, "b.obj": strings.Replace(triangle, "v 0 2", "v 0 1", 1), "bad.pfm": "PF\n32 wide\n-1.0\n"})
	run := append([]string{"raytracer", in("a.obj")}, small...)
	check := append(append([]string(nil), run...), "--seed", "3")
	for _, name := range []string{"a.png", "a.pfm"} {
		answered(t, append(run, "-o", in(name))...)
	}
	floats, err := os.ReadFile(in("a.pfm"))
	if err != nil {
		t.Fatal(err)
	}
	floats[len(floats)-12*(32*9+16)] ^= 1 // one bit in the middle
	if err := os.WriteFile(in("bit.pfm"), floats, 0o644); err != nil {
		t.Fatal(err)
	}
	right := ": a picture of 32×18 pixels, of which 576 were rendered again and are the same in all "
	checks(t, exitOK, in("a.obj")+right+"8 bits", append(check, in("a.png"))...)
	checks(t, exitOK, in("a.obj")+right+"32 bits", append(check, in("a.pfm"))...)
	checks(t, exitOK, in("a.obj")+right, "raytracer", in("a.obj"), in("a.png"), "--samples", "1", "--bounces", "2")

	checks(t, exitFailed, in("bit.pfm")+": pixel 16, 9 is (", append(check, in("bit.pfm"))...)
	checks(t, exitFailed, in("a.png")+": pixel ", append(append([]string{"raytracer", in("b.obj")}, small...), in("a.png"))...)
	checks(t, exitFailed, in("a.png")+": pixel ", append(check, in("a.png"), "--camera", "1,1,5,0,1,0,40")...)
	checks(t, exitFailed, in("a.png")+": the picture has 32×18 pixels, --size says 18×32", append(check, in("a.png"), "--size", "18x32")...)

	checks(t, exitUsage, in("bad.pfm")+`:2: "32 wide", width and height are expected`, append(check, in("bad.pfm"))...)
	checks(t, exitUsage, in("a.obj")+":1: neither a PNG picture (", append(check, in("a.obj"))...)
	checks(t, exitUsage, `--size is "big": `, append(check, in("a.png"), "--size", "big")...)
	checks(t, exitUsage, in("none.obj")+": ", "raytracer", in("none.obj"), in("a.png"))
}

// TestCheckEmbedded verifies answers to the embedded examples, under both names that they have.
func TestCheckEmbedded(t *testing.T) {
	item := knapsack.Example().Items[0]
	in := keeping(t, map[string]string{
		"knapsack": fmt.Sprintf("value %d\nweight %d\noptimal yes\nitems 1\n", item.Profit, item.Weight),
		"sat":      "s SATISFIABLE\nv 1 0\n",
	})
	if err := os.WriteFile(in("tsp"), []byte(answered(t, "tsp", "--json")), 0o644); err != nil {
		t.Fatal(err)
	}
	answered(t, append([]string{"raytracer", "-o", in("a.png")}, small...)...)
	for _, name := range []string{program.Embedded, "-"} {
		checks(t, exitOK, "(embedded): a tour of length 22734; that none is shorter was not verified", "tsp", name, in("tsp"))
		checks(t, exitOK, fmt.Sprintf("(embedded): a packing of value %d and", item.Profit), "knapsack", name, in("knapsack"))
		checks(t, exitFailed, in("sat")+": clause ", "sat", name, in("sat"))
	}
	checks(t, exitOK, "(embedded): a picture of 32×18", append([]string{"raytracer", program.Embedded, in("a.png")}, small...)...)
}

func TestCheckDocument(t *testing.T) {
	in := keeping(t, map[string]string{"a.kp": threeItems, "a": "value 22\nweight 5\noptimal yes\nitems 2 3\n", "b": "value 22\nweight 5\noptimal yes\nitems 1 3\n"})
	code, out, errs := inProcess("check", "knapsack", in("a.kp"), in("a"), "--json")
	want := `{"schema":1,"app":"knapsack","input":"` + in("a.kp") + `","right":true,"verified":{"value":22,"weight":5,"optimal":true},"says":"a packing of `
	if code != exitOK || !strings.HasPrefix(out, want) || errs != "" || strings.Count(out, "\n") != 1 {
		t.Errorf("exit %d, %s%s", code, out, errs)
	}
	var d checkDocument
	code, out, errs = inProcess("check", "knapsack", in("a.kp"), in("b"), "--json")
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != exitFailed || d.Right || d.Verified != nil || errs != "satin: "+d.Says+"\n" {
		t.Errorf("exit %d, %v, %s%s", code, err, out, errs)
	}
}

// TestCheckStandardInput reads an answer from a pipe.
func TestCheckStandardInput(t *testing.T) {
	in := keeping(t, map[string]string{"a.kp": threeItems})
	for text, want := range map[string]string{
		"value 22\nweight 5\noptimal yes\nitems 2 3\n": "satin: " + in("a.kp") + ": a packing of value 22 ",
		"value 22\nweight 5\noptimal yes\nitems 1 3\n": "satin: standard input: the items' value is 18, ",
		"value 22\nweight x\n":                         "satin: standard input:2: weight says ",
	} {
		c := exec.Command(binary, "check", "knapsack", in("a.kp"), "-")
		c.Stdin = strings.NewReader(text)
		var out bytes.Buffer
		c.Stdout, c.Stderr = &out, &out
		if err := c.Run(); !strings.HasPrefix(out.String(), want) {
			t.Errorf("%q: %v, %s", text, err, out.String())
		}
	}
}
