package satin

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
)

// App is what a program brings to a grid: its name, its version and its task types, listed explicitly.
type App struct {
	Name    string
	Version string
	Tasks   []TaskType
}

// TaskType is one task type of an App; Type makes it.
type TaskType struct {
	name   string
	task   reflect.Type
	result reflect.Type
	make   func(fields []byte) (slot, error)
	best   *bests // nil when the result type cannot be compared
}

// Type describes the task type T. The result type is inferred:
//
//	satin.App{Tasks: []satin.TaskType{satin.Type[Fib]()}}
func Type[T Task[R], R any]() TaskType {
	return TaskType{
		name:   reflect.TypeFor[T]().String(),
		task:   reflect.TypeFor[T](),
		result: reflect.TypeFor[R](),
		make: func(fields []byte) (slot, error) {
			j := new(job[T, R])
			j.index = noIndex
			return j, unmarshal(fields, &j.task)
		},
		best: bestsOf[R](),
	}
}

// Named gives the task type another name than its Go type's, for instance to keep it after the type was renamed.
func (t TaskType) Named(name string) TaskType {
	t.name = name
	return t
}

// registry is an App, checked.
type registry struct {
	name    string
	version string
	byName  map[string]TaskType
	names   map[reflect.Type]string
}

func newRegistry(app App) (*registry, error) {
	g := &registry{app.Name, app.Version, map[string]TaskType{}, map[reflect.Type]string{}}
	for _, t := range app.Tasks {
		if t.task == nil {
			return nil, errors.New("satin: a zero TaskType in App.Tasks: make it with satin.Type")
		}
		if other, ok := g.byName[t.name]; ok {
			return nil, fmt.Errorf("satin: task types %v and %v are both named %q: give one another name with Named", other.task, t.task, t.name)
		}
		if err := carriable(t.task, t.task.String(), nil); err != nil {
			return nil, fmt.Errorf("satin: task %s cannot travel: %w", t.name, err)
		}
		if err := carriable(t.result, t.result.String(), nil); err != nil {
			return nil, fmt.Errorf("satin: the result of task %s cannot travel: %w", t.name, err)
		}
		g.byName[t.name] = t
		g.names[t.task] = t.name
	}
	return g, nil
}

// taskName is the name that the App gave the job's type; a type it did not list goes by its Go name.
func (g *registry) taskName(j slot) string {
	task, _ := j.types()
	if name, ok := g.names[task]; ok {
		return name
	}
	return task.String()
}

// typeName is the Go name of a job's task type.
func typeName(j slot) string {
	task, _ := j.types()
	return task.String()
}

var (
	binaryMarshaler   = reflect.TypeFor[encoding.BinaryMarshaler]()
	binaryUnmarshaler = reflect.TypeFor[encoding.BinaryUnmarshaler]()
)

// carriable tells why values of a type cannot be carried whole by CBOR: two that differ only in what is left
// out would share a key. path says where in the task the type stands.
func carriable(t reflect.Type, path string, above []reflect.Type) error {
	for _, u := range above {
		if u == t {
			return nil
		}
	}
	above = append(above, t)
	if t.Implements(binaryMarshaler) && reflect.PointerTo(t).Implements(binaryUnmarshaler) {
		return nil
	}
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.Interface, reflect.UnsafePointer, reflect.Uintptr,
		reflect.Complex64, reflect.Complex128:
		return fmt.Errorf("%s is a %s", path, t.Kind())
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return carriable(t.Elem(), path, above)
	case reflect.Map:
		if err := carriable(t.Key(), path, above); err != nil {
			return err
		}
		return carriable(t.Elem(), path, above)
	case reflect.Struct:
		for i := range t.NumField() {
			if err := carriableField(t.Field(i), path, above); err != nil {
				return err
			}
		}
	}
	return nil
}

func carriableField(f reflect.StructField, path string, above []reflect.Type) error {
	path += "." + f.Name
	tag, ok := f.Tag.Lookup("cbor")
	if !ok {
		tag = f.Tag.Get("json")
	}
	switch {
	case f.Name == "_":
		return nil // carries nothing but options
	case !f.IsExported() && !f.Anonymous:
		return fmt.Errorf("%s is unexported", path)
	case tag == "-":
		return fmt.Errorf("%s is left out by its tag", path)
	}
	return carriable(f.Type, path, above)
}

// better compares two encoded bests of a run whose root is of that task type.
func (g *registry) better(task string, a, b []byte) bool {
	t, ok := g.byName[task]
	return ok && t.best != nil && t.best.better(a, b)
}
