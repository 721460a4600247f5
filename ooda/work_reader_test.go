package ooda

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

var (
	ownRepo, ownSnap, ownBox = wire.Hash{0xF0}, wire.Hash{0xF1}, wire.Hash{0x5B}
	ownCode                  = wire.Hash{0xC0, 0xDE}
)

// working is an agent with a work.
func working(t *testing.T, w memory.WorkNote) (*solo, *memory.WorkNote) {
	t.Helper()
	s, _ := writing(t, 0)
	s.a.Notebook.Works = []memory.WorkNote{w}
	return s, &s.a.Notebook.Works[0]
}

// The sandbox of a work shows how far it is: a run that halted makes it tried, a fault makes it faulty, and without its sandbox it has to be
// tried again. What a run cost is counted, unless the program is another's.
func TestFollowWorks_BySandbox(t *testing.T) {
	const module, service, review = memory.WorkModule, memory.WorkService, memory.WorkReview
	const ready, running, halted, faulted = wire.SandboxStateReady, wire.SandboxStateRunning, wire.SandboxStateHalted, wire.SandboxStateFaulted
	const boxed, runs, tried, faulty, written = memory.WorkSandboxed, memory.WorkRunning, memory.WorkTried, memory.WorkFaulty, memory.WorkWritten
	fault := wire.FaultDivideByZero
	for _, c := range []struct {
		name  string
		kind  memory.WorkKind
		stage memory.WorkStage
		box   wire.SandboxState // 0: it is gone
		fault *wire.FaultCode
		want  memory.WorkStage
		why   string
		gone  bool // the note of the sandbox
		costs string
	}{
		{"it waits", module, boxed, ready, nil, boxed, "old", false, ""},
		{"it runs", module, runs, running, nil, runs, "old", false, ""},
		{"it halted", module, runs, halted, nil, tried, "", false, "\tWhat program c0de0000 costs: 90\n"},
		{"a program of another halted", review, runs, halted, nil, tried, "", false, ""},
		{"it faulted", module, runs, faulted, &fault, faulty, "it faulted: DIVIDE_BY_ZERO", false, ""},
		{"it faulted, nobody knows why", module, runs, faulted, nil, faulty, "it faulted", false, ""},
		{"its sandbox is gone", module, runs, 0, nil, written, "old", true, ""},
		{"its sandbox is gone before the run", module, boxed, 0, nil, written, "old", true, ""},
		{"its sandbox is gone after the run", module, tried, 0, nil, tried, "old", false, ""},
		{"a service is gone", service, memory.WorkDone, 0, nil, written, "old", true, ""},
		{"a service is gone before it was offered", service, tried, 0, nil, written, "old", true, ""},
		{"a service stands", service, memory.WorkDone, halted, nil, memory.WorkDone, "old", false, ""},
		{"nothing was tried", module, memory.WorkTagged, 0, nil, memory.WorkTagged, "old", false, ""},
	} {
		s, w := working(t, memory.WorkNote{Kind: c.kind, Stage: c.stage, Code: ownCode, Sandbox: ownBox, Why: []byte("old")})
		v := wire.View{Sandboxes: []wire.SandboxView{{ID: wire.Hash{1}, State: halted}}}
		if c.box != 0 {
			v.Sandboxes = append(v.Sandboxes, wire.SandboxView{ID: ownBox, State: c.box, Fault: c.fault, TicksUsed: 90})
		}
		workReader{&s.t.replies}.followWorks(&v)
		if w.Stage != c.want || string(w.Why) != c.why || w.Sandbox.IsZero() != c.gone {
			t.Errorf("%s: stage %d because of %q, in %v", c.name, w.Stage, w.Why, w.Sandbox)
		}
		if got := s.counts(); got != c.costs {
			t.Errorf("%s: it counts %q", c.name, got)
		}
		if proven := s.a.Memory.Topics.Know(memory.TopicPrograms) > 0; proven != (c.costs != "") {
			t.Errorf("%s: it knows of programs %v", c.name, proven)
		}
		if n := s.lesson("exec_start"); (n != nil) != (c.want == faulty) || n != nil && string(n.Content) != "a program of mine: "+c.why {
			t.Errorf("%s: it learns %+v", c.name, n)
		}
	}
}

// A proof belongs to the work whose program it is about, if that ran well.
func TestTakeProofs_OfTheProgramThatRanWell(t *testing.T) {
	for _, c := range []struct {
		name  string
		stage memory.WorkStage
		body  any
		want  bool
	}{
		{"its own", memory.WorkTried, &wire.ExecutionProof{Program: ownCode}, true},
		{"of its test", memory.WorkTried, &wire.ExecutionProof{Program: wire.Hash{7}}, true},
		{"of another program", memory.WorkTried, &wire.ExecutionProof{Program: wire.Hash{9}}, false},
		{"of no program", memory.WorkTried, &wire.ExecutionProof{}, false},
		{"it has been changed since", memory.WorkWritten, &wire.ExecutionProof{Program: ownCode}, false},
		{"no proof", memory.WorkTried, &wire.DependencyNotify{}, false},
	} {
		s, w := working(t, memory.WorkNote{Kind: memory.WorkModule, Stage: c.stage, Code: ownCode, Try: wire.Hash{7}})
		workReader{&s.t.replies}.takeProofs(&wire.View{Deliveries: []wire.Reply{{Body: c.body}}})
		if got := w.Proof != nil; got != c.want || got && string(w.Proof) != string(wire.ExecutionProofCodec.Append(nil, c.body.(*wire.ExecutionProof))) {
			t.Errorf("%s: the proof is taken %v", c.name, got)
		}
	}
}

// atom is an object of a request that creates it.
func atom(text string) wire.InlineObject {
	return wire.InlineObject{TypeTag: wire.ObjectAtom, Data: []byte(text)}
}

// files is a directory of objects, with the id of its root.
func files(program, try string) (list *[]wire.InlineObject, root, code, test wire.Hash) {
	tree := wire.Tree{}
	out := []wire.InlineObject{}
	for _, f := range []struct{ key, text string }{{wire.ProgramFile, program}, {tryFile, try}} {
		if f.text == "" {
			continue
		}
		x := atom(f.text)
		tree.Entries = append(tree.Entries, wire.TreeEntry{Key: []byte(f.key), Value: x.ID(), Kind: wire.TreeEntryKindAtom})
		out = append(out, x)
		if f.key == tryFile {
			test = x.ID()
		} else {
			code = x.ID()
		}
	}
	dir := wire.InlineObject{TypeTag: wire.ObjectTree, Data: wire.TreeCodec.Append(nil, &tree)}
	out = append(out, dir)
	return &out, dir.ID(), code, test
}

// A new repo begins a work: for the bounty of the goal, else a service if its program serves, else a module. The note names the program and
// its test, the functions that it defines, and the library that it builds on.
func TestNoteWork_NewRepo(t *testing.T) {
	lib := wire.LibraryView{Repo: wire.Hash{0x11}, Description: []byte("joins texts, " + string(loadHint(wire.Hash{0x4B})) + " and more")}
	bare := wire.LibraryView{Repo: wire.Hash{0x12}, Description: loadHint(wire.Hash{0x4D})}
	others := []wire.LibraryView{{Repo: wire.Hash{0x13}, Description: []byte("vault:beef")}, {Repo: wire.Hash{0x14}, Description: []byte("ask me")}}
	const module = "def join(a):\n  pass\ndef split(b):\n  pass\n"
	for _, c := range []struct {
		name       string
		goal       goals.Kind // that is served, about a bounty; 0: none
		program    string
		try        string
		kind       memory.WorkKind
		defines    string
		uses       wire.Hash
		nothingNew bool // its files exist already
	}{
		{"a module", 0, module, "", memory.WorkModule, "join, split", wire.Hash{}, false},
		{"a module with a test", 0, module, "join(1)", memory.WorkModule, "join, split", wire.Hash{}, false},
		{"one that loads a library", 0, "load(\"" + string(loadHint(wire.Hash{0x4B})) + "\")", "", memory.WorkModule, "", lib.Repo, false},
		{"one that loads a library of no more words", 0, "load(\"" + string(loadHint(wire.Hash{0x4D})) + "\")", "", memory.WorkModule, "", bare.Repo, false},
		{"one that loads something else", 0, "load(\"" + string(loadHint(wire.Hash{0x4C})) + "\")", "", memory.WorkModule, "", wire.Hash{}, false},
		{"a service", 0, "def serve(text):\n  pass\n", "", memory.WorkService, "serve", wire.Hash{}, false},
		{"for another goal", goals.KindLearn, "def serve(text):\n  pass\n", "", memory.WorkService, "serve", wire.Hash{}, false},
		{"for a bounty", goals.KindClaimBounty, "def serve(text):\n  pass\n", "", memory.WorkDelivery, "serve", wire.Hash{}, false},
		{"of files that exist", 0, module, "", memory.WorkModule, "", wire.Hash{}, true},
	} {
		s, _ := writing(t, 0)
		s.a.Notebook.Works = nil
		s.t.slotView.libraries = append(others, bare, lib)
		s.t.slotView.tick = 300
		p := &pending{}
		bounty := wire.Hash{}
		if c.goal == goals.KindClaimBounty {
			bounty = wire.Hash{0xB0}
		}
		if c.goal != 0 {
			g := s.about(c.goal, wire.Hash{0xB0})
			if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
			p.goal = g.ID
		}
		objects, root, code, test := files(c.program, c.try)
		if c.nothingNew {
			objects, code = nil, wire.Hash{}
		}
		p.payload = &wire.RepoCreate{Root: &root, Objects: objects}
		workReader{&s.t.replies}.noteWork(p, &wire.Reply{Body: &wire.RepoCreateAck{RepoID: ownRepo, SnapID: ownSnap}})
		want := memory.WorkNote{
			Kind: c.kind, Stage: memory.WorkWritten, About: bounty, At: 300, Repo: ownRepo, First: ownSnap, Snap: ownSnap, Root: root, Code: code, Try: test, Uses: c.uses,
		}
		if c.defines != "" {
			want.Defines = []byte(c.defines)
		}
		if d := cmp.Diff([]memory.WorkNote{want}, s.a.Notebook.Works); d != "" {
			t.Errorf("%s: want -, got +\n%s", c.name, d)
		}
	}
}

// A repo that was created without files, or that the world did not acknowledge, begins no work.
func TestNoteWork_RepoWithoutProgram(t *testing.T) {
	objects, root, _, _ := files("x = 1", "")
	for name, c := range map[string]struct {
		request *wire.RepoCreate
		reply   any
	}{ //house:sorted each is looked at by itself
		"no files":         {&wire.RepoCreate{}, &wire.RepoCreateAck{RepoID: ownRepo}},
		"not acknowledged": {&wire.RepoCreate{Root: &root, Objects: objects}, nil},
	} {
		s, _ := working(t, memory.WorkNote{})
		if s.reply(c.request, wire.Reply{Body: c.reply}); len(s.a.Notebook.Works) != 1 {
			t.Errorf("%s: %+v", name, s.a.Notebook.Works)
		}
	}
}

// What the world has taken moves the work that it is about to its next stage.
func TestNoteWork_NextStage(t *testing.T) {
	objects, root, code, _ := files("def join(a):\n  pass\n", "")
	proof := []byte("proof")
	parent, other := ownSnap, wire.Hash{9}
	newer := &wire.SnapCreateAck{SnapID: wire.Hash{0xF2}}
	base := memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkTried, At: 100, Repo: ownRepo, First: ownSnap, Snap: ownSnap, Code: ownCode, Try: wire.Hash{7}, Sandbox: ownBox, Tags: 1, Tries: 1, Bound: wire.Hash{3}, Uses: wire.Hash{4}, Proof: proof}
	faulty := base
	faulty.Stage = memory.WorkFaulty
	rewritten := func(tries uint32) func(w *memory.WorkNote) {
		return func(w *memory.WorkNote) {
			*w = memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkWritten, At: 300, Repo: ownRepo, First: ownSnap, Snap: wire.Hash{0xF2}, Root: root, Code: code, Tags: 1, Tries: tries, Defines: []byte("join")}
		}
	}
	for _, c := range []struct {
		name    string
		before  memory.WorkNote
		request any
		reply   any
		change  func(w *memory.WorkNote)
	}{
		{"the next version", base, &wire.SnapCreate{RepoID: ownRepo, Parent: &parent, Root: root, Objects: objects}, newer, rewritten(1)},
		{"a version after a fault", faulty, &wire.SnapCreate{RepoID: ownRepo, Parent: &parent, Root: root, Objects: objects}, newer, rewritten(2)},
		{"a proof of the version", base, &wire.SnapCreate{RepoID: ownRepo, Parent: &parent, Root: root, Proof: &proof}, newer, func(w *memory.WorkNote) {
			w.Snap, w.Proof, w.Proven, w.Bound = wire.Hash{0xF2}, nil, true, wire.Hash{}
		}},
		{"a side branch", base, &wire.SnapCreate{RepoID: ownRepo, Parent: &other, Root: root, Objects: objects}, newer, nil},
		{"a version without a parent", base, &wire.SnapCreate{RepoID: ownRepo, Root: root, Objects: objects}, newer, nil},
		{"a version of another repo", base, &wire.SnapCreate{RepoID: other, Parent: &parent, Root: root, Objects: objects}, newer, nil},
		{"a version that is not acknowledged", base, &wire.SnapCreate{RepoID: ownRepo, Parent: &parent, Root: root, Objects: objects}, nil, nil},
		{"a sandbox", base, &wire.SandboxCreate{Code: ownCode}, &wire.SandboxCreateAck{SandboxID: wire.Hash{0x5C}}, func(w *memory.WorkNote) {
			w.Stage, w.At, w.Sandbox = memory.WorkSandboxed, 300, wire.Hash{0x5C}
		}},
		{"a sandbox for its test", base, &wire.SandboxCreate{Code: wire.Hash{7}}, &wire.SandboxCreateAck{SandboxID: wire.Hash{0x5C}}, func(w *memory.WorkNote) {
			w.Stage, w.At, w.Sandbox = memory.WorkSandboxed, 300, wire.Hash{0x5C}
		}},
		{"a sandbox for something else", base, &wire.SandboxCreate{Code: other}, &wire.SandboxCreateAck{SandboxID: wire.Hash{0x5C}}, nil},
		{"a run", base, &wire.ExecStart{SandboxID: ownBox}, nil, func(w *memory.WorkNote) { w.Stage, w.At = memory.WorkRunning, 300 }},
		{"a run elsewhere", base, &wire.ExecStart{SandboxID: other}, nil, nil},
		{"a tag", base, &wire.TagCreate{Repo: ownRepo}, nil, func(w *memory.WorkNote) { w.Stage, w.At, w.Tags = memory.WorkTagged, 300, 2 }},
		{"a tag elsewhere", base, &wire.TagCreate{Repo: other}, nil, nil},
		{"a binding", base, &wire.DependencyAdd{FromRepo: ownRepo, ToTag: wire.Hash{5}}, nil, func(w *memory.WorkNote) { w.Bound = wire.Hash{5} }},
		{"a binding elsewhere", base, &wire.DependencyAdd{FromRepo: other, ToTag: wire.Hash{5}}, nil, nil},
		{"the end of its sandbox", base, &wire.SandboxKill{SandboxID: ownBox}, nil, func(w *memory.WorkNote) { w.Stage, w.At, w.Sandbox = memory.WorkWritten, 300, wire.Hash{} }},
		{"the end of another sandbox", base, &wire.SandboxKill{SandboxID: other}, nil, nil},
		{"a service with it", base, &wire.ServiceCreate{Sandbox: ownBox}, nil, func(w *memory.WorkNote) { w.Stage, w.At = memory.WorkDone, 300 }},
		{"another service", base, &wire.ServiceCreate{Sandbox: other}, nil, nil},
		{"a call of a service", base, &wire.ServiceCall{}, nil, nil},
	} {
		s, w := working(t, c.before)
		want := c.before
		if c.change != nil {
			c.change(&want)
		}
		s.reply(c.request, wire.Reply{Body: c.reply})
		if d := cmp.Diff(want, *w); d != "" {
			t.Errorf("%s: want -, got +\n%s", c.name, d)
		}
		if _, calls := c.request.(*wire.ServiceCall); calls != (s.a.Notebook.Called > 0) {
			t.Errorf("%s: a service was called in cycle %d", c.name, s.a.Notebook.Called)
		}
	}
}

// A published program is what an agent wants that builds a library; a mere tag is not.
func TestNoteWork_PublishedProgramServesTheLibrary(t *testing.T) {
	for _, published := range []bool{false, true} {
		s, _ := working(t, memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkTried, Repo: ownRepo})
		g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindBuildLibrary, Text: "build"}, 256)
		if err := s.t.Inject(g, 256); err != nil {
			t.Fatal(err)
		}
		tag := &wire.TagCreate{Repo: ownRepo}
		if published {
			tag.Publish = &wire.Publication{}
		}
		s.reply(tag, wire.Reply{})
		if done := len(s.t.Satisfactions()) > 0; done != published {
			t.Errorf("published %v: the goal is reached %v", published, done)
		}
	}
}

// A refusal shows what is wrong with a work, or that a step was taken already. A program of another that cannot be read is judged as it is.
func TestNoteWorkRefused(t *testing.T) {
	other := wire.Hash{9}
	base := memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkWritten, At: 100, Repo: ownRepo, Code: ownCode, Tags: 1}
	review := memory.WorkNote{Kind: memory.WorkReview, Stage: memory.WorkSnapSeen, At: 100, Snap: ownSnap, Root: wire.Hash{0xE0}, Code: ownCode}
	unread := func(w *memory.WorkNote) { w.Stage = memory.WorkWritten }
	for _, c := range []struct {
		name    string
		before  memory.WorkNote
		request any
		reason  string
		change  func(w *memory.WorkNote)
	}{
		{"it is no program", base, &wire.SandboxCreate{Code: ownCode}, "program", func(w *memory.WorkNote) { w.Stage, w.Why = memory.WorkFaulty, []byte("it is no program") }},
		{"something else is no program", base, &wire.SandboxCreate{Code: other}, "program", nil},
		{"there is no room for it", base, &wire.SandboxCreate{Code: ownCode}, "sandboxes", nil},
		{"the name of its tag is taken", base, &wire.TagCreate{Repo: ownRepo}, "exists", func(w *memory.WorkNote) { w.Tags = 2 }},
		{"the name of another's tag is taken", base, &wire.TagCreate{Repo: other}, "exists", nil},
		{"it is bound", base, &wire.DependencyAdd{FromRepo: ownRepo, ToTag: wire.Hash{5}}, "exists", func(w *memory.WorkNote) { w.Bound = wire.Hash{5} }},
		{"another is bound", base, &wire.DependencyAdd{FromRepo: other, ToTag: wire.Hash{5}}, "exists", nil},
		{"its snap cannot be read", review, &wire.SnapGet{SnapID: ownSnap}, "not_found", unread},
		{"its tree cannot be read", review, &wire.ObjectGet{ObjectID: wire.Hash{0xE0}}, "not_found", unread},
		{"its text cannot be read", review, &wire.ObjectGet{ObjectID: ownCode}, "not_found", unread},
		{"something else cannot be read", review, &wire.ObjectGet{ObjectID: other}, "not_found", nil},
		{"its own text cannot be read", func() memory.WorkNote { w := base; w.Stage = memory.WorkTried; return w }(), &wire.ObjectGet{ObjectID: ownCode}, "not_found", nil},
	} {
		s, w := working(t, c.before)
		want := c.before
		if c.change != nil {
			c.change(&want)
		}
		s.reply(c.request, refusedFor(c.reason))
		if d := cmp.Diff(want, *w); d != "" {
			t.Errorf("%s: want -, got +\n%s", c.name, d)
		}
		if learned := s.lesson("sandbox_create"); (learned != nil) != (want.Stage == memory.WorkFaulty) {
			t.Errorf("%s: it learns %+v", c.name, learned)
		}
	}
}

// The answer to a delivery says whether it passed, waits for reviewers, or what it failed, as the test of the bounty has it.
func TestNoteDelivered_StageAndReason(t *testing.T) {
	bounty := wire.Hash{0xB0}
	failed := &wire.FailedCheck{Kind: wire.RequirementKindMustPassTests, Program: []byte("test"), Line: 11, Why: []byte("want 3")}
	unplaced := &wire.FailedCheck{Kind: wire.RequirementKindMustCompile, Why: []byte("bad indent")}
	for _, c := range []struct {
		name   string
		bounty wire.Hash
		status wire.BountyStatus
		failed *wire.FailedCheck
		want   memory.WorkStage
		why    string
	}{
		{"it passed", bounty, wire.BountyStatusCompleted, nil, memory.WorkDone, ""},
		{"it waits for reviewers", bounty, wire.BountyStatusReviewing, nil, memory.WorkSent, ""},
		{"it was sent", bounty, wire.BountyStatusSubmitted, nil, memory.WorkSent, ""},
		{"it failed", bounty, wire.BountyStatusClaimed, nil, memory.WorkFaulty, "it failed a check of the bounty"},
		{"it failed in a line", bounty, wire.BountyStatusClaimed, failed, memory.WorkFaulty, "it failed MUST_PASS_TESTS, line 11 of the test: want 3"},
		{"it failed as a whole", bounty, wire.BountyStatusClaimed, unplaced, memory.WorkFaulty, "it failed MUST_COMPILE: bad indent"},
		{"another bounty", wire.Hash{9}, wire.BountyStatusCompleted, nil, memory.WorkTried, ""},
	} {
		s, w := working(t, memory.WorkNote{Kind: memory.WorkDelivery, About: bounty, Stage: memory.WorkTried, At: 100})
		s.reply(&wire.BountySubmit{BountyID: c.bounty}, wire.Reply{Body: &wire.BountySubmitAck{Status: c.status, Failed: c.failed}})
		if w.Stage != c.want || string(w.Why) != c.why || (w.At == 300) != (c.bounty == bounty) {
			t.Errorf("%s: stage %d since %d because of %q", c.name, w.Stage, w.At, w.Why)
		}
		n := s.lesson("bounty_submit")
		if (n != nil) != (c.want == memory.WorkFaulty) || n != nil && strings.Contains(string(n.Content), "want 3") {
			t.Errorf("%s: it learns %+v", c.name, n) // never in the words of another
		}
	}
}
