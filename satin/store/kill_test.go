package store_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/store"
)

// The folder that this process, started by TestKilled, writes in until it is killed.
const writesIn = "SATIN_STORE_WRITES_IN"

func TestMain(m *testing.M) {
	if folder := os.Getenv(writesIn); folder != "" {
		fmt.Println(writeForEver(folder))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// killedResults are how many results each batch of a process has that is killed.
const killedResults = 20

// batchOf is the batch that such a process writes as its nth: a best, and results that name it.
func batchOf(n int) store.Batch {
	r := rand.New(rand.NewPCG(uint64(n), 5))
	b := store.Batch{Run: key(0), Best: fmt.Appendf(nil, "%d %s", n, strings.Repeat("b", r.IntN(3000)))}
	if n == 0 {
		b.Root = bytes.Repeat([]byte("root"), 10000)
	}
	for i := range killedResults {
		v := result(killedResults*n+i, uint32(n), strings.Repeat("v", r.IntN(300)))
		v.Best = store.Digest(b.Best)
		b.Results = append(b.Results, v)
	}
	// an earlier one goes, so that files become loose and are written anew
	if n >= 50 {
		for i := range killedResults {
			b.Delete.Results = append(b.Delete.Results, key(killedResults*(n-50)+i))
		}
	}
	return b
}

// writeForEver goes on from the best that is there, and says each batch when it is written.
func writeForEver(folder string) error {
	s, err := store.Open(folder, store.Options{Build: "build 1", Warn: func(text string) { fmt.Println(text) }})
	if err != nil {
		return err
	}
	s.TidyAt(32 << 10)
	all, err := s.Recall(key(0), 0)
	if err != nil {
		return err
	}
	n := 0
	if all.Best != nil {
		if _, err := fmt.Sscan(string(all.Best), &n); err != nil {
			return err
		}
		n++
	}
	for ; ; n++ {
		if err := s.Write(batchOf(n)); err != nil {
			return err
		}
		fmt.Println(n)
	}
}

// TestKilled kills a process that writes, at any moment, again and again. What it said to be
// written is there, whole; what it had not yet said is there or not, and then all of it or nothing.
func TestKilled(t *testing.T) {
	folder, r := t.TempDir(), rand.New(rand.NewPCG(6, 6))
	last, grown := -1, 0
	for round := range 60 * *longer {
		said := killedWriter(t, folder, time.Duration(r.IntN(30_000))*time.Microsecond)
		if said < 0 {
			said = last
		}
		s := open(t, folder, options(t)) // with a warning it fails: a kill damages nothing
		all := recall(t, s, key(0))
		s.Close()
		is := -1
		if all.Best != nil {
			fmt.Sscan(string(all.Best), &is)
		}
		if is < said || is > said+1 {
			t.Fatalf("round %d: batch %d was written, and the best is that of %d", round, said, is)
		}
		if is >= 0 {
			checkKilled(t, all, is)
		}
		if is > last {
			grown++
		}
		last = is
	}
	if grown < 30**longer {
		t.Errorf("%d rounds wrote anything, and %d batches in all", grown, last)
	}
	t.Logf("%d batches", last)
}

// killedWriter starts a process that writes, kills it after a while, and returns the last batch
// that it said to have written; -1: none.
func killedWriter(t *testing.T, folder string, after time.Duration) int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writesIn+"="+folder)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	last := -1
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			t.Errorf("the process says %q", lines.Text())
		}
		if last < 0 { // it takes a while until it begins
			time.AfterFunc(after, func() { cmd.Process.Kill() })
		}
		last = n
	}
	cmd.Wait()
	return last
}

func checkKilled(t *testing.T, all store.Recalled, is int) {
	t.Helper()
	if !bytes.Equal(all.Best, batchOf(is).Best) || !bytes.Equal(all.Root, batchOf(0).Root) {
		t.Fatalf("best %.10q, %d bytes of root after batch %d", all.Best, len(all.Root), is)
	}
	there := map[store.Key]store.Result{}
	for _, v := range all.Results {
		there[v.Key] = v
	}
	batches := min(is+1, 50)
	for n := is + 1 - batches; n <= is; n++ {
		for _, want := range batchOf(n).Results {
			if got := there[want.Key]; fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("after batch %d, of batch %d: %+v, wanted %+v", is, n, got, want)
			}
		}
	}
	if len(there) != batches*killedResults {
		t.Fatalf("%d results after batch %d", len(there), is)
	}
}

// A second process is refused at once, in words, as long as the first one lives, and is let in when
// that was killed.
func TestTwoProcesses(t *testing.T) {
	folder := t.TempDir()
	first := exec.Command(os.Args[0])
	first.Env = append(os.Environ(), writesIn+"="+folder)
	out, err := first.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	bufio.NewReader(out).ReadString('\n')
	go func() { // until it is killed
		defer first.Wait()
		bufio.NewReader(out).WriteTo(bytes.NewBuffer(nil))
	}()
	if _, err := store.Open(folder, options(t)); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Errorf("%v", err)
	}
	first.Process.Kill()
	await.Until(t, "the folder of a process that was killed", func() bool {
		s, err := store.Open(folder, options(t))
		if err == nil {
			s.Close()
		}
		return err == nil
	})
}
