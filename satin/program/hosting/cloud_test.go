package hosting

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// metadata is a cloud's service: what it answers to which path and query, if the request has the
// header that it demands.
type metadata struct {
	header, value string
	answers       map[string]string
	asked, busy   int // busy: for so many requests from now on
}

func (m *metadata) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.asked++
	text, has := m.answers[r.Method+" "+r.URL.String()]
	switch m.busy--; {
	case m.busy >= 0:
		w.WriteHeader(http.StatusServiceUnavailable)
	case m.header != "" && r.Method == http.MethodGet && r.Header.Get(m.header) != m.value:
		w.WriteHeader(http.StatusUnauthorized)
	case !has:
		w.WriteHeader(http.StatusNotFound)
	default:
		w.Write([]byte(text))
	}
}

func (m *metadata) start(t *testing.T) (at string) {
	t.Helper()
	s := httptest.NewServer(m)
	t.Cleanup(s.Close)
	return s.URL
}

// endOf is what a cloud says of the instance's end.
func endOf(t *testing.T, c cloud) Notice {
	t.Helper()
	e, err := c.notice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// in is the zone that a cloud names.
func in(t *testing.T, c cloud, want string) {
	t.Helper()
	if zone, err := c.zone(t.Context()); err != nil || zone != want {
		t.Errorf("%s is in %q, %v; want %q", c, zone, err, want)
	}
}

func TestEC2(t *testing.T) {
	m := &metadata{header: "X-aws-ec2-metadata-token", value: "one", answers: map[string]string{
		"PUT /latest/api/token":                             "one",
		"GET /latest/meta-data/placement/availability-zone": "eu-west-1b",
	}}
	c := &ec2{at: m.start(t)}
	in(t, c, "eu-west-1b")
	if e := endOf(t, c); !e.At.IsZero() {
		t.Errorf("without a notice it ends: %v", e)
	}
	m.value, m.answers["PUT /latest/api/token"] = "two", "two" // the token is over
	m.answers["GET /latest/meta-data/spot/instance-action"] = `{"action": "terminate", "time": "2017-09-18T08:22:00Z"}`
	e := endOf(t, c)
	if want := time.Date(2017, 9, 18, 8, 22, 0, 0, time.UTC); !e.At.Equal(want) || !strings.Contains(e.Why, "Amazon EC2 takes") || !strings.Contains(e.Why, "(terminate)") {
		t.Errorf("with a notice: %v", e)
	}
	m.value = "none is good"
	if _, err := c.notice(t.Context()); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("without a token: %v", err)
	}
	m.value, m.answers["GET /latest/meta-data/spot/instance-action"] = "two", "soon"
	if _, err := c.notice(t.Context()); err == nil {
		t.Error("a notice that is none is taken")
	}
}

func TestGCE(t *testing.T) {
	const preempted = "GET /computeMetadata/v1/instance/preempted"
	m := &metadata{header: "Metadata-Flavor", value: "Google", answers: map[string]string{
		"GET /computeMetadata/v1/instance/zone": "projects/12345/zones/us-central1-a",
		preempted:                               "FALSE",
	}}
	c := &gce{at: m.start(t)}
	in(t, c, "us-central1-a")
	if e := endOf(t, c); !e.At.IsZero() {
		t.Errorf("without a notice it ends: %v", e)
	}
	m.answers[preempted] = "TRUE"
	e := endOf(t, c)
	if left := time.Until(e.At); left > gceNotice || left < gceNotice-10*time.Second {
		t.Errorf("with a notice %v are left", left)
	}
	if again := endOf(t, c); again != e {
		t.Errorf("it ends at %v, and then at %v", e, again)
	}
}

func TestAzure(t *testing.T) {
	const events = "GET /metadata/scheduledevents?api-version=2020-07-01"
	m := &metadata{header: "Metadata", value: "true", answers: map[string]string{
		"GET /metadata/instance/compute?api-version=2021-02-01": `{"name": "vm_3", "location": "westeurope", "zone": "2", "vmSize": "Standard_D2"}`,
		events: `{"DocumentIncarnation": 1, "Events": []}`,
	}}
	at := m.start(t)
	in(t, &azure{at: at}, "westeurope-2")
	c := &azure{at: at}
	if e := endOf(t, c); !e.At.IsZero() {
		t.Errorf("without an event it ends: %v", e)
	}
	const before, scheduled, started = "Mon, 19 Sep 2016 18:29:47 GMT", "Scheduled", "Started"
	for what, c2 := range map[string]struct {
		kind, of, before, status string
		ends                     bool // of a node that has asked before
		endsFirst                bool // of one that asks now for the first time
	}{
		"its own":               {"Preempt", "vm_3", before, scheduled, true, true},
		"of another":            {"Preempt", "vm_4", before, scheduled, false, false},
		"it outlives it":        {"Freeze", "vm_3", before, scheduled, false, false},
		"it is going to reboot": {"Reboot", "vm_3", before, scheduled, true, true},
		"it reboots":            {"Reboot", "vm_3", "", started, true, false},
		"it moves":              {"Redeploy", "vm_3", "", started, true, false},
		"it is being taken":     {"Preempt", "vm_3", "", started, true, true},
		"it is being deleted":   {"Terminate", "vm_3", "", started, true, true},
	} {
		event := func(id string) {
			m.answers[events] = `{"DocumentIncarnation": 2, "Events": [{"EventId": "` + id + `", "EventType": "` + c2.kind + `", "ResourceType": "VirtualMachine",
				"Resources": ["` + c2.of + `"], "EventStatus": "` + c2.status + `", "NotBefore": "` + c2.before + `"}]}`
		}
		event("1")
		if e := endOf(t, c); e.At.IsZero() == c2.ends || c2.before != "" && c2.ends && e.At.Year() != 2016 {
			t.Errorf("an event, %s: %v", what, e)
		}
		first := &azure{at: at}
		for range 2 {
			if e := endOf(t, first); e.At.IsZero() == c2.endsFirst {
				t.Errorf("an event that is there at the start, %s: %v", what, e)
			}
		}
		event("2")
		if e := endOf(t, first); e.At.IsZero() == c2.ends {
			t.Errorf("the next event, %s: %v", what, e)
		}
	}
	m.answers["GET /metadata/instance/compute?api-version=2021-02-01"] = `{"name": "vm_3", "location": "westeurope"}`
	in(t, c, "westeurope")
}

// TestCloudOf: by the firmware's tables, or a variable that the clouds' own tools take.
func TestCloudOf(t *testing.T) {
	for what, c := range map[string]struct {
		env   map[string]string
		files map[string]string
		want  string
	}{
		"nothing":           {nil, nil, ""},
		"a PC":              {nil, map[string]string{"sys_vendor": "ACME\n"}, ""},
		"EC2":               {nil, map[string]string{"sys_vendor": "Amazon EC2\n"}, "Amazon EC2"},
		"EC2 on Xen":        {nil, map[string]string{"sys_vendor": "Xen\n", "bios_version": "4.2.amazon\n"}, "Amazon EC2"},
		"Xen":               {nil, map[string]string{"sys_vendor": "Xen\n", "bios_version": "4.17\n"}, ""},
		"GCE":               {nil, map[string]string{"sys_vendor": "Google\n"}, "Google Compute Engine"},
		"Hyper-V":           {nil, map[string]string{"sys_vendor": "Microsoft Corporation\n", "chassis_asset_tag": "none\n"}, ""},
		"Azure":             {nil, map[string]string{"sys_vendor": "Microsoft Corporation\n", "chassis_asset_tag": azureTag + "\n"}, "Microsoft Azure"},
		"EC2 by a variable": {map[string]string{"AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:1/"}, nil, "Amazon EC2"},
		"GCE by a variable": {map[string]string{"GCE_METADATA_HOST": "127.0.0.1:1"}, nil, "Google Compute Engine"},
	} {
		dmi := t.TempDir()
		for name, text := range c.files {
			if err := os.WriteFile(filepath.Join(dmi, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		got := ""
		if is := cloudOf(func(name string) string { return c.env[name] }, dmi); is != nil {
			got = is.String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
	}
}

// TestAnswersAreBounded: whatever answers at that address.
func TestAnswersAreBounded(t *testing.T) {
	m := &metadata{answers: map[string]string{"GET /": strings.Repeat("x", 2*answerMax)}}
	if text, err := fetch(context.Background(), http.MethodGet, m.start(t)+"/", nil); err != nil || len(text) != answerMax {
		t.Errorf("%d bytes of an answer are taken, %v", len(text), err)
	}
}

// TestRedirectsAreNotFollowed: the metadata are on this machine's link, or nowhere.
func TestRedirectsAreNotFollowed(t *testing.T) {
	m := &metadata{answers: map[string]string{"GET /": "elsewhere"}}
	s := httptest.NewServer(http.RedirectHandler(m.start(t)+"/", http.StatusFound))
	t.Cleanup(s.Close)
	if text, err := fetch(t.Context(), http.MethodGet, s.URL, nil); err == nil || !strings.Contains(err.Error(), "302") || m.asked > 0 {
		t.Errorf("%q, %v", text, err)
	}
}
