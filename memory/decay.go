package memory

import (
	"kingdom/det"
	"kingdom/wire"
)

// decayRate is how fast the recency of knowledge and the trust in peers decay, per tick.
const decayRate = 0.001

// decays are the values of decay for the first 4096 ages in ticks. To choose one of 512 nodes to forget takes dozens of values,
// and nearly all ages are in this table.
var decays = firstDecays()

func firstDecays() (d [4096]float64) {
	for i := range d {
		d[i] = exactDecay(wire.Tick(i))
	}
	return d
}

// decay returns exp(−0.001 · ticks from then to now).
func decay(then, now wire.Tick) float64 {
	ticks := since(then, now)
	if ticks < wire.Tick(len(decays)) {
		return decays[ticks]
	}
	return exactDecay(ticks)
}

func exactDecay(ticks wire.Tick) float64 { return det.Exp(-float64(decayRate * float64(ticks))) }

// since returns the ticks from then to now, 0 if then is not in the past.
func since(then, now wire.Tick) wire.Tick {
	if now <= then {
		return 0
	}
	return now - then
}
