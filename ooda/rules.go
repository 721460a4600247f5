package ooda

import (
	"slices"

	"kingdom/llm"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// Rules are the constants of a run that a turn needs. One value serves all
// agents; it is read-only once turns exist.
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

	MaxContext uint64 // tokens of the smallest model in use; 0: llm.DefaultContext
	MaxTokens  uint64 // tokens an answer may have; 0: llm.DefaultMaxTokens

	llm.Limits // the numbers of the world that prompts name too

	// Names resolves agent aliases in answers; nil resolves none.
	Names codec.AliasResolver
}

// DefaultRules returns the rules of a world without scenario overrides: 256 ticks
// per cycle, gates of profile default, the daemons that exist.
func DefaultRules(seed wire.Hash) Rules {
	return Rules{
		WorldSeed:  seed,
		Calendar:   wire.Calendar{TicksPerCycle: wire.DefaultTicksPerCycle},
		Systems:    []wire.System{wire.SystemNexus, wire.SystemAgora, wire.SystemOracle, wire.SystemMint},
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
	all := action.All()
	for i := range all {
		row := &all[i]
		switch {
		case !row.LLM || row.Type == 0:
		case !slices.Contains(r.Systems, row.System):
		case r.Allowed != nil && !slices.Contains(r.Allowed, row.Name):
		case row.MinEpoch(action.Profile(r.Gates), nil) > epoch && row.Type != wire.TypeProposalVote:
		default:
			rows = append(rows, row)
		}
	}
	return rows
}

// Fits refuses rules under which a prompt would not fit the smallest model: it is
// asked before a run, with all the actions an agent may ever have.
func (r *Rules) Fits() error {
	return llm.Fits(r.MaxContext, llm.ActionTokens(r.Actions(^uint32(0))), r.MaxTokens)
}
