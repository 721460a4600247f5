package ooda

import (
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// reply lets the agent read the reply to a request at tick 300.
func (s *solo) reply(payload any, r wire.Reply) {
	s.t.slotView.tick = 300
	p := &pending{payload: payload, row: &action.Row{Name: "an act"}}
	p.subjectKind, p.subject = subjectOf(payload)
	s.t.replies.read(p, &r)
}

func refusedFor(reason string) wire.Reply {
	return wire.Reply{Type: wire.TypeError, Err: &wire.ErrorBody{Message: []byte(reason)}}
}

// After a refusal for the rate of posts no more are sent in the cycle. A refusal for another reason is about one post
// only.
func TestReplies_RateRefusalEndsPostsOfTheCycle(t *testing.T) {
	for _, c := range []struct {
		reason   string
		posts    uint32
		sleepers int
	}{{"rate", 10, 1}, {"duplicate", 4, 0}} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.Posts = 4
		s.a.Memory.Dealings.AddSleeper(peerA)
		s.reply(&wire.MsgPost{References: []wire.Hash{wire.Hash(peerA)}}, refusedFor(c.reason))
		if s.a.Notebook.Posts != c.posts || len(s.a.Memory.Dealings.Sleepers) != c.sleepers {
			t.Errorf("%s: %d posts, %d sleepers; want %d and %d", c.reason, s.a.Notebook.Posts, len(s.a.Memory.Dealings.Sleepers), c.posts, c.sleepers)
		}
	}
}

// What a reply marks as done, by the kind of request and whether it was refused.
func TestReplies_RefusedActionIsNotTriedAgain(t *testing.T) {
	id := wire.Hash{5}
	for _, c := range []struct {
		name    string
		payload any
		refused bool
		judged  bool // the entry
		signed  bool // the message
		release bool // is still to be given back
	}{
		{"an entry is not there", &wire.EntryGet{EntryID: id}, true, true, false, true},
		{"an entry is", &wire.EntryGet{EntryID: id}, false, false, false, true},
		{"a verdict", &wire.EntryVerify{EntryID: id}, false, true, false, true},
		{"a refused verdict", &wire.EntryVerify{EntryID: id}, true, true, false, true},
		{"a signal", &wire.SignalSend{Target: id}, false, false, true, true},
		{"a refused signal", &wire.SignalSend{Target: id}, true, false, true, true},
		{"a release", &wire.BountyReview{BountyID: id}, false, false, false, false},
		{"a refused release", &wire.BountyReview{BountyID: id}, true, false, false, false},
	} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: id, Author: peerA, Text: []byte("words")})
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: id, Author: peerA, Kind: wire.MessageKindStatement, Text: []byte("words")})
		s.a.Notebook.Release(id)
		r := wire.Reply{Type: wire.TypeAck}
		if c.refused {
			r = refusedFor("not_found")
		}
		s.reply(c.payload, r)
		e, m := s.a.Notebook.Entry(id), s.a.Notebook.Message(id)
		if e.Judged != c.judged || (e.Text == nil) != c.judged || m.Signed != c.signed || (m.Text == nil) != c.signed || len(s.a.Notebook.Releases) == 1 != c.release {
			t.Errorf("%s: entry %+v, message %+v, releases %v", c.name, e, m, s.a.Notebook.Releases)
		}
	}
}

func TestReplies_CountersOfTheCycle(t *testing.T) {
	s := newSolo(t, genomes[6])
	n := s.a.Notebook
	post := func(k wire.MessageKind) {
		s.reply(&wire.MsgPost{Kind: k}, wire.Reply{Type: wire.TypeAck, Body: &wire.MsgPostAck{MessageID: wire.Hash{byte(k)}}})
	}
	post(wire.MessageKindStatement)
	post(wire.MessageKindQuestion)
	if n.Posts != 2 || n.Asked != 1 {
		t.Errorf("%d posts, %d questions; want 2 and 1", n.Posts, n.Asked)
	}
	if m := n.Message(wire.Hash{byte(wire.MessageKindQuestion)}); m == nil || !m.Signed || !m.Answered || m.At != 300 || m.Author != s.a.ID {
		t.Errorf("own message %+v", m)
	}
	s.reply(&wire.Transfer{Kind: wire.TransferKindResourceBuy, Amount: 3}, ack)
	s.reply(&wire.Transfer{Kind: wire.TransferKindDirect, Amount: 5}, ack)
	if n.Bought != 12 {
		t.Errorf("%d ticks bought, want 12", n.Bought)
	}
	s.reply(&wire.EntryPublish{Entry: wire.EntryDraft{Kind: wire.EntryKindFAQ, Title: []byte("T")}}, wire.Reply{Body: &wire.EntryPublishAck{EntryID: wire.Hash{8}}})
	if e := n.Entry(wire.Hash{8}); n.Published != 1 || e == nil || !e.Own || !e.Judged || e.At != 300 || len(s.a.Learning.Works) != 1 {
		t.Errorf("%d published, entry %+v", n.Published, e)
	}
	s.reply(&wire.EntryPublish{}, ack) // an acknowledgement that names no entry
	if n.Published != 1 {
		t.Errorf("%d published", n.Published)
	}
	s.reply(&wire.Subscribe{Systems: []wire.System{wire.SystemMint}}, ack)
	if len(s.a.Subscriptions) != 1 {
		t.Errorf("%d subscriptions", len(s.a.Subscriptions))
	}
}

func TestReplies_PostedAnswerMarksItsQuestionAnswered(t *testing.T) {
	for _, c := range []struct {
		name string
		post wire.MsgPost
		want bool
	}{
		{"answer", wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{{1}}}, true},
		{"statement", wire.MsgPost{Kind: wire.MessageKindStatement, References: []wire.Hash{{1}}}, false},
		{"answer to another", wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{{2}}}, false},
		{"answer to nobody", wire.MsgPost{Kind: wire.MessageKindAnswer}, false},
	} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: peerA, Kind: wire.MessageKindQuestion, Signed: true, Text: []byte("words")})
		s.reply(&c.post, ack)
		if m := s.a.Notebook.Message(wire.Hash{1}); m.Answered != c.want || (m.Text == nil) != c.want {
			t.Errorf("%s: %+v", c.name, m)
		}
	}
}

// Listed entries older than those that the notebook still holds were forgotten as done, and are not noted again.
func TestReplies_ListedEntriesOlderThanNotebookAreIgnored(t *testing.T) {
	s := newSolo(t, genomes[6])
	n := s.a.Notebook
	n.SeeEntry(memory.EntryNote{ID: wire.Hash{9}, Author: peerA, At: 99}) // not done with: newer ones were forgotten before it
	n.Closed, n.Forgot = 100, 100
	system := wire.SystemID(wire.SystemOracle)
	s.reply(&wire.EntryQuery{}, wire.Reply{Body: &wire.EntryQueryReply{Entries: []wire.OracleEntry{
		{ID: wire.Hash{1}, CreatedAt: 100, Author: peerA},
		{ID: wire.Hash{9}, CreatedAt: 99, Author: peerA},
		{ID: wire.Hash{2}, CreatedAt: 101, Author: peerA},
		{ID: wire.Hash{3}, CreatedAt: 101, Author: s.a.ID},
		{ID: wire.Hash{4}, CreatedAt: 101, Author: system},
		{ID: wire.Hash{5}, CreatedAt: 101, Author: peerA, VerifiedBy: []wire.AgentID{peerB, s.a.ID}},
		{ID: wire.Hash{6}, CreatedAt: 101, Author: peerA, VerifiedBy: []wire.AgentID{peerB}},
	}}})
	if n.Entry(wire.Hash{1}) != nil || n.Browsed != 300 {
		t.Errorf("browsed %d, an entry of long ago %+v", n.Browsed, n.Entry(wire.Hash{1}))
	}
	if !n.Entry(wire.Hash{9}).Read {
		t.Error("an entry that waited is not read, since it is older than one that was forgotten")
	}
	for id, want := range map[byte]memory.EntryNote{2: {}, 3: {Own: true, Judged: true}, 4: {Judged: true}, 5: {Judged: true}, 6: {}} {
		if e := n.Entry(wire.Hash{id}); e == nil || e.Judged != want.Judged || e.Own != want.Own {
			t.Errorf("entry %d: %+v", id, e)
		}
	}
	n.SeeMessage(memory.MessageNote{ID: wire.Hash{7}, Author: peerA, At: 90})
	channel := wire.Hash{0xC0}
	n.SeeMessage(memory.MessageNote{ID: wire.Hash{11}, Channel: channel, Author: peerA, Kind: wire.MessageKindStatement, At: 299})
	n.SeeMessage(memory.MessageNote{ID: wire.Hash{12}, Channel: channel, Author: peerA, Kind: wire.MessageKindQuestion, At: 299})
	n.SeeMessage(memory.MessageNote{ID: wire.Hash{13}, Channel: channel, Author: peerA, Kind: wire.MessageKindStatement, At: 300})
	n.SeeMessage(memory.MessageNote{ID: wire.Hash{14}, Channel: wire.Hash{0xC1}, Author: peerA, Kind: wire.MessageKindStatement, At: 299})
	s.reply(&wire.MsgQuery{Channels: &[]wire.Hash{channel}}, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{
		{ID: wire.Hash{7}, Tick: 90, Author: peerA, Content: textContent("known")},
		{ID: wire.Hash{8}, Tick: 100, Author: peerA, Content: textContent("long ago")},
		{ID: wire.Hash{9}, Tick: 101, Author: peerA, Content: textContent("new")},
		{ID: wire.Hash{10}, Tick: 101, Author: s.a.ID, Content: textContent("own")},
	}}})
	if n.Looked != 300 || n.Turns != 1 || n.Message(wire.Hash{8}) != nil {
		t.Errorf("looked %d, turns %d, message of long ago %+v", n.Looked, n.Turns, n.Message(wire.Hash{8}))
	}
	for id, want := range map[byte]memory.MessageNote{
		7: {Read: true, Signed: true}, 9: {Read: true, Signed: true}, 10: {Read: true, Signed: true},
		11: {Read: true, Signed: true}, 12: {Signed: true}, 13: {}, 14: {},
	} {
		if m := n.Message(wire.Hash{id}); m == nil || m.Read != want.Read || m.Signed != want.Signed || string(m.Text) != string(want.Text) {
			t.Errorf("message %d: %+v", id, m)
		}
	}
}

// A message of a system is noted as read, but makes no knowledge.
func TestReplies_SystemMessageTeachesNothing(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.reply(&wire.MsgQuery{}, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{
		{ID: wire.Hash{1}, Tick: 101, Author: wire.SystemID(wire.SystemAgora), Content: textContent("x")},
	}}})
	if nodes, _ := s.a.Memory.Knowledge.Size(); nodes != 0 || !s.a.Notebook.Message(wire.Hash{1}).Read {
		t.Errorf("%d nodes", nodes)
	}
}

func TestReplies_OnlyAnswersToOwnQuestionsCountAsServed(t *testing.T) {
	for _, c := range []struct {
		name   string
		kind   wire.MessageKind // of the answer
		author wire.AgentID     // of the question; zero: the agent
		asked  wire.MessageKind
		want   uint32
	}{
		{"answer", wire.MessageKindAnswer, wire.AgentID{}, wire.MessageKindQuestion, 1},
		{"statement", wire.MessageKindStatement, wire.AgentID{}, wire.MessageKindQuestion, 0},
		{"another's question", wire.MessageKindAnswer, peerB, wire.MessageKindQuestion, 0},
		{"an own statement", wire.MessageKindAnswer, wire.AgentID{}, wire.MessageKindStatement, 0},
	} {
		s := newSolo(t, genomes[6])
		if c.author.IsZero() {
			c.author = s.a.ID
		}
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{1}, Author: c.author, Kind: c.asked})
		s.reply(&wire.MsgQuery{}, wire.Reply{Body: &wire.MsgQueryReply{Messages: []wire.Message{
			{ID: wire.Hash{2}, Tick: 9, Author: peerA, Kind: c.kind, Content: textContent("x"), References: []wire.Hash{{1}}},
		}}})
		if got := s.peer(peerA).Interactions; got != c.want {
			t.Errorf("%s: %d interactions, want %d", c.name, got, c.want)
		}
	}
}

func TestReplies_OwnStatusIsNotNotedAsPeer(t *testing.T) {
	s := newSolo(t, genomes[6])
	for _, id := range []wire.AgentID{peerA, s.a.ID} {
		s.reply(&wire.AgentStatusMsg{AgentID: id}, wire.Reply{Body: &wire.AgentStatusReply{AgentID: id, Reputation: 0.3}})
	}
	if n := s.a.Notebook; n.Peer(peerA) == nil || n.Peer(peerA).At != 300 || n.Peer(s.a.ID) != nil {
		t.Errorf("%+v", n.Peers)
	}
}

// lesson is what the agent learned last about an action, nil for nothing.
func (s *solo) lesson(action string) *memory.KnowledgeNode {
	n, _, _, ok := s.a.Memory.Knowledge.Lesson(memory.LessonKey{Action: action}, s.t.seen.tick)
	if !ok {
		return nil
	}
	return &n
}

// TestLesson_IsShownWithItsAction: a lesson is shown with the next affordance of its action,
// strongest where the subject is the same, and with no other.
func TestLesson_IsShownWithItsAction(t *testing.T) {
	s := newSolo(t, genomes[0])
	s.slot(withField(getEntry, `,"memory_update":{"lesson":"read the newest first"}`), ack)
	s.noteEntries(3, memory.EntryNote{Author: peerA})
	with, without := 0, 0
	for _, a := range s.ask().Prompt.Affordances {
		switch got := a.Lesson.Text; {
		case a.Name() == "entry_get" && got == "read the newest first" && a.Lesson.Strength > 0.1 && a.Lesson.Sure > 0.5:
			with++
		case got == "":
			without++
		default:
			t.Errorf("%s comes with %+v", a.Name(), a.Lesson)
		}
	}
	if with == 0 || without == 0 {
		t.Errorf("%d affordances come with the lesson, %d without one", with, without)
	}
}

func TestLesson_IsSureOnlyIfActionSucceeded(t *testing.T) {
	for reply, sure := range map[*wire.Reply]bool{&ack: true, &refused: false} {
		s := newSolo(t, genomes[0])
		s.slot(withField(getEntry, `,"memory_update":{"lesson":"x"}`), *reply)
		if n := s.lesson("entry_get"); n == nil || (n.Confidence > 0.5) != sure {
			t.Errorf("%+v, want a lesson that is sure: %v", n, sure)
		}
	}
}

func TestStandsLower_OnlyKnownPeersOfLessReputation(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.a.Reputation = 0.5
	s.a.Notebook.SeePeer(peerA, 0.5, 1)
	if s.t.replies.relations().standsLower(peerA) || s.t.replies.relations().standsLower(peerB) {
		t.Error("an equal or an unknown peer stands lower")
	}
	s.a.Notebook.SeePeer(peerA, 0.4, 1)
	if !s.t.replies.relations().standsLower(peerA) {
		t.Error("a peer of less reputation does not stand lower")
	}
}

func TestServed_IsAuthorOfTheSubject(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: peerA})
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: wire.Hash{2}, Author: peerB})
	s.t.slotView.reviews = []wire.ReviewView{{ID: wire.Hash{3}, Author: peerA}}
	for id, want := range map[byte]wire.AgentID{1: peerA, 2: peerB, 3: peerA, 4: {}} {
		if got := s.t.replies.served(&pending{subject: wire.Hash{id}}); got != want {
			t.Errorf("subject %d: %v, want %v", id, got, want)
		}
	}
}

// TestMentorGoal_CompletedByServingPeersOfLowerReputation: three peers of less reputation served.
func TestMentorGoal_CompletedByServingPeersOfLowerReputation(t *testing.T) {
	for _, c := range []struct {
		reputation float32
		want       bool
	}{{0.1, true}, {0.9, false}} {
		s := newSolo(t, genomes[6])
		s.view.Reputation = 0.5
		s.a.Memory.Peers.Observe(peerA, 1)
		s.ask()
		s.t.Act(answered(idle))
		s.t.Record(wire.Reply{})
		if s.goal(goals.KindMentor) == nil {
			t.Fatal("no mentor goal")
		}
		s.a.Notebook.SeePeer(peerA, c.reputation, 256)
		row, _ := action.ByName("msg_post")
		for i := range byte(3) {
			id := wire.Hash{1, i}
			s.a.Notebook.SeeMessage(memory.MessageNote{ID: id, Author: peerA, Kind: wire.MessageKindQuestion})
			s.t.replies.tellGoals(&pending{row: row, subject: id, payload: &wire.MsgPost{Kind: wire.MessageKindAnswer, References: []wire.Hash{id}}})
		}
		paid := false
		for _, sat := range s.t.Satisfactions() {
			paid = paid || sat.Kind == goals.KindMentor && sat.Completed
		}
		if paid != c.want {
			t.Errorf("peer of reputation %v: mentor goal reached %v", c.reputation, paid)
		}
	}
}

func TestTellGoals_AnswerWithoutReferenceDoesNotPanic(t *testing.T) {
	s := newSolo(t, genomes[6])
	row, _ := action.ByName("msg_post")
	s.t.replies.tellGoals(&pending{row: row, payload: &wire.MsgPost{Kind: wire.MessageKindAnswer}})
}

// TestEntryQuery_EntriesWithBodiesCountAsRead: the entries of a list are read with it, but for those whose bodies it leaves
// out.
func TestEntryQuery_EntriesWithBodiesCountAsRead(t *testing.T) {
	s := newSolo(t, genomes[6])
	body := wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: "Seen at length."}}})
	whole, cut := wire.Hash{0xD1}, wire.Hash{0xD2}
	s.slot(`{"action":"entry_query","params":{}}`, wire.Reply{Type: wire.TypeEntryQuery, Body: &wire.EntryQueryReply{
		Entries: []wire.OracleEntry{{ID: whole, Author: peerA, Title: []byte("One"), Body: body, CreatedAt: 1}, {ID: cut, Author: peerA, Title: []byte("Two"), CreatedAt: 1}},
		Cut:     []wire.Hash{cut},
	}})
	one, two := s.a.Notebook.Entry(whole), s.a.Notebook.Entry(cut)
	if one == nil || !one.Read || string(one.Text) != "Seen at length.\n" || two == nil || two.Read {
		t.Errorf("%+v, %+v", one, two)
	}
	look := s.a.Memory.Readings[len(s.a.Memory.Readings)-1]
	if rr := &s.t.replies; rr.fresh != 1 || string(look.Entries[0].Text) != "Seen at length.\n" || len(look.Entries[1].Text) > 0 {
		t.Errorf("a model is told of %d news: %+v", rr.fresh, look.Entries)
	}
}

// TestNoteEntry_CountsVerdictsFoundAndSeen: a reply names who found an entry accurate; with those whom the agent saw find it wrong they are all
// that are known to have judged it. What was seen before counts no less.
func TestNoteEntry_CountsVerdictsFoundAndSeen(t *testing.T) {
	for _, c := range []struct {
		name               string
		seen               bool // the entry is noted
		verdicts, disputed uint8
		verifiers          int
		want               uint8
	}{
		{"an entry that is new", false, 0, 0, 2, 2},
		{"nothing was seen", true, 0, 0, 2, 2},
		{"two found it wrong", true, 2, 2, 2, 4},
		{"one of three found it wrong", true, 3, 1, 2, 3},
		{"more were seen", true, 5, 1, 2, 5},
		{"more than are counted", true, 100, 100, 200, 255},
		{"far more than are counted", true, 255, 255, 300, 255},
	} {
		s := newSolo(t, genomes[6])
		id := wire.Hash{7}
		if c.seen {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: id, Author: peerA, Verdicts: c.verdicts, Disputed: c.disputed})
		}
		n := s.t.replies.noteEntry(&wire.OracleEntry{ID: id, Author: peerA, VerifiedBy: make([]wire.AgentID, c.verifiers)})
		if n.Verdicts != c.want || n.Disputed != c.disputed || n != s.a.Notebook.Entry(id) {
			t.Errorf("%s: %d verdicts, want %d", c.name, n.Verdicts, c.want)
		}
	}
}

// TestNoteClaims_BelievesUnjudgedEntriesByHalf: what an entry states moves the agent's own count by how far its author is believed and how accurate
// others found it, which is one half while nobody has judged it.
func TestNoteClaims_BelievesUnjudgedEntriesByHalf(t *testing.T) {
	for _, c := range []struct {
		name      string
		accuracy  float32
		verifiers int
		want      float64 // of 0.5 when the entry says 0.7 and its author is trusted wholly: a fifth of the difference at most
	}{
		{"accurate", 1, 2, 0.54},
		{"found half accurate", 0.5, 1, 0.52},
		{"not judged", 0, 0, 0.52},
		{"judged and found wrong", 0, 1, 0.5},
	} {
		s := newSolo(t, genomes[6])
		s.t.slotView.tick = 300
		s.a.Memory.Peers.Interact(peerA, memory.DealAnswer, true, 300)
		f := s.a.Memory.Findings.GetOrAdd(memory.MeasureEnds, []byte("HARD"))
		f.Value, f.N, f.At = 0.5, 3, 1
		words := []byte(strings.Replace(f.Statement(), "0.50", "0.70", 1))
		if said, ok := memory.ReadStatement(memory.MeasureEnds, "HARD", words); !ok || !near(float64(said.Value), 0.7) {
			t.Fatalf("%q states %+v", words, said)
		}
		title := []byte(memory.MeasureEnds.Title([]byte("HARD")))
		s.t.replies.noteClaims(&wire.OracleEntry{ID: wire.Hash{7}, Author: peerA, Title: title, Accuracy: c.accuracy, VerifiedBy: make([]wire.AgentID, c.verifiers)}, words)
		if f := s.a.Memory.Findings.Get(memory.MeasureEnds, []byte("HARD")); !near(float64(f.Value), c.want) {
			t.Errorf("%s: the own count is %v, want %v", c.name, f.Value, c.want)
		}
	}
}
