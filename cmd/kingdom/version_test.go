package main

import (
	"strings"
	"testing"
)

// The flag prints what the command prints.
func TestVersion_Flag(t *testing.T) {
	for _, more := range [][]string{nil, {"--json"}} {
		flag, command := must(t, in(t, append([]string{"--version"}, more...)...)), must(t, in(t, append([]string{"version"}, more...)...))
		if flag.out != command.out || !strings.Contains(flag.out, "physics") {
			t.Errorf("--version prints %s\nversion prints %s", flag.out, command.out)
		}
	}
}
