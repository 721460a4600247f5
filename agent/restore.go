package agent

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire/codec"
)

// How many rows [Restore] needs of what an agent only adds to, the newest of each by id.
const (
	RestoredExperiences = memory.ExperienceWindow
	RestoredPlans       = memory.PlanHistory // finished ones
)

// Restore rebuilds an agent from its identity and all of its rows. Each list may be in any order. It must have at
// least the newest [RestoredExperiences], the living goals, the living plans and the newest [RestoredPlans] finished
// ones. The result equals the agent that was flushed. The error is an [*Error] of KindSerialization.
func Restore(id Identity, l Limits, r Rows) (*Agent, error) {
	a := New(id, l)
	if err := a.restore(&r); err != nil {
		return nil, &Error{Kind: KindSerialization, Agent: id.ID, Err: err}
	}
	return a, nil
}

// BirthOf returns what an operator gave the agent whose state this is, which may be nil.
func BirthOf(r *StateRow) (Birth, error) {
	var st state
	if r == nil {
		return st.Birth, nil
	}
	if err := stateCodec.DecodeCanonical(r.Body, &st); err != nil {
		return Birth{}, &Error{Kind: KindSerialization, Agent: r.AgentID, Err: fmt.Errorf("decode state: %w", err)}
	}
	return st.Birth, nil
}

func (a *Agent) restore(r *Rows) error {
	if r.State == nil || r.Memory == nil {
		return errors.New("row of agent.state or agent.agent_memory is missing")
	}
	var st state
	if err := stateCodec.DecodeCanonical(r.State.Body, &st); err != nil {
		return fmt.Errorf("decode state: %w", err)
	}
	a.Status, a.Reputation, a.Balance = st.Status, st.Reputation, st.Balance
	a.TickBudget, a.NOPStreak, a.CurrentTask = st.TickBudget, st.NOPStreak, st.CurrentTask
	a.Subscriptions, a.rowIDs.Last = st.Subscriptions, st.RowCounter
	a.Notebook.Notes, a.Birth = st.Notebook, st.Birth

	if err := a.restoreMemory(r, &st.Memory); err != nil {
		return err
	}
	if err := a.restoreGoals(r.Goals, &st.Goals); err != nil {
		return err
	}
	a.markStored(r)
	return nil
}

func (a *Agent) restoreMemory(r *Rows, st *memory.State) error {
	m := a.Memory
	m.Dealings, m.Market, m.Readings, m.Effects, m.Reasonings = st.Dealings, st.Market, st.Readings, st.Effects, st.Reasonings
	m.Findings, m.Topics, m.Grievances, m.Titles, m.Drive = memory.RestoreFindings(st.Findings), st.Topics, st.Grievances, st.Titles, st.Drive
	after, err := changesAfter(r)
	if err != nil {
		return err
	}
	working := r.Memory.Working
	for _, c := range after {
		if c.Working != nil {
			working = *c.Working
		}
	}
	if err := m.Working.Restore(working, st.Fresh); err != nil {
		return err
	}
	if err := m.Knowledge.Restore(r.Memory.Knowledge, st.Nodes, st.Edges, after...); err != nil {
		return err
	}
	if err := m.Peers.Restore(r.Memory.PeerModel, st.Peers, after...); err != nil {
		return err
	}
	if err := a.restoreExperiences(r.Experiences, st.Experiences); err != nil {
		return err
	}
	if err := a.restoreBeliefs(r.Beliefs); err != nil {
		return err
	}
	return a.restorePlans(r.Plans, st)
}

// changesAfter reads the changes after the memory row.
func changesAfter(r *Rows) ([]*memory.Changes, error) {
	out := make([]*memory.Changes, len(r.Changes))
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.Number != uint64(i) || c.Since != r.Memory.UpdatedAt {
			return nil, fmt.Errorf("restore memory: row %d of the changes has number %d and since tick %d; want number %d and tick %d", i, c.Number, c.Since, i, r.Memory.UpdatedAt)
		}
		var err error
		if out[i], err = memory.DecodeChanges(c.Body); err != nil {
			return nil, fmt.Errorf("restore memory: row %d of the changes: %w", i, err)
		}
	}
	return out, nil
}

func (a *Agent) restoreExperiences(rows []ExperienceRow, total uint64) error {
	list := make([]memory.Experience, len(rows))
	for i, e := range rows {
		outcome, err := fromOrdinal[memory.Outcome](e.Outcome)
		if err != nil {
			return fmt.Errorf("restore experience %d: %w", e.ID, err)
		}
		list[i] = memory.Experience{ID: e.ID, Tick: e.Tick, Action: e.Action, Outcome: outcome, Lesson: e.Lesson}
	}
	slices.SortFunc(list, func(x, y memory.Experience) int { return cmp.Compare(x.ID, y.ID) })
	if want := min(total, memory.ExperienceWindow); uint64(len(list)) < want {
		return fmt.Errorf("restore experiences: got %d rows; want at least the newest %d", len(list), want)
	}
	a.Memory.Experiences.Restore(list, total)
	return nil
}

func (a *Agent) restoreBeliefs(rows []BeliefRow) error {
	list := make([]memory.StoredBelief, len(rows))
	for i, b := range rows {
		p := &list[i]
		*p = memory.StoredBelief{ID: b.ID, Confidence: b.Confidence, FormedAt: b.FormedAt, LastTested: b.LastTested}
		var err error
		if p.Evidence, err = memory.DecodeHashes(b.Evidence); err != nil {
			return fmt.Errorf("restore belief %d: %w", b.ID, err)
		}
		if err := memory.DecodeClaim(b.Claim, &p.Claim); err != nil {
			return fmt.Errorf("restore belief %d: %w", b.ID, err)
		}
		if n := len(p.Evidence); n > memory.EvidenceMax {
			return fmt.Errorf("restore belief %d: it has %d references as evidence; want at most %d", b.ID, n, memory.EvidenceMax)
		}
		if of := b.ID >> 32; of != a.rowIDs.SpawnIndex {
			return fmt.Errorf("restore belief %d: it belongs to the agent with spawn index %d; want %d", b.ID, of, a.rowIDs.SpawnIndex)
		}
	}
	a.Memory.Beliefs.Restore(list)
	return nil
}

func (a *Agent) restorePlans(rows []PlanRow, st *memory.State) error {
	list := make([]memory.Plan, len(rows))
	for i, r := range rows {
		p := &list[i]
		*p = memory.Plan{
			ID: r.ID, Goal: r.GoalID, EstimatedTicks: r.EstimatedTicks, EstimatedCost: r.EstimatedCost,
			Risk: r.RiskAssessment,
		}
		var err error
		if p.Status, err = fromOrdinal[memory.PlanStatus](r.Status); err != nil {
			return fmt.Errorf("restore plan %d: %w", r.ID, err)
		}
		if p.Steps, err = memory.DecodeSteps(r.Steps); err != nil {
			return fmt.Errorf("restore plan %d: %w", r.ID, err)
		}
		if p.Dependencies, err = memory.DecodeHashes(r.Dependencies); err != nil {
			return fmt.Errorf("restore plan %d: %w", r.ID, err)
		}
		st.Position(p)
	}
	a.Memory.Plans.Restore(list)
	return nil
}

func (a *Agent) restoreGoals(rows []GoalRow, st *goals.State) error {
	var living []goals.Goal
	for _, r := range rows {
		g, err := goalOf(&r)
		if err != nil {
			return fmt.Errorf("restore goal %s: %w", r.ID, err)
		}
		if !g.Status.Final() {
			living = append(living, g)
		}
	}
	if err := a.Goals.Restore(living, st); err != nil {
		return err
	}
	var err error
	a.Learning, err = goals.RestoreLearning(st.Learning)
	return err
}

func goalOf(r *GoalRow) (g goals.Goal, err error) {
	g = goals.Goal{ID: r.ID, Priority: r.Priority, CreatedAt: r.CreatedAt, Deadline: r.Deadline}
	if g.Layer, err = fromOrdinal[goals.Layer](r.Layer); err != nil {
		return g, err
	}
	if g.Source, err = fromOrdinal[goals.Source](r.Source); err != nil {
		return g, err
	}
	if g.Status, err = fromOrdinal[goals.Status](r.Status); err != nil {
		return g, err
	}
	if g.Status.Final() {
		return g, nil // its stored description has another form, and is not needed
	}
	return g, goals.DecodeDescription(r.Description, &g.Description)
}

// fromOrdinal turns a stored ordinal, counted from 0, into its value.
func fromOrdinal[E interface {
	~uint8
	codec.Enum
}](v uint8) (E, error) {
	if names := E(0).EnumNames(); int(v) >= len(names) {
		return 0, fmt.Errorf("enum number %d is out of range; want less than %d", v, len(names))
	}
	return E(v + 1), nil
}

// markStored notes that the store has everything.
func (a *Agent) markStored(r *Rows) {
	a.stored = a.revisions(a.stateSum())
	a.storedMemory = storedMemory{tick: r.Memory.UpdatedAt, size: len(r.Memory.Working) + len(r.Memory.Knowledge) + len(r.Memory.PeerModel), changes: uint64(len(r.Changes))}
	for i := range r.Changes {
		a.storedMemory.sizes += len(r.Changes[i].Body)
	}
}
