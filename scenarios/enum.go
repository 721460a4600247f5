package scenarios

// Gates is the gate profile: from which epoch on each action is open. The
// ordinal (value minus one) is world.Rules.Gates.
type Gates uint8

// Values of [Gates].
const (
	GatesDefault Gates = iota + 1
	GatesStrict
	GatesOpen
)

func (Gates) EnumNames() []string { return []string{"default", "strict", "open"} }
func (v Gates) String() string    { return v.EnumNames()[v-1] }

// Signatures says when envelopes are signed.
type Signatures uint8

// Values of [Signatures].
const (
	SignaturesEager Signatures = iota + 1
	SignaturesLazy
)

func (Signatures) EnumNames() []string { return []string{"eager", "lazy"} }
func (v Signatures) String() string    { return v.EnumNames()[v-1] }

// Tables says when SQLite's plain tables of rows that never change again are filled.
type Tables uint8

// Values of [Tables].
const (
	TablesEnd Tables = iota + 1
	TablesLive
	TablesDemand
)

func (Tables) EnumNames() []string { return []string{"end", "live", "demand"} }
func (v Tables) String() string    { return v.EnumNames()[v-1] }

// LogForm is how a log is written.
type LogForm uint8

// Values of [LogForm].
const (
	LogFormCompressed LogForm = iota + 1
	LogFormPlain
)

func (LogForm) EnumNames() []string { return []string{"compressed", "plain"} }
func (v LogForm) String() string    { return v.EnumNames()[v-1] }

// OnOutage says what happens to the run when a provider is down.
type OnOutage uint8

// Values of [OnOutage].
const (
	OnOutagePause OnOutage = iota + 1
	OnOutageIdle
	OnOutageFallback
)

func (OnOutage) EnumNames() []string { return []string{"pause", "idle", "fallback"} }
func (v OnOutage) String() string    { return v.EnumNames()[v-1] }

// Dist is the shape of a trait's distribution.
type Dist uint8

// Values of [Dist].
const (
	DistFixed Dist = iota + 1
	DistUniform
	DistNormal
	DistBeta
)

func (Dist) EnumNames() []string { return []string{"fixed", "uniform", "normal", "beta"} }
func (v Dist) String() string    { return v.EnumNames()[v-1] }

// Spread is the shape of a latency.
type Spread uint8

// Values of [Spread].
const (
	SpreadNone Spread = iota + 1
	SpreadConstant
	SpreadUniform
	SpreadLognormal
)

func (Spread) EnumNames() []string { return []string{"none", "constant", "uniform", "lognormal"} }
func (v Spread) String() string    { return v.EnumNames()[v-1] }

// Pace says whether a scripted latency is waited for.
type Pace uint8

// Values of [Pace].
const (
	PaceVirtual Pace = iota + 1
	PaceReal
)

func (Pace) EnumNames() []string { return []string{"virtual", "real"} }
func (v Pace) String() string    { return v.EnumNames()[v-1] }
