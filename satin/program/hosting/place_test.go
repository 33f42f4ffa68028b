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
	if p.Is != "an instance of Google Compute Engine in europe-west4-b" || p.Site != "europe-west4-b" || p.Workers != 0 || len(p.platforms) != 1 {
		t.Errorf("an instance is %+v", p)
	}
	p = look(t.Context(), task("GCE_METADATA_HOST", at, "SLURM_JOB_ID", "7", "SLURM_CLUSTER_NAME", "c", "SLURM_CPUS_PER_TASK", "1").env, none)
	if p.Is != "job 7 of Slurm's cluster c, on an instance of Google Compute Engine in europe-west4-b" || p.Site != "c" || p.Workers != 1 || len(p.platforms) != 2 {
		t.Errorf("a job on an instance is %+v", p)
	}
	delete(m.answers, "GET /computeMetadata/v1/instance/zone")
	p = look(t.Context(), task("GCE_METADATA_HOST", at).env, none)
	if !strings.Contains(p.Is, "cannot be asked for its zone (there is no such thing)") || p.Site != "" || len(p.platforms) != 1 {
		t.Errorf("one that says nothing is %+v", p)
	}
	p = look(t.Context(), task("KUBERNETES_SERVICE_HOST", "10.0.0.1", "POD_ZONE", "eu.west/4b").env, none)
	if p.Is != "a pod of Kubernetes in eu.west/4b" || p.Site != "eu-west-4b" || p.Workers != 0 || len(p.platforms) != 0 {
		t.Errorf("a pod is %+v", p)
	}
	m.answers["GET /computeMetadata/v1/instance/zone"] = "projects/1/zones/europe-west4-b"
	p = look(t.Context(), task("GCE_METADATA_HOST", at, "KUBERNETES_SERVICE_HOST", "10.0.0.1").env, none)
	if p.Is != "a pod of Kubernetes, on an instance of Google Compute Engine in europe-west4-b" || p.Site != "europe-west4-b" || len(p.platforms) != 1 {
		t.Errorf("a pod on an instance is %+v", p)
	}
	if p = look(t.Context(), task().env, none); p.Is != "" || p.Site != "" || len(p.platforms) != 0 {
		t.Errorf("nowhere is %+v", p)
	}
}

// TestZone: a service that is busy at first is asked again, and what is no site's name is not one.
func TestZone(t *testing.T) {
	const asks = "GET /computeMetadata/v1/instance/zone"
	m := &metadata{answers: map[string]string{asks: "projects/1/zones/europe-west4-b"}, busy: 1}
	at := strings.TrimPrefix(m.start(t), "http://")
	in := func() Place { return look(t.Context(), task("GCE_METADATA_HOST", at).env, t.TempDir()) }
	if p := in(); p.Site != "europe-west4-b" || m.asked != 2 {
		t.Errorf("after %d requests it is %+v", m.asked, p)
	}
	m.busy = 10
	if p := in(); p.Site != "" || !strings.Contains(p.Is, "cannot be asked for its zone (") || m.asked != 2+zoneAsks || len(p.platforms) != 1 {
		t.Errorf("after %d requests one that is busy is %+v", m.asked, p)
	}
	m.busy = 0
	for zone, said := range map[string]string{
		"<html>Sign in!": `say "<html>Sign in!" for its zone, which cannot be a site`, "any": `say "any" for`,
		strings.Repeat("x", 1000): `say "` + strings.Repeat("x", 40) + `" for`,
	} {
		m.answers[asks] = zone
		if p := in(); p.Site != "" || !strings.Contains(p.Is, said) {
			t.Errorf("%q makes it %+v", zone, p)
		}
	}
}
