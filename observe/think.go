package observe

import (
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"kingdom/engine"
	"kingdom/llm"
)

// writeThoughts writes a line of think.jsonl for each try of a slot.
func (l *Logs) writeThoughts(now time.Time, c *engine.Commit, s *engine.SeatReport) {
	for i := range s.Thinks {
		t := &s.Thinks[i]
		l.think.line(now, []zap.Field{
			zap.String("run", l.run), zap.Uint64("cycle", uint64(c.Cycle)), zap.Uint64("tick", uint64(c.Tick)),
			zap.Object("agent", agentObject(s.Agent)), zap.String("role", s.Role.String()), zap.Uint32("try", t.Try),
			tierField(t.Tier, t.Tier != 0), zap.String("outcome", t.Outcome.String()), textField("model", t.Model),
			goalField(t.Goal), zap.Int("affordances", t.Affordances), textField("action", t.Action), textField("reasoning", t.Reasoning),
			zap.Array("decided", decided(t.Decided[:t.Deciding])), textField("error", t.Error), zap.Bool("fallback", t.Fallback), zap.Int("dropped", t.Dropped), zap.Int("ignored", t.Ignored), textField("refused", s.Refused),
			zap.Int("calls", len(t.Calls)), zap.Uint64("latency_ms", t.Spent.LatencyMS),
			zap.Uint64("prompt_tokens", t.Spent.PromptTokens), zap.Uint64("cached_tokens", t.Spent.CachedTokens),
			zap.Uint64("output_tokens", t.Spent.OutputTokens), zap.Uint64("reasoning_tokens", t.Spent.ReasoningTokens),
			zap.Uint64("cost_micro_usd", t.Spent.CostMicroUSD), zap.Bool("estimated", t.Spent.Estimated),
		})
	}
}

// decided lists the factors that set an act apart.
type decided []llm.Decided

// MarshalLogArray implements zapcore.ArrayMarshaler.
func (d decided) MarshalLogArray(enc zapcore.ArrayEncoder) error {
	for _, x := range d {
		err := enc.AppendObject(zapcore.ObjectMarshalerFunc(func(o zapcore.ObjectEncoder) error {
			o.AddString("factor", x.Factor.String())
			o.AddFloat64("value", x.Value)
			o.AddFloat64("others", x.Others)
			return nil
		}))
		if err != nil {
			return err
		}
	}
	return nil
}
