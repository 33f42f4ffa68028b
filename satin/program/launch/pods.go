package launch

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// seenPod is what Kubernetes says of a pod, or of their set, as far as it is of use.
type seenPod struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name    string  `json:"name"`
		Deleted *string `json:"deletionTimestamp"`
	} `json:"metadata"`
	Spec struct {
		Replicas *int   `json:"replicas"`
		Machine  string `json:"nodeName"`
	} `json:"spec"`
	Status struct {
		Phase      string          `json:"phase"`
		Message    string          `json:"message"`
		Conditions []seenCondition `json:"conditions"`
		Containers []seenContainer `json:"containerStatuses"`
	} `json:"status"`
}

type seenCondition struct {
	Type    string `json:"type"`
	Status  string `json:"status"`
	Message string `json:"message"`
}

type seenContainer struct {
	Ready bool       `json:"ready"`
	State seenStates `json:"state"`
	Last  seenStates `json:"lastState"`
}

type seenStates struct {
	Waiting *struct {
		Reason  string `json:"reason"`
		Message string `json:"message"`
	} `json:"waiting"`
	Terminated *struct {
		Code    int    `json:"exitCode"`
		Message string `json:"message"`
	} `json:"terminated"`
}

// List tells how they stand.
func (k *byKubernetes) List(ctx context.Context, l *Launch, tell func(Standing)) error {
	found, wanted, err := k.pods(ctx, l)
	if err != nil {
		return err
	}
	for _, n := range l.all() {
		is, has := found[n]
		switch {
		case has:
		case n <= wanted:
			is = standing(n, l.Pods.String(), Pending, "Kubernetes is about to start it")
		default:
			is = standing(n, l.Pods.String(), Ended, "")
		}
		tell(is)
	}
	return nil
}

// Stop has Kubernetes end all, or the last ones: any other would be started again.
func (k *byKubernetes) Stop(ctx context.Context, l *Launch, nodes []int, _ bool, tell func(Standing)) error {
	if !l.Pods.Asked {
		for _, n := range nodes {
			tell(standing(n, l.Pods.String(), Ended, ""))
		}
		return nil
	}
	stay := l.Nodes - len(nodes)
	if stay > 0 && slices.Min(nodes) <= stay {
		return console.Usage("Kubernetes would start %s/%d again: stop the last nodes, or all", l.Name, slices.Min(nodes))
	}
	words := []string{"scale", "statefulset", l.Name, fmt.Sprintf("--replicas=%d", stay)}
	if stay == 0 {
		words = []string{"delete", "statefulset,poddisruptionbudget,service,secret", "--selector=" + instanceLabel + "=" + l.Name, "--wait=false"}
	}
	if _, err := k.kubectl(ctx, l, "", words...); err != nil {
		return err
	}
	late := time.Now().Add(l.grace() + leaveReserve + endMax)
	for {
		found, _, err := k.pods(ctx, l)
		if err != nil {
			return err
		}
		left := slices.ContainsFunc(nodes, func(n int) bool { _, is := found[n]; return is })
		if left && time.Now().Before(late) {
			select {
			case <-time.After(endEvery):
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		for _, n := range nodes {
			is, has := found[n]
			if !has {
				is = standing(n, l.Pods.String(), Ended, "")
			}
			tell(is)
		}
		return nil
	}
}

// pods are those that there are, by their numbers, and how many Kubernetes is to keep.
func (k *byKubernetes) pods(ctx context.Context, l *Launch) (found map[int]Standing, wanted int, err error) {
	out, err := k.kubectl(ctx, l, "", "get", "statefulsets,pods", "--selector="+instanceLabel+"="+l.Name, "--output=json")
	if err != nil {
		return nil, 0, err
	}
	var all struct {
		Items []seenPod `json:"items"`
	}
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		return nil, 0, fmt.Errorf("kubectl get: %w", err)
	}
	found = map[int]Standing{}
	for _, p := range all.Items {
		if p.Kind == "StatefulSet" {
			if p.Spec.Replicas != nil && p.Metadata.Deleted == nil {
				wanted = *p.Spec.Replicas
			}
			continue
		}
		number, own := strings.CutPrefix(p.Metadata.Name, l.Name+"-")
		if n, err := strconv.Atoi(number); own && err == nil && n >= 1 && n <= l.Nodes {
			found[n] = p.standing(n)
		}
	}
	return found, wanted, nil
}

// standing is how the node of a pod stands.
func (p *seenPod) standing(n int) Standing {
	is := standing(n, p.Spec.Machine, Starting, "")
	if is.Where == "" {
		is.Where = "no machine yet"
	}
	var c seenContainer
	if len(p.Status.Containers) > 0 {
		c = p.Status.Containers[0]
	}
	switch {
	case p.Metadata.Deleted != nil:
		is.State = Leaving
	case p.Status.Phase == "Running" && c.Ready:
		is.State, is.Said = Here, "pod "+p.Metadata.Name
	case p.Status.Phase == "Running":
		is.Said = c.why()
	case p.Status.Phase == "Pending":
		is.State, is.Said = Pending, c.why()
		for _, said := range p.Status.Conditions {
			if said.Type == "PodScheduled" && said.Status != "True" {
				is.Said = wording.LastLine(said.Message)
			}
		}
	default: // another takes its place
		is.State, is.Said = Pending, wording.LastLine(p.Status.Message)
	}
	return is
}

// why is why a container does not run, or is not ready: its own last word says most.
func (c *seenContainer) why() string {
	last := c.State.Terminated
	if last == nil {
		last = c.Last.Terminated
	}
	switch w := c.State.Waiting; {
	case last != nil && last.Message != "":
		return wording.LastLine(last.Message)
	case last != nil:
		return fmt.Sprintf("it has ended with exit code %d, and is started again", last.Code)
	case w != nil && w.Message != "":
		return wording.LastLine(w.Message)
	case w != nil:
		return w.Reason
	}
	return ""
}
