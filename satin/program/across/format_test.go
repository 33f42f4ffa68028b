package across

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/program/runs"
	"satingrid/satin/ticket"
)

const addr = "/ip4/10.0.0.1/tcp/4001/p2p/12D3"

// said is something of everything that is said, as it is sent. Builds that are running rely on each
// of these lines: none may change, and more may come.
var said = []struct {
	text string
	v    any
}{
	{`{"schema":1,"ask":"grid"}`, Question{Schema: 1, Ask: AskGrid}},
	{`{"schema":1,"ask":"peers"}`, Question{Schema: 1, Ask: AskPeers}},
	{`{"schema":1,"ask":"jobs"}`, Question{Schema: 1, Ask: AskJobs}},
	{`{"schema":1,"ask":"cancel","run":"abcd"}`, Question{Schema: 1, Ask: AskCancel, Run: "abcd"}},
	{`{"schema":1,"ask":"share","run":"abcd","share":7}`, Question{Schema: 1, Ask: AskShare, Run: "abcd", Share: 7}},
	{`{"schema":1,"ask":"logs","run":"abcd","from":7}`, Question{Schema: 1, Ask: AskLogs, Run: "abcd", From: 7}},
	{`{"schema":1,"ask":"result","run":"abcd","json":true}`, Question{Schema: 1, Ask: AskResult, Run: "abcd", JSON: true}},
	{`{"schema":1,"ask":"successor","grid":{"build":"e7","made":"revision 1","addrs":["` + addr + `"]}}`,
		Question{Schema: 1, Ask: AskSuccessor, Grid: &Grid{"e7", "revision 1", []string{addr}}}},
	{`{"schema":1,"error":"no","code":2}`, Response{Schema: 1, Error: "no", Code: 2}},
	{`{"schema":1,"error":"no","code":1,"fetch":true}`, Response{Schema: 1, Error: "no", Code: 1, Fetch: true}},
	{`{"schema":1,"name":"lab","build":"e7","made":"revision 1","addrs":["` + addr + `"],"runs_on":1,"next":[{"build":"e8","made":"","addrs":[]}],"previous":[]}`,
		Response{Schema: 1, Portrait: &Portrait{"lab", Grid{"e7", "revision 1", []string{addr}}, 1, []Grid{{Build: "e8", Addrs: []string{}}}, []Grid{}}}},
	{`{"schema":1,"peers":[{"name":"a/1","id":"12D3","site":"a","state":"here","workers":2,"addrs":["` + addr + `"],"build":"e7"}]}`,
		Response{Schema: 1, Peers: &Peers{[]Peer{{"a/1", "12D3", "a", "here", 2, []string{addr}, "e7"}}}}},
	{`{"schema":1,"grid":"lab","runs":[{"id":"ab","key":"cd","app":"fib","input":"3","task":"fib.Fib","state":"computing","who":"ann","when":"2001-09-09T01:46:40Z",` +
		`"age_seconds":4.5,"progress":0.5,"left_seconds":null,"share":100,"master":"a/1","waiting":1,"keep_seconds":60,"kept_seconds":0,"build":"e7"}]}`,
		Response{Schema: 1, Jobs: &Jobs{"lab", []RunLine{{"ab", "cd", "fib", "3", "fib.Fib", "computing", "ann", when(1e9), 4.5, 0.5, nil, 100, "a/1", 1, 60, 0, "e7", 0}}, ""}}},
	{`{"schema":1,"grid":"lab","runs":[],"missing":"of e8"}`, Response{Schema: 1, Jobs: &Jobs{"lab", []RunLine{}, "of e8"}}},
	{`{"schema":1}`, Response{Schema: 1}}, // of cancel: it is done
	{`{"schema":1,"text":"2\n","exit":0}`, Response{Schema: 1, Printed: &Printed{"2\n", 0, ""}}},
	{`{"schema":1,"text":"{}\n","exit":1,"says":"it failed"}`, Response{Schema: 1, Printed: &Printed{"{}\n", 1, "it failed"}}},
	{`{"schema":1,"ask":"doing"}`, Question{Schema: 1, Ask: AskDoing}},
	{`{"schema":1,"ask":"doing","alone":true}`, Question{Schema: 1, Ask: AskDoing, Alone: true}},
	{`{"schema":1,"ask":"doing","loans":true}`, Question{Schema: 1, Ask: AskDoing, Loans: true}},
	{`{"schema":1,"by":"a/1","doing":[{"name":"a/1","id":"12D3","site":"a","state":"here","workers":2,"build":"e7","answers":true,"uptime_seconds":60.5,` +
		`"totals":{"jobs":1,"aborted":2,"busy_seconds":3.5,"lent_near":4,"lent_far":5,"borrowed":6,"again":7,"advertised":8,"fetched":9,"reused":10,` +
		`"copies_sent":11,"copies_used":12,"bytes_far":13,"executing":14},"memory_bytes":15,"memory_of_bytes":16,"load":0.5,"left_seconds":90,` +
		`"runs":[{"id":"ab","app":"fib","share":100,"progress":0.5,"root":true,"jobs":17,"busy_seconds":1.5}],` +
		`"loans":[{"no":18,"run":"ab","from":"b/1","what":"tile 3","at":60.25,"took":0.5},{"no":19,"run":"ab","at":60.5,"took":0}]}],` +
		`"sees":[{"site":"b","peers":3,"away":1}],"lost":{"kill":2}}`,
		Response{Schema: 1, Activity: &Activity{
			"a/1",
			[]Doing{{
				"a/1", "12D3", "a", "here", 2, "e7", true, 60.5, satin.Totals{
					Jobs: 1, Aborted: 2, Busy: 3.5, LentNear: 4, LentFar: 5, Borrowed: 6, Again: 7, Advertised: 8, Fetched: 9, Reused: 10,
					CopiesSent: 11, CopiesUsed: 12, BytesFar: 13, Executing: 14,
				}, 15, 16, number(0.5), number(90), []RunShare{{"ab", "fib", 100, 0.5, true, 17, 1.5}},
				[]Loan{{18, "ab", "b/1", "tile 3", 60.25, 0.5}, {19, "ab", "", "", 60.5, 0}},
			}},
			[]SiteSeen{{"b", 3, 1}}, map[string]int{"kill": 2}, nil, nil,
		}}},
	{`{"schema":1,"by":"a/1","doing":[],"sees":[],"lost":{"kill":1,"leave":1},"gone":[{"peer":"b/2","id":"12D4","site":"b","how":"leave","late":true,"at":7.5},` +
		`{"peer":"b/1","id":"12D3","site":"b","how":"kill","at":6.5,"noticed_seconds":0.25}]}`,
		Response{Schema: 1, Activity: &Activity{
			"a/1", []Doing{}, []SiteSeen{}, map[string]int{"kill": 1, "leave": 1},
			[]Absentee{{"b/2", "12D4", "b", "leave", true, 7.5, 0}, {"b/1", "12D3", "b", "kill", false, 6.5, 0.25}}, nil,
		}}},
	{`{"schema":1,"by":"a/1","doing":[],"sees":[],"lost":{},"ended":[{"run":"ab","how":"cancelled","at":7.5}]}`,
		Response{Schema: 1, Activity: &Activity{
			"a/1", []Doing{}, []SiteSeen{}, map[string]int{}, nil, []Conclusion{{"ab", "cancelled", 7.5}},
		}}},
	{`{"schema":1,"story":{"by":"12D3","run":"abcd","lines":[{"schema":1,"at":"2001-09-09T01:46:40Z","run":"abcd","event":"lost","peer":"a/1","site":"a","how":"kill","what":"no"}],"next":8,"over":true}}`,
		Response{Schema: 1, Story: &runs.Story{By: "12D3", Run: "abcd", Lines: []runs.Happening{{Schema: 1, At: *when(1e9), Run: "abcd", Event: "lost", Peer: "a/1", Site: "a", How: "kill", What: "no"}}, Next: 8, Over: true}}},
	{`{"schema":1,"by":"","doing":[{"name":"","id":"","site":"","state":"","workers":0,"build":"","answers":false,"uptime_seconds":0,` +
		`"totals":{"jobs":0,"aborted":0,"busy_seconds":0,"lent_near":0,"lent_far":0,"borrowed":0,"again":0,"advertised":0,"fetched":0,"reused":0,` +
		`"copies_sent":0,"copies_used":0,"bytes_far":0,"executing":0},"memory_bytes":0,"memory_of_bytes":0,"load":null,"left_seconds":null,"runs":[]}],"sees":[],"lost":{}}`,
		Response{Schema: 1, Activity: &Activity{"", []Doing{{Runs: []RunShare{}}}, []SiteSeen{}, map[string]int{}, nil, nil}}},
	{`{"schema":1,"by":"","doing":[{"name":"","id":"","site":"","state":"","workers":0,"build":"","answers":false,"uptime_seconds":0,` +
		`"totals":{"jobs":0,"aborted":0,"busy_seconds":0,"lent_near":0,"lent_far":0,"borrowed":0,"again":0,"advertised":0,"fetched":0,"reused":0,` +
		`"copies_sent":0,"copies_used":0,"bytes_near":1,"bytes_far":0,"asked_near":2,"asked_far":3,"trips_near_seconds":4.5,"trips_far_seconds":5.5,` +
		`"asking_seconds":6.5,"repairing_seconds":7.5,"executing":0},"memory_bytes":0,"memory_of_bytes":0,"load":null,"left_seconds":null,"runs":[]}],"sees":[],"lost":{}}`,
		Response{Schema: 1, Activity: &Activity{"", []Doing{{Runs: []RunShare{}, Totals: satin.Totals{
			BytesNear: 1, AskedNear: 2, AskedFar: 3, TripsNear: 4.5, TripsFar: 5.5, Asking: 6.5, Repairing: 7.5,
		}}}, []SiteSeen{}, map[string]int{}, nil, nil}}},
}

func number(n float64) *float64 { return &n }

func when(s int64) *time.Time {
	at := time.Unix(s, 0).UTC()
	return &at
}

// TestNoBuildChangesThis is red when what is said has another form than hosts of older builds
// expect.
func TestNoBuildChangesThis(t *testing.T) {
	for _, c := range said {
		if got := string(encode(c.v)); got != c.text {
			t.Errorf("%s is sent, and builds that are running expect %s", got, c.text)
		}
		if _, ok := c.v.(Question); ok {
			got, err := Understand([]byte(c.text))
			if err != nil || !reflect.DeepEqual(got, c.v) {
				t.Errorf("%s is understood as %+v, %v", c.text, got, err)
			}
			continue
		}
		got, err := read([]byte(c.text))
		if err != nil || !reflect.DeepEqual(got, c.v) {
			t.Errorf("%s is read as %+v, %v", c.text, got, err)
		}
	}
}

// TestSuccessionFits: however many members a grid has, and wherever they are, that it is the next
// one fits into a question, and leads to its first members.
func TestSuccessionFits(t *testing.T) {
	g := Grid{Build: strings.Repeat("e", 64), Made: strings.Repeat("m", wordMax)}
	for n := range 2 * addrsMax {
		a := fmt.Sprintf("/dns4/host-%d.", n)
		g.Addrs = append(g.Addrs, a+strings.Repeat("x", ticket.AddrMax-len(a)-len("/p2p/12D3"))+"/p2p/12D3")
	}
	q := Succession(g)
	q.Schema = Schema
	text := encode(q)
	if len(text) > p2p.VisitRequestMax {
		t.Errorf("the question has %d bytes, and a visit takes %d", len(text), p2p.VisitRequestMax)
	}
	if got, err := Understand(text); err != nil || len(got.Grid.Addrs) != declaredMax || got.Grid.Addrs[0] != g.Addrs[0] {
		t.Errorf("it is understood as %+v, %v", got.Grid, err)
	}
	if len(g.Addrs) != 2*addrsMax {
		t.Error("the grid has lost addresses")
	}
}

// TestPageHasAllFields: docs/formats.md names each field of it.
func TestPageHasAllFields(t *testing.T) {
	page, err := os.ReadFile("../../../docs/formats.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "\n## Between builds\n")
	if !ok {
		t.Fatal("the page has no section on it")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	own := map[string]bool{}
	for _, c := range said {
		if strings.Contains(c.text, `"peers":[{`) || strings.Contains(c.text, `"grid":"lab"`) {
			continue // documents that have their sections
		}
		// a story's lines have theirs, too
		text := regexp.MustCompile(`"lines":\[.*\]`).ReplaceAllString(c.text, `"lines":[]`)
		for _, m := range regexp.MustCompile(`"([a-z_]+)":`).FindAllStringSubmatch(text, -1) {
			own[m[1]] = true
		}
	}
	for _, a := range []Subject{AskGrid, AskSuccessor, AskPeers, AskJobs, AskCancel, AskShare, AskLogs, AskResult, AskDoing} {
		own[string(a)] = true
	}
	for name := range own {
		if !strings.Contains(section, "`"+name+"`") && !strings.Contains(section, "`."+name+"`") && !strings.Contains(section, "`"+name+"[]`") && !strings.Contains(section, "`."+name+"[]`") {
			t.Errorf("it does not say what %s is", name)
		}
	}
}

// TestHostile: what is unknown is ignored, what is senseless is refused, and what is left can be
// printed and fits into memory.
func TestHostile(t *testing.T) {
	q, err := Understand([]byte(`{"schema":1,"ask":"dance","with":{"whom":[1]}}`))
	if err != nil || q.Ask != "dance" {
		t.Errorf("a question of a later build: %+v, %v", q, err)
	}
	for _, text := range []string{
		``, `[]`, `{}`, `{"schema":2,"ask":"grid"}`, `{"schema":1,"ask":"successor"}`, `{"schema":1,"ask":7}`,
		`{"schema":1,"ask":"successor","grid":{"build":"e7","addrs":["nowhere","/ip4/` + strings.Repeat("1", 300) + `/p2p/1"]}}`,
	} {
		if q, err := Understand([]byte(text)); err == nil {
			t.Errorf("%s is understood as %+v", text, q)
		}
		if a, err := read([]byte(text)); err == nil && !strings.Contains(text, "ask") {
			t.Errorf("%s is read as %+v", text, a)
		}
	}

	evil := "\x1b[2J" + strings.Repeat("ü", 5000)
	many := []Grid{}
	for range 100 {
		many = append(many, Grid{Build: evil, Made: evil, Addrs: make([]string, 1000)})
	}
	job := RunLine{}
	for i := range reflect.TypeOf(job).NumField() {
		if f := reflect.ValueOf(&job).Elem().Field(i); f.Kind() == reflect.String {
			f.SetString(evil)
		}
	}
	a := Response{
		Error: evil, Portrait: &Portrait{Name: evil, Grid: many[0], Next: many, Previous: many},
		Peers: &Peers{make([]Peer, 2*listMax)}, Jobs: &Jobs{evil, []RunLine{job}, evil},
		Printed:  &Printed{Says: evil},
		Story:    &runs.Story{By: evil, Run: evil, Lines: make([]runs.Happening, 2*listMax)},
		Activity: &Activity{evil, make([]Doing, 2*listMax), make([]SiteSeen, 2*sitesMax), map[string]int{}, make([]Absentee, 2*GoneMax), make([]Conclusion, 2*EndedMax)},
	}
	a.Doing[0] = Doing{Name: evil, ID: evil, Site: evil, State: evil, Build: evil, Runs: make([]RunShare, 2*RunsMax)}
	a.Doing[0].Runs[0] = RunShare{ID: evil, App: evil}
	a.Sees[0].Site = evil
	a.Gone[0] = Absentee{Peer: evil, ID: evil, Site: evil, How: evil}
	a.Ended[0] = Conclusion{Run: evil, How: evil}
	a.Gone[1].At, a.Gone[2].Noticed = -1, -1
	a.Story.Lines[0] = runs.Happening{Run: evil, Event: evil, Peer: evil, Site: evil, How: evil, What: evil}
	for n := range 2 * waysMax {
		a.Lost[fmt.Sprint(evil[:9], n)] = n
	}
	a.Peers.Peers[0] = Peer{evil, evil, evil, evil, 1, make([]string, 5000), evil}
	got, err := read(a.Text())
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Gone) != GoneMax-2 || len(got.Ended) != EndedMax {
		t.Errorf("%d are gone, %d runs have ended", len(got.Gone), len(got.Ended))
	}
	if len(got.Doing) != listMax || len(got.Sees) != sitesMax || len(got.Lost) != waysMax || len(got.Doing[0].Runs) != RunsMax {
		t.Errorf("%d peers do something, %d sites are seen, peers are lost in %d ways", len(got.Doing), len(got.Sees), len(got.Lost))
	}
	doing, _ := json.Marshal(got.Doing[0])
	if lines := got.Story.Lines; len(lines) != listMax {
		t.Errorf("a story has %d lines", len(lines))
	} else {
		got.Story.Lines = lines[:1]
	}
	if got.Doing = nil; len(doing) > 8<<10 {
		t.Errorf("of one peer are left %d bytes", len(doing))
	}
	text, _ := json.Marshal(got)
	text = append(text, doing...)
	if strings.Contains(string(text), `\u001b`) || len(text) > 1<<20 {
		t.Errorf("%d bytes are left: %.300s", len(text), text)
	}
	if len(got.Next) != gridsMax || len(got.Peers.Peers) != listMax {
		t.Errorf("%d grids, %d peers", len(got.Next), len(got.Peers.Peers))
	}
}
