package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
)

// standardInput returns the standard input of a command. A read that waits when the command is interrupted returns
// [context.Canceled]: the system cannot be told to stop waiting, and a second signal may never come, such as in CI.
func standardInput(cmd *cobra.Command) io.Reader {
	return &interruptible{ctx: cmd.Context(), from: cmd.InOrStdin()}
}

// interruptible reads until its context ends.
type interruptible struct {
	ctx  context.Context
	from io.Reader
	buf  []byte // belongs to the read in progress
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.buf) < len(p) {
		r.buf = make([]byte, len(p))
	}
	type answer struct {
		n   int
		err error
	}
	buf, got := r.buf[:len(p)], make(chan answer, 1)
	go func() { // after an interrupt it waits until the process ends
		n, err := r.from.Read(buf)
		got <- answer{n, err}
	}()
	select {
	case a := <-got:
		copy(p, buf[:a.n])
		clear(buf[:a.n]) // it may be a key
		return a.n, a.err
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}
