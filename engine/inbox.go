package engine

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kingdom/engine/durable"
)

// inboxDir is the folder of a run directory in which inputs arrive while the run goes on
// (docs/decisions/0078-inputs-while-a-run-goes-on.md).
const inboxDir = "inbox"

const (
	inboxSuffix   = ".yaml"    // of a file that the run shall read
	refusedSuffix = ".refused" // is appended to the name of a file that it cannot read
)

// AddToInbox adds a file to the inbox of a run and returns its name. The run reads the files in the order of their names,
// which is that in which they were added, at the beginning of its next cycle, and removes each when its inputs are in the
// journal. The file appears whole, and no name is used twice: by it the journal tells what was applied.
func AddToInbox(runDir string, file []byte) (name string, err error) {
	dir := filepath.Join(runDir, inboxDir)
	if err := durable.MakeDir(dir); err != nil {
		return "", fmt.Errorf("add to inbox: %w", err)
	}
	var random [4]byte
	_, _ = rand.Read(random[:]) // never fails
	name = fmt.Sprintf("%s-%x%s", time.Now().UTC().Format("20060102T150405.000000000"), random, inboxSuffix)
	if err := durable.WriteBytes(filepath.Join(dir, name), file); err != nil {
		return "", fmt.Errorf("add to inbox: %w", err)
	}
	return name, nil
}

// InboxFile is a file in the inbox of a run. Some of its inputs may have taken effect already.
type InboxFile struct {
	Name    string
	Content []byte
}

// Inbox returns the files in the inbox of a run, in order.
func Inbox(runDir string) (files []InboxFile, err error) {
	dir := filepath.Join(runDir, inboxDir)
	names, err := inboxNames(dir)
	if err != nil {
		return nil, fmt.Errorf("read inbox: %w", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue // the run has just applied it
		}
		if err != nil {
			return nil, fmt.Errorf("read inbox: %w", err)
		}
		files = append(files, InboxFile{name, b})
	}
	return files, nil
}

// inboxNames returns the names of the files in an inbox, in order; none if there is no inbox.
func inboxNames(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir) // sorted by name
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // as most runs
	}
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), inboxSuffix) {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// inboxFiles are the files in the inbox of a run.
type inboxFiles struct {
	dir     string // of the inbox; "": it is not looked at
	read    func([]byte) ([]Input, error)
	warn    func(string)
	size    map[string]uint64 // how many inputs the files have that were read
	applied map[string]uint64 // place in its file of the last input that took effect, by file
}

func newInboxFiles(opt *Options) inboxFiles {
	f := inboxFiles{read: opt.ReadInbox, warn: opt.warn, size: map[string]uint64{}, applied: map[string]uint64{}}
	if opt.Dir != "" && opt.ReadInbox != nil {
		f.dir = filepath.Join(opt.Dir, inboxDir)
	}
	return f
}

// list returns the names of the files. An inbox that cannot be read must not stop the run either.
func (f *inboxFiles) list() []string {
	if f.dir == "" {
		return nil
	}
	names, err := inboxNames(f.dir)
	if err != nil {
		f.warn(fmt.Sprintf("the inputs from outside could not be read; the next cycle tries again: %v", err))
	}
	return names
}

// open reads a file, the first time that it is asked for, and returns its inputs that have not taken effect. A file that
// is not a list of inputs is set aside with a warning: it must not stop the run.
func (f *inboxFiles) open(name string) []Input {
	if _, was := f.size[name]; was {
		return nil
	}
	path := filepath.Join(f.dir, name)
	b, err := os.ReadFile(path)
	if err != nil {
		f.warn(fmt.Sprintf("an input from outside could not be read; the next cycle tries again: %v", err))
		return nil
	}
	all, err := f.read(b)
	if err != nil {
		f.setAside(path, err)
		return nil
	}
	slices.SortStableFunc(all, func(a, b Input) int { return cmp.Compare(a.Earliest, b.Earliest) })
	for i := range all {
		all[i].file, all[i].item = name, uint64(i)+1
	}
	f.size[name] = uint64(len(all))
	return all[min(f.applied[name], uint64(len(all))):]
}

// setAside renames a file that this run cannot use, and warns. If the file stays, the next cycle says so again.
func (f *inboxFiles) setAside(path string, why error) {
	if err := os.Rename(path, path+refusedSuffix); err != nil {
		f.warn(fmt.Sprintf("this run cannot use %s: %v; it could not be set aside: %v; remove it, correct it and give it again with kingdom input", path, why, err))
		return
	}
	f.warn(fmt.Sprintf("%s was set aside as %s: this run cannot use it: %v; correct it and give it again with kingdom input", path, filepath.Base(path)+refusedSuffix, why))
}

// noteApplied notes that the input of a record has taken effect, which is in the journal by now.
func (f *inboxFiles) noteApplied(r *inputRecord) {
	if r.File != "" {
		f.applied[r.File] = max(f.applied[r.File], r.Item)
		f.removeIfApplied(r.File)
	}
}

// removeIfApplied removes a file whose inputs have all taken effect. If that fails the next cycle tries again; what was
// applied is not applied again.
func (f *inboxFiles) removeIfApplied(name string) {
	if size, was := f.size[name]; was && f.applied[name] >= size {
		_ = os.Remove(filepath.Join(f.dir, name))
	}
}
