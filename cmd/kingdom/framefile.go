package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"kingdom/engine/durable"
)

// frameFile is the destination of an export: standard output, or a file that appears under its name when it is
// complete.
type frameFile struct {
	*bufio.Writer
	name string
	tmp  *os.File // nil: standard output
}

// newFrameFile returns an error if a file of this name exists.
func (a *app) newFrameFile(name string) (*frameFile, error) {
	if name == "-" {
		return &frameFile{Writer: bufio.NewWriter(a.out)}, nil
	}
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		if err != nil {
			return nil, fmt.Errorf("create file: %w", err)
		}
		return nil, usagef("%s exists and is never overwritten; choose another name", name)
	}
	tmp, err := durable.CreateTemp(name)
	if err != nil {
		return nil, fmt.Errorf("create file: %w; choose a directory that exists and can be written", err)
	}
	return &frameFile{Writer: bufio.NewWriterSize(tmp, 1<<18), name: name, tmp: tmp}, nil
}

// commit syncs the file to disk and then gives it its name.
func (f *frameFile) commit() error {
	if err := f.Flush(); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	if f.tmp == nil {
		return nil
	}
	if err := f.tmp.Sync(); err != nil {
		return fmt.Errorf("write file: %w", err)
	}
	err := os.Link(f.tmp.Name(), f.name) // never replaces a file, which a rename would
	if err == nil {
		return nil
	}
	if _, taken := os.Lstat(f.name); taken == nil {
		return usagef("%s was created by another process meanwhile and is never overwritten; choose another name", f.name)
	}
	if err := os.Rename(f.tmp.Name(), f.name); err != nil { // file systems without hard links
		return fmt.Errorf("name file: %w", err)
	}
	return nil
}

// discard removes the temporary file. After commit the file stays under its name.
func (f *frameFile) discard() {
	if f.tmp != nil {
		_ = f.tmp.Close()
		_ = os.Remove(f.tmp.Name())
	}
}

// openFrames opens a file of frames for reading; - is standard input.
func openFrames(name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(stdin), nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("there is no file %s; kingdom journal export RUN --frames FILE creates one", name)
	}
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(usagef("%s is a directory; want a file of kingdom journal export RUN --frames FILE (kingdom replay RUN checks a run)", name), f.Close())
	}
	return f, nil
}
