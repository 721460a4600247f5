package realm_test

import (
	"flag"
	"fmt"
	"syscall"
	"testing"

	"kingdom/wire"
	"kingdom/world/realm"
)

// past is a town that has a past of its own making.
type past struct {
	*town
	cycle wire.Cycle
	made  map[wire.MsgType]int // requests that were accepted
}

// all lets every agent send a request and read what waits for it.
func (p *past) all(typ wire.MsgType, q func(i int) any) {
	acts := map[wire.AgentID]realm.Sent{}
	for i, a := range p.ids {
		acts[a] = p.sent(a, typ, q(i))
	}
	for _, reply := range p.do(acts) {
		if reply.Err == nil {
			p.made[typ]++
		}
	}
	for _, a := range p.ids {
		p.see(a)
	}
}

// busy is a cycle in which everybody talks and writes as much as the quotas allow, and leaves a
// bounty that nobody takes and a proposal that nobody votes on.
func (p *past) busy() {
	tag := func(i int) string { return fmt.Sprintf("%d.%d", p.tick, i) }
	for range 10 {
		p.all(wire.TypeMsgPost, func(i int) any { return p.message(tag(i), channel("general")) })
	}
	for range 8 {
		p.all(wire.TypeEntryPublish, func(i int) any {
			body := wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: tag(i)}}})
			return &wire.EntryPublish{Entry: wire.EntryDraft{
				Kind: wire.EntryKindFAQ, Title: []byte(tag(i)), Body: body, Tags: [][]byte{[]byte(tag(i))}, References: []wire.Hash{},
			}, Review: wire.ReviewModeImmediate}
		})
	}
	p.all(wire.TypeBountyCreate, func(int) any {
		q := bounty(5)
		q.Deadline = p.tick + 256
		return q
	})
	p.all(wire.TypeProposalSubmit, func(i int) any {
		return &wire.ProposalSubmit{
			Kind: wire.ProposalKindCustom, Description: wire.TextContent(tag(i)), VoteDeadline: p.tick + 256,
		}
	})
	p.next()
}

// next ends the cycle and returns how many records it changed.
func (p *past) next() (rows int) {
	p.EndCycle(nil)
	rows = len(p.TakeRows())
	p.TakeEvents()
	p.cycle++
	p.StartCycle(p.cycle)
	p.tick = p.Rules().Calendar.First(p.cycle)
	p.OpenTick(p.tick)
	for _, a := range p.ids {
		p.see(a)
	}
	return rows
}

// work is what the steps of a world cost: allocations, and records that a cycle end writes.
func (p *past) work() map[string]int {
	a := p.ids[0]
	var v wire.View
	ask := func(typ wire.MsgType, q func() any) int {
		return int(testing.AllocsPerRun(8, func() { p.ok(a, typ, q()); p.see(a) }))
	}
	w := map[string]int{
		"view":    int(testing.AllocsPerRun(8, func() { p.View(a, nil, &v) })),
		"post":    ask(wire.TypeMsgPost, func() any { return p.message(fmt.Sprint(p.tick, "x"), channel("general")) }),
		"query":   ask(wire.TypeMsgQuery, func() any { return &wire.MsgQuery{Sort: wire.AgoraSortRecent, Limit: 20} }),
		"entries": ask(wire.TypeEntryQuery, func() any { return &wire.EntryQuery{Sort: wire.OracleSortRecent, Limit: 20} }),
	}
	p.next() // counters of the cycle are reset
	w["rows of a quiet cycle end"] = p.next()
	w["quiet cycle end"] = int(testing.AllocsPerRun(2, func() { p.next() }))
	return w
}

var pastAgents = flag.Int("past.agents", 64, "agents whose past must not cost anything; 256 say and write 100,000 things")

// A slot and a cycle end do the same work in a world with a long past as in one with a short one:
// what was said, written, settled and expired is not walked.
func TestWork_DoesNotGrowWithThePast(t *testing.T) {
	agents := *pastAgents
	cycles := agents * 40 / 256 // of 256 agents 102,400 messages and 81,920 entries, none old enough to lose freshness
	p := &past{town: newTown(t, agents), cycle: 1, made: map[wire.MsgType]int{}}
	p.busy()
	p.next()
	p.next()
	young := p.work()
	for range cycles {
		p.busy()
	}
	p.next()
	p.next()
	old := p.work()
	t.Logf("%v: %v, then %v", p.made, young, old)
	for name, have := range old {
		if was := young[name]; have > was+was/10+2 {
			t.Errorf("%s: %d with a short past, %d with a long one", name, was, have)
		}
	}
}

// BenchmarkPast is the CPU time of the steps of a slot in a world with a short and with a long past; -past.agents=256 is 100,000
// messages and 80,000 entries. What a step allocates is counted by TestWork_DoesNotGrowWithThePast.
func BenchmarkPast(b *testing.B) {
	p := &past{town: newTown(b, *pastAgents), cycle: 1, made: map[wire.MsgType]int{}}
	for range 3 {
		p.busy()
	}
	steps := func() {
		a := p.ids[0]
		var v wire.View
		at := fmt.Sprint("messages=", p.made[wire.TypeMsgPost], "/")
		measure := func(name string, step func()) {
			b.Run(at+name, func(b *testing.B) {
				var spent, steps int64
				for b.Loop() {
					before := cpuTime(b)
					for range 100 { // a cycle has 256 ticks
						step()
					}
					spent, steps = spent+cpuTime(b)-before, steps+100
					p.next()
				}
				b.ReportMetric(float64(spent)/float64(steps), "cpu-ns/step")
				b.ReportMetric(0, "ns/op")
			})
			p.next()
		}
		measure("view", func() { p.View(a, nil, &v) })
		measure("query", func() { p.ok(a, wire.TypeMsgQuery, &wire.MsgQuery{Sort: wire.AgoraSortRecent, Limit: 20}); p.see(a) })
		measure("entries", func() {
			p.ok(a, wire.TypeEntryQuery, &wire.EntryQuery{Sort: wire.OracleSortRecent, Limit: 20})
			p.see(a)
		})
	}
	steps()
	for range *pastAgents * 40 / 256 {
		p.busy()
	}
	p.next()
	p.next()
	steps()
}

// cpuTime is the CPU time that the process has used, in nanoseconds.
func cpuTime(b *testing.B) int64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		b.Fatal(err)
	}
	return r.Utime.Nano() + r.Stime.Nano()
}

// At a cycle end the queue of an agent that got nothing and read nothing is not written again, and what is kept for
// agents that never read is bounded.
func TestSave_WritesOnlyChangedQueues(t *testing.T) {
	x := newTown(t, 8)
	x.TakeRows()
	end := func(c wire.Cycle) (queues int) {
		x.EndCycle(nil)
		for _, row := range x.TakeRows() {
			if row.Table == "bus.queues" {
				queues++
			}
		}
		x.TakeEvents()
		x.StartCycle(c)
		return queues
	}
	if n := end(2); n != 8 {
		t.Errorf("%d queues written at the first cycle end, want all 8", n)
	}
	if n := end(3); n != 0 {
		t.Errorf("%d queues written after a cycle in which nobody got or read anything", n)
	}
	x.tick = 3 * 256
	x.OpenTick(x.tick)
	x.see(x.ids[0])
	if n := end(4); n != 1 {
		t.Errorf("%d queues written after one agent read", n)
	}
	realm.Pile(x.Realm, 5000)
	end(5)
	if n := realm.Waiting(x.Realm); n > 4096 {
		t.Errorf("%d common events are kept for those who do not read, want at most 4,096", n)
	}
}

// The DEAD cost nothing: a slot and a cycle end do the same work beside many as beside none.
func TestWork_DoesNotGrowWithTheDead(t *testing.T) {
	work := func(dead int) map[string]int {
		p := &past{town: newTown(t, 16+dead), cycle: 1, made: map[wire.MsgType]int{}}
		p.busy()
		p.next()
		for _, a := range p.ids[16:] {
			if refusal := p.SetStatus(p.tick, a, wire.StatusDead, "operator", 1); refusal != nil {
				t.Fatal(refusal)
			}
		}
		p.ids = p.ids[:16]
		p.next()
		p.next()
		return p.work()
	}
	none, many := work(0), work(112)
	t.Logf("%v, beside 112 dead %v", none, many)
	for name, have := range many {
		if alone := none[name]; have > alone+alone/10+2 {
			t.Errorf("%s: %d beside nobody who is dead, %d beside 112", name, alone, have)
		}
	}
}
