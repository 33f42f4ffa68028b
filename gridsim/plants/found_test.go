package plants

import (
	"strings"
	"testing"

	"satingrid/satin/effort"
)

// TestTestsFindDefects: the tests of packages which are made for a defect fail when it is there, by
// the words that they have for it.
func TestTestsFindDefects(t *testing.T) {
	if !effort.Long() {
		t.Skip("SATIN_SLOW is not set: it builds the tests of three packages anew, for a minute and more")
	}
	folder := t.TempDir()
	if err := Build(folder, "membership", "satin/peer", "satin"); err != nil {
		t.Fatal(err)
	}
	for _, d := range []struct{ pkg, test, defect, says string }{
		{"membership", "TestTheDeadAreForgotten", "age-not-carried", "a view holds"},
		{"satin/peer", "TestHostileHost/member", "counter-unbounded", ""},
		{"satin/peer", "TestHostileHost/client", "client-believed", ""},
		{"satin/peer", "TestClientsSpeakForThemselves", "client-believed", "a client bars"},
		{"satin", "TestNothingSlowOnTheLoop", "root-read-on-loop", "on a loop: "},
		{"satin", "TestBuildsAreKeptApart", "build-ignored", "a host of build b joins one of build a"},
		{"satin", "TestClashOfFields/plain", "clash-accepted", "the answer is"},
		{"satin", "TestClashOfFields/strict", "clash-accepted", "satin_test.span.start.X"},
		{"satin", "TestClashOfFields/verify", "clash-accepted", "Verify finds satin_test.span"},
	} {
		c, err := Command(folder, d.pkg, d.defect, "-test.run", "^"+strings.ReplaceAll(d.test, "/", "$/^"), "-test.v")
		if err != nil {
			t.Fatal(err)
		}
		out, err := c.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--- FAIL: "+d.test) || !strings.Contains(string(out), d.says) {
			t.Errorf("%s does not find %s, and say %q:\n%.2000s", d.test, d.defect, d.says, out)
		}
	}
}
