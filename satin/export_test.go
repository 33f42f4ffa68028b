package satin

// Inside the package: it opens what tests of package satin_test need.

import (
	"reflect"
	"testing"
	"time"

	"satingrid/satin/build"
	"satingrid/steal"
)

// OpenRecording opens a peer alone whose workers keep finished parts, as those of a grid's peers
// do, at ticks so far apart; 0 is as far as there.
func OpenRecording(t testing.TB, workers int, tick time.Duration, app App) *Peer {
	t.Helper()
	tasks, err := newRegistry(app)
	if err != nil {
		t.Fatal(err)
	}
	p := &Peer{app: tasks, pool: newPool(poolConfig{workers: workers, name: "here", app: tasks, outside: nobody{}, recording: true, period: tick})}
	t.Cleanup(func() { p.Close() })
	return p
}

// IsChoosing tells whether values of a run of a peer that is alone may depend on timing.
func IsChoosing[R any](sub *Submission[R]) bool { return sub.asked.(*run).choosing.Load() }

// KeyOf is the key that a peer gives a task in the run of a root.
func KeyOf(p *Peer, rootName string, root any, name string, task any) (steal.Key, error) {
	run, err := p.app.runKey(rootName, root)
	if err != nil {
		return steal.Key{}, err
	}
	return keyOfTask(run, name, task)
}

// Greeting is what a peer of an application says at the handshake.
func Greeting(a App) ([]byte, error) {
	app, err := newRegistry(a)
	if err != nil {
		return nil, err
	}
	made, err := build.This()
	if err != nil {
		return nil, err
	}
	h := app.hello(made, false)
	return marshal(&h)
}

// Pretend lets a peer pretend to be of a build.
func (c *Config) Pretend(made build.Identity) {
	c.PretendOnce(nil, made)
}

// PretendOnce is Pretend of one that is not known before something is closed; nil: at once.
func (c *Config) PretendOnce(known <-chan struct{}, made build.Identity) {
	c.made = func() (build.Identity, error) {
		if known != nil {
			<-known
		}
		return made, nil
	}
}

// StoredFor is what results of that program and build are stored for.
func StoredFor(app App, made build.Identity) string {
	g, err := newRegistry(app)
	if err != nil {
		panic(err)
	}
	own, err := g.stored(func() (build.Identity, error) { return made, nil })
	if err != nil {
		panic(err)
	}
	return own
}

// Tried tells why values of a task type, or of its result's, are tried when they leave, or are
// refused; "" when they are not.
func Tried(t TaskType) string {
	for _, of := range []reflect.Type{t.task, t.result} {
		if v := traitsOf(of); v.carriage != carriesAll {
			return v.Error()
		}
	}
	return ""
}
