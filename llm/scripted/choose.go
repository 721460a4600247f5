package scripted

import (
	"slices"

	"kingdom/det"
	"kingdom/llm"
)

const (
	// nopScore is what doing nothing is worth; anything useful is worth more.
	nopScore = 0.02
	// restScore is what resting is worth: who finds nothing better lets some slots pass.
	restScore = 0.15
	// tickShare is the loss of score per slot that an action takes beyond its first.
	tickShare = 0.03
	// coldest and heatPerRisk make the temperature of the choice.
	coldest     = 0.05
	heatPerRisk = 0.25
	// noisePerRisk is the width of the noise on a score for a risk of 1.
	noisePerRisk = 0.4
	// thrift is the loss of score when an action costs all that the agent has.
	thrift = 1.0
	// lessonPull is the loss of score of an act of which a lesson says that it never succeeds.
	lessonPull = 0.2
	// callPull is what calling a sleeper is worth beyond its goal to the most social.
	callPull = 0.8
)

// choose draws an affordance: a softmax over scores, hotter for the daring.
func (m *Mind) choose(s *det.Stream, p *llm.Prompt) *llm.Affordance {
	var room [32]Weight
	weights := m.weigh(s, p, room[:0])
	total := 0.0
	for i := range weights {
		total += weights[i].Chance
	}
	draw := float64(s.Float64() * total)
	for i := range weights {
		if draw < weights[i].Chance {
			return &p.Affordances[i]
		}
		draw -= weights[i].Chance
	}
	return &p.Affordances[len(p.Affordances)-1]
}

// Weight is what the mind makes of one affordance.
type Weight struct {
	Score  float64 // noise included
	Chance float64 // of being drawn; of Weigh in [0,1], and together 1
}

// Weigh returns the weights of a prompt's affordances, in their order: those by which Think chooses.
func (m *Mind) Weigh(p *llm.Prompt) []Weight {
	out := m.weigh(new(det.Stream), p, nil)
	total := 0.0
	for i := range out {
		total += out[i].Chance
	}
	for i := range out {
		out[i].Chance /= total
	}
	return out
}

// weigh scores the affordances. The noise of affordance i is the i-th value of the stream, the draw of
// choose is the value after the last.
func (m *Mind) weigh(s *det.Stream, p *llm.Prompt, out []Weight) []Weight {
	s.Reset(m.seed, det.MindChoice, p.ID, uint64(p.Tick))
	best := -1e9
	for i := range p.Affordances {
		noise := s.Float64() - 0.5
		v := score(p, &p.Affordances[i]) + float64(float64(noisePerRisk*float64(p.Risk))*noise)
		if m.refuses(p.Affordances[i].Name()) {
			v = -1e9
		}
		out = append(out, Weight{Score: v})
		best = max(best, v)
	}
	temperature := coldest + float64(heatPerRisk*float64(p.Risk))
	for i := range out {
		if v := out[i].Score; v > -1e8 {
			out[i].Chance = det.Exp((v - best) / temperature)
		}
	}
	return out
}

// score is goal priority × success estimate − cost share, before noise.
func score(p *llm.Prompt, a *llm.Affordance) float64 {
	if a.Action == nil {
		return nopScore
	}
	if a.Action.Rests() {
		return restScore
	}
	v := float64(a.Priority * a.Success)
	if a.Lesson.Text != nil { // such acts went wrong before
		v -= float64(lessonPull * float64(a.Lesson.Strength*float64(1-a.Lesson.Sure)))
	}
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
