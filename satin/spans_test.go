package satin

// Inside the package: what is called for the text of a path is no program's to see.

import (
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// chatty is a key with a text, which may not come.
type chatty string

var chats atomic.Int32

func (c chatty) String() string {
	chats.Add(1)
	if c == "exits" {
		runtime.Goexit()
	}
	return "the key " + string(c)
}

// A key is asked for its text where something is to be said of it, and where that may fail.
func TestKeysAreAskedForTheirTextWhenSomethingIsWrong(t *testing.T) {
	rows := []int{1, 2}
	for _, c := range []struct {
		of   map[chatty][]int
		want string
	}{
		{map[chatty][]int{"exits": {1}, "b": {2}}, ""},
		{map[chatty][]int{"a": rows, "b": rows}, ".the key "},
		{map[chatty][]int{"exits": rows, "b": rows}, "whose text called runtime.Goexit"},
	} {
		chats.Store(0)
		var err error
		ended := apart(func() { err = checkSpans(reflect.ValueOf(&c.of).Elem(), true) })
		if ended != nil || (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, %v; want %q", len(c.of), ended, err, c.want)
		}
		if n := chats.Load(); (n > 0) != (c.want != "") {
			t.Errorf("%v: the keys were asked %d times", err, n)
		}
	}
}
