package llm

import (
	"kingdom/wire"
	"kingdom/wire/action"
)

// Identity is what a prompt says about its agent.
type Identity struct {
	ID         wire.AgentID
	Alias      string
	Role       wire.Role
	Risk       float32 // traits, [0,1]
	Collab     float32
	Breadth    float32 // depth_vs_breadth
	Speed      float32 // quality_vs_speed
	Reputation float64
	Balance    int64  // ⚡
	SlotsLeft  uint64 // slots left in this cycle, this one included
}

// Prompt is the complete context of one thought. Its text does not exist until
// Render makes it: a mind that needs no text pays for none.
type Prompt struct {
	Identity
	Tick    wire.Tick
	Cycle   wire.Cycle
	Epoch   uint32
	Slot    uint64 // ordinal of this slot in the agent's cycle, from 0
	Try     uint32 // 0, 1 or 2: how many answers of this slot were unusable
	Tier    Tier
	Purpose string // key of the thought in the journal: PurposeAct

	Limits     *Limits // of this world, which its rules name; nil: DefaultLimits
	MaxContext uint64  // tokens the model takes; 0: DefaultContext
	MaxTokens  uint64  // tokens the answer may have

	Sections    []Section     // everything but the affordances, in prompt order
	Affordances []Affordance  // best goal first; nop is last
	Actions     []*action.Row // what this agent may send now, catalogue order
}

// PurposeAct is the purpose of the thought that chooses an action.
const PurposeAct = "act"

// SectionKind orders a prompt; stable parts come first so that the prefix cache
// of a provider hits.
type SectionKind uint8

// Sections in the order of a prompt (docs/AGENT.md, prompt).
const (
	SectionRules SectionKind = iota + 1
	SectionActions
	SectionFormat
	SectionIdentity
	SectionMemory
	SectionHistory
	SectionState
	SectionAffordances
)

// Title returns the heading of a section.
func (k SectionKind) Title() string {
	switch k {
	case SectionRules:
		return "WORLD RULES"
	case SectionActions:
		return "AVAILABLE ACTIONS"
	case SectionFormat:
		return "RESPONSE FORMAT"
	case SectionIdentity:
		return "YOUR IDENTITY"
	case SectionMemory:
		return "YOUR MEMORY"
	case SectionHistory:
		return "RECENT ACTIONS"
	case SectionState:
		return "CURRENT STATE"
	case SectionAffordances:
		return "AFFORDANCES"
	default:
		return "SECTION"
	}
}

// Items is a list of things a section may show, most valuable first. Append
// writes item i as text without a trailing newline.
type Items interface {
	Len() int
	Append(dst []byte, i int) []byte
}

// Section is one part of a prompt, unrendered. Nil Items are those the package
// renders itself from the Prompt (rules, actions, format, identity, affordances).
type Section struct {
	Kind  SectionKind
	Items Items
}
