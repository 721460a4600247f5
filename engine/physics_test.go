package engine

import (
	"strings"
	"testing"
)

// A run of another physics version is refused with the build that wrote it.
func TestForRun_NamesTheBuild(t *testing.T) {
	var c Config
	c.ForRun(&RunFile{Physics: Physics + 1, Build: "v0.9.1"})
	if err := c.CheckPhysics("runs/old"); err == nil || !strings.HasPrefix(err.Error(), "runs/old: physics is ") || !strings.Contains(err.Error(), "use the kingdom version that wrote the run: v0.9.1") {
		t.Errorf("error %v", err)
	}
}
