package satin

import (
	"reflect"

	"satingrid/satin/build"
)

// Pretend lets a peer pretend to be of a build.
func (c *Config) Pretend(made build.Identity) {
	c.made = func() (build.Identity, error) { return made, nil }
}

// Tried tells why values of a task type, or of its result's, are tried when they leave, or are
// refused; "" when they are not.
func Tried(t TaskType) string {
	for _, of := range []reflect.Type{t.task, t.result} {
		if v := verdictOf(of); v.carriage != carriesAll {
			return v.Error()
		}
	}
	return ""
}
