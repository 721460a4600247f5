package keyward

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// ReadFile reads a key from a file that contains nothing else. It refuses a file that others than its owner may read.
func ReadFile(path string) (Key, error) {
	path, err := ExpandHome(path)
	if err != nil {
		return Key{}, fmt.Errorf("key file %w", err)
	}
	b, err := readPrivate(path, MaxKey+2)
	if errors.Is(err, fs.ErrNotExist) {
		return Key{}, fmt.Errorf("key file %s: %w; create it with the key as its only content and run: chmod 600 %s", path, err, path)
	}
	if err != nil {
		return Key{}, fmt.Errorf("key file %s: %w", path, err)
	}
	k, err := New(b)
	if err != nil {
		return Key{}, fmt.Errorf("key file %s: %w; it must hold one key and nothing else", path, err)
	}
	return k, nil
}

// ReadLine reads a key from the first line of r.
func ReadLine(r io.Reader) (Key, error) {
	line, err := bufio.NewReader(io.LimitReader(r, MaxKey+2)).ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		clear(line)
		return Key{}, err
	}
	return New(line)
}

// readPrivate reads a file of at most limit bytes that only its owner may access. It checks the mode of the open file, so
// that the file cannot be exchanged after the check.
func readPrivate(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer func() { _ = f.Close() }() // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is no regular file; a key from a pipe goes to --key-stdin")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return nil, fmt.Errorf("others may read it (mode %04o); run: chmod 600 %s", info.Mode().Perm(), path)
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case err != nil:
		clear(b)
		return nil, err
	case int64(len(b)) > limit:
		clear(b)
		return nil, fmt.Errorf("is longer than %d bytes, which no such file is", limit)
	}
	return b, nil
}

// ExpandHome replaces a leading ~/ by the user's home directory.
func ExpandHome(path string) (string, error) {
	rest, found := strings.CutPrefix(path, "~/")
	if !found {
		return path, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return filepath.Join(home, rest), nil
}
