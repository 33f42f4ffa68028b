package hosting

import (
	"context"
	"net/http"
	"path"
	"time"
)

// gce is Google's.
type gce struct {
	at    string
	taken time.Time // when the notice was seen first: it says no time
}

// gceNotice is how long after its notice an instance is stopped.
const gceNotice = 30 * time.Second

func (c *gce) String() string { return "Google Compute Engine" }

func (c *gce) fetch(ctx context.Context, what string) (string, error) {
	return fetch(ctx, http.MethodGet, c.at+"/computeMetadata/v1/instance/"+what, map[string]string{"Metadata-Flavor": "Google"})
}

// zone is the last of projects/NUMBER/zones/ZONE.
func (c *gce) zone(ctx context.Context) (string, error) {
	text, err := c.fetch(ctx, "zone")
	if err != nil {
		return "", err
	}
	return path.Base(text), nil
}

func (c *gce) every() time.Duration { return noticeEvery }

// notice is the notice that the instance is preempted.
func (c *gce) notice(ctx context.Context) (Notice, error) {
	text, err := c.fetch(ctx, "preempted")
	if err != nil || text != "TRUE" {
		return Notice{}, err
	}
	if c.taken.IsZero() {
		c.taken = time.Now()
	}
	return Notice{c.taken.Add(gceNotice), c.String() + " preempts this instance"}, nil
}
