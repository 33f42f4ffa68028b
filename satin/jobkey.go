package satin

import (
	"fmt"
	"time"

	"satingrid/steal"
)

// Keys are made without the job's mutex: that takes the program's own code as long as it likes, and
// the loop asks what has become of jobs.

// keyOf is the job's key, made once, for who has the job: nobody writes to its fields meanwhile.
func (h *shared) keyOf() (steal.Key, error) {
	if key, ok := h.madeKey(); ok {
		return key, nil
	}
	key, err := h.run.keyOf(h.job)
	if err == nil {
		h.mu.Lock()
		h.key, h.keyed = key, true
		h.mu.Unlock()
	}
	return key, err
}

func (h *shared) madeKey() (key steal.Key, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.key, h.keyed
}

// keyIfOpen is the key of a job that nobody has started. It is made of a twin: its owner may take
// the job, and reuse the task's place, while it is made; then nobody needs it.
func (h *shared) keyIfOpen(r *run) (key steal.Key, ok bool) {
	h.mu.Lock()
	open, keyed, key := h.state == offered && h.run == r, h.keyed, h.key
	var twin slot
	if open && !keyed {
		twin = h.job.twin()
	}
	h.mu.Unlock()
	if !open || keyed {
		return key, open
	}
	key, err := r.keyOf(twin)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil || h.state != offered {
		return key, false
	}
	h.key, h.keyed = key, true
	return key, true
}

// keyIfPrivate is the key of a child that its parent may still start, or runs.
func (h *shared) keyIfPrivate() (steal.Key, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.key, h.keyed && h.state == private
}

func (h *shared) hasKey(key steal.Key) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.keyed && h.key == key
}

// give ends a job that is not in its owner's hands with a value that came from outside.
func (h *shared) give(value steal.Result) error {
	out, err := outcomeOf(h.job, value)
	if err != nil {
		return fmt.Errorf("satin: a result of task %s: %w", h.run.pool.app.taskName(h.job), err)
	}
	key, err := h.keyOf()
	if err != nil {
		return err
	}
	h.fulfil(out, h.run.partFrom(key, value), nil)
	return nil
}

// outcomeOf decodes a result of the job j.
func outcomeOf(j slot, r steal.Result) (result, error) {
	if r.Outcome != steal.Value {
		return j.refuse(unpackFailure(r)), nil
	}
	return j.decode(r.Bytes)
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

// partFrom makes a part of a result that came from another process.
func (r *run) partFrom(key steal.Key, v steal.Result) part {
	x := part{key: key, cost: time.Duration(v.Cost) * time.Millisecond}
	switch {
	case !r.pool.recording || v.Outcome != steal.Value || x.cost < r.pool.worth:
	case len(v.Bytes) > partBytesMax:
		r.unkept.Store(true)
	default:
		x.result = v.Bytes
	}
	return x
}
