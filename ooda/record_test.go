package ooda

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/agent"
	"kingdom/goals"
	"kingdom/llm/scripted"
	"kingdom/memory"
	"kingdom/wire"
)

func TestRecord_Experience(t *testing.T) {
	for _, c := range []struct {
		name    string
		reply   wire.Reply
		lesson  string
		outcome memory.Outcome
		want    string
	}{
		{"success", wire.Reply{Type: wire.TypeEntryGet, Body: &wire.EntryGetReply{}}, "", memory.OutcomeSuccess, "entry_get on entry: SUCCESS"},
		{"refusal", refused, "", memory.OutcomeFailure, "entry_get on entry: FAILURE (not_found)"},
		{"the mind's lesson", refused, "look first", memory.OutcomeFailure, "look first"},
	} {
		s := newSolo(t, genomes[0])
		text := getEntry
		if c.lesson != "" {
			text = strings.TrimSuffix(text, "}") + `,"memory_update":{"lesson":"` + c.lesson + `"}}`
		}
		step := s.slot(text, c.reply)
		e := s.a.Memory.Experiences.Recent(0)
		if e == nil || e.Outcome != c.outcome || string(e.Lesson) != c.want || e.Tick != 256 {
			t.Errorf("%s: %+v", c.name, e)
			continue
		}
		var act memory.Act
		if err := memory.DecodeAct(e.Action, &act); err != nil {
			t.Fatal(err)
		}
		subject := wire.Hash{}
		for i := range subject {
			subject[i] = 0xab
		}
		if act.Action != "entry_get" || act.Domain != "DOCUMENTATION" || act.SubjectKind != "entry" || act.GoalKind != "" ||
			*act.Subject != subject || *act.Envelope != step.Envelope.MsgID || act.Goal != nil {
			t.Errorf("%s: act %+v", c.name, act)
		}
	}
}

func TestRecord_MemoryUpdateIsKeptIfActionIsRefused(t *testing.T) {
	s := newSolo(t, genomes[0])
	update := `,"memory_update":{"note":{"set":{"k":"v"}},"beliefs":[{"claim":"reading pays","confidence":0.75}],
		"knowledge":[{"label":"a","content":"x"},{"label":"b","content":"y","relates_to":[{"to":"a","relation":"near","weight":1}]}],
		"goals":[{"layer":"OBJECTIVE","text":"write more"}]}}`
	s.slot(strings.TrimSuffix(getEntry, "}")+update, refused)
	m := s.a.Memory
	if v, _ := m.Working.Get("k"); string(v) != "v" {
		t.Errorf("note %q", v)
	}
	if b := m.Beliefs.Get(memory.Claim{Subject: []byte("reading pays"), Predicate: "holds"}); b == nil || b.Confidence != 0.75 {
		t.Errorf("belief %+v", b)
	}
	_, edges := m.Knowledge.Size()
	if _, ok := m.Knowledge.Node(memory.NodeID([]byte("b"))); edges != 1 || !ok {
		t.Errorf("%d edges", edges)
	}
	if g := s.goal(goals.KindOwn); g == nil || g.Layer != goals.LayerObjective || g.Description.Text != "write more" {
		t.Errorf("goal %+v", g)
	}
}

func TestRecord_UnusableAnswerUpdatesNoMemory(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.ask()
	bad := `{"action":"conquer","memory_update":{"note":{"set":{"k":"v"}}}}`
	for range 3 {
		s.t.Act(answered(bad))
	}
	s.t.Record(wire.Reply{})
	if _, ok := s.a.Memory.Working.Get("k"); ok {
		t.Error("an unusable answer wrote a note")
	}
}

func TestRecord_WorkingMemoryOverflowDropsUpdateKeepsAction(t *testing.T) {
	s := newSolo(t, genomes[0])
	var notes []string
	for i := range 15 {
		notes = append(notes, `"k`+string(rune('a'+i))+`":"`+strings.Repeat("x", 4000)+`"`)
	}
	full := strings.TrimSuffix(getEntry, "}") + `,"memory_update":{"note":{"set":{` + strings.Join(notes, ",") + `}}}}`
	s.slot(full, ack)
	before := s.a.Memory.Working.Size()
	more := strings.ReplaceAll(full, `"k`, `"l`)
	if step := s.slot(more, ack); step.Kind != StepSend {
		t.Errorf("step %+v", step)
	}
	var over *agent.Error
	faults := s.t.Faults()
	if len(faults) != 1 || !errors.As(faults[0], &over) || over.Kind != agent.KindWorkingMemoryOverflow || over.Max != memory.WorkingMax {
		t.Errorf("faults %v", faults)
	}
	if got := s.a.Memory.Working.Size(); got != before || s.a.Memory.Experiences.Len() != 2 {
		t.Errorf("%d bytes, were %d; %d experiences", got, before, s.a.Memory.Experiences.Len())
	}
}

// TestTurn_ContinuesAfterResume flushes an agent in mid-life, restores it from the
// rows, and lets both live on: they must not differ.
func TestTurn_ContinuesAfterResume(t *testing.T) {
	v, w := newVillage(4, "11"), newVillage(4, "11")
	live(t, v, 5, scripted.Knobs{})
	m := scripted.New(w.rules.WorldSeed, scripted.Knobs{})
	rows := make([]agent.Rows, len(w.people))
	for c := wire.Cycle(1); c <= 3; c++ {
		w.cycle(t, m, c, 64)
		for i, p := range w.people {
			rows[i] = merge(rows[i], p.a.Flush(w.rules.Calendar.Last(c)))
		}
	}
	for i, p := range w.people {
		id := agent.NewIdentity(w.rules.WorldSeed, uint64(i+1), 41, genomes[i])
		back, err := agent.Restore(id, agent.DefaultLimits, rows[i])
		if err != nil {
			t.Fatal(err)
		}
		if back.StateHash() != p.a.StateHash() {
			t.Fatalf("agent %d differs after restoring", i+1)
		}
		p.a, p.t = back, NewTurn(back, &w.rules)
	}
	for c := wire.Cycle(4); c <= 5; c++ {
		w.cycle(t, m, c, 64)
	}
	for i := range w.people {
		if d := cmp.Diff(v.people[i].done, w.people[i].done); d != "" {
			t.Errorf("agent %d lived another life: %s", i+1, d)
		}
		if v.people[i].a.StateHash() != w.people[i].a.StateHash() {
			t.Errorf("agent %d ended differently", i+1)
		}
	}
}

// merge keeps the newest row of each key, as a store does.
func merge(old, now agent.Rows) agent.Rows {
	if now.Memory != nil {
		old.Memory, old.Changes = now.Memory, nil
	}
	old.Changes = append(old.Changes, now.Changes...)
	if now.State != nil {
		old.State = now.State
	}
	old.Experiences = upsert(old.Experiences, now.Experiences, func(r agent.ExperienceRow) uint64 { return r.ID })
	old.Beliefs = upsert(old.Beliefs, now.Beliefs, func(r agent.BeliefRow) uint64 { return r.ID })
	gone := map[uint64]bool{}
	for _, id := range now.DeletedBeliefs {
		gone[id] = true
	}
	kept := old.Beliefs[:0]
	for _, b := range old.Beliefs {
		if !gone[b.ID] {
			kept = append(kept, b)
		}
	}
	old.Beliefs = kept
	old.Plans = upsert(old.Plans, now.Plans, func(r agent.PlanRow) uint64 { return r.ID })
	old.Goals = upsert(old.Goals, now.Goals, func(r agent.GoalRow) wire.Hash { return r.ID })
	return old
}

func upsert[R any, K comparable](old, now []R, key func(R) K) []R {
	at := map[K]int{}
	for i, r := range old {
		at[key(r)] = i
	}
	for _, r := range now {
		if i, ok := at[key(r)]; ok {
			old[i] = r
			continue
		}
		at[key(r)] = len(old)
		old = append(old, r)
	}
	return old
}

func TestRemember_NotesAreSetAndDropped(t *testing.T) {
	s := newSolo(t, genomes[0])
	for _, c := range []struct {
		note string
		want string // the notes left
	}{
		{`{"set":{"a":"1","b":"2"}}`, "a=1 b=2 "},
		{`{"set":{"c":"3"},"drop":["a"]}`, "b=2 c=3 "},
		{`{"drop":["b"]}`, "c=3 "},
	} {
		s.slot(withField(getEntry, `,"memory_update":{"note":`+c.note+`}`), ack)
		got := ""
		for _, n := range s.a.Memory.Working.Notes() {
			if n.Key != noteDoing {
				got += n.Key + "=" + string(n.Value) + " "
			}
		}
		if got != c.want {
			t.Errorf("after %s: %q, want %q", c.note, got, c.want)
		}
	}
}

// A plan in an answer without an action belongs to the top goal. If there is none, the plan has a goal of its own.
func TestRemember_PlanWithoutActionBelongsToTopGoal(t *testing.T) {
	for _, c := range []bool{true, false} {
		s := newSolo(t, genomes[2])
		s.ask()
		top := s.t.goals.top
		if !c {
			s.t.goals.top = nil
		}
		s.t.Act(answered(withField(idle, `,"memory_update":{"plan":[{"action":"entry_get","params":{"entry_id":"`+someEntry+`"}}]}`)))
		before := len(s.a.Memory.Plans.Living())
		s.t.Record(wire.Reply{})
		p := s.a.Memory.Plans.ByGoal(top.ID)
		if made := p != nil && len(p.Steps) == 1; made != c || !c && len(s.a.Memory.Plans.Living()) != before+1 {
			t.Errorf("a top goal %v: plan %+v", c, p)
		}
		if own := s.goal(goals.KindOwn); (own == nil) != c {
			t.Errorf("a top goal %v: own goal %+v", c, own)
		}
	}
}

func TestRemember_OwnGoalKeepsItsDeadline(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.slot(withField(getEntry, `,"memory_update":{"goals":[{"layer":"TASK","text":"soon","deadline":900}]}`), ack)
	if g := s.goal(goals.KindOwn); g == nil || g.Layer != goals.LayerTask || g.Deadline == nil || *g.Deadline != 900 {
		t.Errorf("goal %+v", g)
	}
}

func TestRecord_StatusQueryIsNoInteraction(t *testing.T) {
	s := newSolo(t, genomes[6])
	look := `{"action":"agent_status","params":{"agent_id":"` + peerA.String() + `"}}`
	s.slot(look, wire.Reply{Type: wire.TypeAgentStatus, Body: &wire.AgentStatusReply{AgentID: peerA, Status: wire.StatusActive, Reputation: 0.3}})
	if p := s.peer(peerA); p.Interactions != 0 {
		t.Errorf("%+v", p)
	}
	if n := s.t.notes.Peer(peerA); n == nil || n.Reputation != 0.3 {
		t.Errorf("standing %+v", n)
	}
}

func TestRecord_ReadAnswerBecomesKnowledge(t *testing.T) {
	s := newSolo(t, genomes[6])
	answer := wire.Message{
		ID: wire.Hash{2}, Channel: channelHelp, Author: peerA, Kind: wire.MessageKindAnswer, Tick: 250,
		Content: wire.TextContent("use a comprehension"), References: []wire.Hash{{1}}, Confidence: 0.9,
	}
	s.t.notes.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: s.a.ID, Kind: wire.MessageKindQuestion, Signed: true})
	s.slot(`{"action":"msg_query","params":{"sort":"RECENT","limit":10}}`, wire.Reply{
		Type: wire.TypeMsgQuery, Body: &wire.MsgQueryReply{Messages: []wire.Message{answer}},
	})
	n, ok := s.a.Memory.Knowledge.Node(memory.NodeID(messageLabel(answer.ID)))
	if !ok || n.Source != memory.KnowledgePeerCommunication || n.Content != peerA.Alias()+` wrote "use a comprehension"` {
		t.Errorf("node %+v", n)
	}
	if p := s.peer(peerA); p.Successes != 1 || p.Interactions != 1 {
		t.Errorf("an answer to an own question: %+v", p)
	}

	s.slot(strings.TrimSuffix(getEntry, "}")+`,"memory_update":{"lesson":"read more"}}`, wire.Reply{
		Type: wire.TypeEntryGet, Body: &wire.EntryGetReply{Entry: wire.OracleEntry{
			ID: wire.Hash{3}, Author: peerB, Title: []byte("Maps"), Tags: [][]byte{[]byte("starlark"), []byte("map")}, Kind: wire.EntryKindPattern, Body: body("x"),
		}},
	})
	if n := s.lesson("entry_get"); n == nil || n.Source != memory.KnowledgeExperience || string(n.Content) != "read more" {
		t.Errorf("lesson %+v", n)
	}
	peer := s.peer(peerB)
	if got := slices.Collect(s.a.Memory.Peers.Interests(&peer)); !slices.Equal(got, []string{"map", "starlark"}) {
		t.Errorf("interests %q", got)
	}
}
