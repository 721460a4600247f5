package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/golden"
)

// The whole list of a small package: its tests never ask for a fee at the bound nor for a door without a key, and never
// call the last function.
func TestRun_ListsSurvivingMutants(t *testing.T) {
	var out strings.Builder
	o := options{every: 1, table: table(t, "| `internal/mutate/testdata/sample` | 50 % | |")}
	if err := o.run(t.Context(), &out, []string{"./testdata/sample"}); err != nil {
		t.Fatal(err)
	}
	list, took, _ := cutLast(strings.TrimSpace(out.String()), "; ")
	if took == "" {
		t.Errorf("no time in %q", out.String())
	}
	golden.File(t, "testdata/sample.txt", list+"\n")
}

func TestRun_FailsBelowRequiredShare(t *testing.T) {
	var out strings.Builder
	o := options{every: 1, table: table(t, "| `internal/mutate/testdata/sample` | 90 % | |")}
	err := o.run(t.Context(), &out, []string{"./testdata/sample"})
	if err == nil || !strings.Contains(err.Error(), "of 90 %") {
		t.Errorf("got %v, want the share that falls short", err)
	}
}

func TestRun_SaysWhatIsMissing(t *testing.T) {
	page := table(t, "")
	for name, tc := range map[string]struct {
		o    options
		args []string
		want string
	}{
		"no package":   {options{every: 1, table: page}, nil, "no package named"},
		"no page":      {options{every: 1, table: "none.md"}, []string{"./testdata/sample"}, "top of the repository"},
		"every 0":      {options{every: 0, table: page}, []string{"./testdata/sample"}, "must be 1 or more"},
		"no such file": {options{every: 1, table: page}, []string{"./testdata/none"}, "load"},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.o.run(t.Context(), &strings.Builder{}, tc.args); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
}

func table(t *testing.T, row string) string {
	path := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(path, []byte("| package | share | |\n|---|---|---|\n"+row+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
