package goals

import "kingdom/det"

// Weights are what an agent's temperament makes of the five priority terms.
type Weights struct {
	Urgency, Reward, Capability, Novelty, Social float64
}

// WeightsOf derives the weights from the traits, each in [0,1]: urgency is 1 for
// everybody, perfectionists follow rewards, specialists their skills, the daring
// what is new, the sociable what helps others. Quantised.
func WeightsOf(risk, collaboration, breadth, speed float32) Weights {
	return Weights{
		Urgency:    1,
		Reward:     det.Quantise(0.5 + float64(0.5*(1-float64(speed)))),
		Capability: det.Quantise(0.5 + float64(0.5*(1-float64(breadth)))),
		Novelty:    det.Quantise(float64(0.5 * float64(risk))),
		Social:     det.Quantise(float64(0.5 * float64(collaboration))),
	}
}

// CuriosityThreshold returns the cycles without a new experience after which
// curiosity presses: 10 + 20·risk, so the daring, who meet new things more often,
// wait longer. Quantised.
func CuriosityThreshold(risk float32) float64 {
	return det.Quantise(10 + float64(20*float64(risk)))
}
