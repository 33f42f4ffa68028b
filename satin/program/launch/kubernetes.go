package launch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/node"
	"satingrid/satin/ticket"
)

const (
	// graceUsual is how long a leave in a pod may take if nothing else is said.
	graceUsual = 20 * time.Second

	// graceMost bounds what may be said: no drain of a machine waits for longer.
	graceMost = time.Hour

	// cpusMax and memoryUsual are about the room of one node.
	cpusMax     = 1024
	memoryUsual = "2Gi"

	// requestMax is how long Kubernetes may take to answer one request.
	requestMax = 30 * time.Second
)

// Pods are the nodes of a launch in a cluster of Kubernetes, one in each.
type Pods struct {
	// which cluster, as kubectl calls it; "": the one that it is in
	Context   string `json:"context,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Image     string `json:"image"`
	CPUs      int    `json:"cpus"`   // of each
	Memory    string `json:"memory"` // of each
	Asked     bool   `json:"asked"`  // for them: there may be some
}

func kubernetesCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "kubernetes", Usage: "start nodes as pods of Kubernetes", ArgsUsage: "[-- NODE FLAGS]",
		Description: `Has kubectl make a StatefulSet of pods, each of which is a node: its site is the zone of its machine, if that is known, and
its workers are the cores of --cpus. One that is evicted leaves in order, and another takes its place. --image has this
executable as /` + con.Name + `: docs/Containerfile makes one. The nodes begin a grid, or join that of --join, whose ticket
goes by a Secret. What stands after -- are more flags of ` + con.Name + ` node. --print writes the manifests, with the
Secret; kubectl apply takes them as they are.`,
		Flags: flagsOf(con, "the grid that `TICKET` leads to, instead of one of their own: a file, a folder of tickets, - or an address",
			nodesFlag("how many pods"),
			&cli.StringFlag{Name: "image", Usage: "`IMAGE` with this executable, as the cluster pulls it"},
			&cli.StringFlag{Name: "namespace", Usage: "`NAME` of the namespace", DefaultText: "kubectl's"},
			&cli.StringFlag{Name: "context", Usage: "`NAME` of the cluster, as kubectl knows it", DefaultText: "kubectl's"},
			&cli.IntFlag{Name: "cpus", Value: 2, Usage: "cores of each"},
			&cli.StringFlag{Name: "memory", Value: memoryUsual, Usage: "`SIZE` of each, as Kubernetes takes it"},
		),
		Action: func(c *cli.Context) error {
			l, err := newPods(con, c)
			if err != nil {
				return err
			}
			return start(con, c, l)
		},
	}
}

var (
	imageWord     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:@-]*$`)
	namespaceWord = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	memoryWord    = regexp.MustCompile(`^[1-9][0-9]*(Ki|Mi|Gi|Ti|k|M|G|T)?$`)
)

// newPods is a launch by Kubernetes as the flags have it.
func newPods(con *console.Console, c *cli.Context) (*Launch, error) {
	l, err := newLaunch(con, c, kubernetesWord)
	if err != nil {
		return nil, err
	}
	p := &Pods{Context: c.String("context"), Namespace: c.String("namespace"), Image: c.String("image"), CPUs: c.Int("cpus"), Memory: c.String("memory")}
	l.Pods = p
	_, none := exec.LookPath("kubectl")
	switch {
	case p.Image == "":
		return nil, console.Usage("launch kubernetes needs --image IMAGE, which has this executable as /%s: docs/Containerfile makes one", con.Name)
	case !imageWord.MatchString(p.Image):
		return nil, console.Usage("--image is %q: an image is expected, such as registry.example/%s:1", p.Image, con.Name)
	case p.Namespace != "" && !namespaceWord.MatchString(p.Namespace):
		return nil, console.Usage("--namespace is %q: small letters, digits and - are expected", p.Namespace)
	case strings.HasPrefix(p.Context, "-"):
		return nil, console.Usage("--context is %q: a name is expected, as kubectl config get-contexts lists them", p.Context)
	case p.CPUs < 1 || p.CPUs > cpusMax:
		return nil, console.Usage("--cpus is %d: 1 to %d is expected", p.CPUs, cpusMax)
	case !memoryWord.MatchString(p.Memory):
		return nil, console.Usage("--memory is %q: a size is expected, such as %s", p.Memory, memoryUsual)
	case says(l.Flags, "grace") && (l.grace() <= 0 || l.grace() > graceMost):
		return nil, console.Usage("--grace after --: a duration of up to %v is expected", graceMost)
	case none != nil && !c.Bool("print"):
		return nil, &noCommand{"kubectl", "install it, or give --print"}
	}
	return l, l.admit(con, c)
}

// admit gives a launch the ticket of the grid that its nodes join: the one given, or that of a new
// grid, which names nobody.
func (l *Launch) admit(con *console.Console, c *cli.Context) error {
	join := c.String("join")
	if join == "" && os.Getenv(node.TicketVariable(con)) == "" {
		t, err := ticket.New("")
		if err == nil {
			l.grid = t.Grid
			l.ticket, err = t.Encode()
		}
		return err
	}
	w, err := node.WhereJoined(con, join, c.String("state"))
	if err != nil {
		return err
	}
	return l.invitedTo(w, join)
}

// grace is how long a leave of its nodes may take; 0 where the flags make no sense.
func (l *Launch) grace() time.Duration {
	for n, word := range l.Flags {
		name, value, has := strings.Cut(strings.TrimLeft(word, "-"), "=")
		if name == word || name != "grace" {
			continue
		}
		if !has && n+1 < len(l.Flags) {
			value = l.Flags[n+1]
		}
		d, _ := time.ParseDuration(value)
		return d
	}
	return graceUsual
}

// byKubernetes launches nodes as pods.
type byKubernetes struct{ con *console.Console }

func (k *byKubernetes) ticketVariable() string { return node.TicketVariable(k.con) }

// Start also writes down which cluster that is: what kubectl means by it may be another later.
func (k *byKubernetes) Start(ctx context.Context, l *Launch, tell func(Standing)) error {
	err := k.settle(ctx, l)
	if err == nil {
		err = k.allowed(ctx, l)
	}
	if err != nil {
		return err
	}
	l.Pods.Asked = true
	if err := l.save(); err != nil {
		return err
	}
	_, err = k.kubectl(ctx, l, k.Script(l), "create", "--filename=-", "--output=name")
	var said *saidError
	var none *noCommand
	switch {
	case errors.As(err, &said), errors.As(err, &none):
		return err
	case err != nil: // kubectl was ended, and its request may be on its way
		return &unsure{err}
	}
	tell(Standing{First: 1, Last: l.Nodes, Where: l.Pods.String(), State: Pending, Said: "created"})
	return nil
}

// String is where the pods are, for people.
func (p *Pods) String() string {
	if p.Namespace == "" {
		return "the cluster"
	}
	return "namespace " + p.Namespace
}

// settle finds out which cluster and which namespace is meant where nothing was said. In a pod
// without a configuration kubectl has neither.
func (k *byKubernetes) settle(ctx context.Context, l *Launch) error {
	out, err := k.kubectl(ctx, l, "", "config", "view", "--minify", "--output=json")
	var said *saidError
	if errors.As(err, &said) && l.Pods.Context == "" {
		return nil
	}
	if err != nil {
		return err
	}
	var config struct {
		Current  string `json:"current-context"`
		Contexts []struct {
			Context struct {
				Namespace string `json:"namespace"`
			} `json:"context"`
		} `json:"contexts"`
	}
	if err := json.Unmarshal([]byte(out), &config); err != nil {
		return fmt.Errorf("kubectl config view: %w", err)
	}
	if l.Pods.Context == "" {
		l.Pods.Context = config.Current
	}
	if l.Pods.Namespace == "" {
		l.Pods.Namespace = "default"
		if len(config.Contexts) > 0 && config.Contexts[0].Context.Namespace != "" {
			l.Pods.Namespace = config.Contexts[0].Context.Namespace
		}
	}
	return nil
}

// allowed asks whether that cluster is there, and lets whoever types this make pods.
func (k *byKubernetes) allowed(ctx context.Context, l *Launch) error {
	out, err := k.kubectl(ctx, l, "", "auth", "can-i", "create", "statefulsets.apps")
	if strings.HasPrefix(out, "no") {
		return fmt.Errorf("you may not make a StatefulSet in %s: ask whoever looks after the cluster", l.Pods)
	}
	return err
}

// kubectl has kubectl do something in a launch's cluster.
func (k *byKubernetes) kubectl(ctx context.Context, l *Launch, in string, words ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, tellMax, fmt.Errorf("kubectl %s has not ended within %v", words[0], tellMax))
	defer cancel()
	all := append([]string{"kubectl"}, l.Pods.words()...)
	out, err := execute(ctx, strings.NewReader(in), withoutTicket(k.con), append(append(all, fmt.Sprintf("--request-timeout=%v", requestMax)), words...)...)
	if errors.Is(err, exec.ErrNotFound) {
		return "", &noCommand{"kubectl", "type this where it is"}
	}
	return out, err
}

// words tell kubectl which cluster.
func (p *Pods) words() (words []string) {
	if p.Context != "" {
		words = append(words, "--context="+p.Context)
	}
	if p.Namespace != "" {
		words = append(words, "--namespace="+p.Namespace)
	}
	return words
}

// inside is what runs something on a grid of its own: nobody outside of the cluster reaches that.
func (l *Launch) inside(name string) string {
	words := append(append([]string{"kubectl"}, l.Pods.words()...), "exec", l.Name+"-1", "--", "/"+name, "run")
	return fmt.Sprintf("%s … --join %s", quotedAll(words), quoted(fmt.Sprintf("%s/%s/%s.ticket", stateMount, name, l.grid)))
}
