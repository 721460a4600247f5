package agent

import (
	"errors"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// lived is an agent with something in every table.
func lived() *Agent {
	a := newborn()
	_ = a.SetStatus(wire.StatusActive)
	h, peer, pre := wire.Hash{1}, wire.AgentID{2}, []byte("pre")
	ap := a.Appraise(9)
	_ = a.Memory.Working.Set("note", []byte("value"))
	x := a.Memory.Knowledge.Learn([]byte("x"), []byte("c"), memory.KnowledgeOracle, 0.7, 9)
	y := a.Memory.Knowledge.Learn([]byte("y"), nil, memory.KnowledgeInference, 0.2, 9)
	a.Memory.Knowledge.Relate(x, y, []byte("near"), 0.5, 9)
	a.Memory.Experiences.Add(memory.Experience{
		Tick: 9, Outcome: memory.OutcomeUnknown, Lesson: []byte("l"),
		Action: memory.AppendAct(nil, &memory.Act{Action: "msg_post", Goal: &h, GoalKind: "answer", Domain: "SOCIAL", SubjectKind: "message"}),
	})
	a.Memory.Beliefs.Test(memory.Claim{Subject: h[:], Predicate: "is good"}, true, &h, 9)
	a.Memory.Plans.Add(memory.Plan{Goal: h, Steps: []memory.PlanStep{{Action: []byte("a"), Precondition: &pre}, {Action: []byte("b")}}, Dependencies: []wire.Hash{h}, Risk: 0.5})
	a.Memory.Plans.Activate(h)
	a.Memory.Peers.Interact(peer, memory.DealAnswer, true, 9)
	g := goals.New(a.ID, goals.LayerTask, goals.SourceOpportunity, goals.Description{Kind: goals.KindAnswer, Text: "t", Subject: &h, Beneficiary: &peer, Reward: 5}, 9)
	_ = a.Goals.Add(g, &ap)
	a.Learning.Act(goals.Triple{Domain: action.DomainSocial, Action: "msg_post", Subject: goals.SubjectEntry}, goals.KindExplore.Domain(), goals.KindExplore, true)
	step := uint32(1)
	a.CurrentTask = &Task{GoalID: h, PlanStep: &step, Action: []byte("x"), TicksUsed: 1, TickLimit: 4}
	a.Subscriptions = append(a.Subscriptions, wire.Subscribe{Kinds: []wire.EventKind{wire.KindTick}})
	a.Notebook.SeePeer(peer, 0.5, 9)
	return a
}

// ordinals of a row set, as the bits of a number: outcome, plan status, layer, source
// and status of goals.
const (
	bitsOutcome = 0
	bitsPlan    = 3
	bitsLayer   = 6
	bitsSource  = 8
	bitsGoal    = 11
)

// FuzzRestore: rows of any content are refused with an error of KindSerialization, or
// give an agent that stands: it has nothing to write, can be hashed, and appraises
// and ranks what it wants.
func FuzzRestore(f *testing.F) {
	id := NewIdentity(wire.Hash{}, 1, 0, smith())
	for _, a := range []*Agent{newborn(), lived()} {
		s := newTable()
		s.commit(a.Flush(9))
		r := s.load()
		if _, err := Restore(id, DefaultLimits, r); err != nil {
			f.Fatal(err)
		}
		var action, claim, evidence, steps, dependencies, goal, goalID []byte
		var counts, ordinals uint16
		for _, x := range r.Experiences {
			action, counts, ordinals = x.Action, counts|1, ordinals|uint16(x.Outcome)<<bitsOutcome
		}
		for _, x := range r.Beliefs {
			claim, evidence, counts = x.Claim, x.Evidence, counts|1<<2
		}
		for _, x := range r.Plans {
			steps, dependencies, counts, ordinals = x.Steps, x.Dependencies, counts|1<<4, ordinals|uint16(x.Status)<<bitsPlan
		}
		for _, x := range r.Goals {
			goal, goalID, counts = x.Description, x.ID[:], counts|1<<6
			ordinals |= uint16(x.Layer)<<bitsLayer | uint16(x.Source)<<bitsSource | uint16(x.Status)<<bitsGoal
		}
		f.Add(r.State.Body, r.Memory.Working, r.Memory.Knowledge, r.Memory.PeerModel,
			action, claim, evidence, steps, dependencies, goal, goalID, counts, ordinals, uint64(1<<32|1), uint8(9))
	}
	f.Fuzz(func(t *testing.T, state, working, knowledge, peers, action, claim, evidence, steps, dependencies, goal, goalID []byte, counts, ordinals uint16, row uint64, tick uint8) {
		at := wire.Tick(tick)
		r := Rows{State: &StateRow{Body: state}, Memory: &MemoryRow{Working: working, Knowledge: knowledge, PeerModel: peers}}
		for i := range uint64(counts & 3) {
			r.Experiences = append(r.Experiences, ExperienceRow{ID: row + i, Tick: at, Action: action, Outcome: uint8(ordinals >> bitsOutcome & 7), Lesson: action})
		}
		for i := range uint64(counts >> 2 & 3) {
			r.Beliefs = append(r.Beliefs, BeliefRow{ID: row + i + 1, Claim: claim, Confidence: 0.5, Evidence: evidence, FormedAt: at, LastTested: at})
		}
		for i := range uint64(counts >> 4 & 3) {
			r.Plans = append(r.Plans, PlanRow{ID: row + i + 2, GoalID: wire.Hash{1 + byte(i)}, Steps: steps, Dependencies: dependencies, Status: uint8(ordinals >> bitsPlan & 7)})
		}
		for i := range uint64(counts >> 6 & 3) {
			g := GoalRow{
				Layer: uint8(ordinals >> bitsLayer & 3), Source: uint8(ordinals >> bitsSource & 7), Status: uint8(ordinals >> bitsGoal & 7),
				Description: goal, Priority: 1, CreatedAt: at,
			}
			copy(g.ID[:], goalID)
			g.ID[31] ^= byte(i)
			r.Goals = append(r.Goals, g)
		}
		a, err := Restore(id, DefaultLimits, r)
		if err != nil {
			if !errors.Is(err, &Error{Kind: KindSerialization, Agent: id.ID}) {
				t.Fatalf("an error of another kind: %v", err)
			}
			return
		}
		if r := a.Flush(at); r.Memory != nil || r.State != nil {
			t.Fatalf("a restored agent has something to write: %+v", r)
		}
		ap := a.Appraise(at)
		a.Goals.Rank(&ap)
		a.StateHash()
	})
}
