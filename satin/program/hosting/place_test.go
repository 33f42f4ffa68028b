package hosting

import (
	"strings"
	"testing"
)

func TestSiteNamed(t *testing.T) {
	for _, c := range [][2]string{
		{"us-central1-a", "us-central1-a"}, {"rack 0/é", "rack-0"}, {"any", ""}, {"", ""}, {"...", ""},
		{strings.Repeat("x", 40) + "-b", strings.Repeat("x", 30) + "-b"},
	} {
		if got := siteNamed(c[0]); got != c[1] {
			t.Errorf("%q is called %q, not %q", c[0], got, c[1])
		}
	}
	if got := siteNamed("das5", "rack0"); got != "das5-rack0" {
		t.Errorf("of two parts it is %q", got)
	}
}

// TestLook puts together what a job of Slurm on an instance of a cloud is told.
func TestLook(t *testing.T) {
	m := &metadata{answers: map[string]string{"GET /computeMetadata/v1/instance/zone": "projects/1/zones/europe-west4-b"}}
	at := strings.TrimPrefix(m.start(t), "http://")
	none := t.TempDir()
	p := look(t.Context(), task("GCE_METADATA_HOST", at).env, none)
	if p.Is != "an instance of Google Compute Engine in europe-west4-b" || p.Site != "europe-west4-b" || p.Workers != 0 || len(p.hosts) != 1 {
		t.Errorf("an instance is %+v", p)
	}
	p = look(t.Context(), task("GCE_METADATA_HOST", at, "SLURM_JOB_ID", "7", "SLURM_CLUSTER_NAME", "c", "SLURM_CPUS_PER_TASK", "1").env, none)
	if p.Is != "job 7 of Slurm's cluster c, on an instance of Google Compute Engine in europe-west4-b" || p.Site != "c" || p.Workers != 1 || len(p.hosts) != 2 {
		t.Errorf("a job on an instance is %+v", p)
	}
	delete(m.answers, "GET /computeMetadata/v1/instance/zone")
	p = look(t.Context(), task("GCE_METADATA_HOST", at).env, none)
	if !strings.Contains(p.Is, "cannot be asked for its zone (there is no such thing)") || p.Site != "" || len(p.hosts) != 1 {
		t.Errorf("one that says nothing is %+v", p)
	}
	if p = look(t.Context(), task().env, none); p.Is != "" || p.Site != "" || len(p.hosts) != 0 {
		t.Errorf("nowhere is %+v", p)
	}
}
