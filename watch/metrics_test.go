package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kingdom/observe"
)

const heading = "cycle,world_hash,gini\n"

// figures reads a file of figures with a content.
func figures(t *testing.T, content string) (m *metrics, err error) {
	t.Helper()
	m = newMetrics(t.TempDir())
	put(t, m.path, content)
	changed, err := m.read()
	if !changed {
		t.Errorf("%q is not read", content)
	}
	return m, err
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func rowsOf(m *metrics) (out string) {
	for _, r := range m.Rows {
		out += fmt.Sprint(r.Cycle, " ", string(m.object(&r)), "\n")
	}
	return out
}

// Only whole rows of figures are shown: none that is half written, and no line that somebody else has added.
func TestMetrics_Rows(t *testing.T) {
	const zero, one = `0 {"cycle":0,"world_hash":"00ff","gini":0.25}` + "\n", `1 {"cycle":1,"world_hash":"12ef","gini":1}` + "\n"
	for content, want := range map[string]string{
		"":                                    "",
		"cycle,wor":                           "",
		heading:                               "",
		heading + "0,00ff,0.25\n":             zero,
		heading + "0,00ff,0.25\n1,12ef,1\n":   zero + one,
		heading + "0,00ff,0.25\n1,12ef,1":     zero, // it may go on
		heading + "0,00ff,0.25\na note,,\n":   zero,
		heading + "0,00ff,0.25\na note\n":     zero,
		heading + "0,00ff,0.25\n1,12ef\n":     zero,
		heading + "0,00ff,0.25\n1,12ef,1,2\n": zero,
	} {
		m, err := figures(t, content)
		if got := rowsOf(m); err != nil || got != want {
			t.Errorf("%q: %v, rows\n%s\nwant\n%s", content, err, got, want)
		}
		last, ok := m.last()
		if wantLast := len(m.Rows) - 1; ok != (want != "") || ok && int(last) != wantLast {
			t.Errorf("%q: the last cycle is %d %t", content, last, ok)
		}
	}
}

// A number is a number for programs that read the rows; what JSON has no number for is text, and so are words.
func TestMetrics_Values(t *testing.T) {
	for value, want := range map[string]string{
		"1": "1", "-0.5": "-0.5", "1e-9": "1e-9", "NaN": `"NaN"`, "+Inf": `"+Inf"`, "007": `"007"`, "0x10": `"0x10"`, "12_3": `"12_3"`, ".5": `".5"`,
		"": `""`, "true": `"true"`, "null": `"null"`, "[1]": `"[1]"`, "<b>": `"\u003cb\u003e"`, "00ff": `"00ff"`,
	} {
		if got := string(valuesOf([]string{value})[0]); got != want {
			t.Errorf("%q becomes %s, want %s", value, got, want)
		}
	}
}

// The file is read again if its length or its time has changed, and only then.
func TestMetrics_ReadsAgainWhatHasChanged(t *testing.T) {
	m, err := figures(t, heading+"0,00ff,0.25\n")
	if err != nil {
		t.Fatal(err)
	}
	at := m.at
	for _, c := range []struct {
		name, content string
		later         time.Duration
		want          bool
	}{
		{"as it was", heading + "0,00ff,0.25\n", 0, false},
		{"another hash", heading + "0,00fe,0.25\n", time.Second, true},
		{"another row", heading + "0,00fe,0.25\n1,12ef,1\n", time.Second, true},
	} {
		put(t, m.path, c.content)
		if err := os.Chtimes(m.path, at, at.Add(c.later)); err != nil {
			t.Fatal(err)
		}
		if changed, err := m.read(); changed != c.want || err != nil {
			t.Errorf("%s: read %t (%v), want %t", c.name, changed, err, c.want)
		}
	}
}

// A file that is not there yet is no problem, one that cannot be read is.
func TestMetrics_CannotBeRead(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "file"), "")
	if err := os.Mkdir(observe.MetricsPath(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		dir   string
		fails bool
	}{
		"nothing yet":             {filepath.Join(dir, "none"), false},
		"a folder in its place":   {dir, true},
		"a file where the run is": {filepath.Join(dir, "file"), true},
	} {
		m := newMetrics(c.dir)
		if changed, err := m.read(); changed || (err != nil) != c.fails {
			t.Errorf("%s: read %t, %v", name, changed, err)
		}
	}
	m, err := figures(t, heading+"0,\"00,1\n")
	for range 2 { // the damage is not forgotten after the first look
		if err == nil || len(m.Rows) > 0 {
			t.Errorf("a quote that does not end: %v, %d rows", err, len(m.Rows))
		}
		_, err = m.read()
	}
}
