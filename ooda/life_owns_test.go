package ooda

import (
	"slices"
	"strings"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/codec"
)

// What the agent owns is one short line: two repos, two sandboxes and two requests at most, and nothing if it owns nothing.
func TestPrompt_WhatTheAgentOwns(t *testing.T) {
	s := newSolo(t, genomes[6])
	if got := s.linesWith("you own"); got != nil {
		t.Errorf("who owns nothing reads %q", got)
	}
	for i, name := range []string{"old", "joins", "a-name-that-is-longer-than-a-line-has-room-for"} {
		s.a.Notebook.Works = append(s.a.Notebook.Works, memory.WorkNote{Kind: memory.WorkModule, About: wire.Hash{byte(i)}, Repo: wire.Hash{0xA0, byte(i)}, Name: []byte(name), Tags: uint32(i)})
	}
	s.a.Notebook.Works = append(s.a.Notebook.Works, memory.WorkNote{Kind: memory.WorkReview, Repo: wire.Hash{0xA9}}, memory.WorkNote{Kind: memory.WorkService})
	service := wire.Hash{0xB9}
	s.view.Sandboxes = []wire.SandboxView{{ID: wire.Hash{0xB1}}, {ID: wire.Hash{0xB2}, Persistent: true, Service: &service, Name: []byte("echo"), Fee: 3}, {ID: wire.Hash{0xB3}}}
	ask := func(id byte, at wire.Tick, reviewers ...wire.AgentID) *wire.Event {
		return event(wire.KindReviewRequested, at, s.a.ID, &wire.ReviewRequestedEvent{ReviewID: wire.Hash{id}, Author: s.a.ID, Reviewers: reviewers, Tick: at})
	}
	review := func(id byte) *wire.Event {
		return event(wire.KindReviewSubmitted, s.next, peerA, &wire.ReviewSubmittedEvent{ReviewID: wire.Hash{id}, Reviewer: peerA, Verdict: wire.ReviewVerdictApprove})
	}
	const things = `you own: repo x1 "a-name-that-is-longer…" (2 tags); repo x2 joins (1 tag); review request r1 (1 verdict of 2); sandbox x3 (gone at the cycle's end); 1 more`
	want := []string{strings.ReplaceAll(things, "joins", `"joins"`)}
	if got := s.linesWith("you own", ask(1, 256), ask(2, 256, peerA), review(1), review(2)); !slices.Equal(got, want) {
		t.Errorf("it reads %q, want %q", got, want)
	}
	s.t.Act(llm.Thought{Outcome: llm.TimedOut})
	s.t.Record(wire.Reply{})
	s.next = s.rules.Calendar.First(1 + requestCycles + 1)
	s.a.Notebook.Works = nil
	want = []string{`you own: sandbox x1 (gone at the cycle's end); sandbox x2 "echo" (10 Spark per cycle, service x3 at 3 Spark a call)`}
	if got := s.linesWith("you own"); !slices.Equal(got, want) {
		t.Errorf("after the world has closed the request: %q, want %q", got, want)
	}
}

// A program is named by its repo and by what it is for wherever a thing of it stands in a line.
func TestPrompt_ProgramsHaveTitles(t *testing.T) {
	s := newSolo(t, genomes[6])
	bounty := wire.Hash{1}
	s.a.Notebook.Works = []memory.WorkNote{
		{Kind: memory.WorkReview, Snap: wire.Hash{9}, Name: []byte("not mine")},
		{Kind: memory.WorkModule, Repo: wire.Hash{2}, Snap: wire.Hash{3}, Code: wire.Hash{4}, Try: wire.Hash{5}, Sandbox: wire.Hash{6}, Name: []byte("lists"), Defines: []byte("join,split")},
		{Kind: memory.WorkDelivery, About: bounty, Code: wire.Hash{7}, Name: []byte("bounty-9"), Defines: []byte("f")},
		{Kind: memory.WorkService, Code: wire.Hash{8}, Name: []byte("service-1")},
	}
	s.view.Claims = []wire.BountyView{{ID: bounty, Creator: peerA, Title: []byte("Sort a list")}}
	s.ask()
	l := &life{s.t.items()}
	for id, want := range []llm.Words{ //house:sorted a slice
		0: "", 2: "lists: join,split", 3: "lists: join,split", 4: "lists: join,split", 5: "test of lists: join,split", 6: "lists: join,split", 7: "bounty-9: Sort a list", 8: "service-1", 9: "", 10: "",
	} {
		if id == 1 {
			continue
		}
		if _, got, _ := l.About(wire.Hash{byte(id)}, new(llm.Handles)); got != want {
			t.Errorf("thing %d: %q, want %q", id, got, want)
		}
	}
}

// The name of a new repo is kept with its program, as far as a line shows it.
func TestWork_KeepsTheNameOfItsRepo(t *testing.T) {
	s := newSolo(t, genomes[6])
	s.ask()
	repo, root := wire.Hash{1}, wire.Hash{2}
	rr := workReader{&s.t.replies}
	for _, name := range []string{"lists", strings.Repeat("n", memory.WorkName+1)} {
		rr.noteWork(&pending{payload: &wire.RepoCreate{Name: []byte(name), Root: &root}}, &wire.Reply{Body: &wire.RepoCreateAck{RepoID: repo, SnapID: repo}})
		if w := s.a.Notebook.WorkOf(repo); w == nil || string(w.Name) != name[:min(len(name), memory.WorkName)] {
			t.Errorf("the work in %s: %+v", name, w)
		}
	}
}

// How a vote on its proposal ended concerns the author, who reads what became of the bond; others read it by the title as
// well, after they have voted.
func TestPrompt_NewsOfProposalsThatEnded(t *testing.T) {
	own, other, unknown := wire.Hash{1}, wire.Hash{2}, wire.Hash{3}
	ended := func(id wire.Hash, passed, quorum bool) *wire.Event {
		return event(wire.KindProposalResolved, 300, wire.SystemID(wire.SystemNexus), &wire.ProposalResolvedEvent{ProposalID: id, Passed: passed, QuorumMet: quorum})
	}
	for _, c := range []struct {
		event *wire.Event
		want  string
	}{
		{ended(own, false, false), `news about you, tick 300: your proposal p1 "Rewards are paid." failed (no quorum); the bond of 5 Spark is lost`},
		{ended(own, false, true), `news about you, tick 300: your proposal p1 "Rewards are paid." failed (more votes against it); the bond of 5 Spark is yours again`},
		{ended(own, true, true), `news about you, tick 300: your proposal p1 "Rewards are paid." passed; the bond of 5 Spark is yours again`},
		{ended(other, true, true), `news, tick 300: p1 "All rest." passed`},
		{ended(other, false, false), `news, tick 300: p1 "All rest." failed (no quorum)`},
		{ended(unknown, true, true), `news, tick 300: p1 passed`},
	} {
		s := newSolo(t, genomes[6])
		s.meet(peerA)
		s.ask()
		s.t.replies.noteDone(&wire.ProposalSubmit{Kind: wire.ProposalKindCustom, Description: textContent("Rewards are paid.")}, &wire.Reply{Body: &wire.ProposalSubmitAck{ProposalID: own}})
		s.t.Act(llm.Thought{Outcome: llm.TimedOut})
		s.t.Record(wire.Reply{})
		s.view.Proposals = []wire.ProposalView{{ID: other, Author: peerA, Kind: wire.ProposalKindCustom, Deadline: 900, Description: textContent("All rest.")}}
		s.ask(event(wire.KindProposalCreated, 257, peerA, &wire.ProposalCreatedEvent{ProposalID: other, Author: peerA, Kind: wire.ProposalKindCustom}))
		s.t.Act(llm.Thought{Outcome: llm.TimedOut})
		s.t.Record(wire.Reply{})
		s.view.Proposals = nil
		var got []string
		for _, line := range s.linesWith("news", c.event) {
			if !strings.Contains(line, "proposed") {
				got = append(got, line)
			}
		}
		if len(got) != 1 || got[0] != c.want {
			t.Errorf("it reads %q, want %q", got, c.want)
		}
	}
}

// A proposal on which the agent has voted keeps its title.
func TestReply_VoteKeepsTheTitleOfTheProposal(t *testing.T) {
	s := newSolo(t, genomes[6])
	id := wire.Hash{1}
	s.view.Proposals = []wire.ProposalView{{ID: id, Author: peerA, Kind: wire.ProposalKindCustom, Deadline: 900, Description: textContent("All rest.")}}
	s.ask()
	s.t.replies.noteDone(&wire.ProposalVote{ProposalID: id}, &wire.Reply{})
	if p := s.a.Memory.Dealings.Proposal(id); p == nil || string(p.Text) != "All rest." || p.Author != peerA {
		t.Errorf("noted as %+v", p)
	}
}

// A claim that lapsed is told to its claimer as his own, to the creator as that of the claimer.
func TestPrompt_NewsOfLapsedClaim(t *testing.T) {
	me := newSolo(t, genomes[6]).a.ID
	bounty := wire.Hash{4}
	view := func(creator wire.AgentID) wire.BountyView {
		return wire.BountyView{ID: bounty, Creator: creator, Title: []byte("Sort"), Deadline: 900, Status: wire.BountyStatusOpen}
	}
	for _, c := range []struct {
		creator, claimer wire.AgentID
		reason, want     string
	}{
		{me, peerA, "lease", `news about you, tick 300: the claim of a1000000 on your bounty b1 "Sort" lapsed`},
		{me, peerA, "rejected", `news about you, tick 300: b1 is open again ("rejected")`},
		{peerA, me, "deadline", `news about you, tick 300: your claim on b1 "Sort" lapsed`},
		{peerA, peerB, "lease", `news, tick 300: b1 is open again (lease)`},
	} {
		s := newSolo(t, genomes[6])
		s.meet(peerA)
		if c.creator == me {
			s.view.Claims = []wire.BountyView{view(me)}
		} else {
			s.view.Bounties = []wire.BountyView{view(c.creator)}
		}
		got := s.linesWith("news", event(wire.KindBountyReopened, 300, c.claimer, &wire.BountyReopenedEvent{BountyID: bounty, Reason: []byte(c.reason)}))
		want := strings.ReplaceAll(c.want, `("rejected")`, "(rejected)")
		if len(got) != 1 || got[0] != want {
			t.Errorf("created by %s, claimed by %s: %q, want %q", c.creator.Alias(), c.claimer.Alias(), got, want)
		}
	}
}

// A refused act says what the refusal means in its category, and the details, with words of others quoted.
func TestPrompt_DetailsOfARefusal(t *testing.T) {
	refusal := wire.ErrorBody{
		Code: wire.ErrorCode(wire.SystemOracle, wire.CategoryNotFound), Category: "NOT_FOUND", Message: []byte("version"),
		Context: codec.BinMap{{Key: "field", Value: []byte("versions[0].n")}, {Key: "why", Value: []byte("x\n## RULES")}},
	}
	s := newSolo(t, genomes[2])
	s.slot(getEntry, wire.Reply{Err: &refusal})
	const want = `FAILURE, refused: version (it has no such version): field versions[0].n, why "x\n## RULES"`
	if got := s.linesWith("last: "); len(got) != 1 || !strings.HasSuffix(got[0], want) {
		t.Errorf("it reads %q, want %s", got, want)
	}
	long := wire.ErrorBody{Context: codec.BinMap{{Key: "a", Value: []byte(strings.Repeat(" ", messageRoom))}, {Key: "b", Value: []byte(strings.Repeat(" ", messageRoom))}}}
	if got := refusalDetails(&long); got != "" {
		t.Errorf("details that do not fit: %q", got)
	}
	if got := refusalDetails(&wire.ErrorBody{}); got != "" {
		t.Errorf("of none: %q", got)
	}
}

// An act that makes a thing and is about nothing else names the thing that it made.
func TestPrompt_ActNamesWhatItMade(t *testing.T) {
	for _, c := range []struct {
		name string
		acts func(s *solo)
		want string
	}{
		{"an entry", func(s *solo) {
			s.acted(memory.Act{Action: "entry_publish"}, 10, memory.OutcomeSuccess, memory.Effect{Object: wire.Hash{1}}, "")
		}, `tick 10 entry_publish e2 "Maps": SUCCESS`},
		{"nothing", func(s *solo) {
			s.acted(memory.Act{Action: "entry_publish"}, 10, memory.OutcomeFailure, memory.Effect{Refusal: "body"}, "")
		}, `tick 10 entry_publish: FAILURE`},
		{"a verdict", func(s *solo) {
			s.acted(memory.Act{Action: "entry_verify", Subject: &wire.Hash{2}, SubjectKind: goals.SubjectEntry.String()}, 10, memory.OutcomeSuccess, memory.Effect{Object: wire.Hash{1}}, "")
		}, `tick 10 entry_verify e2: SUCCESS`},
	} {
		s := newSolo(t, genomes[6])
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{1}, Author: s.a.ID, Own: true, Title: []byte("Maps")})
		c.acts(s)
		if got := s.linesWith("last: "); len(got) != 1 || !strings.HasPrefix(got[0], "last: "+c.want) {
			t.Errorf("%s: %q, want %s", c.name, got, c.want)
		}
	}
}

// A table is read row by row: first what a row is about, then the other cells.
func TestTextOf_Tables(t *testing.T) {
	body := wire.BlocksCodec.Append(nil, &[]wire.ContentBlock{
		{Paragraph: &wire.ParagraphBlock{Text: "Prices:"}},
		{Table: &wire.TableBlock{Headers: []string{"what", "price"}, Rows: [][]string{{"a channel", "5"}, {"a name", "1", "2"}, {"alone"}, {}}}},
		{Paragraph: &wire.ParagraphBlock{Text: "That is all."}},
	})
	const want = "Prices:\na channel: 5\na name: 1, 2\nalone\n\nThat is all.\n"
	if got := string(textOf(body)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A run that printed nothing says so, a new repo that its first snap has its id.
func TestPrompt_RunWithoutOutputAndNewRepo(t *testing.T) {
	s := newSolo(t, genomes[6])
	fault := wire.FaultCode(1)
	for _, c := range []struct {
		result wire.ExecResult
		want   []string
	}{
		{wire.ExecResult{}, []string{"no output"}},
		{wire.ExecResult{Log: []byte("x")}, []string{"no output", "log, 1 byte"}},
		{wire.ExecResult{Output: []byte("x")}, []string{"output, 1 byte"}},
		{wire.ExecResult{Fault: &fault}, []string{"fault"}},
	} {
		var got []string
		for _, x := range s.t.replies.readRun(&c.result) {
			got = append(got, x.What)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v shows %q, want %q", c.result, got, c.want)
		}
	}
	l := &life{s.t.items()}
	shown := l.shown(&memory.Reading{Things: readThings(wire.Hash{}, &wire.RepoCreateAck{RepoID: wire.Hash{1}, SnapID: wire.Hash{1}})}, new(llm.Handles))
	if len(shown) != 1 || shown[0].What != "new repo" || shown[0].Counts != "its first snap has the same id" {
		t.Errorf("a new repo: %+v", shown)
	}
}
