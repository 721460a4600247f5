package durable

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// WriteBytes replaces a file by b; see [WriteFile].
func WriteBytes(path string, b []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

// WriteFile replaces a file by what content writes: temporary file, sync, rename, sync of the directory. After an error the
// old file is untouched, unless only the last step failed: then a crash may bring it back.
func WriteFile(path string, content func(w io.Writer) error) error {
	return writeFile(path, 0o666&^umask, content)
}

// WritePrivate replaces a file that only its owner may read by b; see [WriteFile].
func WritePrivate(path string, b []byte) error {
	return writeFile(path, 0o600, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

func writeFile(path string, mode os.FileMode, content func(w io.Writer) error) error {
	f, err := createTemp(path, mode)
	if err != nil {
		return err
	}
	if err := fill(f, content); err != nil {
		os.Remove(f.Name())
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		os.Remove(f.Name())
		return err
	}
	return syncDir(filepath.Dir(path))
}

// CreateTemp creates a file beside path that can get its name later. As with every new file, the user's umask decides who
// may read it, which is not so with [os.CreateTemp].
func CreateTemp(path string) (*os.File, error) {
	return createTemp(path, 0o666&^umask)
}

func createTemp(path string, mode os.FileMode) (*os.File, error) {
	for {
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+strconv.FormatUint(uint64(rand.Uint32()), 10)), os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

func fill(f *os.File, content func(w io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	err := content(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// umask is taken off the mode of replaced files, besides the umask of the user, so that only the owner may write them.
const umask = 0o022

// MakeDir makes a directory, if it does not exist, so that it exists after a crash too.
func MakeDir(path string) error {
	if err := os.Mkdir(path, 0o777&^umask); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes a rename durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	return err
}
