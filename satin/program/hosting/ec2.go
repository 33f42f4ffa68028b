package hosting

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
)

// ec2 is Amazon's. Requests carry a token, for which one asks first (version 2 of its service).
type ec2 struct {
	at    string
	token string
}

func (c *ec2) String() string { return "Amazon EC2" }

// tokenFor is how long a token is asked for, in seconds: the longest that there is.
const tokenFor = "21600"

// fetch asks with a token, and once more with another where that is over.
func (c *ec2) fetch(ctx context.Context, what string) (text string, err error) {
	for range 2 {
		if c.token == "" {
			if c.token, err = fetch(ctx, http.MethodPut, c.at+"/latest/api/token", map[string]string{"X-aws-ec2-metadata-token-ttl-seconds": tokenFor}); err != nil {
				return "", err
			}
		}
		text, err = fetch(ctx, http.MethodGet, c.at+"/latest/meta-data/"+what, map[string]string{"X-aws-ec2-metadata-token": c.token})
		var status *statusError
		if !errors.As(err, &status) || status.code != http.StatusUnauthorized {
			break
		}
		c.token = ""
	}
	return text, err
}

func (c *ec2) zone(ctx context.Context) (string, error) {
	return c.fetch(ctx, "placement/availability-zone")
}

func (c *ec2) every() time.Duration { return noticeEvery }

// notice is the notice that a spot instance is stopped, hibernated or terminated.
func (c *ec2) notice(ctx context.Context) (Notice, error) {
	text, err := c.fetch(ctx, "spot/instance-action")
	if errors.Is(err, errNone) {
		return Notice{}, nil
	}
	if err != nil {
		return Notice{}, err
	}
	var notice struct {
		Action string    `json:"action"`
		Time   time.Time `json:"time"`
	}
	if err := json.Unmarshal([]byte(text), &notice); err != nil {
		return Notice{}, err
	}
	return Notice{notice.Time, c.String() + " takes this spot instance back (" + notice.Action + ")"}, nil
}
