//go:build !race

package main

import (
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// browse opens a page in a real browser and returns what it shows once its scripts have run, as HTML. ok is false where there is no
// browser (.ci/need installs one where it can).
func browse(t *testing.T, url string) (shown string, ok bool) {
	t.Helper()
	var browser string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		t.Log("there is no browser here, so the page is not opened; Debian: apt-get install chromium")
		return "", false
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir="+t.TempDir(),
		"--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom", url)
	cmd.WaitDelay = 10 * time.Second
	var errw strings.Builder
	cmd.Stderr = &errw
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("open %s in %s: %v\n%s", url, browser, err, errw.String())
	}
	for _, line := range strings.Split(errw.String(), "\n") {
		if strings.Contains(line, "CONSOLE") { // an error of a script, or something that the page must not load
			t.Errorf("the browser complains: %s", line)
		}
	}
	return string(out), true
}

// The pages do in a real browser what they are for: that of watch fills itself from the server, the report needs nothing but its file.
func TestPages_InABrowser(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0", "--cycles", "3", "--set", "minds.scripted.malformed_rate=1.0", "--set", "dormancy.wake_after_cycles=0", "--out", dir))
	url, _ := watching(t, dir)
	want := []string{"<h1 id=\"title\">epoch0, seed 42</h1>", "finished at cycle 3 of 3", "nobody", "DORMANT: nop_limit", "warning: 3 NOPs in a row", "NOPs: 0"}
	for tries := 0; ; tries++ { // the browser's clock runs ahead, so it may close the page before the WebSocket has brought anything
		shown, ok := browse(t, url)
		missing := slices.DeleteFunc(slices.Clone(want), func(text string) bool { return strings.Contains(shown, text) })
		if !ok || len(missing) == 0 {
			break
		}
		if tries == 9 {
			t.Fatalf("no %q in\n%s", missing, shown)
		}
	}
	if shown, ok := browse(t, "file://"+filepath.Join(dir, "report.html")); ok && !strings.Contains(shown, "epoch0") {
		t.Errorf("the report shows\n%s", shown)
	}
}
