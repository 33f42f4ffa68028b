package ticket

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

var addrs = []string{
	"/ip4/192.0.2.1/tcp/4001/p2p/12D3KooWQyDdBKpF5xGq4aqFJWRQcHJxX6xCGsGYyH3Xw2Y3x7vf",
	"/ip6/2001:db8::1/tcp/4001/p2p/12D3KooWQyDdBKpF5xGq4aqFJWRQcHJxX6xCGsGYyH3Xw2Y3x7vf",
}

func sample(t testing.TB) Ticket {
	t.Helper()
	x, err := New("lab")
	if err == nil {
		x, err = x.Invite(addrs...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestEncodedAndParsedAgain(t *testing.T) {
	want := sample(t)
	word, err := want.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{word, word + "\n", "# for the lab\n\n  " + word + " \r\n# bye\n"} {
		got, err := Parse(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, %v", got, err)
		}
	}
}

func TestEveryDamageIsNoticed(t *testing.T) {
	word, _ := sample(t).Encode()
	for i := range word {
		for _, c := range []byte("Az0_ ") {
			if word[i] == c {
				continue
			}
			if got, err := Parse(word[:i] + string(c) + word[i+1:]); err == nil {
				t.Fatalf("letter %d changed to %q: %v", i, c, got)
			}
		}
		if _, err := Parse(word[:i]); err == nil {
			t.Fatalf("cut after %d letters", i)
		}
	}
	_, err := Parse("# one\n" + word + "\n" + word)
	if err == nil || !strings.HasPrefix(err.Error(), "3: ") || strings.Contains(err.Error(), word[10:30]) {
		t.Fatalf("two tickets: %v", err)
	}
}

func TestSecretsDoNotPrintThemselves(t *testing.T) {
	x := sample(t)
	j, _ := json.Marshal(x)
	for _, s := range []string{fmt.Sprint(x), fmt.Sprintf("%v %+v %#v %s %x %q %d", x, x, x, x, x.Secret, x.Secret, x.Secret), string(j)} {
		for _, form := range []string{fmt.Sprintf("%x", x.Secret.Bytes()), fmt.Sprintf("%d", x.Secret.Bytes())[1:20], fmt.Sprintf("%#v", x.Secret.Bytes())[8:40]} {
			if strings.Contains(s, form) {
				t.Errorf("the secret is in %q", s)
			}
		}
	}
}

func TestNamesAndAddressesAreChecked(t *testing.T) {
	if x, err := New(""); err != nil || !strings.HasPrefix(x.Grid, "grid-") {
		t.Errorf("a drawn name: %v, %v", x, err)
	}
	for _, bad := range []string{"a b", "a\nb", "ä", strings.Repeat("x", NameMax+1)} {
		if _, err := New(bad); err == nil {
			t.Errorf("New(%q)", bad)
		}
	}
	x, _ := New("lab")
	if _, err := x.Invite(); err == nil {
		t.Error("an invitation to nowhere")
	}
	for _, bad := range []string{"", "1.2.3.4:5", "/ip4/1.2.3.4/tcp/1", "/ip4/1.2.3.4/p2p/x y", "/p2p/" + strings.Repeat("x", AddrMax)} {
		if _, err := x.Invite(bad); err == nil {
			t.Errorf("Invite(%q)", bad)
		}
	}
	if _, err := (Ticket{Grid: "lab"}).Encode(); err == nil {
		t.Error("a ticket without a secret")
	}
}

func TestFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if _, ok, err := Grid(dir); ok || err != nil {
		t.Fatalf("a folder that is not there: %v %v", ok, err)
	}
	x := sample(t)
	if err := SetGrid(dir, x); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, GridFile)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || Loose(path) {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	got, ok, err := Grid(dir)
	if err != nil || !ok || !reflect.DeepEqual(got, x) {
		t.Fatalf("got %v, %v, %v", got, ok, err)
	}
	if err := SetGrid(dir, x); err != nil {
		t.Fatalf("the same grid again: %v", err)
	}
	if err := SetGrid(dir, sample(t)); err == nil || !strings.Contains(err.Error(), "belongs to grid") {
		t.Fatalf("another grid: %v", err)
	}
	os.Chmod(path, 0o644)
	if !Loose(path) {
		t.Error("a file that all can read is not loose")
	}
	os.WriteFile(path, []byte("# mine\nhello\n"), 0o600)
	if _, _, err := Grid(dir); err == nil || !strings.HasPrefix(err.Error(), path+":2: ") {
		t.Fatalf("a broken file: %v", err)
	}
	if err := Save(filepath.Join(dir, "none", "x"), x); err == nil {
		t.Error("saved in a folder that is not there")
	}
	left, _ := filepath.Glob(filepath.Join(dir, ".*-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// FuzzParse: what is accepted is encoded and read again unchanged.
func FuzzParse(f *testing.F) {
	word, _ := sample(f).Encode()
	f.Add(word)
	f.Add("# comment\n\n" + word + "\n")
	f.Add(prefix)
	f.Add(prefix + "AAAAAAAA")
	f.Fuzz(func(t *testing.T, text string) {
		x, err := Parse(text)
		if err != nil {
			return
		}
		again, err := x.Encode()
		if err != nil {
			t.Fatalf("accepted, but not encoded: %v", err)
		}
		if y, err := Parse(again); err != nil || !reflect.DeepEqual(x, y) {
			t.Fatalf("%v became %v, %v", x, y, err)
		}
	})
}

// FuzzDecode passes the checksum, so that the fields behind it are fuzzed.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 3, 'l', 'a', 'b'}, byte(2))
	f.Fuzz(func(t *testing.T, body []byte, n byte) {
		word := seal(append(append(body, make([]byte, SecretSize)...), n))
		if x, err := decode(word); err == nil {
			t.Fatalf("a zero secret was accepted: %v", x)
		}
		body = append(body, NewSecret().Bytes()...)
		if x, err := decode(seal(append(body, n))); err == nil {
			if err := x.check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
