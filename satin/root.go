package satin

import (
	"context"
	"fmt"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// submitRoot asks the grid for a run of the root job j.
func (p *Peer) submitRoot(ctx context.Context, j slot, t terms) (requested, error) {
	task := p.app.taskName(j)
	if err := p.knows(task); err != nil {
		return nil, err
	}
	fields, err := p.rootFields(j)
	if err != nil {
		return nil, err
	}
	root := peer.RootOf(steal.Key{}, task, fields).With(t.Terms)
	root.Asked = t.asked
	if root.Run, err = p.app.runKey(task, j.fields()); err != nil {
		return nil, raisedBy(err, task, steal.Key{}, p.Name())
	}
	read := answerOf{j.decode, task, root.Run, p.Name()}
	sub, err := p.loop.Submit(ctx, root, read.read)
	if err != nil {
		return nil, err
	}
	return sub, nil
}

// rootFields encodes the fields of a root, or tells why they cannot travel.
func (p *Peer) rootFields(j slot) ([]byte, error) {
	task := p.app.taskName(j)
	care, _ := careOf(p.pool.strict)
	fields, err := encodeWhole(j.fields(), care)
	if err != nil {
		err = fmt.Errorf("satin: the root task %s cannot travel: %w", task, err)
		return nil, raisedBy(err, task, steal.Key{}, p.Name())
	}
	if len(fields) > peer.RootMax {
		return nil, fmt.Errorf("satin: the root task %s is %d bytes: %d may travel",
			task, len(fields), peer.RootMax)
	}
	return fields, nil
}

// answerOf reads the answer to a submission.
type answerOf struct {
	decode func([]byte) (result, error)
	task   string
	run    steal.Key
	peer   string
}

func (a answerOf) read(r steal.Result) (any, error) {
	if r.Outcome != steal.Value {
		return nil, unpackFailure(r)
	}
	out, err := a.decode(r.Bytes)
	if err != nil {
		err = fmt.Errorf("satin: the answer of task %s cannot be read: %w", a.task, err)
	}
	return out, raisedBy(err, a.task, a.run, a.peer)
}
