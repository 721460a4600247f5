package memory

import "kingdom/wire"

// State is the part of a memory that its tables do not have. It is stored in the agent's state.
type State struct {
	Experiences uint64          `kdom:"experiences"` // number ever made
	Fresh       []string        `kdom:"fresh"`       // notes set in the running cycle
	Nodes       []wire.Tick     `kdom:"nodes"`       // last confirmation, in the order of nodes
	Edges       []wire.Tick     `kdom:"edges"`       // last confirmation, in the order of edges
	Peers       []PeerCount     `kdom:"peers"`       // in the order of peer models
	Plans       []PlanState     `kdom:"plans"`       // of living plans, by row id
	Dealings    Dealings        `kdom:"dealings"`
	Market      Market          `kdom:"market"`
	Readings    Readings        `kdom:"readings"`
	Effects     Effects         `kdom:"effects"`
	Reasonings  Reasonings      `kdom:"reasonings"`
	Findings    []StoredFinding `kdom:"findings"`
	Topics      TopicNotes      `kdom:"topics"`
	Grievances  Grievances      `kdom:"grievances"`
	Titles      Titles          `kdom:"titles"`
	Drive       Drive           `kdom:"drive"`
}

// PlanState is how far a living plan is.
type PlanState struct {
	ID      uint64     `kdom:"id"`
	Step    uint32     `kdom:"step"`
	Tries   uint32     `kdom:"tries"`
	Blocked *wire.Hash `kdom:"blocked"`
}

// Tuple makes the stored form a list.
func (PlanState) Tuple() {}

// State returns the part that the tables do not have.
func (m *Memory) State() State {
	s := State{
		Experiences: m.Experiences.total,
		Fresh:       m.Working.Fresh(),
		Nodes:       make([]wire.Tick, len(m.Knowledge.nodes)),
		Edges:       make([]wire.Tick, len(m.Knowledge.edges)),
		Peers:       make([]PeerCount, len(m.Peers.list)),
		Plans:       make([]PlanState, len(m.Plans.living)),
		Dealings:    m.Dealings,
		Market:      m.Market,
		Readings:    m.Readings,
		Effects:     m.Effects,
		Reasonings:  m.Reasonings,
		Findings:    m.Findings.stored(),
		Topics:      m.Topics,
		Grievances:  m.Grievances,
		Titles:      m.Titles,
		Drive:       m.Drive,
	}
	for i := range m.Knowledge.nodes {
		s.Nodes[i] = wire.Tick(m.Knowledge.nodes[i].confirmedAt)
	}
	for i, e := range m.Knowledge.edges {
		s.Edges[i] = wire.Tick(e.confirmedAt)
	}
	for i, p := range m.Peers.list {
		s.Peers[i] = p.count()
	}
	for i, p := range m.Plans.living {
		s.Plans[i] = PlanState{ID: p.ID, Step: p.Step, Tries: p.Tries, Blocked: p.Blocked}
	}
	return s
}

// Position sets the step, tries and block of a stored plan.
func (s *State) Position(p *Plan) {
	for i := range s.Plans {
		if q := &s.Plans[i]; q.ID == p.ID {
			p.Step, p.Tries, p.Blocked = q.Step, q.Tries, q.Blocked
		}
	}
}
