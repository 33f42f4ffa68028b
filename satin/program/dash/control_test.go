package dash

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"satingrid/satin/program/across"
	"satingrid/satin/program/moments"
	"satingrid/satin/program/observe"
)

// TestPageDoes what it was opened for, to who is seen, one thing at a time; another page does not.
func TestPageDoes(t *testing.T) {
	var is observe.Sample
	is.Grid = "lab"
	is.Members = []across.Peer{{ID: "x", Name: "a/<1>", Site: "a", State: "here", Workers: 1}}
	is.Peers = []across.Doing{{ID: "x", Name: "a/<1>", Site: "a", State: "here", Workers: 1, Answers: true}}
	is.Runs = []across.RunLine{{ID: "77", App: "nqueens", State: "computing"}}
	begun, goOn := make(chan moments.Intent, 1), make(chan error)
	may := moments.Control{Can: []moments.Ability{moments.Leave, moments.Cancel}, Act: func(_ context.Context, o moments.Intent) (string, error) {
		begun <- o
		return o.Name + " is told", <-goOn
	}}
	s := New(moments.NewLive(func(context.Context) (observe.Sample, error) { return is, nil }, 0), nil, may)
	link := serve(t, s)
	lines := bufio.NewScanner(get(t, link+"events", nil).Body)
	comes(t, lines, "event: choosable")
	comes(t, lines, `data: [{"id":"x","name":"a/\u003c1\u003e","says":"a/\u003c1\u003e","run":false},{"id":"77","name":"77","says":"77 computing nqueens`)
	text, err := io.ReadAll(get(t, link, nil).Body)
	for _, want := range []string{`data-do="leave"`, `data-do="cancel"`} {
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("the page has no %s: %v", want, err)
		}
	}
	post := func(r *http.Request) { r.Method = http.MethodPost }
	answers := func(query string, change func(*http.Request), code int, want string) {
		t.Helper()
		a := get(t, link+query, change)
		text, err := io.ReadAll(a.Body)
		if err != nil || a.StatusCode != code || strings.TrimSpace(string(text)) != want {
			t.Errorf("%s: %d, %q, %v", query, a.StatusCode, text, err)
		}
	}
	answers("do?do=kick&id=x", post, 404, "that cannot be done from here")
	answers("do?do=leave&id=y", post, 404, "that is not to be seen any more")
	answers("do?do=leave&id=77", post, 404, "that is not to be seen any more")
	answers("do?do=leave&id=x", nil, 404, "the link that was printed leads to the page")
	answers("do?do=leave&id=x", func(r *http.Request) { post(r); r.Header.Set("Origin", "http://evil.example") }, 403, "this page is for this machine alone")
	answers("do?do=leave&id=x", func(r *http.Request) { post(r); r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403, "this page is for this machine alone")
	done := make(chan struct{})
	go func() {
		defer close(done)
		answers("do?do=leave&id=x", post, 200, "a/<1> is told")
	}()
	if o := <-begun; o != (moments.Intent{Do: moments.Leave, ID: "x", Name: "a/<1>"}) {
		t.Errorf("what is done is %+v", o)
	}
	answers("do?do=cancel&id=77", post, 429, "what was wanted before is not done yet")
	goOn <- nil
	<-done
	go func() { <-begun; goOn <- errors.New("it is another user's") }()
	answers("do?do=cancel&id=77", post, 409, "it is another user's")

	_, shows, _ := shown(t)
	if a := get(t, shows+"do?do=leave&id=x", post); a.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("a page that only shows: %d", a.StatusCode)
	}
}
