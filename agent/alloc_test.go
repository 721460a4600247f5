//go:build !race

package agent

// The race detector drops pooled buffers at random; make test runs this file without it.

import (
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// What a turn does at every tick must not cost allocations once the things it touches exist.
func TestTick_AllocatesNothing(t *testing.T) {
	a := newborn()
	age(a)
	act := &memory.Act{Action: "msg_post", Goal: &wire.Hash{1}, GoalKind: "answer", Domain: "SOCIAL", SubjectKind: "message"}
	claim, h, ap := memory.Claim{Subject: []byte{3}, Predicate: "is good"}, wire.Hash{1}, a.Appraise(1000)
	fact := &goals.Fact{Kind: goals.FactBountyLost, Subject: wire.Hash{9, 9}}
	for name, do := range map[string]func(){
		"test a belief": func() { a.Memory.Beliefs.Test(claim, true, &h, 1000) },
		"meet a peer":   func() { a.Memory.Peers.Interact(wire.AgentID{5}, memory.DealAnswer, true, 1000) },
		"add an experience": func() {
			a.Memory.Experiences.AddAct(1000, act, memory.OutcomeSuccess, nil)
		},
		"learn": func() {
			a.Learning.Act(goals.Triple{Domain: action.DomainSocial, Action: "msg_post", Subject: goals.SubjectMessage}, goals.KindAnswer.Domain(), goals.KindAnswer, true)
		},
		"settle": func() { a.Goals.ApplyFact(nil, a.ID, fact, 0.5) },
		"expire": func() { a.Goals.Expire(nil, 5, 0.5) },
		"rank":   func() { a.Goals.Choose(a.Goals.Rank(&ap)[0]) },
	} {
		do()
		a.Memory.Experiences.Changed() // rows pushed out before a flush are kept for it
		if n := testing.AllocsPerRun(20, do); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
