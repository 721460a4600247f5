//go:build unix

package pgserver

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// nobody is the user that runs the server when the tests run as root, as which
// PostgreSQL refuses to run.
const nobody = 65534

// asNobody sets the directory of a command, and makes it run as the user nobody if the tests run as root.
func asNobody(c *exec.Cmd, dir string) *exec.Cmd {
	c.Dir = dir
	c.Env = append(os.Environ(), "LC_ALL=C", "HOME="+dir)
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return c
}

func chownToNobody(path string) error {
	if os.Getuid() != 0 {
		return nil
	}
	if err := os.Chown(path, nobody, nobody); err != nil {
		return fmt.Errorf("give directory to nobody: %w", err)
	}
	return nil
}
