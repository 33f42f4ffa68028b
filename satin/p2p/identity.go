package p2p

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"

	"satingrid/satin/atomicfile"
)

// hostKey is a host's key and the lock that keeps a second process from
// being the same peer.
type hostKey struct {
	key  crypto.PrivKey
	id   peer.ID
	lock *os.File // nil when the key is not kept on disk
}

func (i hostKey) close() {
	if i.lock != nil {
		i.lock.Close()
	}
}

// PeerID returns the id that a host with this state folder has, and makes its
// key when there is none.
func PeerID(dir string) (string, error) {
	own, err := sharedIdentity(dir)
	return own.id.String(), err
}

// sharedIdentity is that of a state folder, without the lock: some process may be that peer
// already.
func sharedIdentity(dir string) (own hostKey, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return own, fmt.Errorf("p2p: state folder: %w", err)
	}
	if err := checkFolder(dir); err != nil {
		return own, err
	}
	if own.key, err = loadKey(filepath.Join(dir, "identity.key")); err != nil {
		return own, err
	}
	own.id, err = peer.IDFromPrivateKey(own.key)
	return own, err
}

// newIdentity loads or makes the key in dir.
//
//   - A folder that cannot be written costs the peer its identity at its next
//     start, not its work, so that is only warned of.
//   - A key that is there and cannot be used is an error. Going on under another
//     name would get past a bar, or lose a place on an allow-list.
func newIdentity(dir string, warn func(string, ...any)) (hostKey, error) {
	if dir == "" {
		return volatileIdentity()
	}
	err := os.MkdirAll(dir, 0o700)
	if err != nil {
		warn("the state folder cannot be written; this peer gets a new identity at each start", "error", err)
		return volatileIdentity()
	}
	if err := checkFolder(dir); err != nil {
		return hostKey{}, err
	}
	path := filepath.Join(dir, "identity.key")
	key, err := loadKey(path)
	if errors.Is(err, errNoDisk) {
		warn("the state folder cannot be written; this peer gets a new identity at each start", "error", err)
		return volatileIdentity()
	}
	if err != nil {
		return hostKey{}, err
	}
	lock, err := lockFile(path)
	if err != nil {
		return hostKey{}, fmt.Errorf("%w: %s: give this one another with --state", err, dir)
	}
	id, err := peer.IDFromPrivateKey(key)
	return hostKey{key: key, id: id, lock: lock}, err
}

// checkFolder refuses a folder in which others may write: they could put their key, or their grid,
// in the place of this host's.
func checkFolder(dir string) error {
	if why := atomicfile.Foreign(dir); why != "" {
		return fmt.Errorf("%w: the state folder is not this user's alone: %s, or give another with --state", ErrIdentity, why)
	}
	return nil
}

func volatileIdentity() (hostKey, error) {
	key, _, err := crypto.GenerateEd25519Key(rand.Reader)
	if err != nil {
		return hostKey{}, fmt.Errorf("p2p: make a key: %w", err)
	}
	id, err := peer.IDFromPrivateKey(key)
	return hostKey{key: key, id: id}, err
}

// errNoDisk says that a key could not be written.
var errNoDisk = errors.New("p2p: no disk")

func loadKey(path string) (crypto.PrivKey, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeKey(path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIdentity, err)
	}
	key, err := crypto.UnmarshalPrivateKey(raw)
	if err != nil || key.Type() != crypto.Ed25519 {
		return nil, fmt.Errorf("%w: %s is not an ed25519 key: restore it, or remove it to become a new peer", ErrIdentity, path)
	}
	return key, nil
}

// makeKey writes a new key so that of two processes that start at the same
// moment both end up with the same one.
func makeKey(path string) (crypto.PrivKey, error) {
	key, _, err := crypto.GenerateEd25519Key(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("p2p: make a key: %w", err)
	}
	raw, err := crypto.MarshalPrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("p2p: make a key: %w", err)
	}
	first, err := atomicfile.Add(path, atomicfile.Private, raw)
	if err == nil && !first {
		return loadKey(path)
	}
	if err != nil { // a file system without links
		err = atomicfile.Replace(path, atomicfile.Private, raw)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoDisk, err)
	}
	return key, nil
}
