package memory

import "kingdom/det"

const (
	// driveInitial is the number of works found good per cycle that a new agent assumes, for itself and for another agent.
	driveInitial = 1
	// driveRate is the weight of one cycle in the averages: a change of habit takes some ten cycles.
	driveRate = 0.1
	// Without any success, an agent among many others keeps driveMin of its drive. In a small group it keeps more, because
	// nobody else may do the work that it leaves: nearly three quarters beside three others.
	driveMin        = 0.43
	driveSmallGroup = 3
	// driveMax is the largest drive, relative to that of another agent.
	driveMax = 4
)

// Drive is how readily an agent takes on work; it grows with success. It is how often the agent's work is found good against
// how often that of another is, as far as the agent hears of it. It is part of the state blob.
type Drive struct {
	Mine   float64 `kdom:"mine"`   // own works that were found good per cycle, a moving average; quantised
	Theirs float64 `kdom:"theirs"` // those of one other; quantised
	Own    uint32  `kdom:"own"`    // own ones in the running cycle
	Others uint32  `kdom:"others"` // those of all others together in the running cycle
}

// NewDrive returns the drive of a new agent: as much as that of others.
func NewDrive() Drive { return Drive{Mine: driveInitial, Theirs: driveInitial} }

// CountSuccess counts a work that was found good, by this agent if own is set.
func (d *Drive) CountSuccess(own bool) {
	if own {
		d.Own++
	} else {
		d.Others++
	}
}

// EndCycle adds the counts of a cycle to the averages; others is the number of other agents that the agent hears of.
func (d *Drive) EndCycle(others int) {
	if others > 0 {
		d.Mine = det.Quantise(d.Mine + float64(driveRate*(float64(d.Own)-d.Mine)))
		d.Theirs = det.Quantise(d.Theirs + float64(driveRate*(float64(d.Others)/float64(others)-d.Theirs)))
	}
	d.Own, d.Others = 0, 0
}

// Level returns how driven the agent is compared with an average one of the others, in (0.43,4]; 1 means equally.
func (d *Drive) Level(others int) float64 {
	if d.Theirs <= 0 {
		return 1
	}
	least := driveMin + float64((1-driveMin)*driveSmallGroup)/float64(driveSmallGroup+others)
	return min(max(d.Mine/d.Theirs, least), driveMax)
}
