package plants

import (
	"strings"
	"testing"
)

// TestEditsFit: each edit changes the sources of today.
func TestEditsFit(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names() {
		edited, err := apply(root, []string{name})
		if err != nil {
			t.Error(err)
		}
		if err == nil && !strings.Contains(strings.Join(texts(edited), "\n"), `planted("`+name+`")`) {
			t.Errorf("%s is planted whatever %s says", name, Env)
		}
	}
	if _, err := apply(root, Names()); err != nil {
		t.Errorf("one by one they fit, but not all of them together: %v", err)
	}
}

func texts(edited map[string]string) (all []string) {
	for _, text := range edited {
		all = append(all, text)
	}
	return all
}

// TestMisfitIsNoticed: an edit of what is not there, or is there twice, is none.
func TestMisfitIsNoticed(t *testing.T) {
	for change, want := range map[string]string{
		" three":      "0 times",
		" one":        "2 times",
		" two\n-four": "0 times",
		"two":         "neither",
		" two\n+new":  "",
	} {
		s := sources{"a.go": {"one", "two"}, "b.go": {"one"}}
		err := s.change(strings.Split(change, "\n"))
		if want == "" && (err != nil || strings.Join(s["a.go"], " ") != "one two new") {
			t.Errorf("%q: %v, %v", change, s, err)
		}
		if want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", change, err, want)
		}
	}
}
