//go:build !unix

package pgserver

import "os/exec"

// asNobody sets the directory of a command. The user stays the same: only Unix has a root user, as which
// PostgreSQL refuses to run.
func asNobody(c *exec.Cmd, dir string) *exec.Cmd {
	c.Dir = dir
	return c
}

func chownToNobody(string) error { return nil }
