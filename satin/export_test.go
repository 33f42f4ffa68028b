package satin

import (
	"reflect"

	"satingrid/satin/build"
)

// PlantClash plants the defect that types with fields of one name are taken for carried, until
// what it returns is called.
func PlantClash() (end func()) {
	clashAccepted = true
	return func() { clashAccepted = false }
}

// PlantBuild lets a peer pretend to be of a build, and plants the defect that its door does not
// compare builds.
func (c *Config) PlantBuild(made build.Identity, anyBuild bool) { c.planted = &planted{made, anyBuild} }

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
