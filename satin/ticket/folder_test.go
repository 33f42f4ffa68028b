package ticket

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// folderOrder names, in the environment, the folder of which this process is to print the
// grid, as one of many.
const folderOrder = "SATIN_TEST_FOLDER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(folderOrder); dir != "" {
		f, err := OpenFolder(dir)
		if err == nil {
			var grid Ticket
			if grid, err = f.Grid(); err == nil {
				fmt.Printf("%s %x\n", grid.Grid, grid.Secret.Bytes())
				os.Exit(0)
			}
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func openFolder(t *testing.T) *Folder {
	t.Helper()
	f, err := OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestOneSecret: of many processes that start at once in an empty folder, some of which are killed
// at any moment, exactly one makes the secret, and all that live have it.
func TestOneSecret(t *testing.T) {
	for round := range 5 {
		dir := t.TempDir()
		type one struct {
			c      *exec.Cmd
			out    strings.Builder
			killed bool
		}
		var all []*one
		for n := range 30 {
			p := &one{c: exec.Command(os.Args[0]), killed: n%3 == 0}
			p.c.Env = append(os.Environ(), folderOrder+"="+dir)
			p.c.Stdout, p.c.Stderr = &p.out, os.Stderr
			if err := p.c.Start(); err != nil {
				t.Fatal(err)
			}
			if p.killed {
				time.AfterFunc(time.Duration(n*(round+1))*100*time.Microsecond, func() { p.c.Process.Kill() })
			}
			all = append(all, p)
		}
		said := map[string]int{}
		for _, p := range all {
			if err := p.c.Wait(); err == nil {
				said[p.out.String()]++
			} else if !p.killed {
				t.Error(err)
			}
		}
		if len(said) != 1 {
			t.Errorf("there are %d grids: %v", len(said), said)
		}
		info, err := os.Stat(filepath.Join(dir, GridFile))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the secret's file is %v, %v", info, err)
		}
	}
}

// TestPublished: tickets are found, the youngest first, and of another grid none; the last one
// that is fresh stays.
func TestPublished(t *testing.T) {
	f := openFolder(t)
	grid, err := f.Grid()
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Grid()
	if err != nil || again.Secret != grid.Secret || again.Grid != grid.Grid {
		t.Fatalf("%v and %v, %v", grid, again, err)
	}
	mine, _ := grid.Invite(addrs[0])
	yours, _ := grid.Invite(addrs[1])
	other := sample(t)
	for id, x := range map[string]Ticket{"me": mine, "you": yours, "stranger": other} {
		if err := f.Publish(id, x); err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(f.dir, "broken.member"), []byte("satin1.x"), 0o600)
	age(t, f, "me", FreshFor+time.Second)
	posted, err := f.Tickets(grid)
	if err != nil || len(posted) != 2 || posted[0].Of() != "you" || !posted[0].Fresh() || posted[1].Of() != "me" || posted[1].Fresh() {
		t.Fatalf("%+v, %v", posted, err)
	}
	if err := f.Withdraw("you", grid); err != nil {
		t.Fatal(err)
	}
	if posted, _ = f.Tickets(grid); len(posted) != 2 {
		t.Errorf("the last one that is fresh was taken away: %+v", posted)
	}
	if err := f.Publish("me", mine); err != nil {
		t.Fatal(err)
	}
	if err := f.Withdraw("you", grid); err != nil {
		t.Fatal(err)
	}
	if posted, _ = f.Tickets(grid); len(posted) != 1 || posted[0].Of() != "me" {
		t.Errorf("there are %+v", posted)
	}
	age(t, f, "me", keptFor+time.Hour)
	if posted, _ = f.Tickets(grid); len(posted) != 1 {
		t.Errorf("the last one is gone: %+v", posted)
	}
	if err := f.Publish("you", yours); err != nil {
		t.Fatal(err)
	}
	if posted, _ = f.Tickets(grid); len(posted) != 1 || posted[0].Of() != "you" {
		t.Errorf("of one that has been dead for a day is left %+v", posted)
	}
	os.Remove(filepath.Join(f.dir, GridFile))
	if again, err := f.Grid(); err != nil || again.Secret != posted[0].Ticket.Secret && again.Secret != other.Secret {
		t.Errorf("without its file the grid is %v, %v", again, err)
	}
	if left, _ := filepath.Glob(filepath.Join(f.dir, ".*-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// age makes a file older than it is.
func age(t *testing.T, f *Folder, id string, by time.Duration) {
	t.Helper()
	at := time.Now().Add(-by)
	if err := os.Chtimes(filepath.Join(f.dir, id), at, at); err != nil {
		if err := os.Chtimes(filepath.Join(f.dir, id+postedEnding), at, at); err != nil {
			t.Fatal(err)
		}
	}
}

// TestClaims: one at a time has the right to found, until it is released, or its holder is silent.
func TestClaims(t *testing.T) {
	f := openFolder(t)
	one, err := f.Claim()
	if one == nil || err != nil {
		t.Fatal(one, err)
	}
	if two, err := f.Claim(); two != nil || err != nil {
		t.Fatal("two have the right", err)
	}
	one.Release()
	dead, err := f.Claim()
	if dead == nil || err != nil {
		t.Fatal(dead, err)
	}
	close(dead.done) // as when its process dies
	<-dead.ended
	age(t, f, filepath.Base(dead.name()), claimFor+time.Second)
	next, err := f.Claim()
	if next == nil || err != nil {
		t.Fatal("a founder that died blocks others", err)
	}
	if other, _ := f.Claim(); other != nil {
		t.Error("two follow a founder that died")
	}
	next.Release()
	if left, _ := filepath.Glob(filepath.Join(f.dir, "founding.*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestFolderOfOthers(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenFolder(dir); err == nil || !strings.Contains(err.Error(), "chmod go-w "+dir) {
		t.Error(err)
	}
	if _, err := OpenFolder(filepath.Join(dir, "none")); err == nil {
		t.Error("a folder that is not there")
	}
}

// TestAllLeaveAtOnce: of many that leave at once, each while the others are about to go, the ticket
// of one stays, as it was.
func TestAllLeaveAtOnce(t *testing.T) {
	for range 20 {
		f := openFolder(t)
		grid, err := f.Grid()
		if err != nil {
			t.Fatal(err)
		}
		mine, _ := grid.Invite(addrs[0])
		all := []string{"a", "b", "c", "d"}
		for _, id := range all {
			if err := f.Publish(id, mine); err != nil {
				t.Fatal(err)
			}
			age(t, f, id, time.Minute)
		}
		var leaving sync.WaitGroup
		for _, id := range all {
			leaving.Go(func() {
				if err := f.Withdraw(id, grid); err != nil {
					t.Error(err)
				}
			})
		}
		leaving.Wait()
		left, err := f.Tickets(grid)
		if len(left) == 0 || err != nil || left[0].Age < time.Minute {
			t.Fatalf("%+v are left, %v", left, err)
		}
		if aside, _ := filepath.Glob(filepath.Join(f.dir, ".*")); len(aside) > 0 {
			t.Errorf("left behind: %v", aside)
		}
	}
}

// TestFolderOfAnotherUser: a folder that only its owner may write in is one of tickets, whosever it
// is, for whoever makes the grid, comes too late to, or comes later.
func TestFolderOfAnotherUser(t *testing.T) {
	f := openFolder(t)
	if err := os.Chown(f.dir, 12345, -1); err != nil {
		t.Skip("not root: a folder cannot be given to another user")
	}
	if _, has, err := f.Begun(); has || err != nil {
		t.Errorf("it has a grid already: %v, %v", has, err)
	}
	secrets := make(chan Secret)
	for range 8 {
		go func() {
			grid, err := f.Grid()
			if err != nil {
				t.Error(err)
			}
			secrets <- grid.Secret
		}()
	}
	first := <-secrets
	for range 7 {
		if s := <-secrets; s != first || s.IsZero() {
			t.Error("there are two grids")
		}
	}
	if grid, has, err := f.Begun(); !has || err != nil || grid.Secret != first {
		t.Errorf("its grid is not found: %v, %v", has, err)
	}
}

// TestUnreadTicketsMakeNoGrid: where members' tickets may be, and cannot be read, no other secret
// than theirs is made.
func TestUnreadTicketsMakeNoGrid(t *testing.T) {
	f := openFolder(t)
	// no ticket, and reading it fails
	if err := os.Mkdir(filepath.Join(f.dir, "x"+postedEnding), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Grid(); err == nil {
		t.Error("a grid is made")
	}
	if _, has, _ := f.Begun(); has {
		t.Error("a secret is there")
	}
}
