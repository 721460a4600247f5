package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// A pay is locked for the peer whom a question names unless the agent trusts it, and released for its answer.
func TestOfferPledge(t *testing.T) {
	peer, question := wire.AgentID{5}, wire.Hash{question256}
	for _, c := range []struct {
		name    string
		prepare func(s *solo)
		want    bool
	}{
		{"nothing is known of it", nil, true},
		{"nobody is named", func(s *solo) { s.a.Memory.Market.Wants[0].Asked = wire.AgentID{} }, false},
		{"it is trusted", func(s *solo) { s.a.Memory.Peers.Interact(peer, memory.DealAnswer, true, 500) }, false},
		{"half of its dealings went well", func(s *solo) { s.a.Memory.Peers.AddInitial(peer, 1, 2, 516) }, false},
		{"a bit less than half of them", func(s *solo) { s.a.Memory.Peers.AddInitial(peer, 49, 100, 516) }, true},
		{"it is known, without dealings", func(s *solo) { s.a.Memory.Peers.Observe(peer, 500) }, true},
		{"an agent with no collaboration", func(s *solo) { s.a.Genome.Traits.Collaboration = 0 }, false},
		{"it let the agent down", func(s *solo) { s.a.Memory.Peers.Interact(peer, memory.DealAnswer, false, 500) }, true},
		{"it is trusted, but the agent is blind to peers", func(s *solo) {
			s.a.Memory.Peers.Interact(peer, memory.DealAnswer, true, 500)
			s.rules.Blind = llm.LayersOf([]string{"peers"})
		}, true},
		{"somebody answered", func(s *solo) { s.a.Memory.Market.Answered(question) }, false},
		{"poor", func(s *solo) { s.view.Balance = 21 }, false},
		{"closed", func(s *solo) { s.rules.Gates = uint8(action.ProfileDefault) }, false},
	} {
		s := newSolo(t, genomes[2])
		s.rules.Gates, s.a.Genome.Traits.Collaboration = uint8(action.ProfileOpen), 1
		s.a.Memory.Market.Want(memory.Want{Subject: question, Author: s.a.ID, Since: 500, Asked: peer})
		s.next = 516
		if c.prepare != nil {
			c.prepare(s)
		}
		q, got := s.lists("escrow_create").(*wire.EscrowCreate)
		if got != c.want || got && (*q.Beneficiary != peer || q.Amount != 10 || len(q.Conditions) != 1 || q.Deadline != s.view.Tick+2*256) {
			t.Errorf("%s: offered %+v", c.name, q)
		}
	}
}

func TestPledge_EscrowIsReleasedForTheAnswer(t *testing.T) {
	peer, question, escrow := wire.AgentID{5}, wire.Hash{question256}, wire.Hash{0xE5}
	s := newSolo(t, genomes[2])
	s.rules.Gates, s.a.Genome.Traits.Collaboration = uint8(action.ProfileOpen), 1
	m := &s.a.Memory.Market
	m.Want(memory.Want{Subject: question, Author: s.a.ID, Since: 500, Asked: peer})
	p := s.t.payer()
	p.notePledge(&wire.EscrowCreate{Beneficiary: &peer}, &wire.Reply{Body: &wire.EscrowCreateAck{EscrowID: escrow}})
	if m.Unpledged() != nil || m.Pledged(question, peer) != escrow || !m.Pledged(question, wire.AgentID{6}).IsZero() {
		t.Fatalf("wants %+v", m.Wants)
	}
	p.thank(&wire.Message{ID: wire.Hash{8}, Author: peer}, question)
	s.next = 600
	if q, ok := s.lists("escrow_release").(*wire.EscrowRelease); !ok || q.EscrowID != escrow || q.Beneficiary != peer {
		t.Errorf("offered %+v", q)
	}
	p.notePledge(&wire.EscrowRelease{EscrowID: escrow, Beneficiary: peer}, &wire.Reply{})
	if m.Thanks.NextUnpaid() != nil {
		t.Error("it is owed for ever")
	}
	m.Want(memory.Want{Subject: question, Author: s.a.ID, Since: 500, Asked: peer})
	if p.notePledge(&wire.EscrowCreate{Beneficiary: &peer}, nil); m.Unpledged() != nil {
		t.Error("what was refused is tried again")
	}
}

// Who is named in a question is the peer that the agent may pay for the answer. A thing that a question refers to is not.
func TestWantAnswer_NamesThePeerThatIsAsked(t *testing.T) {
	for _, c := range []struct {
		name       string
		references []wire.Hash
		want       wire.AgentID
	}{
		{"nobody", nil, wire.AgentID{}},
		{"a peer", []wire.Hash{wire.Hash(peerA)}, peerA},
		{"an entry", []wire.Hash{{0xE1}}, wire.AgentID{}},
	} {
		s := newSolo(t, genomes[2])
		s.meet(peerA)
		s.t.payer().wantAnswer(wire.Hash{question256}, &wire.MsgPost{Kind: wire.MessageKindQuestion, Content: textContent("How do I sort?"), References: c.references})
		if w := s.a.Memory.Market.Wants; len(w) != 1 || w[0].Asked != c.want {
			t.Errorf("%s: wants %+v", c.name, w)
		}
	}
}

// Money counts for the question for which it was locked: one that its owner asked and that has no answer of the agent yet.
func TestPledged_ForAnOpenQuestionOfItsOwner(t *testing.T) {
	owner := wire.AgentID{5}
	for _, c := range []struct {
		name string
		note memory.MessageNote
		kind goals.Kind
		want float64
	}{
		{"its question", memory.MessageNote{Author: owner, Kind: wire.MessageKindQuestion}, goals.KindAnswer, 6},
		{"for another goal", memory.MessageNote{Author: owner, Kind: wire.MessageKindQuestion}, goals.KindMentor, 0},
		{"the question of another", memory.MessageNote{Author: peerB, Kind: wire.MessageKindQuestion}, goals.KindAnswer, 0},
		{"its statement", memory.MessageNote{Author: owner, Kind: wire.MessageKindStatement}, goals.KindAnswer, 0},
		{"a question that the agent has answered", memory.MessageNote{Author: owner, Kind: wire.MessageKindQuestion, Answered: true}, goals.KindAnswer, 0},
	} {
		s, o := offering(t, nil)
		s.noteMessages(1, c.note)
		s.t.events.noticePledge(&wire.EscrowCreatedEvent{Owner: owner, Amount: 6, Beneficiary: &s.a.ID})
		if got := o.pledged(s.about(c.kind, wire.Hash{0xA1, 0})); got != c.want {
			t.Errorf("%s: %v ⚡ are locked, want %v", c.name, got, c.want)
		}
	}
}

// An agent that is asked by name sees the escrow for its answer.
func TestPledged_OnlyForItsBeneficiary(t *testing.T) {
	owner, question := wire.AgentID{5}, wire.Hash{7}
	for _, c := range []struct {
		for_ bool
		want float64
	}{{true, 6}, {false, 0}} {
		s := newSolo(t, genomes[2])
		to := wire.AgentID{9}
		if c.for_ {
			to = s.a.ID
		}
		s.t.notes.SeeMessage(memory.MessageNote{ID: question, Author: owner, Kind: wire.MessageKindQuestion, At: 256, Addressee: memory.AddresseeSelf})
		s.ask(event(wire.KindEscrowCreated, 300, owner, &wire.EscrowCreatedEvent{EscrowID: wire.Hash{1}, Owner: owner, Amount: 6, Beneficiary: &to, Deadline: 900}))
		if got := s.t.offers.pledged(s.about(goals.KindAnswer, question)); got != c.want {
			t.Errorf("for it %v: %v ⚡ are locked, want %v", c.for_, got, c.want)
		}
	}
}

// All agents call the cheapest service, so that a dearer one would only cost its owner.
func TestService_PaysOnlyIfCheapest(t *testing.T) {
	for _, c := range []struct {
		fees []uint64
		fee  uint64
		want bool
	}{{nil, mostFee, true}, {nil, mostFee + 1, false}, {[]uint64{5, 4}, 4, false}, {[]uint64{5, 4}, 3, true}} {
		s, o := offering(t, nil)
		for i, fee := range c.fees {
			s.t.seen.services = append(s.t.seen.services, wire.ServiceView{ID: wire.Hash{byte(i)}, Fee: fee})
		}
		if got := (programmer{o}).pays(c.fee); got != c.want {
			t.Errorf("fee %d beside %v: pays %v, want %v", c.fee, c.fees, got, c.want)
		}
		if x := (programmer{o}).cheapest(); len(c.fees) > 0 && (x == nil || x.Fee != 4) || len(c.fees) == 0 && x != nil {
			t.Errorf("cheapest of %v: %+v", c.fees, x)
		}
	}
}
