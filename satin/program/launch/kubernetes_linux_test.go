package launch

import (
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// Halves counts to 2 to its power, with a pause for each.
type Halves struct{ Power int }

// Run counts one half, and the other.
func (h Halves) Run(s *satin.Scope) (int, error) {
	if h.Power == 0 {
		time.Sleep(5 * time.Millisecond)
		return 1, nil
	}
	other := satin.Spawn(s, Halves{h.Power - 1})
	one, err := Halves{h.Power - 1}.Run(s)
	if err != nil {
		return 0, err
	}
	n, err := other.Wait(s)
	return one + n, err
}

func init() {
	plays["kubectl"] = playKubectl
	launchedApp.Tasks = []satin.TaskType{satin.Type[Halves]()}
	if names := os.Getenv("FAKE_DNS"); names != "" {
		net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
			own := &net.UDPAddr{IP: net.ParseIP(os.Getenv("FAKE_IP"))}
			return (&net.Dialer{LocalAddr: own}).DialContext(ctx, "udp", names)
		}}
	}
}

// inside executes a command in a pod, as kubectl exec does.
func (c *fakeCluster) inside(name string, words ...string) string {
	c.mu.Lock()
	p := c.pods[name]
	if p == nil {
		c.mu.Unlock()
		return ""
	}
	cmd := exec.Command(os.Getenv("TEST_PROGRAM"), words...)
	cmd.Env = c.environment(p)
	c.mu.Unlock()
	out, _ := cmd.Output()
	return string(out)
}

// seenStatus is what a node tells of itself, as far as these tests want it.
type seenStatus struct {
	Site  string
	Addrs []string
	Peers []struct{ Name, State string }
}

func (c *fakeCluster) status(name string) (s seenStatus) {
	json.Unmarshal([]byte(c.inside(name, "status", "--json")), &s)
	return s
}

// asksEvery is how long awaitMembers waits between two questions: each is a process.
const asksEvery = 100 * time.Millisecond

// awaitMembers waits until each pod of a launch sees so many peers.
func (c *fakeCluster) awaitMembers(name string, pods []string, members int) {
	c.t.Helper()
	await.UntilOr(c.t, func() bool {
		for _, pod := range pods {
			if s := c.status(name + "-" + pod); len(s.Peers) != members {
				time.Sleep(asksEvery)
				return false
			}
		}
		return true
	}, c.logged)
}

// TestKubernetes: pods that all start at once become one grid of their own. While one of them is
// evicted, a run from outside goes on, and its answer is right; another pod comes in its place.
func TestKubernetes(t *testing.T) {
	s, c := withCluster(t)
	name, out := s.launches("kubernetes", "-n", "3", "--image", "registry.example/satin:1")
	if !strings.HasPrefix(out, name+"/1-3") || !strings.Contains(out, "namespace lab    pending: created") ||
		!strings.Contains(out, "kubectl --context=ours --namespace=lab exec "+name+"-1 -- /satin run … --join /state/satin/grid-") {
		t.Errorf("it says %s", out)
	}
	c.awaitMembers(name, []string{"1", "2", "3"}, 3)
	if code, out, said := s.types("list"); code != 0 || strings.Count(out, " here: pod "+name+"-") != 3 {
		t.Errorf("list: exit %d, %s%s", code, out, said)
	}
	if site := c.status(name + "-1").Site; site != "zone-1" {
		t.Errorf("a pod is at %q", site)
	}
	word := c.set.secret.StringData["ticket"]
	if found := glob(t, c.fake, "*", "satin", "grid-*.ticket"); len(found) != 3 || !strings.Contains(out, "/state/satin/"+filepath.Base(found[0])) {
		t.Errorf("the pods' tickets are %q", found)
	}
	if all := string(content(os.ReadFile(c.fake+"/argv"))) + s.read(name, recordFile); strings.Contains(all, word) {
		t.Errorf("the secret is in %s", all)
	}
	tk, err := ticket.Parse(word)
	if err == nil {
		tk, err = tk.Invite(c.status(name + "-1").Addrs...)
	}
	if err != nil {
		t.Fatal(err)
	}
	client, err := satin.Open(t.Context(), satin.Config{App: launchedApp, Client: true, Ticket: tk})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	sub, err := satin.Submit(t.Context(), client, Halves{12})
	if err != nil {
		t.Fatal(err)
	}
	await.Until(t, "the run is under way", func() bool { return sub.Progress() > 0.05 })
	before := sub.Progress()
	c.mu.Lock()
	evicted := c.pods[name+"-1"]
	c.mu.Unlock()
	evicted.delete()
	if n, err := sub.Wait(); err != nil || n != 4096 || before >= 1 {
		t.Errorf("the run has come to %d, %v; it was at %v", n, err, before)
	}
	<-evicted.gone
	if log := c.logged(); strings.Count(log, "satin: left\n") != 1 {
		t.Errorf("it has not left in order: %s", log)
	}
	c.awaitMembers(name, []string{"1", "2", "3"}, 3)
	stops(t, s, c, name)
}

// stops stops a launch: the last node alone, no other alone, and then all.
func stops(t *testing.T, s *setting, c *fakeCluster, name string) {
	t.Helper()
	if code, _, said := s.types("stop", name+"/1"); code != console.ExitUsage || !strings.Contains(said, "Kubernetes would start "+name+"/1 again: stop the last nodes, or all") {
		t.Errorf("stop of the first: exit %d, %s", code, said)
	}
	if code, out, said := s.types("stop", name+"/3"); code != 0 || !strings.Contains(out, name+"/3") || !strings.Contains(out, " ended") {
		t.Errorf("stop of the last: exit %d, %s%s", code, out, said)
	}
	if code, out, _ := s.types("list"); code != 0 || strings.Count(out, " here: ") != 2 || strings.Count(out, " ended") != 1 {
		t.Errorf("list: exit %d, %s", code, out)
	}
	if code, out, said := s.types("stop", name); code != 0 || strings.Count(out, " ended") != 3 || said != "" {
		t.Errorf("stop: exit %d, %s%s", code, out, said)
	}
	argv := strings.Split(string(content(os.ReadFile(c.fake+"/argv"))), "\n")
	if !slices.Contains(argv, "--selector=app.kubernetes.io/instance="+name) || !slices.Contains(argv, "--context=ours") || !slices.Contains(argv, "--namespace=lab") {
		t.Errorf("kubectl is told %q", argv)
	}
	if left := glob(t, s.state, launchesFolder, kubernetesWord+"-*"); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestKubernetesJoins: pods join a grid that is there, and find each other when that has lost whom
// the ticket names.
func TestKubernetesJoins(t *testing.T) {
	s, c := withCluster(t)
	g, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	first, err := satin.Open(t.Context(), satin.Config{App: launchedApp, Ticket: g, Listen: []string{"/ip4/127.0.0.1/tcp/0"}})
	if err == nil {
		defer first.Close()
		g, err = g.Invite(first.Addrs()...)
	}
	file := filepath.Join(t.TempDir(), "lab.ticket")
	if err == nil {
		err = ticket.Save(file, g)
	}
	if err != nil {
		t.Fatal(err)
	}
	name, out := s.launches("kubernetes", "-n", "2", "--image", "x", "--join", file)
	if !strings.Contains(out, "satin run … --join "+file) {
		t.Errorf("it says %s", out)
	}
	c.awaitMembers(name, []string{"1", "2"}, 3)
	if err := first.Leave(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.mu.Lock()
	evicted := c.pods[name+"-2"]
	c.mu.Unlock()
	evicted.delete()
	<-evicted.gone
	c.awaitMembers(name, []string{"1", "2"}, 2)
}

// TestKubernetesTwice: pods that each begin the grid, as each hears of no other, become one when
// the Service has them all.
func TestKubernetesTwice(t *testing.T) {
	s, c := withCluster(t)
	c.apart = true
	name, _ := s.launches("kubernetes", "-n", "2", "--image", "x")
	c.awaitMembers(name, []string{"1", "2"}, 1)
	if log := c.logged(); strings.Count(log, " has founded grid ") != 2 {
		t.Errorf("they have not begun apart: %s", log)
	}
	c.mu.Lock()
	c.apart = false
	c.mu.Unlock()
	c.awaitMembers(name, []string{"1", "2"}, 2)
}

// TestKubernetesFails: what kubectl says against it is said, and nothing is left.
func TestKubernetesFails(t *testing.T) {
	s, c := withCluster(t)
	c.refuses = "The connection to the server was refused"
	code, out, said := s.types("kubernetes", "--image", "x")
	if code != console.ExitFailed || out != "" || said != "satin: The connection to the server was refused\n" {
		t.Errorf("exit %d, %s%s", code, out, said)
	}
	if argv := string(content(os.ReadFile(c.fake + "/argv"))); strings.Contains(argv, "delete") {
		t.Errorf("kubectl is told %s", argv)
	}
	c.refused, c.refuses = "create", "Error from server (Forbidden): no"
	if code, _, said := s.types("kubernetes", "--image", "x"); code != console.ExitFailed || said != "satin: Error from server (Forbidden): no\n" {
		t.Errorf("exit %d, %s", code, said)
	}
	if argv := string(content(os.ReadFile(c.fake + "/argv"))); strings.Count(argv, "\ndelete\n") != 1 {
		t.Errorf("kubectl is told %s", argv)
	}
	if left := glob(t, s.state, launchesFolder, kubernetesWord+"-*"); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}
