package satin

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// App is what a program brings to a grid: its name, its version and its task
// types, listed explicitly.
type App struct {
	Name    string
	Version string
	Tasks   []TaskType

	// VersionIsEnough says that what one build has stored on disk is right for any other of
	// the same Name and Version whose tasks have the same fields, so that runs go on after a
	// new one was installed. Without it only the same build uses it. Peers of one grid have
	// the same build all the same.
	VersionIsEnough bool
}

// TaskType is one task type of an App; Type makes it.
type TaskType struct {
	name   string
	task   reflect.Type
	result reflect.Type
	make   func() slot
	order  *ordering // nil when the result type cannot be compared
}

// Type describes the task type T. The result type is inferred:
//
//	satin.App{Tasks: []satin.TaskType{satin.Type[Fib]()}}
//
// Both must be types that CBOR carries whole; see Task.
func Type[T Task[R], R any]() TaskType {
	return TaskType{
		name:   reflect.TypeFor[T]().String(),
		task:   reflect.TypeFor[T](),
		result: reflect.TypeFor[R](),
		make: func() slot {
			j := new(job[T, R])
			j.index = noIndex
			return j
		},
		order: orderingOf[R](),
	}
}

// Named gives the task type another name than its Go type's, for instance to keep it after
// the type was renamed.
func (t TaskType) Named(name string) TaskType {
	t.name = name
	return t
}

// NameOf is how peers that have this App call a task type, such as in [RunStats].Task: by the name
// that [TaskType.Named] gave it in Tasks, else by its Go type's.
func (a App) NameOf(t TaskType) string {
	for _, listed := range slices.Backward(a.Tasks) { // the last counts, as for who sends it
		if listed.task == t.task {
			return listed.name
		}
	}
	return t.name
}

// registry is an App, checked.
type registry struct {
	name    string
	version string
	enough  bool // whatever build of this version has stored something, it is of use
	byName  map[string]TaskType
	names   map[reflect.Type]string
}

func newRegistry(app App) (*registry, error) {
	if app.VersionIsEnough && app.Version == "" {
		return nil, errors.New("satin: App.VersionIsEnough without a Version: give it one, and another when results become others")
	}
	g := &registry{app.Name, app.Version, app.VersionIsEnough, map[string]TaskType{}, map[reflect.Type]string{}}
	for _, t := range app.Tasks {
		if t.task == nil {
			return nil, errors.New("satin: a zero TaskType in App.Tasks: make it with satin.Type")
		}
		if !peer.IsTask(t.name) {
			return nil, fmt.Errorf("satin: a task type's name is one line of at most %d bytes, and that of %v is %q: give it another with Named", peer.TaskNameMax, t.task, t.name)
		}
		if name, ok := g.names[t.task]; ok && name == t.name {
			continue // two applications of one program may have the same jobs
		}
		if other, ok := g.byName[t.name]; ok {
			return nil, fmt.Errorf("satin: task types %v and %v are both named %q: give one another name with Named", other.task, t.task, t.name)
		}
		g.byName[t.name] = t
		g.names[t.task] = t.name
	}
	return g, nil
}

// lists tells whether the program brings the task type, if it has said which it brings.
func (g *registry) lists(task reflect.Type) bool {
	_, ok := g.names[task]
	return ok || len(g.names) == 0
}

// carriable tells which of the task types could not travel, and why.
func (g *registry) carriable() error {
	for _, name := range slices.Sorted(maps.Keys(g.byName)) {
		t := g.byName[name]
		if err := carriableTask(name, t.task, t.result); err != nil {
			return err
		}
	}
	return nil
}

// carriableTask tells why the fields or the results of a task could not travel.
func carriableTask(name string, task, result reflect.Type) error {
	if err := carriable(task); err != nil {
		return fmt.Errorf("satin: task %s cannot travel: %w", name, err)
	}
	if err := carriable(result); err != nil {
		return fmt.Errorf("satin: the result of task %s cannot travel: %w", name, err)
	}
	return nil
}

// taskName is the name that the App gave the job's type; a type it did not list
// goes by its Go name.
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

// runKey is H(app, version, root task, root fields): the identity of a run's answer.
func (g *registry) runKey(task string, fields any) (steal.Key, error) {
	data, err := marshal([]string{g.name, g.version})
	if err != nil {
		return steal.Key{}, err
	}
	return keyOfTask(steal.KeyOf(data), task, fields)
}
