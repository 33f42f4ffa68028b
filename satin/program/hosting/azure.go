package hosting

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"
)

// azure is Microsoft's.
type azure struct {
	at   string
	name string // of this instance, as events call it

	// Events that had begun when it was asked first, and that the instance comes back from:
	// this process has begun after them, and outlives them.
	outlived map[string]bool
}

// The scheduled events that no process outlives: those that the instance does not come back from,
// and those that it does.
var (
	azureLasts   = []string{"Preempt", "Terminate"}
	azureReturns = []string{"Reboot", "Redeploy"}
)

// azureEvent is one as the metadata tell it.
type azureEvent struct {
	EventID     string `json:"EventId"`
	EventType   string
	EventStatus string
	NotBefore   string
	Resources   []string
}

func (c *azure) String() string { return "Microsoft Azure" }

func (c *azure) fetch(ctx context.Context, what string) (string, error) {
	return fetch(ctx, http.MethodGet, c.at+"/metadata/"+what, map[string]string{"Metadata": "true"})
}

// zone is the region, and of one that has zones which.
func (c *azure) zone(ctx context.Context) (string, error) {
	text, err := c.fetch(ctx, "instance/compute?api-version=2021-02-01")
	if err != nil {
		return "", err
	}
	var about struct{ Name, Location, Zone string }
	if err := json.Unmarshal([]byte(text), &about); err != nil {
		return "", err
	}
	if c.name = about.Name; about.Zone != "" {
		return about.Location + "-" + about.Zone, nil
	}
	return about.Location, nil
}

func (c *azure) every() time.Duration { return noticeEvery }

// notice is the first scheduled event that ends this instance. Events of others of its set are
// told, too.
func (c *azure) notice(ctx context.Context) (first Notice, err error) {
	if c.name == "" {
		if _, err := c.zone(ctx); err != nil {
			return Notice{}, err
		}
	}
	text, err := c.fetch(ctx, "scheduledevents?api-version=2020-07-01")
	if err != nil {
		return Notice{}, err
	}
	var all struct{ Events []azureEvent }
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return Notice{}, err
	}
	if c.outlived == nil {
		c.outlived = map[string]bool{}
		for _, e := range all.Events {
			c.outlived[e.EventID] = e.EventStatus == "Started" && slices.Contains(azureReturns, e.EventType)
		}
	}
	for _, e := range all.Events {
		if !c.ends(e) {
			continue
		}
		at, err := http.ParseTime(e.NotBefore)
		if err != nil {
			at = time.Now() // it has started
		}
		if first.At.IsZero() || at.Before(first.At) {
			first = Notice{at, c.String() + " has scheduled a " + e.EventType + " of this instance"}
		}
	}
	return first, nil
}

// ends tells whether an event ends this process.
func (c *azure) ends(e azureEvent) bool {
	if !slices.Contains(e.Resources, c.name) {
		return false
	}
	return slices.Contains(azureLasts, e.EventType) || slices.Contains(azureReturns, e.EventType) && !c.outlived[e.EventID]
}
