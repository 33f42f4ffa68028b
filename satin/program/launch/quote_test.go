//go:build unix

package launch

import (
	"os/exec"
	"testing"
)

// nasty are words that a shell would make something else of.
var nasty = []string{
	"", " ", "a b", "it's", `"x"`, "$HOME", "`id`", `\`, `a\nb`, "*", "~", "#", "a;b", "a&b", "(", "!", "-n", "ä", "a\tb", "'''", "$(exit 3)", "%s", "{a,b}",
}

// TestQuoted: a shell gives each word back as it was, also through another shell.
func TestQuoted(t *testing.T) {
	script := "printf '%s\\n' "
	want := ""
	for _, word := range nasty {
		want += word + "\n"
	}
	script += quotedAll(nasty)
	for _, text := range []string{script, "sh -c " + quoted(script)} {
		out, err := exec.Command("sh", "-c", text).CombinedOutput()
		if err != nil || string(out) != want {
			t.Errorf("%s: %v, %q, wanted %q", text, err, out, want)
		}
	}
	for word, want := range map[string]string{"/a/b-1.c": "/a/b-1.c", "--site=a": "--site=a", "a b": "'a b'", "it's": `'it'\''s'`} {
		if got := quoted(word); got != want {
			t.Errorf("%s is quoted as %s", word, got)
		}
	}
}
