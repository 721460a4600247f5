package ooda

import (
	"reflect"
	"slices"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// building is an agent of moderate haste in an open world, with programs of its own, forge ticks and money, and nothing of others in sight.
func building(t *testing.T, works ...memory.WorkNote) (*solo, programmer) {
	t.Helper()
	s, o := offering(t, func(s *solo) { s.rules.Gates = uint8(action.ProfileOpen) })
	s.a.Notebook.Works = works
	s.t.slotView.forge, s.t.slotView.available = 1000, 500
	return s, programmer{o}
}

// acts are the names of what is offered, in the order of the offers.
func (o *offers) acts() (list []string) {
	for i := range o.list {
		list = append(list, o.list[i].Name())
	}
	return list
}

// What comes next towards a bounty for a program follows from the stage of the work. The hasty deliver what they have not tried; nobody
// delivers without the forge ticks that the checks may use.
func TestDelivery_NextStep(t *testing.T) {
	bounty := wire.Hash{0xB0}
	for _, c := range []struct {
		name  string
		stage memory.WorkStage
		forge uint64
		want  []string
		fit   float64 // of a delivery
	}{
		{"nothing yet", memory.WorkNew, 1000, []string{"repo_create"}, 0},
		{"written", memory.WorkWritten, 1000, []string{"sandbox_create", "bounty_submit"}, 0.55},
		{"in a sandbox", memory.WorkSandboxed, 1000, []string{"exec_start", "bounty_submit"}, 0.55},
		{"in a sandbox, without forge ticks for a run", memory.WorkSandboxed, 99, nil, 0},
		{"in a sandbox, with forge ticks for a run only", memory.WorkSandboxed, 100, []string{"exec_start"}, 0},
		{"it runs", memory.WorkRunning, 1000, nil, 0},
		{"it ran well", memory.WorkTried, 600, []string{"bounty_submit"}, 1},
		{"it ran well, with too few forge ticks for the checks", memory.WorkTried, 599, nil, 0},
		{"it is faulty", memory.WorkFaulty, 1000, []string{"snap_create"}, 0},
		{"it was sent and did not pass", memory.WorkSent, 1000, []string{"snap_create"}, 0},
	} {
		s, o := building(t, memory.WorkNote{Kind: memory.WorkDelivery, Stage: c.stage, About: bounty, Snap: ownSnap, Tries: 2, Tags: 1, Why: []byte("it lost items")})
		s.t.slotView.forge = c.forge
		s.t.slotView.claims = []wire.BountyView{{ID: bounty, Creator: peerA, Claimer: &s.a.ID, Status: wire.BountyStatusClaimed, Title: []byte("A parser"), Requirements: []wire.BountyRequirement{{Kind: wire.RequirementKindMustPassTests}}}}
		o.delivery(s.about(goals.KindClaimBounty, bounty))
		if got := o.acts(); !slices.Equal(got, c.want) {
			t.Errorf("%s: offered are %v, want %v", c.name, got, c.want)
		}
		for i := range o.list {
			switch a := &o.list[i]; a.Name() {
			case "bounty_submit":
				if q := a.Params.(*wire.BountySubmit); q.BountyID != bounty || q.SubmissionSnap != ownSnap || !near(a.Success, c.fit*o.successRate(a.Action)) {
					t.Errorf("%s: it delivers %+v, which succeeds by %v", c.name, q, a.Success)
				}
			case "repo_create", "snap_create":
				if want := (llm.Work{Task: llm.TaskDelivery, Title: []byte("A parser"), Tries: 2, Version: 1, Why: []byte("it lost items")}); a.Compose != llm.ComposeProgram || !reflect.DeepEqual(*a.Work, want) {
					t.Errorf("%s: it is to write %+v", c.name, a.Work)
				}
			}
		}
	}
}

// A bounty for a program is claimed if it is free for this agent, which holds fewer than it may, and if the world can check programs.
func TestDelivery_ClaimsWhatIsFree(t *testing.T) {
	for _, c := range []struct {
		name   string
		goal   goals.Kind
		change func(s *solo, b *wire.BountyView)
		want   bool
	}{
		{"a free one", goals.KindClaimBounty, func(*solo, *wire.BountyView) {}, true},
		{"one of which the agent may not take any more", goals.KindClaimBounty, func(_ *solo, b *wire.BountyView) { b.Barred = true }, false},
		{"one that somebody has claimed", goals.KindClaimBounty, func(_ *solo, b *wire.BountyView) { b.Status = wire.BountyStatusClaimed }, false},
		{"one for an entry", goals.KindClaimBounty, func(_ *solo, b *wire.BountyView) { b.Requirements = verified(wire.EntryKindFAQ, 1) }, false},
		{"as many held as it may", goals.KindClaimBounty, func(s *solo, _ *wire.BountyView) { s.rules.MaxClaims = 0 }, false},
		{"nobody can deliver", goals.KindClaimBounty, func(s *solo, _ *wire.BountyView) { s.rules.Allowed = []string{"bounty_claim", "exec_start"} }, false},
		{"nobody can run programs", goals.KindClaimBounty, func(s *solo, _ *wire.BountyView) { s.rules.Allowed = []string{"bounty_claim", "bounty_submit"} }, false},
		{"for another goal", goals.KindEarn, func(*solo, *wire.BountyView) {}, false},
	} {
		s, o := building(t)
		b := wire.BountyView{ID: wire.Hash{0xB0}, Creator: peerA, Status: wire.BountyStatusOpen, Requirements: []wire.BountyRequirement{{Kind: wire.RequirementKindMustCompile}}}
		c.change(s, &b)
		s.t.slotView.actions = s.rules.Actions(0)
		s.t.slotView.bounties = []wire.BountyView{b}
		o.delivery(s.about(c.goal, b.ID))
		if got := slices.Equal(o.acts(), []string{"bounty_claim"}); got != c.want || !got && len(o.list) > 0 {
			t.Errorf("%s: offered are %v", c.name, o.acts())
		}
	}
}

// Who was turned down after the tests passed contests that.
func TestDelivery_ContestsARejectionOfWhatPassed(t *testing.T) {
	for _, c := range []struct {
		name   string
		stage  memory.WorkStage
		status wire.BountyStatus
		by     int // who claimed it: 0 the agent, 1 another, 2 nobody
		want   bool
	}{
		{"turned down", memory.WorkSent, wire.BountyStatusRejected, 0, true},
		{"under review", memory.WorkSent, wire.BountyStatusReviewing, 0, false},
		{"not sent", memory.WorkFaulty, wire.BountyStatusRejected, 0, false},
		{"another was turned down", memory.WorkSent, wire.BountyStatusRejected, 1, false},
		{"nobody claimed it", memory.WorkSent, wire.BountyStatusRejected, 2, false},
	} {
		bounty := wire.Hash{0xB0}
		s, o := building(t, memory.WorkNote{Kind: memory.WorkDelivery, About: bounty, Stage: c.stage})
		s.t.slotView.claims = []wire.BountyView{{ID: bounty, Claimer: []*wire.AgentID{&s.a.ID, &peerB, nil}[c.by], Status: c.status, Requirements: []wire.BountyRequirement{{Kind: wire.RequirementKindMustCompile}}}}
		o.delivery(s.about(goals.KindClaimBounty, bounty))
		if got := len(o.list) == 1; got != c.want || got && (o.list[0].Params.(*wire.BountyReview).Verdict != wire.BountyVerdictDispute || !near(o.list[0].Success, 0.9*o.successRate(o.list[0].Action))) {
			t.Errorf("%s: offered are %v", c.name, o.acts())
		}
	}
}

// A module is written, tried, proven, tagged, bound to what it builds on, and renewed after six cycles, or earlier if there is something to
// build on for the first time.
func TestModule_NextStep(t *testing.T) {
	const rest = 6 * 256
	lib := wire.LibraryView{Repo: wire.Hash{0x11}, Tag: wire.Hash{0x12}, Description: []byte("joins texts")}
	base := memory.WorkNote{Kind: memory.WorkModule, At: 300, Repo: ownRepo, Snap: ownSnap, Code: ownCode, Sandbox: ownBox}
	with := func(stage memory.WorkStage, change func(w *memory.WorkNote)) memory.WorkNote {
		w := base
		if w.Stage = stage; change != nil {
			change(&w)
		}
		return w
	}
	for _, c := range []struct {
		name  string
		work  memory.WorkNote
		tick  wire.Tick
		libs  []wire.LibraryView
		boxes []wire.SandboxView
		want  []string
	}{
		{"nothing yet", memory.WorkNote{Kind: memory.WorkModule}, 400, nil, nil, []string{"repo_create"}},
		{"nothing yet, with a library in sight", memory.WorkNote{Kind: memory.WorkModule}, 400, []wire.LibraryView{lib}, nil, []string{"repo_create"}},
		{"written", with(memory.WorkWritten, nil), 400, nil, nil, []string{"sandbox_create"}},
		{"it ran well", with(memory.WorkTried, nil), 400, nil, []wire.SandboxView{{ID: ownBox}}, []string{"proof_request", "tag_create"}},
		{"it ran well, and its sandbox is gone", with(memory.WorkTried, nil), 400, nil, nil, []string{"tag_create"}},
		{"there is a proof", with(memory.WorkTried, func(w *memory.WorkNote) { w.Proof = []byte("proof") }), 400, nil, []wire.SandboxView{{ID: ownBox}}, []string{"snap_create", "tag_create"}},
		{"it is proven", with(memory.WorkTried, func(w *memory.WorkNote) { w.Proven = true }), 400, nil, []wire.SandboxView{{ID: ownBox}}, []string{"tag_create"}},
		{"it builds on a library", with(memory.WorkTagged, func(w *memory.WorkNote) { w.Uses = lib.Repo }), 300 + rest, []wire.LibraryView{lib}, nil, []string{"dependency_add"}},
		{"it is bound to the library", with(memory.WorkTagged, func(w *memory.WorkNote) { w.Uses, w.Bound = lib.Repo, lib.Tag }), 300 + rest - 1, []wire.LibraryView{lib}, nil, nil},
		{"it has rested", with(memory.WorkTagged, func(w *memory.WorkNote) { w.Uses, w.Bound = lib.Repo, lib.Tag }), 300 + rest, []wire.LibraryView{lib}, nil, []string{"snap_create"}},
		{"its library is out of sight", with(memory.WorkTagged, func(w *memory.WorkNote) { w.Uses = lib.Repo }), 400, nil, nil, nil},
		{"it builds on nothing", with(memory.WorkTagged, nil), 400, nil, nil, nil},
		{"there is something to build on", with(memory.WorkTagged, nil), 400, []wire.LibraryView{lib}, nil, []string{"snap_create"}},
		{"there was something to build on before it was changed", with(memory.WorkTagged, func(w *memory.WorkNote) { w.Tries = 1 }), 400, []wire.LibraryView{lib}, nil, nil},
	} {
		s, o := building(t, c.work)
		s.t.slotView.tick, s.t.slotView.libraries, s.t.slotView.sandboxes = c.tick, c.libs, c.boxes
		o.module(s.about(goals.KindBuildLibrary, wire.Hash{}))
		if got := o.acts(); !slices.Equal(got, c.want) {
			t.Errorf("%s: offered are %v, want %v", c.name, got, c.want)
		}
		for i := range o.list {
			a := &o.list[i]
			switch q := a.Params.(type) {
			case *wire.RepoCreate:
				if uses := string(a.Work.Uses); a.Work.Task != llm.TaskModule || (uses == "joins texts") != (c.libs != nil) || string(q.Name) != "module-400" {
					t.Errorf("%s: it is to write %q by %+v", c.name, q.Name, a.Work)
				}
			case *wire.SnapCreate:
				if proof := c.work.Proof; q.RepoID != ownRepo || *q.Parent != ownSnap || (q.Proof != nil) != (proof != nil) || proof == nil && string(a.Work.Uses) != "joins texts" {
					t.Errorf("%s: the next version is %+v by %+v", c.name, q, a.Work)
				}
			case *wire.ProofRequest:
				if q.SandboxID != ownBox || !near(a.Success, 0.8*o.successRate(a.Action)) {
					t.Errorf("%s: a proof of %v succeeds by %v", c.name, q.SandboxID, a.Success)
				}
			case *wire.DependencyAdd:
				if *q != (wire.DependencyAdd{FromRepo: ownRepo, FromSnap: ownSnap, ToRepo: lib.Repo, ToTag: lib.Tag, Required: true}) {
					t.Errorf("%s: it is bound by %+v", c.name, q)
				}
			}
		}
	}
}

// A program is published under the next version, described by how to load it unless the mind writes more. What was paid for may be published,
// too; without Forge nothing is written.
func TestModule_PublishesWhatRanWellAndWhatWasPaidFor(t *testing.T) {
	delivered := memory.WorkNote{Kind: memory.WorkDelivery, Stage: memory.WorkDone, About: wire.Hash{0xB0}, Repo: ownRepo, Snap: ownSnap, Code: ownCode, Tags: 2, Defines: []byte("parse")}
	sent, module := delivered, delivered
	sent.Stage, sent.About = memory.WorkSent, wire.Hash{0xB1}
	module.Kind, module.About, module.Stage = memory.WorkModule, wire.Hash{}, memory.WorkTagged
	module.At = 400
	for _, c := range []struct {
		name    string
		works   []memory.WorkNote
		allowed []string
		want    []string
	}{
		{"paid for", []memory.WorkNote{module, sent, delivered, delivered}, nil, []string{"tag_create"}},
		{"sent", []memory.WorkNote{module, sent}, nil, nil},
		{"a module only", []memory.WorkNote{module}, nil, nil},
		{"no programs in this world", []memory.WorkNote{module, delivered}, []string{"tag_create"}, nil},
	} {
		s, o := building(t, c.works...)
		if s.t.slotView.tick = 400; c.allowed != nil {
			s.rules.Allowed = c.allowed
			s.t.slotView.actions = s.rules.Actions(0)
		}
		o.module(s.about(goals.KindBuildLibrary, wire.Hash{}))
		if got := o.acts(); !slices.Equal(got, c.want) {
			t.Fatalf("%s: offered are %v, want %v", c.name, got, c.want)
		}
		if c.want == nil {
			continue
		}
		a := &o.list[0]
		q, hint := a.Params.(*wire.TagCreate), "vault:"+ownCode.String()
		if q.Repo != ownRepo || string(q.Name) != "v3" || q.Target != ownSnap || q.Publish == nil || string(q.Publish.Description) != hint || string(a.Text) != hint {
			t.Errorf("%s: it is published as %+v, %q", c.name, q, a.Text)
		}
		if want := (llm.Work{Task: llm.TaskDelivery, Version: 2, Title: []byte("parse")}); a.Compose != llm.ComposeDescription || !reflect.DeepEqual(*a.Work, want) {
			t.Errorf("%s: it is described by %+v", c.name, a.Work)
		}
	}
}

// The author's test of a program is run instead of it, but a service is run itself, and stays.
func TestWrite_SandboxForTheTest(t *testing.T) {
	test := wire.Hash{7}
	for _, c := range []struct {
		name string
		kind memory.WorkKind
		try  wire.Hash
		want wire.Hash
		kept bool
	}{
		{"a module", memory.WorkModule, wire.Hash{}, ownCode, false},
		{"a module with a test", memory.WorkModule, test, test, false},
		{"a service with a test", memory.WorkService, test, ownCode, true},
	} {
		s, o := building(t, memory.WorkNote{Kind: c.kind, Stage: memory.WorkWritten, Code: ownCode, Try: c.try})
		o.write(s.about(goals.KindBuildLibrary, wire.Hash{}), &s.a.Notebook.Works[0], nil)
		if len(o.list) != 1 {
			t.Fatalf("%s: offered are %v", c.name, o.acts())
		}
		if q := o.list[0].Params.(*wire.SandboxCreate); q.Code != c.want || q.Persistent != c.kept || q.TickBudget != tryBudget || q.MemoryQuota != boxMemory {
			t.Errorf("%s: %+v", c.name, q)
		}
	}
}

// What an agent knows of programs is shown where it is to write one, and what it builds on is the library that it has used, if that is in
// sight, else another one each cycle.
func TestWrite_KnowledgeAndLibrary(t *testing.T) {
	libs := []wire.LibraryView{{Repo: wire.Hash{0x11}, Description: []byte("one")}, {Repo: wire.Hash{0x12}, Description: []byte("two")}}
	seen := map[string]bool{}
	for cycle := range wire.Cycle(2) {
		s, o := building(t, memory.WorkNote{Kind: memory.WorkModule}, memory.WorkNote{Kind: memory.WorkModule, Stage: memory.WorkFaulty, Repo: ownRepo, Uses: wire.Hash{0x12}}, memory.WorkNote{Kind: memory.WorkService})
		s.t.slotView.cycle, s.t.slotView.libraries = cycle, libs
		for i := range s.a.Notebook.Works {
			o.write(s.about(goals.KindBuildLibrary, wire.Hash{}), &s.a.Notebook.Works[i], nil)
		}
		if len(o.list) != 3 || string(o.list[1].Work.Uses) != "two" || o.list[2].Work.Uses != nil {
			t.Fatalf("in cycle %d it builds on %q, its service on %q", cycle, o.list[1].Work.Uses, o.list[2].Work.Uses)
		}
		seen[string(o.list[0].Work.Uses)] = true
	}
	if !seen["one"] || !seen["two"] {
		t.Errorf("in two cycles it builds on %v", seen)
	}
	for know, want := range map[float32]float64{0: knowsNothing, 0.7: 0.7} { //house:sorted each is looked at by itself
		s, o := building(t, memory.WorkNote{Kind: memory.WorkModule})
		s.a.Memory.Topics[memory.TopicPrograms-1].Know = know
		o.write(s.about(goals.KindBuildLibrary, wire.Hash{}), &s.a.Notebook.Works[0], nil)
		if got := o.list[0].Know; !near(got, want) {
			t.Errorf("who knows programs by %v writes knowing %v", know, got)
		}
	}
}

// A call of a new service costs what pays for it if all who are awake call it every four cycles; where there is upkeep, half of
// them if the agent earns as much as that, more if it earns more.
func TestFee_PaysForTheService(t *testing.T) {
	for _, c := range []struct {
		active uint32
		upkeep uint64
		wage   float64
		blind  string
		want   uint64
	}{
		{9, 0, 2, "", 5},
		{9, 2, 2, "", 10},
		{9, 1, 2, "", 8},
		{9, 2, 0.5, "", 25},
		{9, 2, 0, "", 1_000_000},
		{33, 0, 2, "", 2},
		{33, 2, 2, "", 3},
		{500, 2, 2, "", 2},
		{0, 0, 2, "", 40},
		{2, 2, 2, "", 80},
		{9, 2, 2, "money", 2},
	} {
		s, o := building(t)
		s.a.Notebook.Active, s.rules.Upkeep, s.a.Memory.Market.Wage = c.active, c.upkeep, c.wage
		if c.blind != "" {
			s.rules.Blind = llm.LayersOf([]string{c.blind})
		}
		if got := o.fee(); got != c.want {
			t.Errorf("%+v: a call costs %d", c, got)
		}
	}
}

// A service is begun by who can afford it, if others would call it: at a fee that is not too high and below the lowest of the others.
func TestService_IfOthersWouldCallIt(t *testing.T) {
	empty := memory.WorkNote{Kind: memory.WorkService}
	with := func(stage memory.WorkStage, box wire.Hash) []memory.WorkNote {
		return []memory.WorkNote{{Kind: memory.WorkService, Stage: stage, Code: ownCode, Sandbox: box}}
	}
	for _, c := range []struct {
		name   string
		works  []memory.WorkNote
		money  int64
		active uint32 // 9: a call costs 5, 5: 10, 4: 13
		others []uint64
		want   []string
	}{
		{"nobody offers one", nil, 105, 9, nil, []string{"repo_create"}},
		{"too little money", nil, 104, 9, nil, nil},
		{"a dear one is offered", nil, 105, 9, []uint64{9, 6}, []string{"repo_create"}},
		{"one is offered at that fee", nil, 105, 9, []uint64{9, 5, 7}, nil},
		{"the highest fee", nil, 105, 5, nil, []string{"repo_create"}},
		{"more than others pay", nil, 105, 4, nil, nil},
		{"begun", []memory.WorkNote{empty}, 105, 9, nil, []string{"repo_create"}},
		{"begun, too little money", []memory.WorkNote{empty}, 104, 9, nil, nil},
		{"begun, too many offer one", []memory.WorkNote{empty}, 105, 9, []uint64{5}, nil},
		{"in a sandbox that is paid for", with(memory.WorkSandboxed, ownBox), 60, 9, nil, []string{"exec_start"}},
		{"it ran well", with(memory.WorkTried, ownBox), 60, 9, nil, []string{"service_create"}},
		{"it ran well, and another is cheaper by now", with(memory.WorkTried, ownBox), 60, 9, []uint64{5}, nil},
		{"it is offered", with(memory.WorkDone, ownBox), 500, 9, nil, nil},
	} {
		s, o := building(t, c.works...)
		s.rules.Upkeep, s.a.Notebook.Active, s.t.slotView.available = 0, c.active, c.money
		for i, fee := range c.others {
			s.t.slotView.services = append(s.t.slotView.services, wire.ServiceView{ID: wire.Hash{0x5E, byte(i)}, Fee: fee})
		}
		o.service(s.about(goals.KindEarn, wire.Hash{}))
		if got := o.acts(); !slices.Equal(got, c.want) {
			t.Errorf("%s: offered are %v, want %v", c.name, got, c.want)
			continue
		}
		if c.want != nil && c.want[0] == "service_create" {
			if q := o.list[0].Params.(*wire.ServiceCreate); q.Sandbox != ownBox || *q.Fee != 5 || q.TickBudget != serviceTicks || string(q.Name) != "service-"+s.a.ID.Alias() || string(q.Endpoints[0].Name) != "serve" {
				t.Errorf("%s: %+v", c.name, q)
			}
		}
	}
}

// A sandbox that costs money in each cycle is ended if it has no service and will have none, or if the agent is poor.
func TestOfferShutdown_OfWhatEarnsNothing(t *testing.T) {
	for _, c := range []struct {
		name    string
		box     wire.SandboxView
		work    memory.WorkNote
		money   int64
		cheaper bool // another offers the same for less
		want    bool
	}{
		{"with a service", wire.SandboxView{Persistent: true, Service: &wire.Hash{1}}, memory.WorkNote{}, 50, false, false},
		{"with a service, poor", wire.SandboxView{Persistent: true, Service: &wire.Hash{1}}, memory.WorkNote{}, 49, false, true},
		{"without a service", wire.SandboxView{Persistent: true}, memory.WorkNote{}, 50, false, true},
		{"of the next service", wire.SandboxView{Persistent: true}, memory.WorkNote{Kind: memory.WorkService, Stage: memory.WorkTried, Sandbox: ownBox}, 50, false, false},
		{"of a service that is faulty", wire.SandboxView{Persistent: true}, memory.WorkNote{Kind: memory.WorkService, Stage: memory.WorkFaulty, Sandbox: ownBox}, 50, false, true},
		{"of a service that nobody would call", wire.SandboxView{Persistent: true}, memory.WorkNote{Kind: memory.WorkService, Stage: memory.WorkTried, Sandbox: ownBox}, 50, true, true},
		{"of the service before the last", wire.SandboxView{Persistent: true}, memory.WorkNote{Kind: memory.WorkService, Stage: memory.WorkTried, Sandbox: wire.Hash{9}}, 50, false, true},
		{"that ends by itself", wire.SandboxView{}, memory.WorkNote{}, 49, false, false},
	} {
		s, o := building(t, c.work)
		s.rules.Upkeep, s.a.Notebook.Active, s.t.slotView.available = 0, 9, c.money
		if c.box.ID = ownBox; c.cheaper {
			s.t.slotView.services = []wire.ServiceView{{Fee: 2}}
		}
		s.t.slotView.sandboxes = []wire.SandboxView{{ID: wire.Hash{1}}, c.box, c.box}
		o.delegate.Priority = 0
		o.offerShutdown(&o.delegate)
		if got := len(o.list) == 1; got != c.want || got && (o.list[0].Params.(*wire.SandboxKill).SandboxID != ownBox || o.list[0].Priority < wantPriority) {
			t.Errorf("%s: offered are %v", c.name, o.acts())
		}
	}
}

// Another's service is called once out of curiosity, the cheapest, by who can spare its fee and the tax; later every four cycles by those who
// earn that beyond their upkeep, or would pay as much for other work.
func TestCall_OnceThenAsOftenAsItCanAfford(t *testing.T) {
	for _, c := range []struct {
		name   string
		fees   []uint64
		called wire.Cycle // 0: never
		spare  int64
		wage   float64
		want   bool
	}{
		{"there is none", nil, 0, 500, 9, false},
		{"for the first time", []uint64{40, 10, 20}, 0, 11, 0, true},
		{"too little to spare for fee and tax", []uint64{40, 10, 20}, 0, 10, 0, false},
		{"a dear one, with a tax of a twentieth", []uint64{100}, 0, 105, 0, true},
		{"too little to spare for a tax of a twentieth", []uint64{100}, 0, 104, 0, false},
		{"called three cycles ago", []uint64{10}, 17, 500, 9, false},
		{"called four cycles ago", []uint64{10}, 16, 500, 9, true},
		{"called four cycles ago, earning as much as it costs", []uint64{10}, 16, 11, 4.75, true},
		{"called four cycles ago, earning less", []uint64{10}, 16, 11, 4.74, false},
	} {
		s, o := building(t)
		s.rules.Upkeep, s.a.Memory.Market.Wage = 2, c.wage
		if s.a.Notebook.Called, s.t.slotView.cycle = c.called, 20; c.called == 0 {
			s.t.slotView.cycle = 2
		}
		for s.t.slotView.available = 0; int64(s.t.purse().spare()) < c.spare; s.t.slotView.available++ {
		}
		for i, fee := range c.fees {
			s.t.slotView.services = append(s.t.slotView.services, wire.ServiceView{ID: wire.Hash{0x5E, byte(fee)}, Endpoint: []byte{byte(i)}, Fee: fee})
		}
		o.call(s.about(goals.KindExplore, wire.Hash{}))
		if got := slices.Contains(o.acts(), "service_call"); got != c.want {
			t.Errorf("%s: offered are %v", c.name, o.acts())
			continue
		}
		if c.want {
			a := &o.list[len(o.list)-1]
			if q := a.Params.(*wire.ServiceCall); q.ServiceID[1] != byte(slices.Min(c.fees)) || !near(a.Success, 0.9*o.successRate(a.Action)) {
				t.Errorf("%s: it calls %+v", c.name, q)
			}
		}
	}
}
