package satin_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"satingrid/satin"
)

// hotFunctions are what a spawn and its wait execute when nobody steals, as the
// disassembler names them.
var hotFunctions = map[string]*regexp.Regexp{
	"Spawn": regexp.MustCompile(`^satingrid/satin\.Spawn\[go\.shape`),
	"Wait":  regexp.MustCompile(`^satingrid/satin\.Future\[go\.shape.*\]\.Wait\(`),
	"Run":   regexp.MustCompile(`^main\.Fib\.Run\(`),
}

// hotCalls are the calls that each of them may make. An indirect call is the task's Run.
var hotCalls = map[string]*regexp.Regexp{
	"Spawn": regexp.MustCompile(`^(satingrid/satin\.spawnSlow\[|runtime\.(panicBounds|panicIndex|goPanicIndex|morestack))`),
	"Wait":  regexp.MustCompile(`^(satingrid/satin\.Future\[.*\]\.(waitSlow|finishSlow)\(|runtime\.(panicBounds|panicIndex|goPanicIndex|morestack))`),
	"Run":   regexp.MustCompile(`^(satingrid/satin\.Spawn\[|satingrid/satin\.Future\[.*\]\.Wait\(|main\.Fib\.Run\(|runtime\.morestack)`),
}

// indirectCalls is how many calls through a pointer each of them may make.
var indirectCalls = map[string]int{"Wait": 1}

// A spawn costs what its instructions cost: an allocation, a lock or a write barrier that a change
// brings in shows here at once, on the noisiest machine, where a measurement would not.
func TestHotPathMakesNoUnexpectedCall(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("the disassembly is judged on amd64 only; this is %s", runtime.GOARCH)
	}
	code := disassemble(t, "./testdata/hotpath", `^(main\.|satingrid/satin\.(Spawn|Future))`)
	for name, symbol := range hotFunctions {
		found := false
		for function, instructions := range code {
			if !symbol.MatchString(function) {
				continue
			}
			found = true
			for _, fault := range judge(function, instructions, hotCalls[name], indirectCalls[name]) {
				t.Errorf("%s: %s", function, fault)
			}
		}
		if !found {
			t.Errorf("no %s in the program: it was inlined or renamed, and this test must follow", name)
		}
	}
	checkPlanted(t, code)
}

// TestHotPathUnderTheProfile holds the command itself, as it ships, to the same: its profile has Go
// put spawns and waits into the jobs that make them, of Fib twice: one call of Run in the other.
func TestHotPathUnderTheProfile(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("the disassembly is judged on amd64 only; this is %s", runtime.GOARCH)
	}
	if testing.Short() {
		t.Skip("-short is given: it builds the command")
	}
	calls := regexp.MustCompile(hotCalls["Spawn"].String() + "|" + hotCalls["Wait"].String() + `|^satingrid/apps/fib\.Fib\.Run\(|^satingrid/satin\.(Spawn\[|Future\[.*\]\.Wait\()`)
	found := false
	for function, instructions := range disassemble(t, "../cmd/satin", `^satingrid/apps/fib\.Fib\.Run$`) {
		found = true
		for _, fault := range judge(function, instructions, calls, 2*indirectCalls["Wait"]) {
			t.Errorf("%s: %s", function, fault)
		}
	}
	if !found {
		t.Error("no Fib.Run in the command: it was inlined or renamed, and this test must follow")
	}
}

// checkPlanted sees that a function that does what is forbidden would be found.
func checkPlanted(t *testing.T, code map[string][]string) {
	for function, instructions := range code {
		if !strings.HasPrefix(function, "main.Planted(") {
			continue
		}
		faults := strings.Join(judge(function, instructions, hotCalls["Spawn"], 0), "\n")
		for _, want := range []string{"LOCK XADD", "XCHG", "runtime.newobject", "runtime.gcWriteBarrier", "main.elsewhere"} {
			if !strings.Contains(faults, want) {
				t.Errorf("%s was planted and not found among:\n%s", want, faults)
			}
		}
		return
	}
	t.Error("no main.Planted in the program")
}

// judge lists the instructions that the hot path must not contain.
func judge(function string, instructions []string, calls *regexp.Regexp, indirect int) []string {
	var faults []string
	for _, line := range instructions {
		op, operand, _ := strings.Cut(line, " ")
		named := strings.HasSuffix(operand, "(SB)")
		switch {
		case op == "LOCK", strings.HasPrefix(op, "XCHG") && strings.Contains(operand, "("):
			faults = append(faults, "an atomic read-modify-write: "+line)
		case op == "JMP" && (!named || operand == function): // within the function
		case op != "CALL" && op != "JMP":
		case named && !calls.MatchString(operand):
			faults = append(faults, "an unexpected call: "+line)
		case !named && indirect == 0:
			faults = append(faults, "an unexpected indirect call: "+line)
		case !named:
			indirect--
		}
	}
	return faults
}

func TestJudge(t *testing.T) {
	calls := regexp.MustCompile(`^good\(`)
	for line, want := range map[string]int{
		"CALL good(SB)":                    0,
		"CALL runtime.mallocgc(SB)":        1,
		"CALL runtime.typedmemmove(SB)":    1,
		"CALL runtime.gcWriteBarrier1(SB)": 1,
		"JMP runtime.mallocgc(SB)":         1,
		"JMP main.self(SB)":                0,
		"JMP 0x1234":                       0,
		"CALL SI":                          1,
		"LOCK CMPXCHGL CX, 0(DX)":          1,
		"XCHGL AX, 0(CX)":                  1,
		"XCHGL AX, AX":                     0, // a no-op that aligns
		"MOVL 0x148(BX), DX":               0,
	} {
		if got := judge("main.self(SB)", []string{line}, calls, 0); len(got) != want {
			t.Errorf("%s: %q, want %d faults", line, got, want)
		}
	}
}

// disassemble builds a program and returns its instructions by function, of those with such names.
func disassemble(t *testing.T, program, names string) map[string][]string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "hotpath")
	goTool(t, "build", "-o", binary, program)
	text := goTool(t, "tool", "objdump", "-s", names, binary)
	code := map[string][]string{}
	var function string
	for _, line := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(line, "TEXT "); ok {
			name, _, _ = strings.Cut(name, "(SB)")
			function = name + "(SB)"
			continue
		}
		// "  file.go:12", "0x50e1c7", "e854000000", "CALL runtime.newobject(SB)"
		fields := slices.DeleteFunc(strings.Split(line, "\t"), func(f string) bool { return f == "" })
		if len(fields) == 4 {
			code[function] = append(code[function], strings.Join(strings.Fields(fields[3]), " "))
		}
	}
	return code
}

// goTool runs the go command in this folder and returns what it printed.
func goTool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		message := err.Error()
		if exit, ok := err.(*exec.ExitError); ok {
			message = fmt.Sprintf("%s\n%s", message, exit.Stderr)
		}
		t.Fatalf("go %s: %s", strings.Join(args, " "), message)
	}
	return string(out)
}

// spawns counts those of a fibTask.
func (f fibTask) spawns() int {
	if f.N < 2 {
		return 0
	}
	return 1 + fibTask{f.N - 1}.spawns() + fibTask{f.N - 2}.spawns()
}

func TestHotPathAllocatesNothing(t *testing.T) {
	p := satin.OpenRecording(t, 1, 0, satin.App{})
	task := fibTask{25}
	allocs := testing.AllocsPerRun(5, func() {
		if _, err := satin.Run(t.Context(), p, task); err != nil {
			t.Fatal(err)
		}
	})
	if allocs > 500 {
		t.Errorf("%d spawns made %.0f allocations: the fast path must make none", task.spawns(), allocs)
	}
}
