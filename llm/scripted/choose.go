package scripted

import (
	"slices"

	"kingdom/det"
	"kingdom/llm"
)

const (
	// tickShare is the loss of score per slot that an action takes beyond its first.
	tickShare = 0.03
	// baseTemperature and temperaturePerRisk give the temperature of the choice: baseTemperature + risk · temperaturePerRisk.
	baseTemperature    = 0.05
	temperaturePerRisk = 0.25
	// maxTemperaturesBelow is how many temperatures below the best score a verb may be to get a chance.
	maxTemperaturesBelow = 3.0
	// noisePerRisk is the width of the noise on the score of a verb for a risk of 1.
	noisePerRisk = 0.4
	// callBonus is added to the score of calling a sleeper for a collaboration of 1.
	callBonus = 0.8
	// refusedScore is the score of actions that the mind never takes.
	refusedScore = -1e9
)

// Weight is the score of one affordance and its chance of being chosen.
type Weight struct {
	Score  float64 // without noise
	Chance float64 // of being drawn; together 1
}

// verb is one way to act and what the best option for it promises.
type verb struct {
	name   string
	best   float64 // score of its best option, without noise
	score  float64 // with noise; the chance depends on it
	chance float64 // weight of the draw; of all verbs before they are normalised
	total  float64 // sum of the weights of its options
}

// Weigh returns the weights by which [Mind.Think] chooses among a prompt's affordances, in their order.
func (m *Mind) Weigh(p *llm.Prompt) []Weight {
	out, _ := m.weigh(new(det.Stream), p, nil)
	return out
}

// choose draws an affordance: first a verb, then one of its options. So a verb with four options is not four times as
// probable as a verb with one.
func (m *Mind) choose(s *det.Stream, p *llm.Prompt) *llm.Affordance {
	var room [32]Weight
	weights, draw := m.weigh(s, p, room[:0])
	last := len(weights) - 1
	for i := range weights {
		if c := weights[i].Chance; c > 0 {
			if draw < c {
				return &p.Affordances[i]
			}
			draw -= c
			last = i
		}
	}
	return &p.Affordances[last]
}

// weigh returns the weights of the affordances and the random value that chooses among them. Verbs stand in the order of
// their first affordance; the noise of verb i is the i-th value of the stream, the draw is the value after
// the last.
func (m *Mind) weigh(s *det.Stream, p *llm.Prompt, out []Weight) (weights []Weight, draw float64) {
	s.Reset(m.seed, det.MindChoice, p.ID, uint64(p.Tick))
	var room [32]verb
	var of [32]uint8 // the verb of each affordance; prompts list fewer
	verbs := room[:0]
	for i := range p.Affordances {
		a := &p.Affordances[i]
		v := score(p, a)
		if m.refuses(a.Name()) {
			v = refusedScore
		}
		out = append(out, Weight{Score: v})
		at := slices.IndexFunc(verbs, func(x verb) bool { return x.name == a.Verb() })
		if at < 0 {
			at = len(verbs)
			verbs = append(verbs, verb{name: a.Verb(), best: v})
		}
		verbs[at].best = max(verbs[at].best, v)
		of[i] = uint8(at)
	}
	temperature := baseTemperature + float64(temperaturePerRisk*float64(p.Risk))
	m.setVerbChances(s, p, verbs, temperature)
	for i := range out {
		v := &verbs[of[i]]
		if w := &out[i]; v.chance > 0 && w.Score > refusedScore {
			w.Chance = det.Exp((w.Score - v.best) / temperature)
			v.total += w.Chance
		}
	}
	for i := range out {
		if v := &verbs[of[i]]; out[i].Chance > 0 {
			out[i].Chance = float64(v.chance * (out[i].Chance / v.total))
		}
	}
	return out, s.Float64()
}

// setVerbChances sets the chances of the verbs: a softmax, of higher temperature for agents that take risks, over the verbs
// whose score is at least that of rest (of nop if no rest is offered) and not far below the best. If there is none, the
// agent rests: rest is never drawn in competition with other verbs.
func (m *Mind) setVerbChances(s *det.Stream, p *llm.Prompt, verbs []verb, temperature float64) {
	acts := verbs[:len(verbs)-countIdle(p)]
	idle := &verbs[len(acts)] // rest where it is offered, else nop
	if idle.best == refusedScore {
		idle = &verbs[len(verbs)-1]
	}
	best := refusedScore
	for i := range verbs {
		noise := s.Float64() - 0.5
		v := &verbs[i]
		v.score = v.best
		if v.best > refusedScore && i < len(acts) {
			v.score += float64(float64(noisePerRisk*float64(p.Risk)) * noise)
			best = max(best, v.score)
		}
	}
	total := 0.0
	for i := range acts {
		v := &acts[i]
		if v.best >= idle.best && v.score >= best-float64(maxTemperaturesBelow*temperature) {
			v.chance = det.Exp((v.score - best) / temperature)
			total += v.chance
		}
	}
	if total == 0 { // no verb is worth its cost, or the noise lowered all that were
		idle.chance, total = 1, 1
	}
	for i := range verbs {
		verbs[i].chance /= total
	}
}

// countIdle returns how many of a prompt's verbs do nothing: nop, which is the last, and before it rest if it is offered.
func countIdle(p *llm.Prompt) int {
	if n := len(p.Affordances); n > 1 {
		if a := p.Affordances[n-2].Action; a != nil && a.IsRest() {
			return 2
		}
	}
	return 1
}

// score returns goal priority × estimated success × the product of the factors, less tickShare for each slot beyond the
// first.
func score(p *llm.Prompt, a *llm.Affordance) float64 {
	if a.Action == nil || a.Action.IsRest() {
		return a.Priority
	}
	v := float64(float64(a.Priority*a.Success) * a.Considered.Product())
	if a.Compose == llm.ComposeCall {
		v += float64(callBonus * float64(p.Collab))
	}
	if a.Ticks > 1 {
		v -= float64(tickShare * float64(a.Ticks-1))
	}
	return v
}

func (m *Mind) refuses(name string) bool {
	return name != llm.NOP && slices.Contains(m.knobs.RefuseActions, name)
}
