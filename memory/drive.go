package memory

import "kingdom/det"

const (
	// driveBegins is how much of its work an agent expects to be found good in a cycle before it has seen any, of itself
	// as of another.
	driveBegins = 1
	// driveRate is how much of the average a cycle makes: it takes some ten to change a habit.
	driveRate = 0.1
	// Among many, who has no success at all keeps less than half of its drive; the fewer there are, the more, since what it
	// leaves nobody else may do: beside three others nearly three quarters.
	driveLeast = 0.43
	driveFew   = 3
	// driveMost is how many times as much as another nobody exceeds.
	driveMost = 4
)

// Drive is how readily an agent works: success breeds activity. It is how often the agent's work is found good against
// how often that of another is, as far as the agent hears of it. It is part of the state blob.
type Drive struct {
	Mine   float64 `kdom:"mine"`   // own works that were found good per cycle, a moving average; quantised
	Theirs float64 `kdom:"theirs"` // those of one other; quantised
	Own    uint32  `kdom:"own"`    // own ones in the running cycle
	Others uint32  `kdom:"others"` // those of all others together in the running cycle
}

// NewDrive returns the drive of a new agent: as much as that of others.
func NewDrive() Drive { return Drive{Mine: driveBegins, Theirs: driveBegins} }

// Praise counts a work that was found good, by this agent if own is set.
func (d *Drive) Praise(own bool) {
	if own {
		d.Own++
	} else {
		d.Others++
	}
}

// EndCycle adds the counts of a cycle to the averages; heads is the number of other agents of which the agent hears.
func (d *Drive) EndCycle(heads int) {
	if heads > 0 {
		d.Mine = det.Quantise(d.Mine + float64(driveRate*(float64(d.Own)-d.Mine)))
		d.Theirs = det.Quantise(d.Theirs + float64(driveRate*(float64(d.Others)/float64(heads)-d.Theirs)))
	}
	d.Own, d.Others = 0, 0
}

// Level returns how driven the agent is compared with one of so many others, in (0.5,4]; 1 means equally.
func (d *Drive) Level(others int) float64 {
	if d.Theirs <= 0 {
		return 1
	}
	least := driveLeast + float64((1-driveLeast)*driveFew)/float64(driveFew+others)
	return min(max(d.Mine/d.Theirs, least), driveMost)
}
