package hosting

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"satingrid/satin/program/local"
)

// Place is where a node runs, as far as anything tells. The zero value is nowhere in particular.
type Place struct {
	Is      string // in words: what it is; empty where nothing tells
	Site    string // a site's name for it; empty where nothing tells
	Workers int    // the cores that the node was given; 0 where nothing tells

	// Ends is told when the node has to be gone, each time that this changes; nil: nobody is
	Ends func(Notice)

	platforms []platform // who may end it
}

// platform is what may end nodes.
type platform interface {
	fmt.Stringer
	// notice is when the node has to be gone, as far as is known now.
	notice(ctx context.Context) (Notice, error)
	every() time.Duration // how often to ask; 0: until it answers, and when it is due
}

// askMax is how long one that is asked may take to answer.
const askMax = 2 * time.Second

// Look finds out where this process runs. A cloud that does not answer takes it some seconds.
func Look(ctx context.Context) Place {
	return look(ctx, os.Getenv, "/sys/class/dmi/id")
}

func look(ctx context.Context, env func(string) string, dmi string) (p Place) {
	if s := slurmOf(env); s != nil {
		p.Is, p.Site, p.Workers = s.String(), s.site(), min(s.workers(), runtime.GOMAXPROCS(0))
		p.platforms = append(p.platforms, s)
	}
	if is := podOf(env); is != "" {
		p.Is = onto(p.Is, is)
		if zone := siteNamed(env(zoneVariable)); p.Site == "" {
			p.Site = zone
		}
	}
	if c := cloudOf(env, dmi); c != nil {
		zone, err := zoneOf(ctx, c)
		is := "an instance of " + c.String()
		switch {
		case err != nil:
			is += fmt.Sprintf(", whose metadata cannot be asked for its zone (%v)", err)
		case zone == "" || siteNamed(zone) != zone:
			is += fmt.Sprintf(", whose metadata say %.40q for its zone, which cannot be a site", zone)
		default:
			is += " in " + zone
			if p.Site == "" {
				p.Site = zone
			}
		}
		p.Is = onto(p.Is, is)
		p.platforms = append(p.platforms, c)
	}
	return p
}

// onto is what a place is, and what that is on.
func onto(is, on string) string {
	if is == "" {
		return on
	}
	return is + ", on " + on
}

// A cloud is asked for the zone so often, with a rest in between: it is asked before the node is
// opened, so a site that is found later would come too late.
const (
	zoneAsks = 3
	zoneRest = 500 * time.Millisecond
)

// zoneOf is the zone that a cloud names.
func zoneOf(ctx context.Context, c cloud) (string, error) {
	for n := 1; ; n++ {
		zone, err := ask(ctx, c.zone)
		if err == nil || errors.Is(err, errNone) || n == zoneAsks {
			return zone, err
		}
		select {
		case <-time.After(zoneRest):
		case <-ctx.Done():
			return "", err
		}
	}
}

// ask asks one who may not answer.
func ask[T any](ctx context.Context, one func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, askMax)
	defer cancel()
	return one(ctx)
}

// siteNamed makes a site's name of parts that were called something by others; empty when it cannot
// be one.
func siteNamed(parts ...string) string {
	name := strings.Map(func(c rune) rune {
		if c < 128 && (c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return c
		}
		return '-'
	}, strings.Join(parts, "-"))
	name = name[max(0, len(name)-local.NameMax):] // its end tells most
	if name = strings.Trim(name, "-"); local.CheckName(name) != nil {
		return ""
	}
	return name
}
