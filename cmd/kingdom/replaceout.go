package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// outKind is a kind of file that --out names. A file of another kind is never replaced: it may be part of a run, which
// could not be read any more, or somebody's work.
type outKind struct {
	name   string // with its article
	begins string // every file of the kind begins with it, apart from white space
	mark   string // and contains it
	suchAs string // how a file may be called
}

// reportOut is the page of kingdom report. The mark is in the part about how to repeat the runs, which every page has.
var reportOut = outKind{"a report of kingdom", "<!doctype html>", "the version of Kingdom's physics", reportFile}

// graphOut is what kingdom graph writes of a network.
func graphOut(of string) outKind {
	return outKind{"GraphML", "<?xml", "<graphml", of + ".graphml"}
}

// write writes a file of the kind. An earlier one is replaced, and so is an empty file.
func (k outKind) write(file string, content []byte) error {
	if err := k.checkReplaced(file); err != nil {
		return err
	}
	return writeOut(file, k.suchAs, content)
}

// checkReplaced returns an error if a file exists that is not of the kind.
func (k outKind) checkReplaced(file string) error {
	info, err := os.Stat(file)
	switch {
	case isMissing(err) || err == nil && info.IsDir(): // writeOut says what is wrong with a directory
		return nil
	case err != nil:
		return fmt.Errorf("write %s: %w", file, err)
	case !info.Mode().IsRegular(): // such as /dev/stdout, which would become a plain file
		return usagef("%s is not a plain file, and would be replaced by one; name another file with --out, such as %s", file, k.suchAs)
	}
	is, err := k.holds(file)
	switch {
	case err != nil:
		return fmt.Errorf("write %s: read what is there: %w", file, err)
	case !is:
		return usagef("%s exists and is not %s, so it is not replaced; name another file with --out, such as %s", file, k.name, k.suchAs)
	}
	return nil
}

// holds reports whether a plain file is of the kind or empty.
func (k outKind) holds(file string) (is bool, err error) {
	f, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := f.Read(head)
	if errors.Is(err, io.EOF) { // it is empty
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if !bytes.HasPrefix(bytes.TrimSpace(head[:n]), []byte(k.begins)) { // a large file of another kind is not read
		return false, nil
	}
	all, err := os.ReadFile(file)
	return bytes.Contains(all, []byte(k.mark)), err
}
