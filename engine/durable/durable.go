package durable

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	if err := fill(f, mode, content); err != nil {
		os.Remove(f.Name())
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		os.Remove(f.Name())
		return err
	}
	return syncDir(dir)
}

func fill(f *os.File, mode os.FileMode, content func(w io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<16)
	err := content(w)
	if err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// umask is taken off the mode of replaced files, so that all may read and only the owner may write them.
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
