package forecast

import (
	"fmt"
	"math"
	"time"
)

// String is the interval as people say it: "2 to 4 min left". It is rounded outwards.
func (l Interval) String() string { return l.Words() + " left" }

// Words is the interval alone: "2 to 4 min".
func (l Interval) Words() string { return l.words(" to ") }

// Brief is the same where there is little room: "2-4 min".
func (l Interval) Brief() string { return l.words("-") }

func (l Interval) words(to string) string {
	unit, name := unitOf(l.Most)
	least, most := math.Floor(float64(l.Least)/float64(unit)), math.Ceil(float64(l.Most)/float64(unit))
	if most <= 1 {
		return fmt.Sprintf("under 1 %s", name)
	}
	if least == 0 && l.Least >= time.Second { // in units of its own, it says something
		unit, small := unitOf(l.Least)
		return fmt.Sprintf("%.0f %s%s%.0f %s", math.Floor(float64(l.Least)/float64(unit)), small, to, most, name)
	}
	return fmt.Sprintf("%.0f%s%.0f %s", least, to, most, name)
}

// unitOf is what a duration of that size is counted in.
func unitOf(d time.Duration) (time.Duration, string) {
	const day = 24 * time.Hour
	switch {
	case d <= 2*time.Minute:
		return time.Second, "s"
	case d <= 2*time.Hour:
		return time.Minute, "min"
	case d <= 2*day:
		return time.Hour, "h"
	}
	return day, "days"
}
