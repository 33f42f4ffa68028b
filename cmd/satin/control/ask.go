package control

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"syscall"
	"time"
)

// Ask asks the node that runs with a state folder what it knows.
func Ask(folder string) (Status, error) {
	var status Status
	conn, err := request(folder, Request{})
	if err != nil {
		return status, err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	lines := answerLines(conn)
	if !lines.Scan() {
		return status, errors.Join(errors.New("control: the node does not answer"), lines.Err())
	}
	if err := json.Unmarshal(lines.Bytes(), &status); err != nil {
		return status, fmt.Errorf("control: the node's answer cannot be read; is it the same build? %w", err)
	}
	return status, nil
}

// Tell tells the node that runs with a state folder to do something, and returns when it has. What it says meanwhile
// goes to say. When ctx ends, the node does not go on to peers that it has not reached yet.
func Tell(ctx context.Context, folder string, r Request, say func(line string)) error {
	conn, err := request(folder, r)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	lines := answerLines(conn)
	for lines.Scan() {
		var p progress
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return fmt.Errorf("control: the node's answer cannot be read; is it the same build? %w", err)
		}
		switch {
		case !p.Done:
			say(p.Say)
		case p.Error != "":
			return &Failure{p.Code, p.Error}
		default:
			return nil
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(errors.New("control: the node ended before it had said how that ended"), lines.Err())
}

// request sends a request to the node.
func request(folder string, r Request) (net.Conn, error) {
	conn, err := net.DialTimeout("unix", filepath.Join(folder, SocketFile), patience)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return nil, fmt.Errorf("%w with state folder %s; start one with satin node, or name another with --state", ErrNoNode, folder)
	}
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	conn.SetWriteDeadline(time.Now().Add(patience))
	if err := json.NewEncoder(conn).Encode(r); err != nil {
		conn.Close()
		return nil, fmt.Errorf("control: %w", err)
	}
	return conn, nil
}

func answerLines(conn net.Conn) *bufio.Scanner {
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, answerMax)
	return lines
}
