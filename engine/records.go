package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"kingdom/agent"
	"kingdom/engine/journal"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// recordKind is the kind of a journal record.
type recordKind = journal.Kind

// The closed list of kinds; those of snapshots begin at 16.
const (
	recordThought recordKind = iota + 1
	recordInput
	recordTick
	recordCycle
)

// thoughtRecord is one thought of a mind that cannot be recomputed.
type thoughtRecord struct {
	Agent        wire.AgentID `kdom:"agent"`
	Tick         wire.Tick    `kdom:"tick"`
	Purpose      string       `kdom:"purpose"`
	Try          uint32       `kdom:"try"`
	Outcome      uint8        `kdom:"outcome"`
	Text         []byte       `kdom:"text"`
	Model        string       `kdom:"model"`
	LatencyMS    uint64       `kdom:"latency_ms"`
	PromptTokens uint64       `kdom:"prompt_tokens"`
	OutputTokens uint64       `kdom:"output_tokens"`
	CostMicroUSD uint64       `kdom:"cost_micro_usd"`
	Error        string       `kdom:"error"`

	// Prompt is llm.Prompt.Hash of the prompt; zero in records of early versions and in answers
	// from outside.
	Prompt wire.Hash `kdom:"prompt_hash,opt"`

	Fallback bool `kdom:"fallback,opt"` // the mind had an outage and Options.Fallback thought instead

	CachedTokens    uint64       `kdom:"cached_tokens,opt"`
	ReasoningTokens uint64       `kdom:"reasoning_tokens,opt"`
	Estimated       bool         `kdom:"estimated,opt"`
	Calls           []callRecord `kdom:"calls,opt"` // the counts above are their sums
}

// callRecord is one request to a model.
type callRecord struct {
	Model           string `kdom:"model"`
	Failure         string `kdom:"failure,opt"`
	LatencyMS       uint64 `kdom:"latency_ms,opt"`
	PromptTokens    uint64 `kdom:"prompt_tokens,opt"`
	CachedTokens    uint64 `kdom:"cached_tokens,opt"`
	OutputTokens    uint64 `kdom:"output_tokens,opt"`
	ReasoningTokens uint64 `kdom:"reasoning_tokens,opt"`
	CostMicroUSD    uint64 `kdom:"cost_micro_usd,opt"`
	Estimated       bool   `kdom:"estimated,opt"`
}

// thoughtKey identifies a thought.
type thoughtKey struct {
	agent   wire.AgentID
	tick    wire.Tick
	purpose string
	try     uint32
}

func (r *thoughtRecord) key() thoughtKey {
	return thoughtKey{r.Agent, r.Tick, r.Purpose, r.Try}
}

func (r *thoughtRecord) thought() llm.Thought {
	th := llm.Thought{
		Outcome: llm.Outcome(r.Outcome), Text: r.Text, Model: r.Model, Error: r.Error, Fallback: r.Fallback,
		Spent: llm.Spent{
			LatencyMS: r.LatencyMS, PromptTokens: r.PromptTokens, CachedTokens: r.CachedTokens, OutputTokens: r.OutputTokens,
			ReasoningTokens: r.ReasoningTokens, CostMicroUSD: r.CostMicroUSD, Estimated: r.Estimated,
		},
	}
	for i := range r.Calls {
		th.Calls = append(th.Calls, r.Calls[i].call())
	}
	return th
}

func (r *callRecord) call() llm.Call {
	return llm.Call{Model: r.Model, Failure: r.Failure, Spent: llm.Spent{
		LatencyMS: r.LatencyMS, PromptTokens: r.PromptTokens, CachedTokens: r.CachedTokens, OutputTokens: r.OutputTokens,
		ReasoningTokens: r.ReasoningTokens, CostMicroUSD: r.CostMicroUSD, Estimated: r.Estimated,
	}}
}

func newThoughtRecord(k thoughtKey, prompt wire.Hash, th *llm.Thought) thoughtRecord {
	r := thoughtRecord{
		Agent: k.agent, Tick: k.tick, Purpose: k.purpose, Try: k.try, Prompt: prompt, Fallback: th.Fallback,
		Outcome: uint8(th.Outcome), Text: th.Text, Model: clean(th.Model), LatencyMS: th.LatencyMS,
		PromptTokens: th.PromptTokens, OutputTokens: th.OutputTokens, CostMicroUSD: th.CostMicroUSD, Error: clean(th.Error),
		CachedTokens: th.CachedTokens, ReasoningTokens: th.ReasoningTokens, Estimated: th.Estimated,
	}
	for i := range th.Calls {
		c := &th.Calls[i]
		r.Calls = append(r.Calls, callRecord{
			Model: clean(c.Model), Failure: clean(c.Failure), LatencyMS: c.LatencyMS, PromptTokens: c.PromptTokens, CachedTokens: c.CachedTokens,
			OutputTokens: c.OutputTokens, ReasoningTokens: c.ReasoningTokens, CostMicroUSD: c.CostMicroUSD, Estimated: c.Estimated,
		})
	}
	return r
}

// clean replaces invalid UTF-8 in text of providers and operators, which could be written to the journal but not read
// back. Answers are stored as bytes and stay unchanged.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// inputRecord is one outside input, written before it takes effect.
type inputRecord struct {
	Seq    uint64       `kdom:"input_seq"`
	Tick   wire.Tick    `kdom:"tick"` // boundary
	Kind   uint8        `kdom:"kind"`
	Agent  wire.AgentID `kdom:"agent"`
	Status uint8        `kdom:"status"`
	Reason string       `kdom:"reason"`
	Genome *wire.Genome `kdom:"genome"`
	Goal   *goalRecord  `kdom:"goal"`
	Slots  uint64       `kdom:"slots"` // of a clock input
	Plan   uint64       `kdom:"plan"`  // place in Config.Planned, from 1; 0: it was not planned

	Cycles  uint64 `kdom:"cycles,opt"` // how long a status holds
	Amount  int64  `kdom:"amount,opt"` // of a grant
	Channel string `kdom:"channel,opt"`
	Message uint8  `kdom:"message,opt"` // kind of a post
	Text    string `kdom:"text,opt"`    // of a post
	Param   string `kdom:"param,opt"`
	Value   int64  `kdom:"value,opt"`

	Birth agent.Birth `kdom:"birth,opt"` // of a spawn

	File   string `kdom:"file,opt"` // of the run's inbox, from which it came; "": from elsewhere
	Item   uint64 `kdom:"item,opt"` // place in that file, from 1
	Source string `kdom:"source,opt"`
}

// goalRecord is an injected goal; its other fields are set when it is applied.
type goalRecord struct {
	Layer       uint8      `kdom:"layer"`
	Source      uint8      `kdom:"source"`
	Description []byte     `kdom:"description"` // canonical map
	CreatedAt   wire.Tick  `kdom:"created_at"`
	Deadline    *wire.Tick `kdom:"deadline"`
}

// tickRecord is the fingerprint of one executed tick.
type tickRecord struct {
	Tick     wire.Tick `kdom:"tick"`
	Thoughts wire.Hash `kdom:"thoughts"` // running hash over all thoughts since genesis
	Chain    wire.Hash `kdom:"chain"`    // envelope chain of the cycle so far
	// Seats holds 8 bytes per seat in commit order: the first 4 of its msg_id (zeros
	// if it sent nothing) and the first 4 of the hash of its thoughts. They name the
	// first agent that differs.
	Seats []byte `kdom:"seats"`
	// Refused are the planned inputs and those of the run's inbox that the world refused at the boundary. They are for readers
	// and are not compared. Journals of earlier builds lack the planned ones.
	Refused []refusedInput `kdom:"refused,opt"`
	// Unusable says which of the recorded thoughts of the tick could not be used. It is for readers, too.
	Unusable []unusableThoughts `kdom:"unusable,opt"`
}

// unusableThoughts says that the first answers of an agent in a tick could not be used, and how many they were.
type unusableThoughts struct {
	Agent wire.AgentID `kdom:"agent"`
	Count uint32       `kdom:"count"`
}

// refusedInput is an input that the world refused, and why.
type refusedInput struct {
	Seq    uint64 `kdom:"input_seq"`
	Reason string `kdom:"reason"`
}

const seatFingerprint = 8

// cycleRecord repeats the cycle row, so that store and journal check each other, and has
// the running hash of thoughts beside it.
type cycleRecord CycleRow

func newCycleRecord(r *CycleRow, thoughts wire.Hash) cycleRecord {
	c := cycleRecord(*r)
	c.Thoughts = thoughts
	return c
}

func (r *cycleRecord) row() CycleRow {
	c := CycleRow(*r)
	c.Thoughts = wire.Hash{}
	return c
}

var (
	thoughtCodec = codec.New[thoughtRecord]()
	inputCodec   = codec.New[inputRecord]()
	tickCodec    = codec.New[tickRecord]()
	cycleCodec   = codec.New[cycleRecord]()
)

// sha256Of is SHA-256 of a label and of parts, each after its length in four bytes, big-endian.
func sha256Of(label string, parts ...[]byte) wire.Hash {
	h := sha256.New()
	h.Write([]byte(label))
	for _, p := range parts {
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(p))))
		h.Write(p)
	}
	return wire.Hash(h.Sum(nil))
}
