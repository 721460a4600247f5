package agent

import (
	"bytes"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// grown is an agent some cycles old and flushed.
func grown() *Agent {
	a := newborn()
	age(a)
	a.Flush(600)
	return a
}

// age gives an agent the memories of some cycles.
func age(a *Agent) {
	for i := range 600 {
		act := memory.AppendAct(nil, &memory.Act{Action: "msg_post", GoalKind: "answer", Domain: "SOCIAL", SubjectKind: "message"})
		a.Memory.Experiences.Add(memory.Experience{Tick: wire.Tick(i), Action: act, Outcome: memory.OutcomeSuccess, Lesson: []byte("msg_post on message: SUCCESS")})
		a.Memory.Peers.Interact(wire.AgentID{byte(i)}, memory.DealAnswer, true, wire.Tick(i))
		a.Memory.Beliefs.Test(memory.Claim{Subject: []byte{byte(i % 60)}, Predicate: "is good"}, true, &wire.Hash{byte(i)}, wire.Tick(i))
		a.Memory.Knowledge.Learn([]byte{byte(i % 100)}, []byte("something known"), memory.KnowledgeOracle, 0.9, wire.Tick(i))
	}
	text := bytes.Repeat([]byte("word "), 60)
	for i := range 40 {
		x := uint64(i + 1)
		a.Memory.Readings.Add(memory.Reading{Experience: x, Messages: []memory.ReadMessage{
			{ID: wire.Hash{byte(i)}, Kind: wire.MessageKindAnswer, Text: text}, {ID: wire.Hash{byte(i), 1}, Kind: wire.MessageKindQuestion, Text: text},
		}, Entries: []memory.ReadEntry{{Kind: wire.EntryKindFAQ, Title: text}}})
		a.Memory.Effects.Add(memory.Effect{Experience: x, Object: wire.Hash{byte(i)}, Spark: -3, Answers: 1})
		a.Memory.Reasonings.Add(memory.Reasoning{Experience: x, Text: string(text)})
	}
	ap := a.Appraise(600)
	for i := range 50 {
		h := wire.Hash{byte(i)}
		_ = a.Goals.Add(goals.New(a.ID, goals.Layer(1+i%3), goals.SourceOpportunity, goals.Description{Kind: goals.KindAnswer, Text: "Answer the question", Subject: &h}, wire.Tick(i)), &ap)
	}
}

// busyCycle changes what a cycle of 64 slots changes.
func busyCycle(a *Agent, tick wire.Tick) {
	for i := range 64 {
		a.Memory.Experiences.Add(memory.Experience{Tick: tick, Action: a.Memory.Experiences.Recent(0).Action, Outcome: memory.OutcomeSuccess, Lesson: []byte("lesson")})
		a.Memory.Peers.Interact(wire.AgentID{byte(i)}, memory.DealAnswer, true, tick)
		a.Memory.Beliefs.Test(memory.Claim{Subject: []byte{byte(i % 10)}, Predicate: "is good"}, i%2 == 0, nil, tick)
	}
	ap := a.Appraise(tick)
	a.Goals.Rank(&ap)
}

func BenchmarkFlush(b *testing.B) {
	a, tick := grown(), wire.Tick(1000)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		tick += 256
		busyCycle(a, tick)
		b.StartTimer()
		a.Flush(tick)
		a.StateHash()
	}
}

func BenchmarkStateHash_Unchanged(b *testing.B) {
	a := grown()
	b.ReportAllocs()
	for b.Loop() {
		a.StateHash()
	}
}

func BenchmarkRestore(b *testing.B) {
	a, store := newborn(), newTable()
	age(a)
	store.commit(a.Flush(600))
	rows := store.load()
	id := NewIdentity(wire.Hash{}, 1, 0, smith())
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Restore(id, DefaultLimits, rows); err != nil {
			b.Fatal(err)
		}
	}
}
