//go:build unix

package launch

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// kept are the manifests of a launch as Kubernetes reads them.
type kept struct {
	secret  corev1.Secret
	service corev1.Service
	budget  policyv1.PodDisruptionBudget
	set     appsv1.StatefulSet
}

func metav1Now() metav1.Time { return metav1.Now() }

// readManifests reads them as strictly as Kubernetes can, and checks what no type says: that names
// and labels which are referred to are there.
func readManifests(text string) (*kept, error) {
	k := &kept{}
	kinds := map[string]any{"Secret": &k.secret, "Service": &k.service, "PodDisruptionBudget": &k.budget, "StatefulSet": &k.set}
	for _, part := range strings.Split(text, "\n---\n") {
		var is metav1.TypeMeta
		if err := yaml.Unmarshal([]byte(part), &is); err != nil {
			return nil, err
		}
		into := kinds[is.Kind]
		if into == nil {
			return nil, fmt.Errorf("there is a %q", is.Kind)
		}
		delete(kinds, is.Kind)
		if err := yaml.UnmarshalStrict([]byte(part), into); err != nil {
			return nil, err
		}
	}
	if len(kinds) > 0 {
		return nil, fmt.Errorf("missing are %v", kinds)
	}
	return k, k.check()
}

// check is what decoding misses.
func (k *kept) check() error {
	pod := k.set.Spec.Template
	has := func(labels map[string]string) bool {
		for name, value := range labels {
			if pod.Labels[name] != value {
				return false
			}
		}
		return len(labels) > 0
	}
	c := pod.Spec.Containers[0]
	var mounted, secrets []string
	for _, v := range pod.Spec.Volumes {
		mounted = append(mounted, v.Name)
	}
	for _, v := range c.Env {
		if v.ValueFrom != nil && v.ValueFrom.SecretKeyRef != nil {
			ref := v.ValueFrom.SecretKeyRef
			secrets = append(secrets, ref.Name)
			if k.secret.StringData[ref.Key] == "" {
				return fmt.Errorf("the Secret has no %q", ref.Key)
			}
		}
	}
	versions := []string{k.secret.APIVersion, k.service.APIVersion, k.budget.APIVersion, k.set.APIVersion}
	switch {
	case !slices.Equal(versions, []string{"v1", "v1", "policy/v1", "apps/v1"}):
		return fmt.Errorf("the versions are %q", versions)
	case !has(k.service.Spec.Selector), !has(k.budget.Spec.Selector.MatchLabels), !has(k.set.Spec.Selector.MatchLabels):
		return fmt.Errorf("a selector is not among the labels %v", pod.Labels)
	case k.set.Spec.ServiceName != k.service.Name:
		return fmt.Errorf("the StatefulSet has the Service %s, which is called %s", k.set.Spec.ServiceName, k.service.Name)
	case !slices.Equal(secrets, []string{k.secret.Name}):
		return fmt.Errorf("Secret %s is called %q", k.secret.Name, secrets)
	case len(c.VolumeMounts) != 1 || !slices.Contains(mounted, c.VolumeMounts[0].Name):
		return fmt.Errorf("mounted are %v, and there are %q", c.VolumeMounts, mounted)
	case c.Ports[0].ContainerPort != k.service.Spec.Ports[0].Port:
		return fmt.Errorf("ports are %d and %d", c.Ports[0].ContainerPort, k.service.Spec.Ports[0].Port)
	case k.service.Namespace != k.set.Namespace || k.secret.Namespace != k.set.Namespace || k.budget.Namespace != k.set.Namespace:
		return fmt.Errorf("they are in several namespaces")
	}
	return nil
}

// TestManifests: what --print writes is what Kubernetes reads, and the pods leave in time, as
// nobody in particular, with the ticket from the Secret alone.
func TestManifests(t *testing.T) {
	s := set(t)
	code, text, said := s.types("kubernetes", "-n", "3", "--image", "registry.example:5000/a/satin@sha256:0123", "--namespace", "lab", "--site", "delft", "--print", "--", "--grace", "45s")
	if code != 0 || said != "" {
		t.Fatalf("exit %d, %s", code, said)
	}
	k, err := readManifests(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	pod := k.set.Spec.Template.Spec
	c := pod.Containers[0]
	tk, err := ticket.Parse(k.secret.StringData["ticket"])
	if err != nil || len(tk.Addrs) != 0 {
		t.Errorf("the ticket is %v, %v", tk, err)
	}
	if n := strings.Count(text, k.secret.StringData["ticket"]); n != 1 {
		t.Errorf("the ticket is there %d times", n)
	}
	name := k.set.Name
	want := []string{"/satin", "node", "--auto", "--join", "/dns/" + name + "/tcp/4001", "--site", "delft", "--grace", "45s"}
	if !slices.Equal(c.Command, want) {
		t.Errorf("it executes %q", c.Command)
	}
	if grace := *pod.TerminationGracePeriodSeconds; grace != 55 {
		t.Errorf("a leave may take 45 s, and the pod has %d", grace)
	}
	safe := c.SecurityContext
	switch {
	case *k.set.Spec.Replicas != 3 || k.set.Spec.Ordinals.Start != 1 || k.set.Namespace != "lab":
		t.Errorf("the set is %+v", k.set.Spec)
	case k.service.Spec.ClusterIP != "None" || !k.service.Spec.PublishNotReadyAddresses:
		t.Errorf("the service is %+v", k.service.Spec)
	case !*pod.SecurityContext.RunAsNonRoot || *safe.AllowPrivilegeEscalation || !*safe.ReadOnlyRootFilesystem || *pod.AutomountServiceAccountToken:
		t.Errorf("the pod may too much: %+v, %+v", pod.SecurityContext, safe)
	case c.Resources.Limits.Cpu().Value() != 2 || c.Resources.Requests.Memory().Value() != 2<<30:
		t.Errorf("it has %+v", c.Resources)
	case pod.Volumes[0].EmptyDir.SizeLimit.Value() < 1<<30:
		t.Errorf("it may write %v", pod.Volumes[0].EmptyDir.SizeLimit)
	}
}

// TestHostileWords: whatever stands after -- is what the node is told, through YAML and through
// what Kubernetes puts in for $(NAME).
func TestHostileWords(t *testing.T) {
	words := append(slices.Clone(nasty[1:]), "yes", "0x1", "1e3", "null", "- a", "a: b", "!!binary x", "&a", "|", "$(SATIN_TICKET)", "$$(A)", "\u2028", "2001-01-01", "=")
	l := &Launch{Name: "kubernetes-x", How: kubernetesWord, Nodes: 1, Flags: words, Site: "no", Pods: &Pods{Image: "1e3", CPUs: 1, Memory: "1Gi"}, ticket: "0755"}
	by := &byKubernetes{&console.Console{Name: "satin"}}
	k, err := readManifests(by.Script(l))
	if err != nil {
		t.Fatal(err)
	}
	c := k.set.Spec.Template.Spec.Containers[0]
	got := c.Command[len(c.Command)-len(words):]
	for n, word := range words {
		if strings.ReplaceAll(got[n], "$$", "$") != word || strings.Contains(strings.ReplaceAll(got[n], "$$", ""), "$") {
			t.Errorf("%q is told as %q", word, got[n])
		}
	}
	if c.Image != "1e3" || k.secret.StringData["ticket"] != "0755" || !slices.Contains(c.Command, "no") {
		t.Errorf("the words are %+v", c)
	}
}

// TestKubernetesMistakes: what is wrong is said in one line, before kubectl is asked.
func TestKubernetesMistakes(t *testing.T) {
	s := set(t)
	for _, c := range []struct{ line, want string }{
		{"kubernetes", "launch kubernetes needs --image IMAGE, which has this executable as /satin"},
		{"kubernetes --image -x", `--image is "-x"`},
		{"kubernetes --image x --namespace A", `--namespace is "A": small letters`},
		{"kubernetes --image x --context=--server=evil", `--context is "--server=evil"`},
		{"kubernetes --image x --cpus 0", "--cpus is 0: 1 to 1024 is expected"},
		{"kubernetes --image x --memory lots", `--memory is "lots": a size is expected, such as 2Gi`},
		{"kubernetes --image x --join /nowhere", "--join: "},
		{"kubernetes --image x -- --grace soon", "--grace after --: a duration of up to 1h0m0s"},
		{"kubernetes --image x -- --state /x", "--state cannot stand after --"},
		{"kubernetes --image x 4", `takes no argument, but there is "4"`},
	} {
		if code, out, said := s.types(strings.Fields(c.line)...); code != console.ExitUsage || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, %s%s, wanted %q", c.line, code, out, said, c.want)
		}
	}
	t.Setenv("PATH", "/nowhere")
	if code, _, said := s.types("kubernetes", "--image", "x"); code != console.ExitFailed || said != "satin: there is no command kubectl here: install it, or give --print\n" {
		t.Errorf("exit %d, %s", code, said)
	}
	if left := glob(t, s.state, launchesFolder, "*"); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestPodStandings: as kubectl tells of pods.
func TestPodStandings(t *testing.T) {
	for text, want := range map[string]Standing{
		`{"status":{"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","message":"0/3 nodes are available"}]}}`:                                                            {State: Pending, Where: "no machine yet", Said: "0/3 nodes are available"},
		`{"spec":{"nodeName":"m"},"status":{"phase":"Pending","containerStatuses":[{"state":{"waiting":{"reason":"ImagePullBackOff"}}}]}}`:                                                      {State: Pending, Where: "m", Said: "ImagePullBackOff"},
		`{"spec":{"nodeName":"m"},"status":{"phase":"Running","containerStatuses":[{"state":{"waiting":{"reason":"C"}},"lastState":{"terminated":{"exitCode":4,"message":"a\nsatin: b\n"}}}]}}`: {State: Starting, Where: "m", Said: "satin: b"},
		`{"spec":{"nodeName":"m"},"status":{"phase":"Running","containerStatuses":[{"state":{"terminated":{"exitCode":137}}}]}}`:                                                                {State: Starting, Where: "m", Said: "it has ended with exit code 137, and is started again"},
		`{"spec":{"nodeName":"m"},"status":{"phase":"Failed","message":"The node was low on memory"}}`:                                                                                          {State: Pending, Where: "m", Said: "The node was low on memory"},
		`{"metadata":{"deletionTimestamp":"x"},"spec":{"nodeName":"m"},"status":{"phase":"Running"}}`:                                                                                           {State: Leaving, Where: "m"},
	} {
		var p seenPod
		if err := yaml.Unmarshal([]byte(text), &p); err != nil {
			t.Fatal(err)
		}
		want.First, want.Last = 1, 1
		if got := p.standing(1); got != want {
			t.Errorf("%s is %+v, wanted %+v", text, got, want)
		}
	}
}
