package ooda

import (
	"context"
	"fmt"
	"testing"

	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/wire"
)

// BenchmarkTurn measures a whole turn without signatures: ask, scripted thought,
// act, record, for an agent in the middle of village life, with as many peers as at
// the beginning and with as many as an agent follows at most. The toy world's own
// work is outside the clock.
func BenchmarkTurn(b *testing.B) {
	for _, people := range []int{8, 33} {
		b.Run(fmt.Sprintf("agents=%d", people), func(b *testing.B) { benchTurn(b, people) })
	}
}

func benchTurn(b *testing.B, people int) {
	v := newVillage(people, "bench")
	m := scripted.New(v.rules.WorldSeed, scripted.Knobs{})
	c := wire.Cycle(1)
	for ; c <= 6; c++ {
		v.cycle(b, m, c, 64)
	}
	ctx := context.Background()
	b.ReportAllocs()
	b.ResetTimer()
	b.StopTimer()
	slot := uint64(0)
	for n := 0; n < b.N; {
		if slot%64 == 0 {
			for _, p := range v.people {
				p.posts, p.slots = 0, 64
				p.t.CycleEnd(v.tick)
				p.t.CycleStart(wire.TickAlloc{Budget: 64}, v.tick)
			}
		}
		slot++
		v.tick += 4
		type sent struct {
			p *villager
			s Step
		}
		var all []sent
		for _, p := range v.people {
			v.look(p, wire.Cycle(v.tick/256))
			b.StartTimer()
			asked := p.t.Ask(&p.view)
			var th llm.Thought
			if asked.Kind == AskThink {
				th, _ = m.Think(ctx, asked.Prompt)
			}
			s := p.t.Act(th)
			b.StopTimer()
			p.slots--
			all = append(all, sent{p, s})
			n++
		}
		for _, x := range all {
			var r wire.Reply
			if x.s.Kind == StepSend {
				r = v.apply(x.p, &x.s)
			}
			b.StartTimer()
			x.p.t.Record(r)
			b.StopTimer()
		}
		v.deliver()
	}
}

// BenchmarkPrompt measures what a thought of a model costs beside the model: rendering the
// prompt of an agent in the middle of village life, and hashing it for the journal.
func BenchmarkPrompt(b *testing.B) {
	v := newVillage(33, "bench")
	v.rules.Prepare()
	m := scripted.New(v.rules.WorldSeed, scripted.Knobs{})
	for c := wire.Cycle(1); c <= 6; c++ {
		v.cycle(b, m, c, 64)
	}
	var asked Asked
	for _, p := range v.people {
		p.slots = 64
		v.look(p, 7)
		if asked = p.t.Ask(&p.view); asked.Kind == AskThink {
			break
		}
	}
	if asked.Kind != AskThink {
		b.Fatal("nobody thinks")
	}
	b.Run("render", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			fresh := *asked.Prompt // a prompt keeps what was rendered
			system, user := fresh.Messages()
			b.ReportMetric(float64(llm.Tokens(len(system)+len(user))), "tokens")
		}
	})
	b.Run("render+hash", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			fresh := *asked.Prompt // a prompt keeps what was rendered
			fresh.Hash()
		}
	})
}
