package control

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// quietLog is a log without times.
func quietLog(b *bytes.Buffer) *slog.Logger {
	return slog.New(slog.NewTextHandler(b, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
}

// TestVoiceKeepsTheOrder: events and lines of the log are said in the order in which they came.
func TestVoiceKeepsTheOrder(t *testing.T) {
	var b bytes.Buffer
	v := newVoice(quietLog(&b), stopped{})
	log := v.logger().With("by", "a/1").WithGroup("g")
	for n := range 3 {
		v.say(func() { fmt.Fprintf(&b, "event %d\n", n) })
		log.Warn("line", "n", n)
	}
	v.end()
	want := ""
	for n := range 3 {
		want += fmt.Sprintf("event %d\nlevel=WARN msg=line by=a/1 g.n=%d\n", n, n)
	}
	if b.String() != want {
		t.Errorf("it said\n%swanted\n%s", &b, want)
	}
}

// TestVoiceIsNotWaitedFor: what listens does not return. What has something to say goes on, what is
// too much is missed and counted, and the end comes.
func TestVoiceIsNotWaitedFor(t *testing.T) {
	var b bytes.Buffer
	v := newVoice(quietLog(&b), hasty{})
	listens, until := make(chan struct{}), make(chan struct{})
	v.say(func() { close(listens); <-until })
	<-listens
	said := 0
	for range saidMax + 7 {
		v.say(func() { said++ })
	}
	v.end()
	close(until)
	<-v.over
	if !strings.HasPrefix(b.String(), "level=WARN msg=\"what listens") || !strings.HasSuffix(b.String(), "missed=7\n") {
		t.Errorf("it said %q", &b)
	}
	if said != saidMax {
		t.Errorf("%d of %d were said in the end", said, saidMax)
	}
}

// TestVoiceOutlastsPanics: what listens panics, and so does the log that is to say so.
func TestVoiceOutlastsPanics(t *testing.T) {
	var b bytes.Buffer
	v := newVoice(quietLog(&b), stopped{})
	v.say(func() { panic("no") })
	v.say(func() { b.WriteString("then\n") })
	v.end()
	if got := b.String(); !strings.HasPrefix(got, "level=ERROR ") || !strings.HasSuffix(got, "panic=no\nthen\n") {
		t.Errorf("it said %q", got)
	}
	v = newVoice(slog.New(panics{}), stopped{})
	v.logger().Warn("one")
	v.say(func() { b.WriteString("after\n") })
	v.end()
	if !strings.HasSuffix(b.String(), "after\n") {
		t.Error("nothing was said after a log that panics")
	}
}

// hasty is a clock by which any time has passed at once.
type hasty struct{ stopped }

func (hasty) AfterFunc(_ time.Duration, do func()) Timer { go do(); return never{} }

// panics is a handler that does.
type panics struct{ slog.Handler }
