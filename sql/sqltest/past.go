package sqltest

import (
	"slices"
	"testing"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/wire"
)

// testPast lives through more than a loaded agent remembers, cycle by cycle: some agents sleep,
// some experiences learn their outcome cycles later, and plans end in another order than they began.
func testPast(t *testing.T, open Database) {
	s := open(t)
	const agents, cycles = 5, 24
	acts := make([][]agent.ExperienceRow, agents)
	plans := make([][]agent.PlanRow, agents)
	var last *engine.Batch
	var moments []moment
	for c := range wire.Cycle(cycles) {
		b := Batch(c, agents)
		for i := range b.Minds {
			m := &b.Minds[i]
			id := m.Memory.AgentID
			m.Experiences, m.Plans = nil, nil
			if i > 0 && c%wire.Cycle(i+1) == 0 && c < 20 {
				for range 17 * i {
					n := uint64(len(acts[i]))
					acts[i] = append(acts[i], agent.ExperienceRow{ID: uint64(i)<<32 | n, AgentID: id, Tick: wire.Tick(c) * 256, Action: []byte("act"), Lesson: []byte{}, Outcome: 3})
					m.Experiences = append(m.Experiences, acts[i][n])
				}
				for range 7 {
					n := uint64(len(plans[i]))
					plans[i] = append(plans[i], agent.PlanRow{ID: uint64(i)<<32 | n, AgentID: id, Steps: []byte("steps"), Dependencies: []byte{}})
					m.Plans = append(m.Plans, plans[i][n])
				}
				for j := range plans[i] { // in a strange order
					if p := &plans[i][j]; p.Status == 0 && (uint64(j)*7+uint64(c))%5 == 0 {
						p.Status = 2 + uint8(j%2)
						if k := slices.IndexFunc(m.Plans, func(q agent.PlanRow) bool { return q.ID == p.ID }); k >= 0 {
							m.Plans[k] = *p // made in this cycle: a batch has each plan once
							continue
						}
						m.Plans = append(m.Plans, *p)
					}
				}
				if old := len(acts[i]) - 30*i; old >= 0 && c%2 == 0 { // from a cycle before
					acts[i][old].Outcome, acts[i][old].Lesson = 1, []byte("late")
					m.Experiences = append([]agent.ExperienceRow{acts[i][old]}, m.Experiences...)
				}
			}
		}
		must(t, s.CommitCycle(t.Context(), b))
		if c == 11 { // a window goes on when it is read anew
			must(t, s.Close())
			s = open(t)
		}
		for i := range b.Minds {
			moments = append(moments, look(t, s, b.Minds[i].Memory.AgentID))
		}
		last = b
	}
	im := load(t, s)
	for i := range last.Minds {
		want := agent.Rows{Experiences: acts[i][max(0, len(acts[i])-512):]}
		finished := 0
		for j := len(plans[i]) - 1; j >= 0; j-- {
			if p := plans[i][j]; p.Status < 2 || finished < 32 {
				want.Plans = append([]agent.PlanRow{p}, want.Plans...)
				if p.Status >= 2 {
					finished++
				}
			}
		}
		got, err := s.LoadAgent(t.Context(), last.Minds[i].Memory.AgentID)
		must(t, err)
		same(t, "experiences", want.Experiences, got.Experiences)
		same(t, "plans", want.Plans, got.Plans)
		same(t, "experiences of the image", want.Experiences, im.Minds[i].Experiences)
		same(t, "plans of the image", want.Plans, im.Minds[i].Plans)
	}
	for _, m := range moments {
		m.check(t, s)
	}
}
