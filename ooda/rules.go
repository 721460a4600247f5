package ooda

import (
	"cmp"
	"iter"
	"slices"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Rules are the constants of a run that a turn needs. All agents share one value. Once turns exist, only Blind,
// Templates and Personas may change, between two cycles; then Prepare is to be called again.
type Rules struct {
	WorldSeed wire.Hash
	Calendar  wire.Calendar
	Gates     uint8 // gate profile: index into action.Row.Epoch

	// Allowed restricts the actions agents may take, by name; nil allows all that
	// the catalogue offers to a mind. Systems restricts them to daemons that exist.
	Allowed []string
	Systems []wire.System

	Tries      uint32 // thoughts asked per slot before it becomes a NOP
	WarnStreak uint32 // NOPs in a row that are reported

	MaxContext uint64 // tokens that prompt and answer may take of a mind that names no size, and of the smallest model; 0: llm.DefaultContext
	MaxTokens  uint64 // tokens that its answer may have

	llm.Limits // the numbers of the world that prompts name too

	// Templates are the scenario's wording of prompts; nil: the package's own.
	Templates *llm.Templates
	// Blind are the layers of memory that decide nothing and that prompts leave out.
	Blind llm.Layers
	// Personas are free texts about the agents of the first population, by spawn index less
	// one; it may end before the last agent.
	Personas []string

	// Strategists are the agents whose minds follow a plan of their own and read no offers: none are drawn up for them.
	Strategists []wire.AgentID

	// Names resolves agent aliases in answers; nil resolves none.
	Names codec.AliasResolver
	// Quoted replaces [Quote] so that the readers of a message share what they keep; nil: each keeps its own. It must be
	// safe to call from several turns at once.
	Quoted func(m *wire.Message, text []byte) Quoted `json:"-"`
	// prepared is what Prepare computed from the fields above; nil: each turn computes what it needs.
	prepared []rights

	// MainRoot is the tree of a repo's chain main before the tick, which the first snap of a fork
	// has; nil where there are no repos.
	MainRoot func(repo wire.Hash) (root wire.Hash, ok bool)
}

// DefaultRules returns the rules of a world without scenario overrides: 256 ticks
// per cycle, gates of profile default, the daemons that exist.
func DefaultRules(seed wire.Hash) Rules {
	return Rules{
		WorldSeed:  seed,
		Calendar:   wire.Calendar{TicksPerCycle: wire.DefaultTicksPerCycle},
		Systems:    []wire.System{wire.SystemNexus, wire.SystemAgora, wire.SystemOracle, wire.SystemVault, wire.SystemForge, wire.SystemMint, wire.SystemPortal},
		Tries:      3,
		WarnStreak: wire.NOPWarning,
		MaxContext: llm.DefaultContext,
		MaxTokens:  llm.DefaultMaxTokens,
		Limits:     llm.DefaultLimits,
	}
}

// Actions returns what a mind may send at an epoch, in catalogue order: rows for
// minds, of daemons that exist, that are allowed and whose gate is open. Votes are
// there at any epoch: proposals of the systems pass every gate.
func (r *Rules) Actions(epoch uint32) []*action.Row {
	var rows []*action.Row
	for row := range r.allowed() {
		if r.opens(row) <= epoch {
			rows = append(rows, row)
		}
	}
	return rows
}

// closed returns what an agent may send at a later epoch, in catalogue order.
func (r *Rules) closed(epoch uint32) []llm.ClosedFact {
	var out []llm.ClosedFact
	for row := range r.allowed() {
		if at := r.opens(row); at > epoch {
			out = append(out, llm.ClosedFact{Name: row.Name, Epoch: at})
		}
	}
	return out
}

// allowed yields the rows for minds, of daemons that exist, that are allowed.
func (r *Rules) allowed() iter.Seq[*action.Row] {
	return func(yield func(*action.Row) bool) {
		all := action.All()
		for i := range all {
			row := &all[i]
			if row.LLM && (row.IsRest() || r.serves(row)) && !yield(row) {
				return
			}
		}
	}
}

// serves reports whether a message of the row has a daemon that takes it and an agent that may
// send it.
func (r *Rules) serves(row *action.Row) bool {
	return row.Type != 0 && slices.Contains(r.Systems, row.System) && (r.Allowed == nil || slices.Contains(r.Allowed, row.Name))
}

// opens is the epoch from which on an action is available.
func (r *Rules) opens(row *action.Row) uint32 {
	if row.Type == wire.TypeProposalVote {
		return 0
	}
	return row.MinEpoch(action.Profile(r.Gates), nil)
}

// persona returns the free text about an agent, "" if there is none.
func (r *Rules) persona(a *agent.Agent) string {
	if a.SpawnIndex == 0 || a.SpawnIndex > uint64(len(r.Personas)) {
		return a.Birth.Persona
	}
	return cmp.Or(r.Personas[a.SpawnIndex-1], a.Birth.Persona)
}

// Appraise returns what the priorities of an agent's goals depend on at a tick, without what the scenario blinds it to.
func (r *Rules) Appraise(a *agent.Agent, tick wire.Tick) goals.Appraisal {
	p := a.Appraise(tick)
	if r.blind(&p); r.Blind.Has(llm.LayerPeers) {
		p.Trust = func(wire.AgentID) (float64, bool) { return 0, false }
	}
	return p
}

// blind hides from an appraisal what the scenario blinds agents to.
func (r *Rules) blind(p *goals.Appraisal) {
	p.NoLearning, p.NoMoney, p.NoStanding = r.Blind.Has(llm.LayerExperiences), r.Blind.Has(llm.LayerMoney), r.Blind.Has(llm.LayerReputation)
}

// SystemTokens returns the largest number of tokens that the system message of a prompt can have, with all the
// actions that an agent may ever use.
func (r *Rules) SystemTokens() uint64 {
	return llm.NewStable(r.Actions(^uint32(0)), nil, &r.Limits, r.Templates).SystemTokens()
}

// Fits returns an error if a prompt cannot be cut to the context of the smallest model. It is called before a run.
func (r *Rules) Fits() error {
	return llm.Fits(cmp.Or(r.MaxContext, llm.DefaultContext), r.SystemTokens(), r.MaxTokens)
}
