package ooda

import (
	"strings"
	"testing"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// What a mind writes for itself comes back to it in the next prompt, in full up to a length that a plan or a summary has.
func TestPrompt_OwnWordsComeBack(t *testing.T) {
	words := func(name string, n int) string { return name + strings.Repeat(" word", (n-len(name))/5) }
	note, claim, goal, thought := words("note", 900), words("claim", 380), words("goal", 380), words("thought", 500)
	s := newSolo(t, genomes[2])
	s.slot(withField(getEntry, `,"reasoning":"`+thought+`","memory_update":{"note":{"set":{"plan":"`+note+`"}},"beliefs":[{"claim":"`+claim+`","confidence":0.8}],`+
		`"goals":[{"text":"`+goal+`"}]}`), ack)
	s.ask()
	_, user := s.t.prompt.Messages()
	for _, want := range []string{note, claim, goal, thought} {
		if !strings.Contains(string(user), want) {
			t.Errorf("the prompt lacks %.20s…, of %d bytes:\n%s", want, len(want), user)
		}
	}
	s.slot(getEntry, ack) // without reasoning
	s.ask()
	if _, user := s.t.prompt.Messages(); !strings.Contains(string(user), `; you thought: "`+thought[:thoughtRoom-8]) {
		t.Errorf("the prompt lacks why the act before the last was done:\n%s", user)
	}
}

// Of one long text that a look showed more is repeated than of each of many.
func TestPrompt_LongTextIsShown(t *testing.T) {
	for _, c := range []struct{ n, most, want int }{
		{1, textRoom, 1600}, {2, textRoom, 1000}, {5, textRoom, 400}, {10, textRoom, 200}, {40, textRoom, 200}, {1, postRoom, 400}, {10, postRoom, 200}, {0, postRoom, 400},
	} {
		if got := roomFor(c.n, c.most); got != c.want {
			t.Errorf("%d bytes of each of %d texts, want %d", got, c.n, c.want)
		}
	}
	s := newSolo(t, genomes[2])
	s.slot(getEntry, wire.Reply{Type: wire.TypeEntryGet, Body: &wire.EntryGetReply{Entry: wire.OracleEntry{
		ID: wire.Hash{0xe1}, Kind: wire.EntryKindPattern, Author: peerA, Title: []byte("T"), Body: wire.TextBody(strings.Repeat("0123456789", 300)), Version: 1,
	}}})
	s.ask()
	if _, user := s.t.prompt.Messages(); !strings.Contains(string(user), strings.Repeat("0123456789", 150)) {
		t.Errorf("the prompt shows less than 1,500 bytes of an entry that was read:\n%s", user)
	}
}

// A refusal says what its word means; if several things are called so, what it means in its category.
func TestMeaning_OfRefusals(t *testing.T) {
	for _, c := range []struct{ action, reason, category, want string }{
		{"entry_update", "verified", "CONFLICT", " (two agents verified it, and the sender is not its author)"},
		{"web_request", "fetch_failed", "", " (the server could not be reached or answered with 429 or 503)"},
		{"entry_publish", "too_many", "QUOTA_EXCEEDED", " (the library is full)"},
		{"sandbox_create", "program", "NOT_FOUND", " (no such object)"},
		{"sandbox_create", "program", "INVALID_REQUEST", " (it is not an ATOM, or not a program)"},
		{"sandbox_create", "program", "", " (no such object; or it is not an ATOM, or not a program)"},
		{"entry_update", "verified", "NOT_FOUND", ""},
		{"entry_publish", "unheard_of", "CONFLICT", ""},
		{"no_action", "body", "", ""},
	} {
		if got := meaning(c.action, c.reason, c.category); got != c.want {
			t.Errorf("%s refused for %s %s: %q, want %q", c.action, c.category, c.reason, got, c.want)
		}
	}
}

// A failure that the lines of the last acts tell is not told again as what failed lately, and says why.
func TestPrompt_FailureIsToldOnce(t *testing.T) {
	s := newSolo(t, genomes[2])
	already := wire.Reply{Err: &wire.ErrorBody{Code: wire.ErrorCode(wire.SystemOracle, wire.CategoryConflict), Message: []byte("already")}}
	s.slot(`{"action":"entry_verify","params":{"entry_id":"`+someEntry+`","verdict":"ACCURATE"}}`, already)
	told := func(line string) int {
		s.ask()
		_, user := s.t.prompt.Messages()
		_, recent, _ := strings.Cut(string(user), "## RECENT ACTIONS")
		recent, _, _ = strings.Cut(recent, "\n## ")
		return strings.Count(recent, line)
	}
	const why = "FAILURE, refused: already (the sender already judged this version)"
	if last, lately := told("last: "), told("failed lately: "); last != 1 || lately != 0 || told(why) != 1 {
		t.Errorf("the last act is told %d times as last, %d times as failed lately, %d times with its reason", last, lately, told(why))
	}
	for i := range shownActs + 2 {
		act := getEntry
		if i%2 == 1 { // equal acts would share a line
			act = `{"action":"balance_query","params":{"agent_id":"` + someEntry + `"}}`
		}
		s.slot(act, ack)
		if n := told(why); n != 1 {
			t.Errorf("after %d more acts it is told %d times", i+1, n)
		}
	}
	if n := told("failed lately: "); n != 1 {
		t.Errorf("%d old failures are told, want one", n)
	}
}

// A message of which nothing is known but its author takes no line.
func TestPrompt_EmptyMessageTakesNoLine(t *testing.T) {
	l := &life{newSolo(t, genomes[2]).t.items()}
	r := &memory.Reading{Messages: []memory.ReadMessage{{ID: wire.Hash{1}, Author: peerA}, {ID: wire.Hash{2}, Author: peerA, Text: []byte("hello")}, {ID: wire.Hash{3}, Author: peerA, Answers: 2}}}
	var h llm.Handles
	if got := l.shown(r, &h); len(got) != 2 || got[0].Quote.Words != "hello" || got[1].Counts == "" {
		t.Errorf("%+v", got)
	}
}

// A condition that means nothing is counted as dropped, and the goal ends as one without a condition does.
func TestRemember_UnknownConditionIsDropped(t *testing.T) {
	for until, dropped := range map[string]uint32{"balance>=40": 0, "nonsense": 1, "": 0} {
		s := newSolo(t, genomes[2])
		step := s.slot(withField(getEntry, `,"memory_update":{"goals":[{"text":"be rich","until":"`+until+`"}]}`), ack)
		if uint32(step.Think.Dropped) != dropped {
			t.Errorf("until %q: %d dropped, want %d", until, step.Think.Dropped, dropped)
		}
	}
}

// A merge that left conflicts is no success.
func TestOutcome_MergeWithConflictsIsPartial(t *testing.T) {
	row, ok := action.ByName("merge")
	if !ok {
		t.Fatal("there is no merge")
	}
	p := pending{row: row}
	for n, want := range []memory.Outcome{memory.OutcomeSuccess, memory.OutcomePartial} {
		if got := p.outcome(&wire.Reply{Body: &wire.MergeReply{Conflicts: make([]wire.Conflict, n)}}); got != want {
			t.Errorf("%d conflicts: %v, want %v", n, got, want)
		}
	}
}

// The reports of a cycle's end go to everybody and call nobody away from a goal; the result of a request does.
func TestCalledUpon_NotByReportsForEverybody(t *testing.T) {
	me := wire.AgentID{1}
	for kind, want := range map[wire.MsgType]bool{
		wire.TypeWorldState: false, wire.TypeEconomyReport: false, wire.TypePortalReport: false, wire.TypeExecResult: true, wire.TypeDependencyNotify: true,
	} {
		if got := calledUpon(&wire.View{Deliveries: []wire.Reply{{Type: kind}}}, me); got != want {
			t.Errorf("%v: %v, want %v", kind, got, want)
		}
	}
}
