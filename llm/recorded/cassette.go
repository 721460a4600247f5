package recorded

import (
	"bufio"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// A cassette is the magic, followed by a gzip stream of records: the header, the thoughts in the order of their ticks,
// and an end with their number. A record is the length of its body in four bytes, its kind in one byte, and the body, a
// canonical MessagePack map.
const (
	magic      = "KTH1"
	gzipHeader = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" // the header of the gzip stream, without name and time; the checksum of gzip does not cover it
	maxRecord  = 4 << 20                                    // bytes; an answer is much shorter
)

const (
	kindHeader byte = iota + 1
	kindThought
	kindEnd
)

// Header says from which run the thoughts come and how that run ended.
type Header struct {
	Scenario  string    `kdom:"scenario"` // its name
	Digest    wire.Hash `kdom:"scenario_digest"`
	Seed      string    `kdom:"seed"`
	Physics   uint32    `kdom:"physics"`
	Models    []string  `kdom:"models"` // that were asked, as the server knows them
	Cycles    uint64    `kdom:"cycles"`
	WorldHash wire.Hash `kdom:"world_hash"` // after the last cycle
	Source    []byte    `kdom:"source"`     // the resolved scenario
}

// thought is a recorded thought in a cassette.
type thought struct {
	Agent           wire.AgentID `kdom:"agent"`
	Tick            wire.Tick    `kdom:"tick"`
	Purpose         string       `kdom:"purpose"`
	Try             uint32       `kdom:"try"`
	Prompt          wire.Hash    `kdom:"prompt_hash"`
	Outcome         uint8        `kdom:"outcome"`
	Text            []byte       `kdom:"text"`
	Model           string       `kdom:"model"`
	Error           string       `kdom:"error,opt"`
	Fallback        bool         `kdom:"fallback,opt"`
	LatencyMS       uint64       `kdom:"latency_ms,opt"`
	PromptTokens    uint64       `kdom:"prompt_tokens,opt"`
	CachedTokens    uint64       `kdom:"cached_tokens,opt"`
	OutputTokens    uint64       `kdom:"output_tokens,opt"`
	ReasoningTokens uint64       `kdom:"reasoning_tokens,opt"`
	CostMicroUSD    uint64       `kdom:"cost_micro_usd,opt"`
	Estimated       bool         `kdom:"estimated,opt"`
}

type end struct {
	Thoughts uint64 `kdom:"thoughts"`
}

var (
	headerCodec  = codec.New[Header]()
	thoughtCodec = codec.New[thought]()
	endCodec     = codec.New[end]()
)

// Writer writes a cassette.
type Writer struct {
	out   *bufio.Writer
	z     *gzip.Writer
	buf   []byte
	last  wire.Tick
	count uint64
}

// NewWriter begins a cassette.
func NewWriter(w io.Writer, h *Header) (*Writer, error) {
	c := &Writer{out: bufio.NewWriter(w)}
	if _, err := c.out.WriteString(magic); err != nil {
		return nil, fmt.Errorf("write cassette: %w", err)
	}
	c.z, _ = gzip.NewWriterLevel(c.out, gzip.BestCompression) // the level is a valid one
	return c, c.put(kindHeader, func(b []byte) []byte { return headerCodec.Append(b, h) })
}

// Add writes a thought. Its tick must not be before that of the thought added last.
func (c *Writer) Add(r *llm.Recorded) error {
	if r.Tick < c.last {
		return fmt.Errorf("write cassette: a thought of tick %d after one of tick %d", r.Tick, c.last)
	}
	c.last = r.Tick
	c.count++
	t := thought{
		Agent: r.Agent, Tick: r.Tick, Purpose: r.Purpose, Try: r.Try, Prompt: r.Prompt,
		Outcome: uint8(r.Outcome), Text: r.Text, Model: r.Model, Error: r.Error, Fallback: r.Fallback,
		LatencyMS: r.LatencyMS, PromptTokens: r.PromptTokens, CachedTokens: r.CachedTokens, OutputTokens: r.OutputTokens,
		ReasoningTokens: r.ReasoningTokens, CostMicroUSD: r.CostMicroUSD, Estimated: r.Estimated,
	}
	return c.put(kindThought, func(b []byte) []byte { return thoughtCodec.Append(b, &t) })
}

// Close ends the cassette. A cassette that was not closed is incomplete, and a Reader refuses it.
func (c *Writer) Close() error {
	if err := c.put(kindEnd, func(b []byte) []byte { return endCodec.Append(b, &end{c.count}) }); err != nil {
		return err
	}
	if err := c.z.Close(); err != nil {
		return fmt.Errorf("write cassette: %w", err)
	}
	if err := c.out.Flush(); err != nil {
		return fmt.Errorf("write cassette: %w", err)
	}
	return nil
}

func (c *Writer) put(kind byte, body func([]byte) []byte) error {
	c.buf = body(append(c.buf[:0], 0, 0, 0, 0, kind))
	n := len(c.buf) - 5
	if n > maxRecord {
		return fmt.Errorf("write cassette: a record of %d bytes is larger than %d", n, maxRecord)
	}
	binary.BigEndian.PutUint32(c.buf, uint32(n))
	if _, err := c.z.Write(c.buf); err != nil {
		return fmt.Errorf("write cassette: %w", err)
	}
	return nil
}
