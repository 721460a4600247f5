package scripted

import (
	"context"
	"math"

	"kingdom/det"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// Model is the name of the scripted mind in logs.
const Model = "scripted"

// Mind is the scripted policy. It holds no state between thoughts.
type Mind struct {
	seed  wire.Hash
	knobs Knobs
}

// New returns the scripted mind of a world.
func New(worldSeed wire.Hash, k Knobs) *Mind {
	return &Mind{seed: worldSeed, knobs: k}
}

// Recomputable returns true: the same prompt always gives the same thought, so thoughts need not be recorded.
func (m *Mind) Recomputable(wire.Cycle) bool { return true }

// Think answers a prompt. It never fails and never waits.
func (m *Mind) Think(_ context.Context, p *llm.Prompt) (llm.Thought, error) {
	fate := new(det.Stream) // the choice and the content reset and reuse it
	fate.Reset(m.seed, det.MindMalformed, p.ID, uint64(p.Tick))
	malformed := fate.Float64() < m.knobs.MalformedRate || m.inBurst(p)
	idle := fate.Float64() < m.knobs.NOPRate

	th := llm.Thought{Outcome: llm.Answered, Model: Model, Spent: llm.Spent{LatencyMS: m.latency(fate)}}
	text := codec.Borrow()
	switch {
	case malformed:
		text.B = m.garble(text.B, fate)
	case idle:
		text.B = append(text.B, `{"action":"nop","params":{},"reasoning":"idle by rate"}`...)
	default:
		a := m.choose(fate, p)
		text.B = m.answer(text.B, fate, p, a)
	}
	th.Text = text.Take()
	th.OutputTokens = uint64(llm.BudgetTokens(len(th.Text)))
	return th, nil
}

// inBurst reports whether the slot lies in a failure burst.
func (m *Mind) inBurst(p *llm.Prompt) bool {
	b := m.knobs.FailureBursts
	return b.EveryCycles > 0 && uint64(p.Cycle)%b.EveryCycles == 0 && p.Slot < b.LengthSlots
}

// latency draws the virtual think time in milliseconds, at most ten minutes.
func (m *Mind) latency(s *det.Stream) uint64 {
	const most = 600_000
	l := m.knobs.Latency
	ms := 0.0
	switch l.Distribution {
	case DistributionConstant:
		ms = l.MedianMS
	case DistributionUniform:
		ms = float64(2 * float64(l.MedianMS*s.Float64()))
	case DistributionLognormal:
		ms = float64(l.MedianMS * det.Exp(float64(l.Sigma*s.Norm())))
	default: // nothing to do for the others
	}
	return uint64(math.Floor(math.Max(0, math.Min(ms, most))))
}

// garbled are unusable answers of the kinds that models give.
var garbled = []string{
	`I would rather think about this some more.`,
	`{"action":"msg_post","params":{"channel":`,
	`{"action":"conquer","params":{}}`,
	"```json\n{\"action\":\"nop\",\"action\":\"nop\"}\n```",
	`{"action":"nop"} {"action":"nop"}`,
	`{"params":{},"reasoning":"no action named"}`,
	`{"action":"nop","params":{"mood":"undecided"}}`,
}

func (m *Mind) garble(dst []byte, s *det.Stream) []byte {
	return append(dst, garbled[s.IntN(len(garbled))]...)
}
