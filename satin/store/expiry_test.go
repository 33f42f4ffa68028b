package store_test

import (
	"testing"
	"time"

	"satingrid/satin/store"
)

// A run is kept for so long after the last that was written to it.
func TestExpiry(t *testing.T) {
	folder, c := t.TempDir(), newClock()
	o := options(t)
	o.Now = c.now
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Lifetime: &store.Lifetime{Keep: time.Hour}})
	c.t = c.t.Add(59 * time.Minute)
	write(t, s, store.Batch{Run: key(1), Results: []store.Result{result(1, 1, "a")}})
	c.t = c.t.Add(59 * time.Minute)
	expect(t, s, key(1), "root - - 1:a")
	c.t = c.t.Add(time.Minute)
	expect(t, s, key(1), "- - -")
	if got := sizes(t, s); got.Expired != 1 || got.Used != 0 {
		t.Errorf("%+v", got)
	}
}

// A clock that is set back revives nothing: what has expired is gone before anybody is told so.
func TestAClockSetBackRevivesNothing(t *testing.T) {
	folder, c := t.TempDir(), newClock()
	o := options(t)
	o.Now = c.now
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Root: []byte("short"), Lifetime: &store.Lifetime{Keep: time.Hour}})
	c.t = c.t.Add(2 * time.Hour)
	expect(t, s, key(1), "- - -")
	c.t = c.t.Add(-24 * time.Hour)
	expect(t, s, key(1), "- - -")
	s.Close()
	expect(t, open(t, folder, o), key(1), "- - -")
}

// Nor does it have anything expire early: what is written then counts from the largest time that
// was seen, in this process or before.
func TestAClockSetBackKillsNothing(t *testing.T) {
	folder, c := t.TempDir(), newClock()
	o := options(t)
	o.Now = c.now
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Root: []byte("first"), Lifetime: &store.Lifetime{Keep: 10 * time.Hour}})
	s.Close()
	c.t = c.t.Add(-5 * time.Hour)
	s = open(t, folder, o)
	write(t, s, store.Batch{Run: key(2), Root: []byte("second"), Lifetime: &store.Lifetime{Keep: time.Hour}})
	for range 5 { // back where it was
		c.t = c.t.Add(time.Hour)
		expect(t, s, key(2), "second - -")
	}
	c.t = c.t.Add(59 * time.Minute)
	expect(t, s, key(2), "second - -")
	c.t = c.t.Add(time.Minute)
	expect(t, s, key(2), "- - -")
	expect(t, s, key(1), "first - -")
}

// A year passed while the folder lay there: a start looks, and forgets.
func TestAStartForgetsWhatHasExpired(t *testing.T) {
	folder, c := t.TempDir(), newClock()
	o := options(t)
	o.Now = c.now
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Root: []byte("root")})
	s.Close()
	c.t = c.t.Add(store.KeepMax)
	if got := sizes(t, open(t, folder, o)); got.Runs != 0 || got.Expired != 1 {
		t.Errorf("%+v", got)
	}
}

// A run that is on does not expire while its process lives, however long nothing was written: it
// would come back without its root.
func TestWhatIsHeldDoesNotExpire(t *testing.T) {
	folder, c := t.TempDir(), newClock()
	o := options(t)
	o.Now = c.now
	s := open(t, folder, o)
	write(t, s, store.Batch{Run: key(1), Root: []byte("root"), Lifetime: &store.Lifetime{Held: true}})
	write(t, s, store.Batch{Run: key(2), Root: []byte("held no more"), Lifetime: &store.Lifetime{Held: true}})
	write(t, s, store.Batch{Run: key(2), Lifetime: &store.Lifetime{Ended: true}, Record: []byte("x")})
	c.t = c.t.Add(store.KeepMax)
	write(t, s, store.Batch{Run: key(1), Results: []store.Result{result(1, 1, "a")}})
	expect(t, s, key(1), "root - - 1:a")
	expect(t, s, key(2), "- - -")
	s.Close()
	expect(t, open(t, folder, o), key(1), "root - - 1:a")
}
