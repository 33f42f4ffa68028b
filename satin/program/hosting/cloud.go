package hosting

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// noticeEvery is how often a cloud is asked whether it takes the instance back. EC2's documentation
// says every 5 s; of the 30 s of the others 2 s are less to lose.
const noticeEvery = 2 * time.Second

// cloud is one whose instances know what they are by a service at a link-local address.
type cloud interface {
	platform
	zone(context.Context) (string, error)
}

// linkLocal is where the clouds' metadata are.
const linkLocal = "http://169.254.169.254"

// azureTag is on the chassis of each of Azure's machines: others run Microsoft's hypervisor, too.
const azureTag = "7783-7084-3265-9085-8269-3286-77"

// xenTag is in the BIOS's version of EC2's older machines, whose vendor is Xen.
const xenTag = "amazon"

// cloudOf is the cloud that this machine is part of, or nil: one whose metadata a variable names,
// or that the firmware does.
func cloudOf(env func(string) string, dmi string) cloud {
	firmware := func(name string) string {
		text, err := os.ReadFile(filepath.Join(dmi, name))
		if err != nil {
			return "" // no such tables
		}
		return strings.TrimSpace(string(text))
	}
	vendor := firmware("sys_vendor")
	at, google := env("AWS_EC2_METADATA_SERVICE_ENDPOINT"), env("GCE_METADATA_HOST")
	switch {
	case at != "":
		return &ec2{at: strings.TrimSuffix(at, "/")}
	case google != "":
		return &gce{at: "http://" + google}
	case vendor == "Amazon EC2", strings.Contains(firmware("bios_version"), xenTag):
		return &ec2{at: linkLocal}
	case vendor == "Google":
		return &gce{at: linkLocal}
	case firmware("chassis_asset_tag") == azureTag:
		return &azure{at: linkLocal}
	}
	return nil
}

// errNone is that there is no such thing in the metadata.
var errNone = errors.New("there is no such thing")

// answerMax bounds what is read of an answer, in bytes.
const answerMax = 64 << 10

// direct asks without a proxy, and nobody else who is named in an answer: the address is the
// machine's own.
var direct = &http.Client{
	Transport:     &http.Transport{MaxIdleConns: 1, IdleConnTimeout: time.Minute},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// fetch asks the metadata service of a cloud.
func fetch(ctx context.Context, method, url string, header map[string]string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, nil)
	if err != nil {
		return "", err
	}
	for name, value := range header {
		r.Header.Set(name, value)
	}
	a, err := direct.Do(r)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(io.LimitReader(a.Body, answerMax))
	switch {
	case err != nil:
		return "", err
	case a.StatusCode == http.StatusNotFound:
		return "", errNone
	case a.StatusCode != http.StatusOK:
		return "", &statusError{url, a.StatusCode}
	}
	return strings.TrimSpace(string(text)), nil
}

// statusError is an answer that is none.
type statusError struct {
	url  string
	code int
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s answers %d %s", e.url, e.code, http.StatusText(e.code))
}
