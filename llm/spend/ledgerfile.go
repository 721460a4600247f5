package spend

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// FileName is the ledger's file in a run directory. Its lines are JSON objects of three forms (docs/MINDS.md).
const FileName = "spend.jsonl"

// line is one line of the file. Kind says which of the other fields count.
type line struct {
	Kind lineKind `json:"kind"`
	Call uint64   `json:"call,omitempty"` // its number, from 1

	// Of a reserved call. The counts below are the most it may take.
	Agent string   `json:"agent,omitempty"`
	Model string   `json:"model,omitempty"`
	Tier  llm.Tier `json:"tier,omitempty"`

	// Of a settled call.
	Failure   string `json:"failure,omitempty"`
	Latency   uint64 `json:"latency_ms,omitempty"`
	Cached    uint64 `json:"cached_tokens,omitempty"`
	Reasoning uint64 `json:"reasoning_tokens,omitempty"`
	Estimated bool   `json:"estimated,omitempty"`

	// Of both.
	Prompt uint64 `json:"prompt_tokens,omitempty"`
	Output uint64 `json:"output_tokens,omitempty"`

	Cost uint64 `json:"micro_usd"` // of a call, or the new cap of the run
}

type lineKind string

const (
	lineReserved lineKind = "reserved"
	lineSettled  lineKind = "settled"
	lineBudget   lineKind = "budget"
)

// ledgerFile is the file of a ledger; nil keeps nothing.
type ledgerFile struct{ f *os.File }

func (b *ledgerFile) reserve(r *Reservation) error {
	return b.put(&line{
		Kind: lineReserved, Call: r.number, Agent: r.payer.Agent.String(), Model: r.payer.Model, Tier: r.payer.Tier,
		Prompt: r.worst.PromptTokens, Output: r.worst.OutputTokens, Cost: r.worst.CostMicroUSD,
	})
}

func (b *ledgerFile) settle(number uint64, c *llm.Call) error {
	return b.put(&line{
		Kind: lineSettled, Call: number, Failure: c.Failure, Latency: c.LatencyMS, Prompt: c.PromptTokens, Cached: c.CachedTokens,
		Output: c.OutputTokens, Reasoning: c.ReasoningTokens, Estimated: c.Estimated, Cost: c.CostMicroUSD,
	})
}

func (b *ledgerFile) budget(microUSD uint64) error {
	return b.put(&line{Kind: lineBudget, Cost: microUSD})
}

func (b *ledgerFile) put(l *line) error {
	if b == nil {
		return nil
	}
	raw, err := json.Marshal(l)
	if err != nil {
		panic("spend: a line cannot be encoded: " + err.Error())
	}
	if _, err := b.f.Write(append(raw, '\n')); err != nil {
		return fmt.Errorf("write what was spent: %w", err)
	}
	return nil
}

// Open continues the ledger in a file, which need not exist: what was spent before counts, and new lines are
// appended. An incomplete last line is dropped. Open must be called once, before the first call.
func (l *Ledger) Open(path string) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return fmt.Errorf("open what was spent: %w", err)
	}
	raw, err := io.ReadAll(f)
	if err == nil {
		whole := bytes.LastIndexByte(raw, '\n') + 1
		raw = raw[:whole]
		err = f.Truncate(int64(whole))
	}
	var open map[uint64]*Reservation
	if err == nil {
		open, err = l.read(raw)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("read what was spent: %s: %w", path, err), f.Close())
	}
	l.file = &ledgerFile{f}
	for _, r := range sorted(open) {
		if err := r.settleAsLost(); err != nil {
			return err
		}
	}
	return nil
}

// Close closes the file.
func (l *Ledger) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.f.Close()
	l.file = nil
	return err
}

// Read returns what a run has spent according to its file, which may be growing. If there is no file, it is nothing.
// Calls without a settlement, because they are under way or their process was killed, count as lost.
func Read(path string) (Totals, error) {
	l, err := readFile(path)
	if err != nil {
		return Totals{}, err
	}
	return l.Totals(), nil
}

// ReadCap returns the cap of a run that was set after its start, in millionths of a US dollar, nil for none.
func ReadCap(path string) (*uint64, error) {
	l, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return l.caps.Run, nil
}

// readFile returns a ledger without caps of its own and without a file that has what a file says.
func readFile(path string) (*Ledger, error) {
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read what was spent: %w", err)
	}
	l := New(Caps{}, nil)
	open, err := l.read(raw[:bytes.LastIndexByte(raw, '\n')+1])
	if err != nil {
		return nil, fmt.Errorf("read what was spent: %s: %w", path, err)
	}
	for _, r := range sorted(open) {
		if err := r.settleAsLost(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// read books the lines of a file and returns the calls that were not settled.
func (l *Ledger) read(raw []byte) (map[uint64]*Reservation, error) {
	open := map[uint64]*Reservation{}
	number := 0
	for text := range bytes.Lines(raw) {
		number++
		if err := l.replay(text, open); err != nil {
			return nil, fmt.Errorf("line %d: %w; restore the file, or move it away to start counting from zero", number, err)
		}
	}
	return open, nil
}

func (l *Ledger) replay(text []byte, open map[uint64]*Reservation) error {
	var in line
	if err := json.Unmarshal(text, &in); err != nil {
		return fmt.Errorf("it is not a line of a ledger: %w", codec.PlainJSON(err))
	}
	switch in.Kind {
	case lineBudget:
		l.setRunCap(in.Cost)
	case lineReserved:
		agent, err := wire.ParseAgentID(in.Agent)
		if err != nil {
			return fmt.Errorf("agent: %w", err)
		}
		r := &Reservation{ledger: l, number: in.Call, payer: Payer{agent, in.Model, in.Tier}}
		r.worst = llm.Spent{PromptTokens: in.Prompt, OutputTokens: in.Output, CostMicroUSD: in.Cost}
		open[in.Call] = r
		l.next = max(l.next, in.Call+1)
	case lineSettled:
		r := open[in.Call]
		if r == nil {
			return fmt.Errorf("call %d is settled and was not reserved", in.Call)
		}
		delete(open, in.Call)
		l.book(r, &llm.Call{Model: r.payer.Model, Failure: in.Failure, Spent: llm.Spent{
			LatencyMS: in.Latency, PromptTokens: in.Prompt, CachedTokens: in.Cached, OutputTokens: in.Output, ReasoningTokens: in.Reasoning,
			CostMicroUSD: in.Cost, Estimated: in.Estimated,
		}})
	default:
		return fmt.Errorf("kind %q is unknown; it may be of a newer version of kingdom", in.Kind)
	}
	return nil
}

// settleAsLost settles a call whose end was not recorded, at the most that it can have cost.
func (r *Reservation) settleAsLost() error {
	c := llm.Call{Model: r.payer.Model, Failure: Lost, Spent: r.worst}
	c.Estimated = true
	r.ledger.book(r, &c)
	return r.ledger.file.settle(r.number, &c)
}

// sorted returns reservations by number.
func sorted(open map[uint64]*Reservation) []*Reservation {
	out := make([]*Reservation, 0, len(open))
	for _, r := range open {
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *Reservation) int { return cmp.Compare(a.number, b.number) })
	return out
}
