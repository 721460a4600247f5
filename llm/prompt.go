package llm

import (
	"kingdom/wire"
	"kingdom/wire/action"
)

// Identity is what a prompt says about its agent. Minds that are programs read it as values.
type Identity struct {
	ID         wire.AgentID
	SpawnIndex uint64 // from 1; no text of the prompt depends on it
	Alias      string
	Role       wire.Role
	Risk       float32 // traits, [0,1]
	Collab     float32
	Breadth    float32 // depth_vs_breadth
	Speed      float32 // quality_vs_speed
	SlotsLeft  uint64  // slots left in this cycle, this one included
	Persona    string  // free text of the scenario; "": none
	Mind       string  // what the operator that spawned the agent chose to think for it; "": nothing. No text of the prompt depends on it
}

// Prompt is the complete input of one thought. Its text is created by Render or Messages, so a mind that needs no
// text does not pay for it.
type Prompt struct {
	Identity
	Tick    wire.Tick
	Cycle   wire.Cycle
	Epoch   uint32
	Slot    uint64 // ordinal of this slot in the agent's cycle, from 0
	Try     uint32 // 0, 1 or 2: how many answers of this slot were unusable
	Tier    Tier
	Purpose string // key of the thought in the journal: PurposeAct

	Unusable string // why the answer before this try could not be used; "": it is the first try

	Limits     *Limits    // of this world, which its rules name; nil: DefaultLimits
	Templates  *Templates // wording of the scenario; nil: the package's own
	MaxContext uint64     // tokens the model takes; 0: DefaultContext
	MaxTokens  uint64     // tokens the answer may have

	Blind       Layers        // layers of memory that the scenario leaves out
	Life        Life          // what the agent knows; nil: nothing
	Sight       Sight         // the same information as values, for minds that are programs; no prompt text depends on it
	Affordances []Affordance  // best goal first; nop is last
	Actions     []*action.Row // what this agent may send now, catalogue order
	Closed      []ClosedFact  // what it may send at a later epoch
	Stable      *Stable       // of these Actions, Closed, Limits and Templates; nil: made where it is needed

	rendered        *Rendered         // what Hash created, until Forget; nil: nothing
	failedTemplates []TemplateFailure // while it was written, other than by Hash
}

// PurposeAct is the purpose of the thought that chooses an action.
const PurposeAct = "act"

// Life provides what a prompt says about its agent besides identity and affordances.
type Life interface {
	// FillFacts fills in what the agent knows and creates handles for the things that it names.
	FillFacts(f *Facts, h *Handles)
	// About returns the handle, the title and the author of a thing, each the zero value if the agent does not
	// know it.
	About(id wire.Hash, h *Handles) (ref Ref, title Words, author string)
}

// SectionKind is one of the sections of a prompt. Their order puts stable parts first, so that providers can cache
// them.
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

// sections is the number of sections.
const sections = int(SectionAffordances)

var sectionTitles = [...]string{
	"SECTION", "WORLD RULES", "AVAILABLE ACTIONS", "RESPONSE FORMAT", "YOUR IDENTITY", "YOUR MEMORY", "RECENT ACTIONS", "CURRENT STATE", "AFFORDANCES",
}

var sectionNames = []string{"rules", "actions", "format", "identity", "memory", "history", "state", "affordances"}

// Title returns the heading of a section.
func (k SectionKind) Title() string {
	if int(k) > sections {
		k = 0
	}
	return sectionTitles[k]
}

// String returns the name of a section, as a scenario's prompts use it.
func (k SectionKind) String() string { return sectionNames[k-1] }

// SectionNames lists the names of the sections in the order of a prompt.
func SectionNames() []string { return sectionNames }

// Stable reports whether a section is equal for all agents with equal rights.
func (k SectionKind) Stable() bool { return k < SectionIdentity }

// fillFacts fills in the facts of this prompt and creates handles for the things that they name.
func (p *Prompt) fillFacts(s *Stable, f *Facts, h *Handles) {
	f.Rules, f.Actions = s.rules, s.actions
	p.fillIdentity(&f.Me)
	if p.Life != nil {
		p.Life.FillFacts(f, h)
	}
	p.fillOffers(f, h)
	f.blind(p.Blind)
}
