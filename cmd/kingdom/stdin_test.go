package main

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/internal/fakellm"
)

// A command that waits for standard input ends at the first signal. In CI nobody sends a second one.
func TestStandardInput_WaitEndsWhenInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	withServer(t, &fakellm.Server{})
	t.Setenv(envKeys, filepath.Join(t.TempDir(), "sealed"))
	t.Setenv(envPassphrase, "a passphrase")
	for _, line := range []string{"verify|-", "journal|verify|-", "key|set|mine", "run|epoch0-llm|--cycles|1|--key-stdin"} {
		ctx, interrupt := context.WithCancel(context.Background())
		silent, writer := io.Pipe() // nothing is ever written
		var out, errw bytes.Buffer
		root := newRoot(&out, &errw)
		root.SetIn(firstAsked{silent, interrupt})
		if code := executeRoot(ctx, root, strings.Split(line, "|"), &errw); code != exitInterrupted {
			t.Errorf("kingdom %s: exit %d, want %d\n%s%s", line, code, exitInterrupted, &out, &errw)
		}
		_ = writer.Close()
	}
}

// firstAsked calls a function when it is read from.
type firstAsked struct {
	io.Reader
	first func()
}

func (a firstAsked) Read(p []byte) (int, error) {
	a.first()
	return a.Reader.Read(p)
}
