package local

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"satingrid/satin/p2p/wan"
)

func TestParseSites(t *testing.T) {
	for text, want := range map[string]string{
		"a:2,b:2":               "[a:2 b:2]",
		"a":                     "[a:1]",
		"a:2x4, b:1":            "[a:2x4 b:1]",
		"":                      "error: \"\" is no name",
		"a:":                    "error: \"a:\": a number of peers",
		"a:65":                  "error: \"a:65\": a number of peers",
		"a:40,b:40":             "error: more than 64 peers",
		"a:1x0":                 "error: \"a:1x0\": a number of workers",
		"a,a":                   "error: site a is there twice",
		"a/1:2":                 "error: \"a/1\" is no name",
		"master:2":              "error: a site cannot be called",
		"ü:1":                   "error: \"ü\" is no name",
		strings.Repeat("a", 33): "error: ",
	} {
		sites, err := ParseSites(text)
		got := fmt.Sprint(sites)
		if err != nil {
			got = "error: " + err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q: %s, wanted %s", text, got, want)
		}
	}
}

func TestParseDistance(t *testing.T) {
	for text, want := range map[string]Distance{
		"20ms":        {Delay: 20 * time.Millisecond},
		"20ms,50Mbit": {20 * time.Millisecond, 50e6 / 8},
		"0s,1.5Gbit":  {0, 15e8 / 8},
		"1ms,8kbit":   {time.Millisecond, 1000},
		"1ms,8bit":    {time.Millisecond, 1},
		"20":          {}, "-1ms": {}, "2h": {}, "1ms,": {}, "1ms,50": {}, "1ms,0Mbit": {}, "1ms,-1Mbit": {}, "1ms,NaNMbit": {}, "1ms,9999Gbit": {},
	} {
		got, err := ParseDistance(text)
		if (err != nil) != (want == Distance{}) || err == nil && got != want {
			t.Errorf("%q: %+v, %v; wanted %+v", text, got, err, want)
		}
	}
}

// FuzzFlags reads what people write: what is accepted is within bounds and reads the same again.
func FuzzFlags(f *testing.F) {
	f.Add("a:2,b:2x4", "20ms,50Mbit")
	f.Fuzz(func(t *testing.T, sites, distance string) {
		if list, err := ParseSites(sites); err == nil {
			var words []string
			total := 0
			for _, s := range list {
				words = append(words, s.String())
				total += s.Peers
			}
			again, err := ParseSites(strings.Join(words, ","))
			if err != nil || fmt.Sprint(again) != fmt.Sprint(list) || total < 1 || total > PeersMax {
				t.Errorf("%v reads again as %v (%v)", list, again, err)
			}
		}
		if d, err := ParseDistance(distance); err == nil && (d.Delay < 0 || d.Delay > delayMax || d.Rate < 0 || d.Rate > rateMax) {
			t.Errorf("%q is %+v", distance, d)
		}
	})
}

// TestCut looks at cuts from all sides.
func TestCut(t *testing.T) {
	one, both := Cut{From: "a", To: "b"}, Cut{From: "a", To: "b", Both: true}
	for _, c := range []struct {
		cut   Cut
		site  string
		other string
		way   wan.Way
	}{
		{one, "a", "b", wan.Out}, {one, "b", "a", wan.In}, {one, "c", "", 0},
		{both, "a", "b", wan.Both}, {both, "b", "a", wan.Both}, {both, "", "", 0},
	} {
		if other, way := c.cut.seenFrom(c.site); other != c.other || way != c.way {
			t.Errorf("%+v from %q: %q, %v", c.cut, c.site, other, way)
		}
	}
}
