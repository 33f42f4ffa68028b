package launch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	corev1 "k8s.io/api/core/v1"
)

// fakeKubectl hands its words and its input to the cluster of a test.
const fakeKubectl = "#!/bin/sh\nprintf '%s\\n' \"$@\" >>\"$FAKE/argv\"\nexec \"$TEST_PROGRAM\" kubectl \"$@\"\n"

// asked is what a kubectl is told, and told is what came of it.
type asked struct {
	Words []string
	In    string
}

type told struct {
	Out, Err string
	Code     int
}

// playKubectl is a process that is called kubectl.
func playKubectl(words []string) int {
	in, _ := io.ReadAll(os.Stdin)
	conn, err := net.Dial("unix", filepath.Join(os.Getenv("FAKE"), "s"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "The connection to the server was refused")
		return 1
	}
	defer conn.Close()
	var t told
	if err = json.NewEncoder(conn).Encode(asked{words, string(in)}); err == nil {
		err = json.NewDecoder(conn).Decode(&t)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Stdout.WriteString(t.Out)
	os.Stderr.WriteString(t.Err)
	return t.Code
}

// fakeCluster does with manifests what Kubernetes does, as far as nodes notice: each pod is a
// process on an address of its own, with an empty folder to write in. One that ends is started
// again, and one that is evicted gets a successor elsewhere.
type fakeCluster struct {
	t      *testing.T
	fake   string
	names  net.PacketConn
	closed chan struct{}

	mu      sync.Mutex // protects all below
	set     *kept      // nil: there is none
	want    int
	pods    map[string]*fakePod
	born    int
	refused string // the beginning of what is refused
	refuses string // what is said of that; "": nothing is refused
	apart   bool   // the name has no more than the address of who asks

	goroutines sync.WaitGroup
}

// fakePod is a pod: its container may be started again, in the same folder.
type fakePod struct {
	name, folder string
	ip           net.IP
	spec         corev1.PodSpec
	number       int

	mu      sync.Mutex // protects all below
	running *exec.Cmd
	deleted bool
	gone    chan struct{}
}

// withCluster is a setting whose kubectl has such a cluster, and whose pods are this very program.
func withCluster(t *testing.T) (*setting, *fakeCluster) {
	t.Helper()
	s := set(t)
	fake, err := os.MkdirTemp("", "k") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	c := &fakeCluster{t: t, fake: fake, pods: map[string]*fakePod{}, closed: make(chan struct{})}
	write(t, filepath.Join(fake, "kubectl"), fakeKubectl)
	if err := os.Chmod(filepath.Join(fake, "kubectl"), 0o700); err != nil {
		t.Fatal(err)
	}
	server, err := net.Listen("unix", filepath.Join(fake, "s"))
	if err == nil {
		c.names, err = net.ListenPacket("udp", "127.0.0.1:0")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", fake+":"+os.Getenv("PATH"))
	t.Setenv("FAKE", fake)
	t.Setenv("TEST_PROGRAM", must(os.Executable()))
	c.goroutines.Go(func() { c.serve(server) })
	c.goroutines.Go(c.resolve)
	t.Cleanup(func() {
		c.resize(0)
		close(c.closed)
		server.Close()
		c.names.Close()
		c.goroutines.Wait()
		os.RemoveAll(fake)
	})
	return s, c
}

// serve answers kubectl.
func (c *fakeCluster) serve(server net.Listener) {
	for {
		conn, err := server.Accept()
		if err != nil {
			return
		}
		c.goroutines.Go(func() {
			defer conn.Close()
			var a asked
			if json.NewDecoder(conn).Decode(&a) == nil {
				json.NewEncoder(conn).Encode(c.does(a))
			}
		})
	}
}

// resolve answers which addresses the Service has.
func (c *fakeCluster) resolve() {
	buffer := make([]byte, 1500)
	for {
		n, from, err := c.names.ReadFrom(buffer)
		if err != nil {
			return
		}
		var m dnsmessage.Message
		if m.Unpack(buffer[:n]) != nil || len(m.Questions) != 1 {
			continue
		}
		q := m.Questions[0]
		m.Response, m.Additionals = true, nil
		c.mu.Lock()
		if c.set == nil || !strings.HasPrefix(q.Name.String(), c.set.service.Name+".") {
			m.RCode = dnsmessage.RCodeNameError
		} else if q.Type == dnsmessage.TypeA {
			for _, p := range c.pods {
				if c.apart && !p.ip.Equal(from.(*net.UDPAddr).IP) {
					continue
				}
				m.Answers = append(m.Answers, dnsmessage.Resource{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1},
					Body:   &dnsmessage.AResource{A: [4]byte(p.ip.To4())},
				})
			}
		}
		c.mu.Unlock()
		if text, err := m.Pack(); err == nil {
			c.names.WriteTo(text, from)
		}
	}
}

// does is what a kubectl does.
func (c *fakeCluster) does(a asked) told {
	words := slices.DeleteFunc(slices.Clone(a.Words), func(w string) bool { return strings.HasPrefix(w, "--") && !strings.HasPrefix(w, "--replicas") })
	c.mu.Lock()
	refused, refuses := c.refused, c.refuses
	c.mu.Unlock()
	switch line := strings.Join(words, " "); {
	case refuses != "" && strings.HasPrefix(line, refused):
		return told{Err: refuses + "\n", Code: 1}
	case line == "config view":
		return told{Out: `{"current-context":"ours","contexts":[{"context":{"namespace":"lab"}}]}`}
	case line == "auth can-i create statefulsets.apps":
		return told{Out: "yes\n"}
	case line == "create":
		k, err := readManifests(a.In)
		if err != nil {
			return told{Err: "error: " + err.Error() + "\n", Code: 1}
		}
		c.mu.Lock()
		c.set = k
		c.mu.Unlock()
		c.resize(int(*k.set.Spec.Replicas))
		return told{Out: "statefulset.apps/" + k.set.Name + "\n"}
	case strings.HasPrefix(line, "get statefulsets,pods"):
		return told{Out: c.lists()}
	case strings.HasPrefix(line, "scale statefulset "):
		var n int
		fmt.Sscanf(words[3], "--replicas=%d", &n)
		go c.resize(n)
		return told{}
	case strings.HasPrefix(line, "delete statefulset,"):
		go c.resize(0)
		return told{}
	}
	return told{Err: fmt.Sprintf("error: unknown command %q\n", a.Words), Code: 1}
}

// resize makes pods, or deletes the last.
func (c *fakeCluster) resize(to int) {
	c.mu.Lock()
	c.want = to
	var over []*fakePod
	if c.set != nil {
		for n := 1; n <= to; n++ {
			c.makeLocked(n)
		}
	}
	for _, p := range c.pods {
		if p.number > to {
			over = append(over, p)
		}
	}
	c.mu.Unlock()
	for _, p := range over {
		p.delete()
	}
	for _, p := range over {
		<-p.gone
	}
}

// makeLocked makes a pod, if there is none of that number.
func (c *fakeCluster) makeLocked(n int) {
	name := fmt.Sprintf("%s-%d", c.set.set.Name, n)
	if c.pods[name] != nil {
		return
	}
	c.born++
	p := &fakePod{
		name: name, number: n, spec: c.set.set.Spec.Template.Spec, gone: make(chan struct{}),
		folder: filepath.Join(c.fake, fmt.Sprint(c.born)), ip: net.IPv4(127, 77, byte(os.Getpid()), byte(c.born)),
	}
	// as an emptyDir is
	if err := os.Mkdir(p.folder, 0o777); err != nil {
		c.t.Error(err)
	}
	os.Chmod(p.folder, 0o777)
	c.pods[name] = p
	env := c.environment(p)
	c.goroutines.Go(func() {
		p.live(env)
		c.mu.Lock()
		delete(c.pods, name)
		if n <= c.want {
			c.makeLocked(n)
		}
		c.mu.Unlock()
		close(p.gone)
	})
}

// environment is what a container is told, and how names are resolved there.
func (c *fakeCluster) environment(p *fakePod) []string {
	env := []string{"FAKE_DNS=" + c.names.LocalAddr().String(), "FAKE_IP=" + p.ip.String(), "KUBERNETES_SERVICE_HOST=10.0.0.1", "PATH=/nowhere"}
	for _, v := range p.spec.Containers[0].Env {
		value := strings.ReplaceAll(v.Value, p.spec.Containers[0].VolumeMounts[0].MountPath, p.folder)
		if from := v.ValueFrom; from != nil && from.SecretKeyRef != nil {
			value = c.set.secret.StringData[from.SecretKeyRef.Key]
		} else if from != nil {
			value = "zone-" + fmt.Sprint(p.number%2)
		}
		env = append(env, v.Name+"="+value)
	}
	return env
}

var reference = regexp.MustCompile(`\$\$`)

// command is what a container executes: this very program, at an address of the pod.
func (p *fakePod) command(words []string, more ...string) *exec.Cmd {
	var all []string
	for _, w := range words[1:] {
		all = append(all, reference.ReplaceAllString(w, "$$"))
	}
	return exec.Command(os.Getenv("TEST_PROGRAM"), append(all, more...)...)
}

// live is a pod from its start to its end.
func (p *fakePod) live(env []string) {
	defer os.RemoveAll(p.folder)
	c := p.spec.Containers[0]
	for {
		cmd := p.command(c.Command, "--listen", fmt.Sprintf("/ip4/%s/tcp/%d", p.ip, c.Ports[0].ContainerPort))
		log, _ := os.OpenFile(p.folder+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		cmd.Env, cmd.Stdout, cmd.Stderr = env, log, log
		p.mu.Lock()
		if p.deleted || cmd.Start() != nil {
			p.mu.Unlock()
			log.Close()
			return
		}
		p.running = cmd
		p.mu.Unlock()
		cmd.Wait()
		log.Close()
		time.Sleep(100 * time.Millisecond)
	}
}

// delete tells a pod to end, and kills it when its time is over.
func (p *fakePod) delete() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.deleted {
		return
	}
	p.deleted = true
	if p.running == nil {
		return
	}
	process := p.running.Process
	process.Signal(syscall.SIGTERM)
	time.AfterFunc(time.Duration(*p.spec.TerminationGracePeriodSeconds)*time.Second, func() { process.Kill() })
}

// isReady is what the probe says.
func (p *fakePod) isReady(env []string) bool {
	cmd := p.command(p.spec.Containers[0].ReadinessProbe.Exec.Command)
	cmd.Env = env
	return cmd.Run() == nil
}

// lists is what get prints, by the types of Kubernetes itself.
func (c *fakeCluster) lists() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	items := []any{}
	if c.set != nil && c.want > 0 {
		set := c.set.set
		n := int32(c.want)
		set.Kind, set.Spec.Replicas = "StatefulSet", &n
		items = append(items, set)
	}
	for _, p := range c.pods {
		var pod corev1.Pod
		pod.Kind, pod.Name = "Pod", p.name
		p.mu.Lock()
		deleted := p.deleted
		p.mu.Unlock()
		if deleted {
			now := metav1Now()
			pod.DeletionTimestamp = &now
		}
		pod.Spec.NodeName = fmt.Sprintf("machine%d", p.number)
		pod.Status.Phase = corev1.PodRunning
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Ready: p.isReady(c.environment(p))}}
		items = append(items, pod)
	}
	var b bytes.Buffer
	json.NewEncoder(&b).Encode(map[string]any{"items": items})
	return b.String()
}

// logged is what all pods have said.
func (c *fakeCluster) logged() string {
	var all strings.Builder
	names, _ := filepath.Glob(filepath.Join(c.fake, "*.log"))
	for _, name := range names {
		text, _ := os.ReadFile(name)
		fmt.Fprintf(&all, "%s:\n%s", filepath.Base(name), text)
	}
	return all.String()
}
