package observe

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
)

// A file that cannot be read is not cut.
func TestSink_TrimKeepsAFileThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "engine.jsonl")
	const text = "{\"cycle\":1}\n{\"cycle\":2}\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{path: path, f: f, w: bufio.NewWriter(f), enc: newEncoder()}
	s.trim(2, jsonCycle)
	if err := s.close(); err == nil {
		t.Error("nobody is told that the log could not be read")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%q is left, %v; want all", got, err)
	}
}

// Lines without a cycle belong to the line before them, such as a damaged one.
func TestSink_TrimCutsFromTheFirstLineOfTheCycle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "engine.jsonl")
	for cycle, keep := range map[uint64]string{2: "{\"cycle\":1}\ndamaged\n{\"tick\":9}\n", 0: "{\"cycle\":\"x\"}\n{\"tick\":9}\n"} {
		if err := os.WriteFile(path, []byte(keep+"{\"cycle\":2}\n{\"cycle\":1}\n{\"cyc"), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := openSink(path)
		if err != nil {
			t.Fatal(err)
		}
		s.trim(cycle, jsonCycle)
		if err := s.close(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != keep {
			t.Errorf("%q is left, %v; want %q", got, err, keep)
		}
	}
}

// Whatever is no object in a log is damage, also what is JSON.
func TestTail_LineThatIsNoObject(t *testing.T) {
	for _, line := range []string{"null", "7", "", "{", "[]", `{"cycle":-1}`, strings.Repeat("x", 2000)} {
		dir := t.TempDir()
		path := StreamEngine.Path(dir)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := Tail(t.Context(), dir, TailOptions{}, func(l Line) error {
			t.Errorf("%q is shown as %s", line, l.JSON())
			return nil
		})
		var bad *DamageError
		if !errors.As(err, &bad) || bad.Path != path || strings.Contains(err.Error(), "Go ") || len(err.Error()) > 500 || !strings.HasSuffix(err.Error(), afterDamage) {
			t.Errorf("%q: %v, want a short DamageError with advice, without names of Go types", line, err)
		}
	}
}

// The columns of a row are decimal.
func TestCSVCycle(t *testing.T) {
	if n, ok := csvCycle([]byte("12,1663,2")); !ok || n != 12 {
		t.Errorf("%d, %t", n, ok)
	}
}

// The first error of writing is the one that is told when the log is closed, and nothing is written after it.
func TestSink_KeepsItsFirstError(t *testing.T) {
	for _, name := range []string{"nop.jsonl", "goals.jsonl.zst"} {
		path := filepath.Join(t.TempDir(), name)
		s, err := openSink(path)
		if err != nil {
			t.Fatal(err)
		}
		first := errors.New("the first")
		s.setErr(first)
		s.setErr(errors.New("the second"))
		s.line(time.Now(), nil)
		if err := s.close(); !errors.Is(err, first) {
			t.Errorf("%s: %v", name, err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() != 0 {
			t.Errorf("%s: %v, %v; want nothing written", name, info, err)
		}
	}
}

// A frame that cannot be written is an error of its log, though the next one could be.
func TestSink_TellsOfALostFrame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "goals.jsonl.zst")
	if err := os.WriteFile(path, []byte("not empty"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path) // for reading alone
	if err != nil {
		t.Fatal(err)
	}
	s := &sink{path: path, f: f, w: &frameWriter{w: f}, enc: newEncoder()}
	s.line(time.Now(), []zap.Field{zap.String("text", strings.Repeat("x", maxFrame))})
	if err := s.close(); err == nil {
		t.Error("nobody is told that lines were lost")
	}
}
