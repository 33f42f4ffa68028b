package hosting

import (
	"context"
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

	hosts []host // who may end it
}

// host ends nodes.
type host interface {
	// notice is when the node has to be gone, as far as is known now.
	notice(ctx context.Context) (Notice, error)
	every() time.Duration // how often to ask; 0: at the start, and when it is due
}

// askMax is how long one that is asked may take to answer.
const askMax = 2 * time.Second

// Look finds out where this process runs. It takes [askMax] for each who is asked and does not
// answer.
func Look(ctx context.Context) Place {
	return look(ctx, os.Getenv, "/sys/class/dmi/id")
}

func look(ctx context.Context, env func(string) string, dmi string) (p Place) {
	if s := slurmOf(env); s != nil {
		p.Is, p.Site, p.Workers = s.String(), s.site(), min(s.workers(), runtime.GOMAXPROCS(0))
		p.hosts = append(p.hosts, s)
	}
	if c := cloudOf(env, dmi); c != nil {
		zone, err := ask(ctx, c.zone)
		switch {
		case err != nil:
			zone = fmt.Sprintf("an instance of %s, whose metadata cannot be asked for its zone (%v)", c, err)
		case p.Site == "":
			p.Site = siteNamed(zone)
			fallthrough
		default:
			zone = fmt.Sprintf("an instance of %s in %s", c, zone)
		}
		if p.Is != "" {
			p.Is += ", on "
		}
		p.Is += zone
		p.hosts = append(p.hosts, c)
	}
	return p
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
