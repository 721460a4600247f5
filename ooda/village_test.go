package ooda

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"testing"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/llm/scripted"
	"kingdom/wire"
)

var noKnobs = scripted.Knobs{}

var entryZero = wire.Hash(sha256.Sum256([]byte("GENESIS_SPEC_ENTRY_0")))

// genomes are the eight of epoch 0.
var genomes = [...]wire.Genome{
	genome(wire.RoleCompilerSmith, 0.3, 0.5, 0.2, 0.2),
	genome(wire.RoleCompilerSmith, 0.7, 0.3, 0.3, 0.6),
	genome(wire.RoleLibrarian, 0.4, 0.7, 0.5, 0.3),
	genome(wire.RoleLibrarian, 0.5, 0.6, 0.8, 0.4),
	genome(wire.RoleArchitect, 0.3, 0.8, 0.4, 0.1),
	genome(wire.RoleExplorer, 0.9, 0.4, 0.7, 0.7),
	genome(wire.RoleGeneralist, 0.5, 0.5, 0.5, 0.5),
	genome(wire.RoleGeneralist, 0.6, 0.6, 0.6, 0.4),
}

func genome(r wire.Role, risk, collab, depth, quality float32) wire.Genome {
	return wire.Genome{Role: r, Traits: wire.Traits{
		RiskTolerance: risk, Collaboration: collab, DepthVsBreadth: depth, QualityVsSpeed: quality,
	}, KnowledgeSeeds: []wire.Hash{entryZero}}
}

// village is a toy world for turns: it keeps the few rules that decide what an
// agent can do (claims, verdicts, posts, reads), so that behaviour can be seen
// without the daemons. It is not the world: the daemons' own tests are.
type village struct {
	rules    Rules
	people   []*villager
	entries  []*wire.OracleEntry
	accurate map[wire.Hash]int
	messages []wire.Message
	bounty   wire.BountyView
	signed   map[string]bool
	events   []*wire.Event // of the last tick
	lamport  uint64
	tick     wire.Tick
	log      func(who *villager, a Asked, text []byte, s Step, r wire.Reply)
}

type villager struct {
	a       *agent.Agent
	t       *Turn
	view    wire.View
	queue   []*wire.Event
	slots   uint64
	balance int64
	rep     float64
	done    map[string]int // actions that succeeded
	failed  map[string]int
	nops    int
	acted   int
	sats    []goals.Satisfaction
	posts   int
	slept   int // cycles
}

func newVillage(n int, seed string) *village {
	v := &village{rules: DefaultRules(wire.WorldSeed(seed)), accurate: map[wire.Hash]int{}, signed: map[string]bool{}}
	v.rules.Names = v.resolve
	for i := range n {
		id := agent.NewIdentity(v.rules.WorldSeed, uint64(i+1), 41, genomes[i%len(genomes)])
		a := agent.New(id, agent.DefaultLimits)
		_ = a.SetStatus(wire.StatusActive)
		v.people = append(v.people, &villager{
			a: a, t: NewTurn(a, &v.rules), balance: 100, done: map[string]int{}, failed: map[string]int{},
		})
	}
	v.entries = append(v.entries, &wire.OracleEntry{
		ID: entryZero, Kind: wire.EntryKindSpecification, Title: []byte("Kingdom Starlark"), Version: 1, Author: wire.SystemID(wire.SystemOracle),
		Body: body("All about Starlark."), Tags: [][]byte{[]byte("core")}, Accuracy: 1,
	})
	kind, count := wire.EntryKindPattern, uint32(3)
	v.bounty = wire.BountyView{
		ID: sha256.Sum256([]byte("006")), Creator: wire.SystemID(wire.SystemAgora), Title: []byte("Document 3 common Starlark patterns in Oracle"),
		Reward: 20, Deadline: 25_691, Difficulty: wire.DifficultyEasy, Status: wire.BountyStatusOpen,
		Requirements: []wire.BountyRequirement{{Kind: wire.RequirementKindCustom, Params: wire.CustomCheckCodec.Append(nil, &wire.CustomCheck{
			Check: wire.CheckOracleVerified, Kind: &kind, Count: &count,
		})}},
	}
	v.emit(wire.KindBountyCreated, v.bounty.Creator, &wire.BountyCreatedEvent{
		BountyID: v.bounty.ID, Creator: v.bounty.Creator, Title: v.bounty.Title, Reward: 20, Difficulty: wire.DifficultyEasy, Deadline: v.bounty.Deadline,
	})
	v.deliver()
	return v
}

func body(text string) []byte {
	return wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: text}}})
}

func (v *village) resolve(alias string) ([32]byte, bool) {
	for _, p := range v.people {
		if p.a.ID.Alias() == alias {
			return p.a.ID, true
		}
	}
	return wire.AgentID{}, false
}

func (v *village) emit(k wire.EventKind, origin wire.AgentID, payload any) {
	v.lamport++
	v.events = append(v.events, &wire.Event{ID: wire.EventID{Lamport: v.lamport}, Timestamp: v.tick, Origin: origin, Kind: k, Payload: payload})
}

func (v *village) deliver() {
	for _, p := range v.people {
		p.queue = append(p.queue, v.events...)
	}
	v.events = nil
}

// cycle runs one cycle of a given budget with a mind.
func (v *village) cycle(tb testing.TB, m *scripted.Mind, c wire.Cycle, budget uint64) {
	tb.Helper()
	first := v.rules.Calendar.First(c)
	for _, p := range v.people {
		p.slots, p.posts = budget, 0
		if p.a.Status != wire.StatusActive {
			if p.slept++; p.slept < 8 { // the timer of the world
				p.slots = 0
				continue
			}
			p.slept = 0
			p.t.Wake(first)
		}
		p.t.CycleStart(wire.TickAlloc{AgentID: p.a.ID, Budget: budget, Cycle: c}, first)
	}
	for k := uint64(0); k < budget; k++ {
		v.tick = first + wire.Tick(k*v.rules.Calendar.TicksPerCycle/budget)
		v.step(tb, m, c)
	}
	for _, p := range v.people {
		p.rep = min(1, float64(p.done["entry_verify"])/400+float64(v.authored(p.a.ID))/40)
		p.t.CycleEnd(v.rules.Calendar.Last(c))
		p.sats = append(p.sats, p.t.Satisfactions()...)
	}
}

func (v *village) authored(id wire.AgentID) int {
	n := 0
	for _, e := range v.entries {
		if e.Author == id && len(e.VerifiedBy) > 0 {
			n++
		}
	}
	return n
}

// step runs one tick: all ask and act on the state before it, then commits.
func (v *village) step(tb testing.TB, m *scripted.Mind, c wire.Cycle) {
	type seat struct {
		p    *villager
		s    Step
		a    Asked
		text []byte
	}
	var seats []seat
	for _, p := range v.people {
		if p.slots == 0 || p.a.Status != wire.StatusActive {
			continue
		}
		v.look(p, c)
		asked := p.t.Ask(&p.view)
		var s Step
		var th llm.Thought
		if asked.Kind == AskSilent {
			s = p.t.Act(th)
		} else {
			for s.Kind = StepAgain; s.Kind == StepAgain; {
				var err error
				if th, err = m.Think(context.Background(), asked.Prompt); err != nil {
					tb.Fatal(err)
				}
				s = p.t.Act(th)
			}
		}
		p.slots--
		seats = append(seats, seat{p, s, asked, th.Text})
	}
	for _, st := range seats {
		var r wire.Reply
		if st.s.Kind == StepSend {
			r = v.apply(st.p, &st.s)
		}
		if st.s.NOP != nil {
			st.p.nops++
		} else {
			st.p.acted++
		}
		st.p.t.Record(r)
		if v.log != nil {
			v.log(st.p, st.a, st.text, st.s, r)
		}
	}
	v.deliver()
}

func (v *village) look(p *villager, c wire.Cycle) {
	p.view = wire.View{
		Tick: v.tick, Cycle: c, Status: p.a.Status, Balance: p.balance, Reputation: p.rep, SlotsLeft: p.slots, Events: p.queue,
	}
	p.queue = nil
	if v.bounty.Status == wire.BountyStatusOpen {
		p.view.Bounties = []wire.BountyView{v.bounty}
	} else if v.bounty.Claimer != nil && *v.bounty.Claimer == p.a.ID {
		p.view.Claims = []wire.BountyView{v.bounty}
	}
}

func refuse(reason string) wire.Reply {
	return wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Code: 1, Category: "CONFLICT", Message: []byte(reason)}}
}

// apply is the toy daemon.
func (v *village) apply(p *villager, s *Step) wire.Reply {
	name := s.Envelope.Type.String()
	if err := s.Envelope.Verify(nil); err == nil {
		return refuse("signed")
	}
	r := v.serve(p, s)
	r.Ref = s.Envelope.MsgID
	if r.Err != nil {
		p.failed[name+" "+string(r.Err.Message)]++
	} else {
		p.done[lower(name)]++
	}
	return r
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}

func (v *village) entry(id wire.Hash) *wire.OracleEntry {
	i := slices.IndexFunc(v.entries, func(e *wire.OracleEntry) bool { return e.ID == id })
	if i < 0 {
		return nil
	}
	return v.entries[i]
}

func (v *village) serve(p *villager, s *Step) wire.Reply {
	me := p.a.ID
	ack := wire.Reply{Type: wire.TypeAck}
	switch q := s.Payload.(type) {
	case *wire.BountyClaim:
		if v.bounty.Status != wire.BountyStatusOpen {
			return refuse("not_open")
		}
		v.bounty.Status, v.bounty.Claimer, v.bounty.ClaimedAt = wire.BountyStatusClaimed, &me, v.tick
		v.emit(wire.KindBountyClaimed, me, &wire.BountyClaimedEvent{BountyID: q.BountyID, Claimer: me, Tick: v.tick})
	case *wire.BountySubmit:
		n := 0
		for _, e := range v.entries {
			if e.Author == me && e.Kind == wire.EntryKindPattern && e.CreatedAt > v.bounty.ClaimedAt && len(e.VerifiedBy) > 0 {
				n++
			}
		}
		if n < 3 {
			ack.Body = &wire.BountySubmitAck{Status: wire.BountyStatusClaimed}
			return ack
		}
		v.bounty.Status = wire.BountyStatusCompleted
		p.balance += 20
		ack.Body = &wire.BountySubmitAck{Status: wire.BountyStatusCompleted}
		v.emit(wire.KindBountyCompleted, me, &wire.BountyCompletedEvent{BountyID: q.BountyID, Claimer: me, Reward: 20, Tick: v.tick})
	case *wire.BountyReview:
		v.bounty.Status, v.bounty.Claimer = wire.BountyStatusOpen, nil
		v.emit(wire.KindBountyReopened, me, &wire.BountyReopenedEvent{BountyID: q.BountyID, Tick: v.tick})
	case *wire.EntryPublish:
		e := &wire.OracleEntry{
			ID: s.Envelope.MsgID, Kind: q.Entry.Kind, Title: q.Entry.Title, Version: 1, Author: me, CreatedAt: v.tick, UpdatedAt: v.tick,
			Body: q.Entry.Body, Tags: q.Entry.Tags,
		}
		v.entries = append(v.entries, e)
		v.emit(wire.KindEntryPublished, me, &wire.EntryPublishedEvent{EntryID: e.ID, Kind: e.Kind, Title: e.Title, Author: me, Tick: v.tick})
		ack.Body = &wire.EntryPublishAck{EntryID: e.ID}
	case *wire.EntryGet:
		e := v.entry(q.EntryID)
		if e == nil {
			return refuse("not_found")
		}
		return wire.Reply{Type: wire.TypeEntryGet, Body: &wire.EntryGetReply{Entry: *e}}
	case *wire.EntryQuery:
		out := &wire.EntryQueryReply{}
		for i := len(v.entries) - 1; i >= 0 && len(out.Entries) < int(q.Limit); i-- {
			out.Entries = append(out.Entries, *v.entries[i])
		}
		return wire.Reply{Type: wire.TypeEntryQuery, Body: out}
	case *wire.EntryVerify:
		e := v.entry(q.EntryID)
		switch {
		case e == nil:
			return refuse("not_found")
		case e.Author == me:
			return refuse("own_entry")
		case v.signed[string(me[:])+string(q.EntryID[:])]:
			return refuse("already")
		}
		v.signed[string(me[:])+string(q.EntryID[:])] = true
		if q.Verdict == wire.VerdictAccurate {
			e.VerifiedBy = append(e.VerifiedBy, me)
			if len(e.VerifiedBy) == 2 {
				for _, o := range v.people {
					if o.a.ID == e.Author {
						o.balance += 10
					}
				}
			}
			e.Accuracy = 1
		}
		v.emit(wire.KindEntryVerified, me, &wire.EntryVerifiedEvent{EntryID: e.ID, Verifier: me, Verdict: q.Verdict, NewAccuracy: e.Accuracy, Tick: v.tick})
	case *wire.MsgPost:
		if p.posts++; p.posts > 10 {
			return refuse("rate")
		}
		for i := range v.messages {
			if v.messages[i].Channel == q.Channel && string(v.messages[i].Content) == string(q.Content) {
				return refuse("duplicate")
			}
		}
		v.messages = append(v.messages, wire.Message{
			ID: s.Envelope.MsgID, Channel: q.Channel, Author: me, Tick: v.tick, Kind: q.Kind, Content: q.Content, References: q.References,
		})
		v.emit(wire.KindMessagePosted, me, &wire.MessagePostedEvent{MessageID: s.Envelope.MsgID, ChannelID: q.Channel, Author: me, Kind: q.Kind, Tick: v.tick})
		ack.Body = &wire.MsgPostAck{MessageID: s.Envelope.MsgID}
	case *wire.MsgQuery:
		out := &wire.MsgQueryReply{}
		for i := len(v.messages) - 1; i >= 0 && len(out.Messages) < int(q.Limit); i-- {
			m := v.messages[i]
			if q.Channels != nil && !slices.Contains(*q.Channels, m.Channel) || q.TimeRange != nil && (m.Tick < q.TimeRange[0] || m.Tick > q.TimeRange[1]) {
				continue
			}
			out.Messages = append(out.Messages, m)
		}
		return wire.Reply{Type: wire.TypeMsgQuery, Body: out}
	case *wire.SignalSend:
		key := string(me[:]) + string(q.Target[:]) + string(binary.BigEndian.AppendUint16(nil, uint16(q.Kind)))
		if v.signed[key] {
			return refuse("already")
		}
		v.signed[key] = true
		v.emit(wire.KindSignalSent, me, &wire.SignalSentEvent{TargetID: q.Target, Author: me, Kind: q.Kind, Weight: q.Weight, Tick: v.tick})
	case *wire.AgentStatusMsg:
		return wire.Reply{Type: wire.TypeAgentStatus, Body: &wire.AgentStatusReply{AgentID: q.AgentID, Status: wire.StatusActive, Reputation: 0.1}}
	case *wire.Transfer:
		p.balance -= int64(q.Amount)
	}
	return ack
}
