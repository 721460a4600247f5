package sqltest

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// AsStranger makes this goroutine, until back is called, a user who may read in dirs, directories of the test's own, and not write.
// Root may write everywhere, so it takes the rights of nobody on files, which Linux has for each thread.
func AsStranger(t *testing.T, dirs ...string) (back func()) {
	t.Helper()
	chmod := func(at string, mode os.FileMode) {
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range dirs {
		full, err := filepath.Abs(dir)
		if err != nil {
			t.Fatal(err)
		}
		chmod(full, 0o555)
		for at := filepath.Dir(full); strings.HasPrefix(at, filepath.Clean(os.TempDir())+"/"); at = filepath.Dir(at) {
			chmod(at, 0o755) // so that a stranger gets to dir
		}
	}
	runtime.LockOSThread()
	root := os.Geteuid() == 0
	if root {
		if err := syscall.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
	}
	back = func() {
		if root {
			if err := syscall.Setfsuid(0); err != nil {
				panic(err) // the thread would go on with other rights
			}
		}
		runtime.UnlockOSThread()
		for _, dir := range dirs {
			_ = os.Chmod(dir, 0o700) // to be removed; the test has failed already if not
		}
	}
	if f, err := os.Create(filepath.Join(dirs[0], "new")); err == nil {
		f.Close()
		back()
		t.Fatal("this user may write everywhere, so nothing is shown")
	}
	return back
}
