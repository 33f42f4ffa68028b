package satin

import (
	"satingrid/steal"
)

// keyOfTask is H(scope, task, fields): the identity of what a job computes. Within a run, scope is
// the run key; it is zero where only the task matters.
func keyOfTask(scope steal.Key, task string, fields any) (steal.Key, error) {
	data, err := marshal(&keyed{Scope: scope[:], Task: task, Fields: fields})
	if err != nil {
		return steal.Key{}, err
	}
	return steal.KeyOf(data), nil
}

// keyed is what a key is the digest of. It is only ever encoded.
type keyed struct {
	_      struct{} `cbor:",toarray"`
	Scope  []byte
	Task   string
	Fields any
}

// runKey is H(app, version, root task, root fields): the identity of a run's answer.
func (g *registry) runKey(task string, fields any) (steal.Key, error) {
	data, err := marshal([]string{g.name, g.version})
	if err != nil {
		return steal.Key{}, err
	}
	return keyOfTask(steal.KeyOf(data), task, fields)
}

// keyOf is the key of any job of the run. It costs a few hundred nanoseconds, so it is made only
// when a job leaves the process, when a tick finds it, and for an error.
func (r *run) keyOf(j slot) (steal.Key, error) {
	scope, err := r.key()
	if err != nil {
		return steal.Key{}, err
	}
	return keyOfWhole(scope, r.pool.app.taskName(j), j.fields(), r.pool.strict)
}

// keyOfWhole is the key of a task that would arrive as it is: only such a key is
// no other task's, too.
func keyOfWhole(scope steal.Key, task string, fields any, strict bool) (steal.Key, error) {
	care, _ := careOf(strict)
	data, err := encodeAs(fields, &keyed{Scope: scope[:], Task: task, Fields: fields}, care)
	if err != nil {
		return steal.Key{}, err
	}
	return steal.KeyOf(data), nil
}

// keyOf is the job's key, made once.
func (h *shared) keyOf() (steal.Key, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.keyed {
		return h.key, nil
	}
	key, err := h.run.keyOf(h.job)
	h.key, h.keyed = key, err == nil
	return key, err
}
