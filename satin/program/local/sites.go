package local

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limits of what is started on one machine; a mistyped number must not bring it down.
const (
	PeersMax   = 64
	WorkersMax = 4096
	NameMax    = 32
)

// Site is what one site starts with.
type Site struct {
	Name    string
	Peers   int
	Workers int // of each peer
}

// String is the site as people write it.
func (s Site) String() string {
	if s.Workers == 1 {
		return fmt.Sprintf("%s:%d", s.Name, s.Peers)
	}
	return fmt.Sprintf("%s:%dx%d", s.Name, s.Peers, s.Workers)
}

// ParseSites reads sites such as a:2,b:2x4: two peers at a of one worker each, two at b of four.
func ParseSites(text string) ([]Site, error) {
	var sites []Site
	seen, total := map[string]bool{}, 0
	for word := range strings.SplitSeq(text, ",") {
		s, err := ParseSite(word)
		if err != nil {
			return nil, err
		}
		if seen[s.Name] {
			return nil, fmt.Errorf("site %s is there twice", s.Name)
		}
		seen[s.Name] = true
		if total += s.Peers; total > PeersMax {
			return nil, fmt.Errorf("more than %d peers: that is too many for one machine", PeersMax)
		}
		sites = append(sites, s)
	}
	return sites, nil
}

// ParseSite reads one site: its name, and after a colon how many peers, 1 where nothing is said,
// and after an x how many workers each has.
func ParseSite(text string) (Site, error) {
	name, count, given := strings.Cut(strings.TrimSpace(text), ":")
	s := Site{Name: name, Peers: 1, Workers: 1}
	if err := CheckName(name); err != nil {
		return s, err
	}
	if !given {
		return s, nil
	}
	peers, workers, each := strings.Cut(count, "x")
	var err error
	if s.Peers, err = strconv.Atoi(peers); err != nil || s.Peers < 1 || s.Peers > PeersMax {
		return s, fmt.Errorf("%q: a number of peers from 1 to %d is expected after the colon, as in a:2", text, PeersMax)
	}
	if each {
		if s.Workers, err = strconv.Atoi(workers); err != nil || s.Workers < 1 || s.Workers > WorkersMax {
			return s, fmt.Errorf("%q: a number of workers from 1 to %d is expected after the x, as in a:2x4", text, WorkersMax)
		}
	}
	return s, nil
}

// reserved are words that mean something else in a chaos script.
var reserved = map[string]bool{"any": true, "master": true}

// CheckName says what is wrong with the name of a site.
func CheckName(name string) error {
	if name == "" || len(name) > NameMax {
		return fmt.Errorf("%q is no name of a site: 1 to %d letters, digits, - and _ are expected", name, NameMax)
	}
	for _, c := range name {
		if !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_", c) {
			return fmt.Errorf("%q is no name of a site: letters, digits, - and _ are expected", name)
		}
	}
	if reserved[name] {
		return fmt.Errorf("a site cannot be called %q: the word means something else in a chaos script", name)
	}
	return nil
}

// Distance is what lies between two sites, one way.
type Distance struct {
	Delay time.Duration `json:"delay"`
	Rate  int64         `json:"rate,omitempty"` // bytes a second; 0: as much as there is
}

// Bounds of a distance: an hour is farther than any test needs, a terabit more than any link has.
const (
	delayMax = time.Hour
	rateMax  = 1e12
)

// rateUnits are units of a rate in bits a second.
var rateUnits = []struct {
	name string
	bits float64
}{{"Gbit", 1e9}, {"Mbit", 1e6}, {"kbit", 1e3}, {"bit", 1}}

// ParseDistance reads a distance such as 20ms or 20ms,50Mbit.
func ParseDistance(text string) (Distance, error) {
	delay, rate, limited := strings.Cut(text, ",")
	var d Distance
	var err error
	if d.Delay, err = time.ParseDuration(delay); err != nil || d.Delay < 0 || d.Delay > delayMax {
		return d, fmt.Errorf("%q: a delay is expected, and a rate if you like, as in 20ms or 20ms,50Mbit", text)
	}
	if !limited {
		return d, nil
	}
	if d.Rate, err = ParseRate(rate); err != nil {
		return d, fmt.Errorf("%q: a rate in kbit, Mbit or Gbit a second is expected after the comma, as in 50Mbit", text)
	}
	return d, nil
}

// ParseRate reads how many bits pass in a second, such as 50Mbit, and tells that in bytes.
func ParseRate(text string) (int64, error) {
	for _, u := range rateUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		bits, err := strconv.ParseFloat(number, 64)
		if err != nil || !(bits*u.bits >= 8 && bits*u.bits <= rateMax) {
			break
		}
		return int64(bits * u.bits / 8), nil
	}
	return 0, fmt.Errorf("%q is no rate: one in kbit, Mbit or Gbit a second is expected, such as 50Mbit", text)
}
