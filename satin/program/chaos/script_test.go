package chaos

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/local"
)

var sites = []local.Site{{Name: "a", Peers: 2, Workers: 1}, {Name: "b", Peers: 2, Workers: 4}}

func TestParse(t *testing.T) {
	script, err := Parse("kill b/1@3s; stop a@20%; cut a | b@30%;cut a>b @ 1.5s; heal@60%; kill any@every 2s; kill master@0s; join c:2x3@50%; join any@every 1m; leave b@50%", sites)
	if err != nil {
		t.Fatal(err)
	}
	half := When{ByProgress: true, Progress: 0.5}
	for i, want := range []Fault{
		{Verb: Kill, Who: Whom{Site: "b", Number: 1}, When: When{After: 3 * time.Second}},
		{Verb: Stop, Who: Whom{Site: "a"}, When: When{ByProgress: true, Progress: 0.2}},
		{Verb: Cut, Cut: local.Cut{From: "a", To: "b", Both: true}, When: When{ByProgress: true, Progress: 0.3}},
		{Verb: Cut, Cut: local.Cut{From: "a", To: "b"}, When: When{After: 1500 * time.Millisecond}},
		{Verb: Heal, When: When{ByProgress: true, Progress: 0.6}},
		{Verb: Kill, Who: Whom{Any: true}, When: When{Every: 2 * time.Second}},
		{Verb: Kill, Who: Whom{Master: true}},
		{Verb: Join, Site: local.Site{Name: "c", Peers: 2, Workers: 3}, When: half},
		{Verb: Join, When: When{Every: time.Minute}},
		{Verb: Leave, Who: Whom{Site: "b"}, When: half},
	} {
		got := script[i]
		if want.Text = got.Text; !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v, wanted %+v", got.Text, got, want)
		}
	}
	if !HasCuts(script) || HasCuts(script[:2]) {
		t.Error("whether there are cuts was not seen")
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "the script has no event",
		" ; ;":                                  "the script has no event",
		"kil b/1@3s":                            `event 1, "kil b/1@3s": "kil" is no event; kill, `,
		"heal@1s; kill b/1":                     `event 2, "kill b/1": it has no time`,
		"kill@3s":                               `event 1, "kill@3s": who?`,
		"kill b/0@3s":                           `the number of a peer, from 1,`,
		"kill b/3@3s":                           `site b has 2 peers`,
		"kill c@3s":                             `there is no site "c"`,
		"cut a@3s":                              "two sites are expected",
		"cut a|a@3s":                            "cannot be cut off from itself",
		"cut a|c@3s":                            `there is no site "c"`,
		"heal a@3s":                             `heal ends all cuts`,
		"kill b@3":                              `"3" is no time`,
		"kill b@-3s":                            `"-3s" is no time`,
		"kill b@101%":                           `"101%" is no progress`,
		"kill b@NaN%":                           `"NaN%" is no progress`,
		"kill b@every 1ms":                      `"1ms" is no period`,
		"join c:0@3s":                           "a number of peers from 1",
		"join master@3s":                        "cannot be called",
		strings.Repeat(" ", 1e5):                "16384 at most",
		strings.Repeat("heal@1s;", eventsMax+1): "more than 256 events",
	} {
		if _, err := Parse(text, sites); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, wanted %q", text, err, want)
		}
	}
	if _, err := Parse("kill c/7@3s; join c:1@every 1s", sites); err != nil {
		t.Errorf("peers that join again and again have all numbers: %v", err)
	}
}

// FuzzParse reads scripts: whatever is accepted can be played, and reads the same when it
// is written down again.
func FuzzParse(f *testing.F) {
	f.Add("kill b/1@3s; stop a/2@20%; cont a/2@60%; join c:2@50%; leave b@50%; cut a|b@30%; cut a>b@30%; heal@60%")
	f.Add("kill any@every 2s; join any@every 2s; kill master@30%")
	f.Fuzz(func(t *testing.T, text string) {
		script, err := Parse(text, sites)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q is not one line", err)
			}
			return
		}
		var texts []string
		for _, e := range script {
			texts = append(texts, e.Text)
		}
		again, err := Parse(strings.Join(texts, ";"), sites)
		if err != nil || !reflect.DeepEqual(again, script) {
			t.Errorf("%+v reads again as %+v (%v)", script, again, err)
		}
		e := New(script, newStage(), sites, 1, func(string, Fault) {})
		e.Look(time.Second, 0.5)
		if fired, missed := e.Report(); fired < 0 || len(missed) > len(script) {
			t.Errorf("fired %d, missed %v", fired, missed)
		}
	})
}
