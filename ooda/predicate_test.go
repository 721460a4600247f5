package ooda

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

var mine = wire.Hash{9} // the bounty of solo.bounty

// aboutBounty is a goal about the bounty of solo.bounty.
func (s *solo) aboutBounty() *goals.Goal {
	g := goals.New(s.a.ID, goals.LayerObjective, goals.SourceOpportunity, goals.Description{Kind: goals.KindClaimBounty, Subject: &mine}, 256)
	return &g
}

// holding shows the bounty as claimed by this agent at tick 256.
func (s *solo) holding() *wire.BountyView {
	b, me := *s.bounty(), s.a.ID
	b.Claimer, b.Status, b.ClaimedAt = &me, wire.BountyStatusClaimed, 256
	s.view.Bounties, s.view.Claims = nil, []wire.BountyView{b}
	return &s.view.Claims[0]
}

// entry notes an own entry and, so many times, a verdict on it.
func (s *solo) ownEntry(id byte, k wire.EntryKind, at wire.Tick, accurate, inaccurate int) {
	h := wire.Hash{0xE0, id}
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: h, Author: s.a.ID, Kind: k, At: at, Own: true, Judged: true})
	s.a.Learning.Publish(h, k, 1)
	for range accurate {
		s.a.Learning.Verify(h, wire.VerdictAccurate, 1)
	}
	for range inaccurate {
		s.a.Learning.Verify(h, wire.VerdictInaccurate, 0)
	}
}

func TestPredicates(t *testing.T) {
	bounty := func(change func(s *solo, b *wire.BountyView)) func(*solo) {
		return func(s *solo) { change(s, s.bounty()) }
	}
	held := func(change func(s *solo, b *wire.BountyView)) func(*solo) {
		return func(s *solo) { change(s, s.holding()) }
	}
	claims := func(status wire.BountyStatus, n byte, who func(s *solo) wire.AgentID) func(*solo) {
		return func(s *solo) {
			s.bounty()
			id := who(s)
			for i := range n {
				s.view.Claims = append(s.view.Claims, wire.BountyView{ID: wire.Hash{1, i}, Claimer: &id, Status: status})
			}
		}
	}
	me := func(s *solo) wire.AgentID { return s.a.ID }
	other := func(*solo) wire.AgentID { return peerA }
	posts := func(n uint32) func(*solo) { return func(s *solo) { s.a.Notebook.Posts = n } }
	browsed := func(at wire.Tick) func(*solo) { return func(s *solo) { s.a.Notebook.Browsed = at } }
	unread := func(at wire.Tick) func(*solo) {
		return func(s *solo) {
			s.a.Notebook.Browsed = at
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE7}, Author: peerA, Title: []byte("Starlark pattern: words")})
		}
	}
	message := func(n memory.MessageNote) func(*solo) {
		return func(s *solo) {
			n.ID = mine
			s.a.Notebook.SeeMessage(n)
		}
	}
	object := func(judged bool) func(*solo) {
		return func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{7}, Author: peerA, Judged: judged})
			s.a.Notebook.SetObject(s.aboutBounty().ID, wire.Hash{7})
		}
	}
	entries := func(accurate ...wire.Tick) func(*solo) {
		return func(s *solo) {
			s.holding()
			for i, at := range accurate {
				s.ownEntry(byte(i), wire.EntryKindPattern, at, 1, 0)
			}
		}
	}
	nothing := func(*solo) {}
	for _, c := range []struct {
		name, predicate string
		prepare         func(s *solo)
		want            bool
	}{
		{"always", "", nothing, true},
		{"unknown", "bounty_green", nothing, false},
		{"no bounty", "bounty_open", nothing, false},
		{"open", "bounty_open", bounty(func(*solo, *wire.BountyView) {}), true},
		{"barred", "bounty_open", bounty(func(_ *solo, b *wire.BountyView) { b.Barred = true }), false},
		{"not open", "bounty_open", bounty(func(_ *solo, b *wire.BountyView) { b.Status = wire.BountyStatusClaimed }), false},
		{"one claim held", "bounty_open", claims(wire.BountyStatusClaimed, 1, me), true},
		{"two claims held", "bounty_open", claims(wire.BountyStatusClaimed, 2, me), false},
		{"two in review", "bounty_open", claims(wire.BountyStatusReviewing, 2, me), false},
		{"two completed", "bounty_open", claims(wire.BountyStatusCompleted, 2, me), true},
		{"two claimed by another", "bounty_open", claims(wire.BountyStatusClaimed, 2, other), true},
		{"two left to approve", "answer_wanted", bounty(func(s *solo, _ *wire.BountyView) { s.view.Approvers = 2 }), true},
		{"one left to approve", "answer_wanted", bounty(func(s *solo, _ *wire.BountyView) { s.view.Approvers = 1 }), false},
		{"barred, with approvers", "answer_wanted", bounty(func(s *solo, b *wire.BountyView) { s.view.Approvers, b.Barred = 2, true }), false},
		{"ready", "answer_verified", held(func(_ *solo, b *wire.BountyView) { b.Ready = true }), true},
		{"not ready", "answer_verified", held(func(*solo, *wire.BountyView) {}), false},
		{"held", "bounty_mine", held(func(*solo, *wire.BountyView) {}), true},
		{"held by another", "bounty_mine", held(func(_ *solo, b *wire.BountyView) { b.Claimer = &peerA }), false},
		{"held by nobody", "bounty_mine", held(func(_ *solo, b *wire.BountyView) { b.Claimer = nil }), false},
		{"delivered", "bounty_mine", held(func(_ *solo, b *wire.BountyView) { b.Status = wire.BountyStatusSubmitted }), false},
		{"nine posts", "may_post", posts(9), true},
		{"ten posts", "may_post", posts(10), false},
		{"looked 16 ticks ago, something unread", "may_browse", unread(240), true},
		{"looked 15 ticks ago, something unread", "may_browse", unread(241), false},
		{"looked 16 ticks ago", "may_browse", browsed(240), false},
		{"looked a cycle ago", "may_browse", browsed(0), true},
		{"object not read", "entry_read", object(false), false},
		{"object judged, so read", "entry_read", object(true), true},
		{"no object to read", "entry_read", nothing, false},
		{"message unknown", "message_read", nothing, false},
		{"message unread", "message_read", message(memory.MessageNote{Answered: true}), false},
		{"message read", "message_read", message(memory.MessageNote{Read: true}), true},
		{"answer to the unknown", "message_answered", nothing, false},
		{"not answered", "message_answered", message(memory.MessageNote{Read: true}), false},
		{"answered", "message_answered", message(memory.MessageNote{Answered: true}), true},
		{"no object to judge", "entry_unjudged", nothing, false},
		{"object to judge", "entry_unjudged", object(false), true},
		{"object was judged", "entry_unjudged", object(true), false},
		{"no object judged", "entry_judged", nothing, false},
		{"object not judged", "entry_judged", object(false), false},
		{"object judged", "entry_judged", object(true), true},
		{"one found accurate, one open", "entries_written:PATTERN:2", func(s *solo) { entries(257)(s); s.ownEntry(1, wire.EntryKindPattern, 258, 0, 0) }, true},
		{"one found accurate, one wrong", "entries_written:PATTERN:2", func(s *solo) { entries(257)(s); s.ownEntry(1, wire.EntryKindPattern, 258, 0, 2) }, false},
		{"two verified", "entries_verified:PATTERN:2", entries(257, 258), true},
		{"one verified", "entries_verified:PATTERN:2", entries(257), false},
		{"one older than the claim", "entries_verified:PATTERN:2", entries(256, 258), false},
		{"another kind", "entries_verified:FAQ:2", entries(257, 258), false},
		{"no number", "entries_verified:PATTERN:many", entries(257, 258), false},
		{"without a claim", "entries_verified:PATTERN:0", bounty(func(*solo, *wire.BountyView) {}), false},
	} {
		s := newSolo(t, genomes[6])
		s.ask() // born
		s.t.Act(answered(idle))
		s.t.Record(wire.Reply{})
		s.next = 256
		c.prepare(s)
		s.t.slotView.look(&s.view)
		s.t.slotView.tick = 256
		if got := s.t.plans.holds([]byte(c.predicate), s.aboutBounty()); got != c.want {
			t.Errorf("%s: %q holds %v, want %v", c.name, c.predicate, got, c.want)
		}
	}
}

// TestDeliveredSince_CountsAccurateAndOpenEntries: an entry is open until its second verdict.
func TestDeliveredSince_CountsAccurateAndOpenEntries(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ownEntry(1, wire.EntryKindPattern, 300, 1, 3)
	s.ownEntry(2, wire.EntryKindPattern, 300, 0, 0)
	s.ownEntry(3, wire.EntryKindPattern, 300, 0, 1)
	s.ownEntry(4, wire.EntryKindPattern, 300, 0, 2)
	s.ownEntry(5, wire.EntryKindPattern, 299, 1, 0)
	s.ownEntry(6, wire.EntryKindFAQ, 300, 1, 0)
	s.a.Learning.Publish(wire.Hash{0xEE}, wire.EntryKindPattern, 1) // not noted any more
	if accurate, open := s.t.plans.deliveredSince("PATTERN", 299); accurate != 1 || open != 2 {
		t.Errorf("%d accurate, %d open; want 1 and 2", accurate, open)
	}
}

func TestMayPublish_DependsOnSpeedAndUnjudgedEntries(t *testing.T) {
	for _, c := range []struct {
		speed     float32
		published uint32
		unjudged  int
		want      bool
	}{
		{0, 0, 0, true},
		{0, 1, 0, false},
		{0.24, 1, 0, false},
		{0.25, 1, 0, true},
		{0.25, 2, 0, false},
		{0.75, 2, 0, true},
		{1, 2, 0, true},
		{1, 3, 0, false},
		{1, 0, 2, true},
		{1, 0, 3, false},
	} {
		g := genomes[6]
		g.Traits.QualityVsSpeed = c.speed
		s := newSolo(t, g)
		s.a.Notebook.Published = c.published
		s.ownEntry(100, wire.EntryKindFAQ, 1, 0, 1) // judged, so it does not count
		for i := range c.unjudged {
			s.ownEntry(byte(i), wire.EntryKindFAQ, 1, 0, 0)
		}
		if got := s.t.plans.mayPublish(); got != c.want {
			t.Errorf("speed %v, %d published, %d unjudged: %v, want %v", c.speed, c.published, c.unjudged, got, c.want)
		}
	}
}

func TestResolveReferences_EachPlaceholder(t *testing.T) {
	s := newSolo(t, genomes[0])
	id := wire.Hash{0xAB}
	s.a.Notebook.SeeMessage(memory.MessageNote{ID: id, Channel: wire.Hash{0xC1}, Author: peerA, At: 77})
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Own: true})
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{2}, Own: true})
	s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{3}})
	g := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindAnswer, Subject: &id}, 1)
	if got, found := s.t.plans.resolve(nil, "$repo", &g); found != resolvesLater {
		t.Errorf("a repo of an agent without one: %s, %v", got, found)
	}
	s.a.Notebook.Works = []memory.WorkNote{
		{Kind: memory.WorkDelivery, Repo: wire.Hash{0xD1}}, {Kind: memory.WorkDelivery, Repo: wire.Hash{0xD2}}, {Kind: memory.WorkReview, Repo: wire.Hash{0xD3}}, {Kind: memory.WorkDelivery},
	}
	for in, want := range map[string]string{
		"$channel":      wire.Hash{0xC1}.String(),
		"$tick":         "77",
		"$own":          wire.Hash{2}.String(),
		"$repo":         wire.Hash{0xD2}.String(),
		"$general":      channelGeneral.String(),
		"$help":         channelHelp.String(),
		"[$tick,$tick]": "[77,77]",
		"$az.z_":        "$az.z_",
		"$Me":           "$Me",
		"$":             "$",
	} {
		if got, found := s.t.plans.resolve(nil, in, &g); string(got) != want || found != resolved {
			t.Errorf("%s is %s (%v), want %s", in, got, found, want)
		}
	}
	alone := newSolo(t, genomes[0])
	alone.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Own: true})
	if got, found := alone.t.plans.resolve(nil, "$own", &g); found != resolved || string(got) != (wire.Hash{1}).String() {
		t.Errorf("the only entry: %s, %v", got, found)
	}
	bare := goals.New(s.a.ID, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindOwn}, 1)
	if _, found := s.t.plans.resolve(nil, "$subject", &bare); found != neverResolves {
		t.Errorf("the subject of a goal without one: %v", found)
	}
}

// TestConditions_AreShownInWords: whatever a plan may wait for is shown to models in words and never as the name of a condition: what the templates
// of plans name, and all else that can hold.
func TestConditions_AreShownInWords(t *testing.T) {
	names := map[string]string{} // by where it is from
	plans := map[string]*template{"a bounty to document": documentSteps, "a bounty to answer": answerSteps}
	for k, plan := range templates { //house:sorted each is looked at by itself
		plans[k.String()] = plan
	}
	kind, count, question := wire.EntryKindPattern, uint32(3), wire.Hash{7}
	for name, check := range map[string]wire.CustomCheck{
		"a bounty for verified entries": {Check: wire.CheckOracleVerified, Kind: &kind, Count: &count},
		"a bounty for an answer":        {Check: wire.CheckOracleAnswered, Question: &question},
	} {
		plans[name] = bountySteps(&wire.BountyView{Requirements: custom(check)})
	}
	for name, plan := range plans { //house:sorted each is looked at by itself
		for _, step := range plan.steps {
			for _, c := range []*[]byte{step.Precondition, step.Postcondition} {
				if c != nil {
					names[string(*c)] = "the plan of " + name
				}
			}
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "predicate.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok {
			return f.Name.Name == "holds"
		}
		if branch, ok := n.(*ast.CaseClause); ok {
			for _, x := range branch.List {
				if text, ok := x.(*ast.BasicLit); ok && text.Value != `""` {
					name, err := strconv.Unquote(text.Value)
					if err != nil {
						t.Fatal(err)
					}
					names[name], known = "predicate.go", known+1
				}
			}
		}
		return true
	})
	if known != len(conditions) || known < 14 {
		t.Errorf("predicate.go knows %d names, and %d have words", known, len(conditions))
	}
	for name, from := range names { //house:sorted each is looked at by itself
		words := inWords(name)
		if words == name || strings.ContainsAny(words, "_:") || !strings.Contains(words, " ") {
			t.Errorf("%q of %s is shown as %q", name, from, words)
		}
	}
	for name, want := range map[string]string{
		"entries_verified:PATTERN:3": "3 new PATTERN entries of yours found accurate",
		"entries_written:PATTERN:2":  "2 new PATTERN entries of yours",
		"":                           "",
	} {
		if got := inWords(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}
