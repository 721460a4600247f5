package ooda

import (
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// coder is a solo in a world with all daemons that holds a bounty asking for a program.
func coder(t *testing.T) (*solo, *wire.BountyView) {
	t.Helper()
	s := newSolo(t, genomes[1])
	s.view.ForgeTicks = 1_000
	b := &wire.BountyView{
		ID: wire.Hash{0xB0}, Creator: wire.SystemID(wire.SystemAgora), Title: []byte("Text builder"), Reward: 40, Deadline: 25_000,
		Difficulty: wire.DifficultyEasy, Status: wire.BountyStatusOpen,
		Requirements: []wire.BountyRequirement{{Kind: wire.RequirementKindMustCompile, Params: wire.MustCompileCodec.Append(nil, &wire.MustCompile{})}},
	}
	s.view.Bounties = []wire.BountyView{*b}
	return s, b
}

// step takes the affordance of an action for the bounty, with params in place of its own where they
// are given, and the reply to it; it returns the affordance.
func (s *solo) step(action, params string, r wire.Reply, events ...*wire.Event) llm.Affordance {
	s.Helper()
	asked := s.ask(events...)
	if asked.Kind != AskThink {
		s.Fatalf("tick %d: no thought asked before %s", s.view.Tick, action)
	}
	for _, a := range asked.Prompt.Affordances {
		if a.Name() != action || a.GoalKind != goals.KindClaimBounty.String() {
			continue
		}
		if params == "" {
			params = string(a.Action.AppendJSON(nil, a.Params))
		}
		step := s.t.Act(answered(`{"action":"` + action + `","params":` + params + `}`))
		if step.Kind != StepSend {
			s.Fatalf("%s %s: %s", action, params, step.Think.Error)
		}
		r.Ref = step.Envelope.MsgID
		s.t.Record(r)
		for s.a.CurrentTask != nil && s.a.CurrentTask.Consuming() { // its further slots
			s.ask()
			s.t.Act(llm.Thought{})
			s.t.Record(wire.Reply{})
		}
		return a
	}
	var names []string
	for _, a := range asked.Prompt.Affordances {
		names = append(names, a.Name())
	}
	s.Fatalf("tick %d: no %s for the bounty among %v", s.view.Tick, action, names)
	return llm.Affordance{}
}

const (
	firstFiles = `{"name":"tb","files":{"main.star":"x = 1\n","try.star":"y = 1\n"}}`
	snapFiles  = `{"repo_id":"f100000000000000000000000000000000000000000000000000000000000000",` +
		`"parent":"f100000000000000000000000000000000000000000000000000000000000000","files":{"main.star":"x = 2\n"}}`
)

// TestProgram_IsWrittenTriedChangedAndDelivered: what comes next follows from how the program ran
// and what the checks of the bounty said.
func TestProgram_IsWrittenTriedChangedAndDelivered(t *testing.T) {
	s, b := coder(t)
	s.step("bounty_claim", "", ack, event(wire.KindBountyCreated, 256, b.Creator, &wire.BountyCreatedEvent{
		BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward, Difficulty: b.Difficulty, Deadline: b.Deadline,
	}))
	b.Status, b.Claimer = wire.BountyStatusClaimed, &s.a.ID
	s.view.Bounties, s.view.Claims = nil, []wire.BountyView{*b}

	first := wire.Hash{0xF1}
	a := s.step("repo_create", firstFiles, wire.Reply{Type: wire.TypeAck, Body: &wire.RepoCreateAck{RepoID: first, SnapID: first}})
	if a.Compose != llm.ComposeProgram || a.Work == nil || string(a.Work.Title) != "Text builder" || a.Work.Tries != 0 {
		t.Errorf("the program is asked for by %+v", a.Work)
	}
	box := wire.Hash{0x5B}
	s.view.Sandboxes = []wire.SandboxView{{ID: box, State: wire.SandboxStateReady, TickBudget: tryBudget}}
	a = s.step("sandbox_create", "", wire.Reply{Type: wire.TypeAck, Body: &wire.SandboxCreateAck{SandboxID: box}})
	if try := wire.ObjectID(wire.ObjectAtom, []byte("y = 1\n")); a.Subject != try {
		t.Errorf("the sandbox is for %s, want the author's test %s", a.Subject, try)
	}
	s.step("exec_start", "", wire.Reply{Type: wire.TypeAck, Body: &wire.ExecStartAck{Ticks: 1}})

	fault := wire.FaultDivideByZero
	s.view.Sandboxes[0].State, s.view.Sandboxes[0].Fault = wire.SandboxStateFaulted, &fault
	second := wire.Hash{0xF2}
	a = s.step("snap_create", snapFiles, wire.Reply{Type: wire.TypeAck, Body: &wire.SnapCreateAck{SnapID: second}})
	if string(a.Work.Why) != "it faulted: DIVIDE_BY_ZERO" {
		t.Errorf("the change is asked for since %q", a.Work.Why)
	}
	w := s.a.Notebook.Work(memory.WorkDelivery, b.ID)
	if w.Tries != 1 || w.Snap != second || w.Code != wire.ObjectID(wire.ObjectAtom, []byte("x = 2\n")) || !w.Try.IsZero() {
		t.Errorf("after the change the note is %+v", w)
	}
	if n := s.lesson("exec_start"); n == nil {
		t.Error("a fault leaves no lesson")
	}

	s.step("bounty_submit", "", wire.Reply{Type: wire.TypeAck, Body: &wire.BountySubmitAck{Status: wire.BountyStatusClaimed}})
	a = s.step("snap_create", snapFilesAfter(second), wire.Reply{Type: wire.TypeAck, Body: &wire.SnapCreateAck{SnapID: wire.Hash{0xF3}}})
	if a.Work.Tries != 1 || string(a.Work.Why) != "it failed a check of the bounty" {
		t.Errorf("a program that was rejected is to be changed by %+v", a.Work)
	}
	s.step("bounty_submit", "", wire.Reply{Type: wire.TypeAck, Body: &wire.BountySubmitAck{Status: wire.BountyStatusCompleted}})
	if w.Stage != memory.WorkDone || w.Snap != (wire.Hash{0xF3}) {
		t.Errorf("at the end the note is %+v", w)
	}
}

func snapFilesAfter(parent wire.Hash) string {
	return `{"repo_id":"f100000000000000000000000000000000000000000000000000000000000000","parent":"` + parent.String() + `","files":{"main.star":"x = 3\n"}}`
}

// TestProgram_IsNotOfferedWithoutForge: nobody claims what cannot be delivered.
func TestProgram_IsNotOfferedWithoutForge(t *testing.T) {
	s, b := coder(t)
	s.rules.Systems = slices.DeleteFunc(slices.Clone(s.rules.Systems), func(x wire.System) bool { return x == wire.SystemForge })
	asked := s.ask(event(wire.KindBountyCreated, 256, b.Creator, &wire.BountyCreatedEvent{
		BountyID: b.ID, Creator: b.Creator, Title: b.Title, Reward: b.Reward, Difficulty: b.Difficulty, Deadline: b.Deadline,
	}))
	for _, a := range asked.Prompt.Affordances {
		if a.Name() == "bounty_claim" || a.Name() == "repo_create" {
			t.Errorf("%s is offered", a.Name())
		}
	}
}

// TestOfferReview_ReadsSnapTreeAndTextFirst: snap, tree and text are read first, and the text is what the mind
// is shown with the verdict.
func TestOfferReview_ReadsSnapTreeAndTextFirst(t *testing.T) {
	s, o := offering(t, func(s *solo) {
		s.view.ForgeTicks = 1_000
	})
	id, snap := wire.Hash{0xB1}, wire.Hash{0xF1}
	s.t.slotView.reviews = []wire.ReviewView{{ID: id, Bounty: true, Author: wire.AgentID{7}, Snap: snap}}
	g := s.about(goals.KindDoReview, id)
	look := func() (out []string) {
		o.reset()
		worker{o}.offerReview(g)
		for _, a := range o.list {
			out = append(out, a.Name()+" "+string(a.Text))
		}
		return out
	}
	want := func(names ...string) {
		t.Helper()
		if got := look(); !slices.Equal(got, names) {
			t.Errorf("offered is %q, want %q", got, names)
		}
	}
	tree := wire.TreeCodec.Append(nil, &wire.Tree{Entries: []wire.TreeEntry{{Key: []byte("main.star"), Value: wire.Hash{0xA1}, Kind: wire.TreeEntryKindAtom}}})
	want("snap_get ", "bounty_review ")
	s.reply(&wire.SnapGet{SnapID: snap}, wire.Reply{Body: &wire.SnapGetReply{Snap: wire.Snap{Root: wire.Hash{0xE1}}}})
	want("object_get ", "bounty_review ")
	s.reply(&wire.ObjectGet{ObjectID: wire.Hash{0xE1}}, wire.Reply{Body: &wire.ObjectGetReply{TypeTag: wire.ObjectTree, Data: tree}})
	want("object_get ", "bounty_review ")
	s.reply(&wire.ObjectGet{ObjectID: wire.Hash{0xA1}}, wire.Reply{Body: &wire.ObjectGetReply{TypeTag: wire.ObjectAtom, Data: []byte("x = 1\n")}})
	want("sandbox_create ", "bounty_review x = 1\n")
}

// TestOfferReview_SkipsTreeListedInSnapReply: what the answer lists is not asked for again.
func TestOfferReview_SkipsTreeListedInSnapReply(t *testing.T) {
	s, o := offering(t, nil)
	id, snap, code := wire.Hash{0xB1}, wire.Hash{0xF1}, wire.Hash{0xA1}
	s.t.slotView.reviews = []wire.ReviewView{{ID: id, Bounty: true, Author: wire.AgentID{7}, Snap: snap}}
	g := s.about(goals.KindDoReview, id)
	o.reset()
	worker{o}.offerReview(g)
	s.reply(&wire.SnapGet{SnapID: snap}, wire.Reply{Body: &wire.SnapGetReply{
		Snap: wire.Snap{Root: wire.Hash{0xE1}}, Entries: []wire.TreeEntry{{Key: []byte("main.star"), Value: code, Kind: wire.TreeEntryKindAtom}},
	}})
	o.reset()
	worker{o}.offerReview(g)
	if q, ok := o.list[0].Params.(*wire.ObjectGet); !ok || q.ObjectID != code {
		t.Errorf("offered first is %+v, want the program", o.list[0].Params)
	}
}

// TestOfferReview_ProgramShownWithSnap: one look is enough if it shows the program.
func TestOfferReview_ProgramShownWithSnap(t *testing.T) {
	s, o := offering(t, func(s *solo) { s.view.ForgeTicks = 1_000 })
	id, snap, code := wire.Hash{0xB1}, wire.Hash{0xF1}, wire.Hash{0xA1}
	s.t.slotView.reviews = []wire.ReviewView{{ID: id, Bounty: true, Author: wire.AgentID{7}, Snap: snap}}
	g := s.about(goals.KindDoReview, id)
	o.reset()
	worker{o}.offerReview(g)
	s.reply(&wire.SnapGet{SnapID: snap}, wire.Reply{Body: &wire.SnapGetReply{
		Snap: wire.Snap{Root: wire.Hash{0xE1}}, Program: []byte("x = 1\n"),
		Entries: []wire.TreeEntry{{Key: []byte(wire.ProgramFile), Value: code, Kind: wire.TreeEntryKindAtom}},
	}})
	o.reset()
	worker{o}.offerReview(g)
	if q, ok := o.list[0].Params.(*wire.SandboxCreate); !ok || q.Code != code || string(o.list[1].Text) != "x = 1\n" {
		t.Errorf("offered are %+v with the text %q, want a run of the program and its text with the verdict", o.list[0].Params, o.list[1].Text)
	}
}
