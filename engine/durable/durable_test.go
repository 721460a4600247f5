package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file is replaced whole, or stays as it was; nothing else is left behind.
func TestWriteFile_AllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "run.json")
	check := func(want string) {
		t.Helper()
		got, err := os.ReadFile(path)
		entries, derr := os.ReadDir(dir)
		if err != nil || derr != nil || string(got) != want || len(entries) != 1 {
			t.Errorf("%q beside %d entries, want %q alone (%v, %v)", got, len(entries)-1, want, err, derr)
		}
	}
	if err := WriteBytes(path, []byte("old")); err != nil {
		t.Fatal(err)
	}
	check("old")
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	boom := errors.New("boom")
	if err := WriteFile(path, func(w io.Writer) error {
		_, _ = w.Write([]byte("half"))
		return boom
	}); !errors.Is(err, boom) {
		t.Errorf("%v", err)
	}
	check("old")
	if err := WriteBytes(path, make([]byte, 1<<17)); err != nil {
		t.Fatal(err)
	}
	check(string(make([]byte, 1<<17)))
	if err := WriteBytes(filepath.Join(dir, "none", "run.json"), nil); err == nil {
		t.Error("a file was written into a directory that does not exist")
	}
	if err := os.MkdirAll(filepath.Join(dir, "taken", "inside"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := WriteBytes(filepath.Join(dir, "taken"), []byte("x")); err == nil {
		t.Error("a directory was replaced by a file")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%d entries: a temporary file was left", len(entries))
	}
}

func TestWritePrivate_OnlyTheOwnerMayRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	for _, content := range []string{"old", "new"} {
		if err := WritePrivate(path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		info, serr := os.Stat(path)
		if err := errors.Join(err, serr); err != nil || string(got) != content || info.Mode().Perm() != 0o600 {
			t.Errorf("%q with mode %v, %v; want %q with 0600", got, info.Mode(), err, content)
		}
	}
}

func TestMakeDir(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inbox")
	for range 2 { // the second time it exists
		if err := MakeDir(path); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() || info.Mode().Perm() != 0o755 {
		t.Errorf("%v, %v", info, err)
	}
	if err := MakeDir(filepath.Join(path, "none", "inbox")); err == nil {
		t.Error("a directory was made in one that does not exist")
	}
}
