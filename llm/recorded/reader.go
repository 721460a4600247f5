package recorded

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"kingdom/llm"
	"kingdom/wire"
)

// FormatError says why a file is not a valid cassette.
type FormatError struct {
	Record uint64 // from 0, the header
	Reason string
}

// Error implements error.
func (e *FormatError) Error() string {
	return fmt.Sprintf("read cassette: record %d: %s; get the file again, or make it anew with kingdom journal export RUN --thoughts FILE", e.Record, e.Reason)
}

// Reader reads a cassette and checks its bytes, its order, and that it is complete.
type Reader struct {
	Header Header

	z      *gzip.Reader
	buf    []byte
	record uint64
	count  uint64 // thoughts so far
	tick   wire.Tick
	seen   map[key]bool // of the tick
	ended  bool
}

// NewReader reads the header of a cassette.
func NewReader(r io.Reader) (*Reader, error) {
	in := bufio.NewReader(r)
	c := &Reader{seen: map[key]bool{}}
	head, err := in.Peek(len(magic) + len(gzipHeader))
	if len(head) < len(magic) || string(head[:len(magic)]) != magic {
		return nil, c.formatError("the first bytes are not " + magic + ", so it is not a cassette, or one of another version")
	}
	if err != nil || string(head[len(magic):]) != gzipHeader {
		return nil, c.formatError("the file is damaged or was changed in its first bytes")
	}
	if _, err := in.Discard(len(magic)); err != nil {
		return nil, c.formatError(err.Error())
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, c.formatError(err.Error())
	}
	c.z = z
	kind, body, err := c.next()
	if err != nil {
		return nil, err
	}
	if kind != kindHeader {
		return nil, c.formatError("the header is missing")
	}
	if err := headerCodec.DecodeCanonical(body, &c.Header); err != nil {
		return nil, c.formatError(err.Error())
	}
	c.record++
	return c, nil
}

// Next returns the next thought. It returns io.EOF after the last one of a complete cassette, else a [*FormatError].
func (c *Reader) Next() (llm.Recorded, error) {
	if c.ended {
		return llm.Recorded{}, io.EOF
	}
	kind, body, err := c.next()
	if err != nil {
		return llm.Recorded{}, err
	}
	switch kind {
	case kindThought:
		r, err := c.thought(body)
		c.record++
		c.count++
		return r, err
	case kindEnd:
		return llm.Recorded{}, c.end(body)
	}
	return llm.Recorded{}, c.formatError(fmt.Sprintf("its kind %d is unknown", kind))
}

// thought decodes a thought and checks that its position is valid.
func (c *Reader) thought(body []byte) (llm.Recorded, error) {
	var t thought
	if err := thoughtCodec.DecodeCanonical(body, &t); err != nil {
		return llm.Recorded{}, c.formatError(err.Error())
	}
	if t.Tick > c.tick {
		clear(c.seen)
		c.tick = t.Tick
	}
	k := key{t.Agent, t.Purpose, t.Try}
	switch o := llm.Outcome(t.Outcome); {
	case t.Tick < c.tick:
		return llm.Recorded{}, c.formatError(fmt.Sprintf("its tick is %d, that of the one before %d", t.Tick, c.tick))
	case c.seen[k]:
		return llm.Recorded{}, c.formatError("it is there twice")
	case t.Purpose == "":
		return llm.Recorded{}, c.formatError("it has no purpose")
	case o < llm.Answered || o > llm.Interrupted:
		return llm.Recorded{}, c.formatError("its outcome is unknown: " + o.String())
	}
	c.seen[k] = true
	return llm.Recorded{Agent: t.Agent, Tick: t.Tick, Purpose: t.Purpose, Try: t.Try, Prompt: t.Prompt, Thought: llm.Thought{
		Outcome: llm.Outcome(t.Outcome), Text: t.Text, Model: t.Model, Error: t.Error, Fallback: t.Fallback,
		Spent: llm.Spent{
			LatencyMS: t.LatencyMS, PromptTokens: t.PromptTokens, CachedTokens: t.CachedTokens, OutputTokens: t.OutputTokens,
			ReasoningTokens: t.ReasoningTokens, CostMicroUSD: t.CostMicroUSD, Estimated: t.Estimated,
		},
	}}, nil
}

// end checks that nothing is missing and nothing follows.
func (c *Reader) end(body []byte) error {
	var e end
	if err := endCodec.DecodeCanonical(body, &e); err != nil {
		return c.formatError(err.Error())
	}
	if e.Thoughts != c.count {
		return c.formatError(fmt.Sprintf("%d thoughts came before the end, which counts %d", c.count, e.Thoughts))
	}
	if n, err := c.z.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) { // at the end gzip also compares the checksum
		return c.formatError("something follows the end, or the file was changed after it was written")
	}
	c.ended = true
	return io.EOF
}

// next reads a record; the body is valid until the following call.
func (c *Reader) next() (kind byte, body []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(c.z, head[:]); err != nil {
		return 0, nil, c.formatError("the file is damaged or ends before it")
	}
	n := binary.BigEndian.Uint32(head[:])
	if n > maxRecord {
		return 0, nil, c.formatError(fmt.Sprintf("its length is %d, more than %d", n, maxRecord))
	}
	body, err = readN(c.z, c.buf[:0], int(n))
	if err != nil {
		return 0, nil, c.formatError("the file is damaged or ends inside it")
	}
	c.buf = body
	return head[4], body, nil
}

// readN reads n bytes. It allocates as the bytes arrive, so that a wrong length alone costs no memory.
func readN(r io.Reader, dst []byte, n int) ([]byte, error) {
	const step = 64 << 10
	for len(dst) < n {
		at := len(dst)
		dst = append(dst, make([]byte, min(step, n-at))...)
		if _, err := io.ReadFull(r, dst[at:]); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

func (c *Reader) formatError(reason string) error { return &FormatError{c.record, reason} }
