package memory

import (
	"cmp"
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// PlanHistory is how many finished plans stay in memory, the newest by row id; the store keeps all.
const PlanHistory = 32

// StepTries is how often a step may fail before its plan is abandoned.
const StepTries = 2

// PlanStatus is the status of a plan. The number stored in SQL is the value minus one.
type PlanStatus uint8

// Values of [PlanStatus], in ordinal order.
const (
	// PlanDraft: of a goal that is not the chosen one; its step pointer is kept.
	PlanDraft PlanStatus = iota + 1
	// PlanActive: of the chosen goal; at most one.
	PlanActive
	PlanCompleted
	PlanAbandoned
)

var planStatusNames = []string{"DRAFT", "ACTIVE", "COMPLETED", "ABANDONED"}

func (PlanStatus) EnumNames() []string { return planStatusNames }
func (v PlanStatus) String() string    { return codec.EnumString(planStatusNames, v) }

// PlanStep is one catalogue action of a plan. Precondition and postcondition are nil
// when nothing is asked.
type PlanStep struct {
	Action         []byte  `kdom:"action"` // canonical map
	Precondition   *[]byte `kdom:"precondition"`
	Postcondition  *[]byte `kdom:"postcondition"`
	EstimatedTicks uint64  `kdom:"estimated_ticks"`
}

// Plan is a way to a goal in steps. Fields up to Status are stored columns; Step, Tries
// and Blocked are kept in the agent's state.
type Plan struct {
	ID             uint64 // row id
	Goal           wire.Hash
	Steps          []PlanStep
	Dependencies   []wire.Hash
	EstimatedTicks uint64
	EstimatedCost  uint64  // ⚡
	Risk           float32 // [0,1], quantised
	Status         PlanStatus

	Step    uint32     // next step to take
	Tries   uint32     // failures of that step
	Blocked *wire.Hash // msg_id of the request whose result the step waits for

	dirty bool
	row   wire.Hash // digest contribution
}

// Done reports whether no step is left.
func (p *Plan) Done() bool { return int(p.Step) >= len(p.Steps) }

// Plans holds the living plans of an agent, at most one per goal, and the hashes of the newest
// finished ones; both by row id.
type Plans struct {
	ids     *RowIDs
	living  []*Plan
	goals   prefixes // of the goals of living
	history []endedPlan
	evicted []*Plan // finished and changed, but no longer in history
	digest  Digest
	stale   bool
}

// endedPlan is a finished plan. It is not read again: once it is stored, only its hash is kept.
type endedPlan struct {
	id   uint64
	row  wire.Hash // digest contribution; zero: none yet
	plan *Plan     // nil once stored
}

// Add drafts a plan under a new row id. A living plan of the same goal is abandoned:
// a mind may replace a plan made from a template.
func (s *Plans) Add(p Plan) *Plan {
	if old := s.ByGoal(p.Goal); old != nil {
		s.Finish(old, PlanAbandoned)
	}
	p.ID, p.Status = s.ids.Next(), PlanDraft
	p.Step, p.Tries, p.Blocked, p.row = 0, 0, nil, wire.Hash{}
	n := &p
	s.living = append(s.living, n)
	s.goals = append(s.goals, prefixOf(&n.Goal))
	s.markChanged(n)
	return n
}

// ByGoal returns the living plan of a goal, or nil.
func (s *Plans) ByGoal(goal wire.Hash) *Plan {
	k := prefixOf(&goal)
	for i, g := range s.goals {
		if g == k && s.living[i].Goal == goal {
			return s.living[i]
		}
	}
	return nil
}

// Active returns the ACTIVE plan, or nil.
func (s *Plans) Active() *Plan {
	for _, p := range s.living {
		if p.Status == PlanActive {
			return p
		}
	}
	return nil
}

// Activate makes the plan of a goal the ACTIVE one and all others DRAFT. A goal without
// a plan leaves none active.
func (s *Plans) Activate(goal wire.Hash) *Plan {
	var active *Plan
	for _, p := range s.living {
		if p.Goal == goal {
			active = p
			s.setStatus(p, PlanActive)
		} else {
			s.setStatus(p, PlanDraft)
		}
	}
	return active
}

func (s *Plans) setStatus(p *Plan, st PlanStatus) {
	if p.Status != st {
		s.markChanged(p)
		p.Status = st
	}
}

// Advance moves a plan past its step. It reports whether the plan is complete now; then it is no longer among the
// living ones.
func (s *Plans) Advance(p *Plan) (done bool) {
	p.Step, p.Tries, p.Blocked = p.Step+1, 0, nil
	if p.Done() {
		s.Finish(p, PlanCompleted)
		return true
	}
	return false
}

// Fail counts a failure of the plan's current step. It reports whether the plan is abandoned now.
func (s *Plans) Fail(p *Plan) (abandoned bool) {
	p.Tries, p.Blocked = p.Tries+1, nil
	if p.Tries >= StepTries {
		s.Finish(p, PlanAbandoned)
		return true
	}
	return false
}

// Finish ends a living plan and moves it to the history.
func (s *Plans) Finish(p *Plan, st PlanStatus) {
	i := slices.Index(s.living, p)
	if i < 0 {
		panic("memory: finish a plan that is not alive")
	}
	s.setStatus(p, st)
	p.Blocked = nil
	s.living = slices.Delete(s.living, i, i+1)
	s.goals = slices.Delete(s.goals, i, i+1)
	s.addToHistory(p)
}

// addToHistory puts a finished plan into the history, which keeps the newest by id.
func (s *Plans) addToHistory(p *Plan) {
	i, _ := slices.BinarySearchFunc(s.history, p.ID, func(e endedPlan, id uint64) int { return cmp.Compare(e.id, id) })
	s.history = slices.Insert(grow(s.history, PlanHistory+1), i, endedPlan{id: p.ID, row: p.row, plan: p})
	if len(s.history) <= PlanHistory {
		return
	}
	out := s.history[0]
	s.history = slices.Delete(s.history, 0, 1)
	if !out.row.IsZero() {
		s.digest.Sub(out.row)
	}
	if out.plan != nil && out.plan.dirty {
		s.evicted = append(s.evicted, out.plan)
	}
}

func (s *Plans) markChanged(p *Plan) {
	if !p.row.IsZero() {
		s.digest.Sub(p.row)
		p.row = wire.Hash{}
	}
	p.dirty, s.stale = true, true
}

// Living returns the living plans by row id. The slice is Plans' own.
func (s *Plans) Living() []*Plan { return s.living }

// Ended returns those of the newest finished plans that are not stored yet, by row id.
func (s *Plans) Ended() (plans []*Plan) {
	for i := range s.history {
		if p := s.history[i].plan; p != nil {
			plans = append(plans, p)
		}
	}
	return plans
}

func byID(a, b *Plan) int { return cmp.Compare(a.ID, b.ID) }
