package keyward

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kingdom/engine/durable"
)

// Store is a sealed key file.
type Store struct{ Path string }

// ErrNoFile says that there is no sealed key file yet.
var ErrNoFile = errors.New("there is none yet; kingdom key set NAME makes it")

// Exists reports whether the file exists.
func (s Store) Exists() (bool, error) {
	_, err := os.Stat(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, s.wrap(err)
}

// Load opens the file with a passphrase and returns its keys by name.
func (s Store) Load(passphrase []byte) (map[string]Key, error) {
	b, err := readPrivate(s.Path, maxSealed)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, s.wrap(ErrNoFile)
	}
	if err != nil {
		return nil, s.wrap(err)
	}
	f, err := parse(b)
	if err != nil {
		return nil, s.wrap(err)
	}
	keys, err := f.open(passphrase)
	return keys, s.wrap(err)
}

// Save seals the keys under a passphrase, with a new salt each time. The file is replaced as a whole or not at all,
// and only its owner may read it.
func (s Store) Save(keys map[string]Key, passphrase []byte) error {
	if len(keys) > MaxKeys {
		return s.wrap(fmt.Errorf("it holds at most %d keys; remove some", MaxKeys))
	}
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o700); err != nil {
		return s.wrap(err)
	}
	return s.wrap(durable.WritePrivate(s.Path, seal(keys, passphrase, normalCost)))
}

func (s Store) wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sealed key file %s: %w", s.Path, err)
}
