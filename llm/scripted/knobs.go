package scripted

// Knobs are the scenario values of the scripted mind. The zero value is a mind without faults and without latency.
type Knobs struct {
	// MalformedRate is the share of slots, [0,1], whose answers cannot be parsed,
	// all tries alike.
	MalformedRate float64
	// NOPRate is the share of slots, [0,1], in which the mind answers nop whatever
	// is possible.
	NOPRate float64
	// FailureBursts make the answers of whole stretches unusable, so that agents
	// fall dormant.
	FailureBursts FailureBursts
	// RefuseActions are names of actions this mind never takes.
	RefuseActions []string
	// Latency is what the mind says its thoughts took.
	Latency Latency
}

// FailureBursts makes answers unusable in bursts: in every cycle that is a multiple of EveryCycles, for the first
// LengthSlots slots of each agent. EveryCycles 0 means never.
type FailureBursts struct {
	EveryCycles uint64
	LengthSlots uint64
}

// Latency is a distribution of simulated think times.
type Latency struct {
	Distribution Distribution
	MedianMS     float64
	Sigma        float64 // of the logarithm; LOGNORMAL only
}

// Distribution names the shape of a latency.
type Distribution uint8

// The closed list of shapes; the zero value is NONE.
const (
	DistributionNone      Distribution = iota // always 0
	DistributionConstant                      // always the median
	DistributionUniform                       // from 0 to twice the median
	DistributionLognormal                     // median · exp(sigma · normal)
)

var distributionNames = []string{"none", "constant", "uniform", "lognormal"}

// EnumNames lists the names a scenario may use.
func (Distribution) EnumNames() []string { return distributionNames }

// String returns the name.
func (d Distribution) String() string { return distributionNames[d] }
