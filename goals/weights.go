package goals

import "kingdom/det"

// Weights are the weights of the five terms of a priority, derived from an agent's traits.
type Weights struct {
	Urgency, Reward, Capability, Novelty, Social float64
}

// WeightsOf derives the weights from the traits, each in [0,1]. Urgency has weight 1 for every agent. Reward weighs
// more for perfectionists, capability for specialists, novelty for agents that take risks, and social for
// collaborative agents. Quantised.
func WeightsOf(risk, collaboration, breadth, speed float32) Weights {
	return Weights{
		Urgency:    1,
		Reward:     det.Quantise(0.5 + float64(0.5*(1-float64(speed)))),
		Capability: det.Quantise(0.5 + float64(0.5*(1-float64(breadth)))),
		Novelty:    det.Quantise(float64(0.5 * float64(risk))),
		Social:     det.Quantise(float64(0.5 * float64(collaboration))),
	}
}

// CuriosityThreshold returns after how many cycles without a new experience an agent gets a goal to explore: 10 +
// 20·risk. Agents that take risks meet new things more often, so they wait longer. The result is quantised.
func CuriosityThreshold(risk float32) float64 {
	return det.Quantise(10 + float64(20*float64(risk)))
}
