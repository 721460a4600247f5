package engine

import (
	"cmp"
	"strconv"
	"time"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/ooda"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world"
)

// Config is what the engine needs from a scenario. All of it is part of what decides the world hashes
// (docs/DETERMINISM.md), except Build, Minds, OnMiss, Portal, SignaturesLazy, OnOutage, ThinkTimeout, Thinkers and SnapshotEvery.
type Config struct {
	Name           string    // scenario name
	ScenarioDigest wire.Hash // SHA-256 of the resolved scenario
	SeedText       string    // the seed as the user wrote it; Rules.Seed is made from it
	Build          string    // this build of kingdom, for run.json; "" if unknown
	Minds, OnMiss  string    // for run.json, see [RunFile]
	Portal         string    // likewise; Options.Fetcher is what answers
	Physics        uint32    // physics version, as in run.json; 0 means [Physics], any other is refused
	Rules          world.Rules
	Turn           ooda.Rules    // Names is filled in by the engine
	Limits         agent.Limits  // zero: agent.DefaultLimits
	Genomes        []wire.Genome // the bootstrap population, in spawn order
	Beginnings     []Beginning   // initial knowledge and goals of the first agents, in spawn order; may be shorter than Genomes
	Names          []string      // of the bootstrap population, in spawn order, for tables that people read; agents never see them
	Cycles         uint64        // cycles the scenario asks for; the caller passes it to Run
	Planned        []Input       // inputs at stated ticks, Earliest ascending; queued by Start and Resume
	Changes        []Change      // later changes of Turn, by cycle

	writtenBy Builds // of the run that is opened; nil: none, or not known

	// SignaturesLazy signs a request only when its bytes leave the process; otherwise the act step signs it. No hash
	// depends on signatures, and within one process nobody reads them.
	SignaturesLazy bool
	// OnOutage says what happens when a mind that cannot be recomputed gives no
	// answer; 0 means OutagePause.
	OnOutage Outage
	// ThinkTimeout bounds one thought of a mind that is not [SelfTimedMind]; 0 means
	// DefaultThinkTimeout.
	ThinkTimeout time.Duration
	// Thinkers is how many thoughts may be in flight at once; 0 sets no bound.
	// Recomputable minds are not counted.
	Thinkers int
	// SnapshotEvery is the distance of snapshots in cycles; 0 means DefaultSnapshotEvery.
	SnapshotEvery uint64
}

// Change replaces values of Config.Turn from a cycle on. It does not change the mind: Options.Mind chooses the model
// by the cycle of a prompt.
type Change struct {
	From      wire.Cycle
	Blind     llm.Layers
	Templates *llm.Templates
	Personas  []string
}

// Defaults of Config (docs/SCENARIOS.md).
const (
	DefaultThinkTimeout = 30 * time.Second
	// SlotTimeout bounds the time with the mind of all thoughts of one slot together.
	SlotTimeout          = 90 * time.Second
	DefaultSnapshotEvery = 32
)

// Options are the adapters of one run. Store and Mind are required.
type Options struct {
	// Dir is the run directory; it must exist. Empty runs without journal,
	// snapshots and run.json: for replay, tests and benchmarks.
	Dir string
	// Forked tells Start that Dir holds a journal made by [Fork], which the run executes again before it continues.
	Forked bool
	// Store keeps the world; nil only where nothing is kept (benchmarks).
	Store Store
	// StoreURL is written to run.json; it must hold no secret.
	StoreURL string
	Mind     Mind
	// Fallback thinks where Mind has an outage and the policy is OutageFallback; what it
	// thought is journaled like what it stands in for.
	Fallback Mind
	// ReadInbox turns a file of the run's inbox (see [AddToInbox]) into inputs, which take effect at the first tick of a
	// cycle; nil: the inbox is not looked at.
	ReadInbox func(file []byte) ([]Input, error)
	// Fetcher answers what requests ask of the outside; nil: every such request fails.
	Fetcher Fetcher
	// Observers are called in one goroutine of their own.
	Observers []Observer
	// Queue bounds what waits for the observers, in seats; 0 means DefaultQueue.
	// Commits beyond it are dropped and counted.
	Queue int
	// Progress is called by Start during the bootstrap, a few times a second in large
	// populations; it may be nil. It is called in the engine's goroutine and must return at once.
	Progress func(Progress)
	// Waits is told for whose thoughts a tick waits, a few seconds after it began to wait for them and every few seconds then, and
	// nil when it waits no longer and when the run begins; it may be nil. It is called in a goroutine of its own.
	Waits func(*Wait)
	// Warn takes messages about the run's files, such as a torn journal record that
	// was cut; nil discards them.
	Warn func(msg string)
}

// Progress says how far [Start] has come.
type Progress struct {
	Stage        Stage
	Agents       uint64 // that are done, in StageAgents
	AgentsWanted uint64
}

// Stage is a part of the bootstrap.
type Stage uint8

// The stages of the bootstrap, in order.
const (
	StageWorld  Stage = iota + 1 // cycle 0 of the daemons
	StageAgents                  // every agent gets its mind and its seat
	StageHash                    // all agents are hashed
	StageStore                   // cycle 0 is written
)

// Outage is what to do with a slot whose mind gave no answer.
type Outage uint8

const (
	// OutagePause stops the run at the tick boundary with a *PausedError.
	OutagePause Outage = iota + 1
	// OutageIdle lets the slot be idle, which never counts towards dormancy.
	OutageIdle
	// OutageFallback lets Options.Fallback think instead; the thought is marked.
	OutageFallback
)

var outageNames = []string{"pause", "idle", "fallback"}

func (Outage) EnumNames() []string { return outageNames }
func (o Outage) String() string    { return codec.EnumString(outageNames, o) }

// Identity returns the row by which the store and the journal recognise this world.
func (c *Config) Identity() RunRow {
	return RunRow{Scenario: c.Name, Digest: c.ScenarioDigest, Seed: c.SeedText, Physics: cmp.Or(c.Physics, Physics)}
}

// CheckPhysics returns an error unless the configuration is for the physics version of this build. run is the directory of the
// run of which it is, empty if there is none.
func (c *Config) CheckPhysics(run string) error {
	if p := c.Identity().Physics; p != Physics {
		return &MismatchError{
			Run: run, What: "physics", Want: strconv.Itoa(int(Physics)), Got: strconv.Itoa(int(p)), Hint: useBuild(c.writtenBy.last()),
		}
	}
	return nil
}

// ForRun makes the configuration that of a run that exists: of its physics version, which may not be that of this build.
func (c *Config) ForRun(r *RunFile) {
	c.Physics, c.Portal, c.writtenBy = r.Physics, r.Portal, r.WrittenBy()
}

// WrittenBy returns the builds that wrote the run that is opened (see [Config.ForRun]); nil if that is not known.
func (c *Config) WrittenBy() Builds { return c.writtenBy }

// useBuild advises to use the build that wrote a run of another physics version.
func useBuild(build string) string {
	if build == "" {
		return "use the kingdom version that wrote the run"
	}
	return "use the kingdom version that wrote the run: " + build
}

func (c *Config) withDefaults() Config {
	d := *c
	if d.Limits.Goals == (goals.Capacity{}) {
		d.Limits.Goals = agent.DefaultLimits.Goals
	}
	if d.Limits.Memory == (memory.Limits{}) {
		d.Limits.Memory = agent.DefaultLimits.Memory
	}
	if d.OnOutage == 0 {
		d.OnOutage = OutagePause
	}
	if d.ThinkTimeout == 0 {
		d.ThinkTimeout = DefaultThinkTimeout
	}
	if d.SnapshotEvery == 0 {
		d.SnapshotEvery = DefaultSnapshotEvery
	}
	return d
}

func (o *Options) warn(msg string) {
	if o.Warn != nil {
		o.Warn(msg)
	}
}
