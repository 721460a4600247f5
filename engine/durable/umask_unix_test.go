//go:build unix

package durable

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// Who may read a file is the user's choice: with the umask 077 nobody else may.
func TestWriteFile_FollowsTheUmask(t *testing.T) {
	dir := t.TempDir()
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	written, made := filepath.Join(dir, "report.html"), filepath.Join(dir, "frames.kdom")
	if err := WriteBytes(written, []byte("x")); err != nil {
		t.Fatal(err)
	}
	f, err := CreateTemp(made)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{written, f.Name()} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	syscall.Umask(0) // only the owner may write all the same
	if err := WriteBytes(written, []byte("y")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(written); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
