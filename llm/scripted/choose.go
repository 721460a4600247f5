package scripted

import (
	"slices"

	"kingdom/det"
	"kingdom/llm"
)

const (
	// nopScore is what doing nothing is worth; anything useful is worth more.
	nopScore = 0.02
	// tickShare is the loss of score per slot that an action takes beyond its first.
	tickShare = 0.03
	// coldest and heatPerRisk make the temperature of the choice.
	coldest     = 0.05
	heatPerRisk = 0.25
	// noisePerRisk is the width of the noise on a score for a risk of 1.
	noisePerRisk = 0.4
	// thrift is the loss of score when an action costs all that the agent has.
	thrift = 1.0
	// callPull is what calling a sleeper is worth beyond its goal to the most social.
	callPull = 0.8
)

// choose draws an affordance: a softmax over scores, hotter for the daring. The
// noise of affordance i is the i-th value of the stream, the draw is the value
// after the last.
func (m *Mind) choose(s *det.Stream, p *llm.Prompt) *llm.Affordance {
	s.Reset(m.seed, det.MindChoice, p.ID, uint64(p.Tick))
	var room [32]float64
	scores := room[:0]
	best := -1e9
	for i := range p.Affordances {
		noise := s.Float64() - 0.5
		v := score(p, &p.Affordances[i]) + float64(float64(noisePerRisk*float64(p.Risk))*noise)
		if m.refuses(p.Affordances[i].Name()) {
			v = -1e9
		}
		scores = append(scores, v)
		best = max(best, v)
	}
	temperature := coldest + float64(heatPerRisk*float64(p.Risk))
	total := 0.0
	for i, v := range scores {
		w := 0.0
		if v > -1e8 {
			w = det.Exp((v - best) / temperature)
		}
		scores[i] = w
		total += w
	}
	draw := float64(s.Float64() * total)
	for i, w := range scores {
		if draw < w {
			return &p.Affordances[i]
		}
		draw -= w
	}
	return &p.Affordances[len(p.Affordances)-1]
}

// score is goal priority × success estimate − cost share, before noise.
func score(p *llm.Prompt, a *llm.Affordance) float64 {
	if a.Action == nil {
		return nopScore
	}
	v := float64(a.Priority * a.Success)
	if a.Compose == llm.ComposeCall {
		v += float64(callPull * float64(p.Collab))
	}
	if a.Ticks > 1 {
		v -= float64(tickShare * float64(a.Ticks-1))
	}
	if a.Spark > 0 {
		have := float64(max(p.Balance, 1))
		v -= float64(thrift * (float64(a.Spark) / have))
		v += a.Reward / (a.Reward + 30)
	}
	return v
}

func (m *Mind) refuses(name string) bool {
	return name != llm.NOP && slices.Contains(m.knobs.RefuseActions, name)
}
