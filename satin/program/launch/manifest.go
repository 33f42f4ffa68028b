package launch

import (
	"fmt"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"satingrid/satin/program/node"
)

// The manifests of Kubernetes, as far as launch has a use for them. Its own types would be right
// as well, and bring thirty packages; a test decodes all that is written into those.

type meta struct {
	Name      string            `json:"name,omitempty"`
	Namespace string            `json:"namespace,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
}

type manifest struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   meta   `json:"metadata"`
	// of a Secret
	StringData map[string]string `json:"stringData,omitempty"`
	Spec       any               `json:"spec,omitempty"`
}

type selector struct {
	MatchLabels map[string]string `json:"matchLabels"`
}

type serviceSpec struct {
	ClusterIP                string            `json:"clusterIP"`
	PublishNotReadyAddresses bool              `json:"publishNotReadyAddresses"`
	Selector                 map[string]string `json:"selector"`
	Ports                    []servicePort     `json:"ports"`
}

type servicePort struct {
	Name string `json:"name"`
	Port int    `json:"port"`
}

type disruptionSpec struct {
	MaxUnavailable int      `json:"maxUnavailable"`
	Selector       selector `json:"selector"`
}

type setSpec struct {
	ServiceName         string      `json:"serviceName"`
	Replicas            int         `json:"replicas"`
	Ordinals            ordinals    `json:"ordinals"`
	PodManagementPolicy string      `json:"podManagementPolicy"`
	Selector            selector    `json:"selector"`
	Template            podTemplate `json:"template"`
}

type ordinals struct {
	Start int `json:"start"`
}

type podTemplate struct {
	Metadata meta    `json:"metadata"`
	Spec     podSpec `json:"spec"`
}

type podSpec struct {
	TerminationGracePeriodSeconds int           `json:"terminationGracePeriodSeconds"`
	AutomountServiceAccountToken  bool          `json:"automountServiceAccountToken"`
	EnableServiceLinks            bool          `json:"enableServiceLinks"`
	SecurityContext               podSecurity   `json:"securityContext"`
	Containers                    []container   `json:"containers"`
	Volumes                       []emptyVolume `json:"volumes"`
}

type podSecurity struct {
	RunAsNonRoot   bool    `json:"runAsNonRoot"`
	RunAsUser      int     `json:"runAsUser"`
	RunAsGroup     int     `json:"runAsGroup"`
	FSGroup        int     `json:"fsGroup"`
	SeccompProfile profile `json:"seccompProfile"`
}

type profile struct {
	Type string `json:"type"`
}

type container struct {
	Name                     string            `json:"name"`
	Image                    string            `json:"image"`
	Command                  []string          `json:"command"`
	Env                      []variable        `json:"env"`
	Ports                    []containerPort   `json:"ports"`
	Resources                resources         `json:"resources"`
	ReadinessProbe           readiness         `json:"readinessProbe"`
	SecurityContext          containerSecurity `json:"securityContext"`
	TerminationMessagePolicy string            `json:"terminationMessagePolicy"`
	VolumeMounts             []mount           `json:"volumeMounts"`
}

type variable struct {
	Name      string  `json:"name"`
	Value     string  `json:"value,omitempty"`
	ValueFrom *source `json:"valueFrom,omitempty"`
}

type source struct {
	SecretKeyRef *secretKey `json:"secretKeyRef,omitempty"`
	FieldRef     *field     `json:"fieldRef,omitempty"`
}

type secretKey struct {
	Name string `json:"name"`
	Key  string `json:"key"`
}

type field struct {
	FieldPath string `json:"fieldPath"`
}

type containerPort struct {
	Name          string `json:"name"`
	ContainerPort int    `json:"containerPort"`
}

type resources struct {
	Requests map[string]string `json:"requests"`
	Limits   map[string]string `json:"limits"`
}

type readiness struct {
	Exec           probeCommand `json:"exec"`
	PeriodSeconds  int          `json:"periodSeconds"`
	TimeoutSeconds int          `json:"timeoutSeconds"`
}

type probeCommand struct {
	Command []string `json:"command"`
}

type containerSecurity struct {
	AllowPrivilegeEscalation bool         `json:"allowPrivilegeEscalation"`
	ReadOnlyRootFilesystem   bool         `json:"readOnlyRootFilesystem"`
	Capabilities             capabilities `json:"capabilities"`
}

type capabilities struct {
	Drop []string `json:"drop"`
}

type mount struct {
	Name      string `json:"name"`
	MountPath string `json:"mountPath"`
}

type emptyVolume struct {
	Name     string   `json:"name"`
	EmptyDir emptyDir `json:"emptyDir"`
}

type emptyDir struct {
	SizeLimit string `json:"sizeLimit"`
}

const (
	instanceLabel = "app.kubernetes.io/instance"
	zoneLabel     = "topology.kubernetes.io/zone"
	ticketKey     = "ticket" // in the Secret
	portName      = "grid"

	// stateMount is where a pod may write. Whoever made it lets everybody, so the state folder
	// is one below, which the node makes.
	stateMount = "/state"
	// stateMost is twice what a node stores if nothing else was said.
	stateMost = "2Gi"

	// nobodyID is a user and a group that no image and no machine has.
	nobodyID = 65532

	// probeEvery is how often a pod is asked whether it is in: each time a process starts,
	// which takes some hundredths of a second of a core.
	probeEvery   = 15 * time.Second
	probeTimeout = 5 * time.Second

	// leaveReserve is how long a pod has beyond a leave, to end.
	leaveReserve = 10 * time.Second
)

// labels tell what is of a launch.
func (l *Launch) labels() map[string]string {
	return map[string]string{"app.kubernetes.io/name": "satin", "app.kubernetes.io/managed-by": "satin-launch", instanceLabel: l.Name}
}

// object is one of the things that a launch is made of.
func (l *Launch) object(api, kind string, spec any) manifest {
	return manifest{APIVersion: api, Kind: kind, Metadata: meta{l.Name, l.Pods.Namespace, l.labels()}, Spec: spec}
}

// manifests are all of a launch. All have its name.
func (k *byKubernetes) manifests(l *Launch) []manifest {
	only := map[string]string{instanceLabel: l.Name}
	secret := l.object("v1", "Secret", nil)
	secret.StringData = map[string]string{ticketKey: l.ticket}
	return []manifest{
		secret,
		l.object("v1", "Service", serviceSpec{
			// nodes look for each other before they are in, and ready
			ClusterIP: "None", PublishNotReadyAddresses: true, Selector: only,
			Ports: []servicePort{{portName, node.Port}},
		}),
		l.object("policy/v1", "PodDisruptionBudget", disruptionSpec{MaxUnavailable: 1, Selector: selector{only}}),
		l.object("apps/v1", "StatefulSet", setSpec{
			ServiceName: l.Name, Replicas: l.Nodes, Ordinals: ordinals{1}, PodManagementPolicy: "Parallel", Selector: selector{only},
			Template: podTemplate{Metadata: meta{Labels: l.labels()}, Spec: k.pod(l)},
		}),
	}
}

// pod is what each node runs in.
func (k *byKubernetes) pod(l *Launch) podSpec {
	room := map[string]string{"cpu": fmt.Sprint(l.Pods.CPUs), "memory": l.Pods.Memory}
	program := "/" + k.con.Name
	words := []string{program, "node", "--auto", "--join", fmt.Sprintf("/dns/%s/tcp/%d", l.Name, node.Port)}
	if !says(l.Flags, "grace") {
		words = append(words, "--grace", graceUsual.String())
	}
	if l.Site != "" {
		words = append(words, "--site", l.Site)
	}
	words = append(words, l.Flags...)
	for n, word := range words {
		words[n] = literal(word)
	}
	return podSpec{
		TerminationGracePeriodSeconds: int((l.grace() + leaveReserve + time.Second - 1) / time.Second),
		SecurityContext:               podSecurity{true, nobodyID, nobodyID, nobodyID, profile{"RuntimeDefault"}},
		Containers: []container{{
			Name: "node", Image: l.Pods.Image, Command: words,
			Env: []variable{
				{Name: k.ticketVariable(), ValueFrom: &source{SecretKeyRef: &secretKey{l.Name, ticketKey}}},
				{Name: "XDG_STATE_HOME", Value: stateMount},
				{Name: "POD_ZONE", ValueFrom: &source{FieldRef: &field{"metadata.labels['" + zoneLabel + "']"}}},
			},
			Ports:     []containerPort{{portName, node.Port}},
			Resources: resources{room, room},
			ReadinessProbe: readiness{
				Exec: probeCommand{[]string{program, "status"}}, PeriodSeconds: int(probeEvery.Seconds()), TimeoutSeconds: int(probeTimeout.Seconds()),
			},
			SecurityContext:          containerSecurity{false, true, capabilities{[]string{"ALL"}}},
			TerminationMessagePolicy: "FallbackToLogsOnError",
			VolumeMounts:             []mount{{"state", stateMount}},
		}},
		Volumes: []emptyVolume{{"state", emptyDir{stateMost}}},
	}
}

// literal is a word of a command as Kubernetes takes it: $(NAME) would be a variable's value there.
func literal(word string) string { return strings.ReplaceAll(word, "$", "$$") }

// Script writes the manifests.
func (k *byKubernetes) Script(l *Launch) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s of %s: kubectl apply -f THIS. It holds a grid's secret: keep it to yourself.\n", nodesOf(l), k.con.Name)
	fmt.Fprintf(&b, "# A node leaves at SIGTERM, within %v, and another pod takes the place of one that was evicted.\n", l.grace())
	b.WriteString("# kubectl delete -f THIS ends them, and kubectl scale statefulset changes how many there are.\n")
	for n, m := range k.manifests(l) {
		text, err := yaml.Marshal(m)
		if err != nil {
			panic("launch: BUG: " + err.Error())
		}
		if n > 0 {
			b.WriteString("---\n")
		}
		b.Write(text)
	}
	return b.String()
}
