package ooda

import (
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// TestOpen_UncountedOrOldQuestionsAreOpen: an agent asks for what it cannot say itself, and again for what it counted or read long ago, but
// not for what somebody asked for lately.
func TestOpen_UncountedOrOldQuestionsAreOpen(t *testing.T) {
	const now = wire.Cycle(40)
	subject := []byte("HARD")
	for _, c := range []struct {
		name     string
		observed int
		at       wire.Cycle
		entry    bool
		asked    wire.Cycle // plus one; 0: nobody asked
		want     bool
	}{
		{"never seen", 0, 0, false, 0, false},
		{"seen once", 1, now - 1, false, 0, true},
		{"seen twice", 2, now - 1, false, 0, true},
		{"seen three times", 3, now - 1, false, 0, false},
		{"seen once, and it can be read", 1, now - 1, true, 0, false},
		{"counted", 20, now - 1, false, 0, false},
		{"counted seven cycles ago", 20, now - staleCycles + 1, false, 0, false},
		{"counted eight cycles ago", 20, now - staleCycles, false, 0, true},
		{"read eight cycles ago", 20, now - staleCycles, true, 0, true},
		{"counted long ago, asked for lately", 20, now - staleCycles, false, now - askAgain + 1, false},
		{"counted long ago, asked for long ago", 20, now - staleCycles, false, now - askAgain, true},
		{"seen once, asked for lately", 1, now - 1, false, now - askAgain + 1, false},
	} {
		_, o := offering(t, func(s *solo) {
			for range c.observed {
				s.a.Memory.Findings.Observe(memory.MeasureReward, subject, 10, c.at)
			}
			if f := s.a.Memory.Findings.Get(memory.MeasureReward, subject); f != nil {
				f.Asked = memory.CycleNumber(c.asked)
				if c.entry {
					f.SetEntry(wire.Hash{7})
				}
			}
		})
		o.seen.cycle = now
		if got := (scribe{o}).open(memory.MeasureReward, subject); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// An agent takes on a bounty to document a subject only if it has counted that subject, however much it knows of the
// topic.
func TestProspects_AcceptsBountyOnlyForCountedSubject(t *testing.T) {
	for _, c := range []struct {
		name     string
		observed int
		want     bool
	}{{"nothing", 0, false}, {"once", 1, false}, {"often", 8, true}} {
		s := newSolo(t, genomes[2])
		s.a.Genome.Traits.RiskTolerance = 1
		s.a.Memory.Topics = make(memory.TopicNotes, memory.Topics)
		s.a.Memory.Topics.Learn(memory.MeasureReward.Topic([]byte("HARD")), 100, 0)
		for range c.observed {
			s.a.Memory.Findings.Observe(memory.MeasureReward, []byte("HARD"), 10, 1)
		}
		b := &wire.BountyCreatedEvent{BountyID: wire.Hash{7}, Creator: peerA, Difficulty: wire.DifficultyEasy, Reward: 10, Title: []byte(titleDocument + memory.MeasureReward.Question([]byte("HARD")))}
		if _, able := s.t.goals.prospects(b); able != c.want {
			t.Errorf("counted %s: it is able %v", c.name, able)
		}
	}
}

// A bounty for several entries is only accepted by an agent that has counted as many subjects that it did not publish
// yet. Otherwise it would keep a goal for which it can do nothing.
func TestProspects_SeveralEntriesNeedAsManyCountedSubjects(t *testing.T) {
	kind, three := wire.EntryKindGlossary, uint32(3)
	view := wire.BountyView{
		ID: wire.Hash{7}, Creator: peerA, Title: []byte("Write a glossary"), Reward: 20, Difficulty: wire.DifficultyTrivial, Status: wire.BountyStatusOpen,
		Requirements: custom(wire.CustomCheck{Check: wire.CheckOracleVerified, Kind: &kind, Count: &three}),
	}
	for _, c := range []struct {
		counted, published int
		want               bool
	}{{2, 0, false}, {3, 0, true}, {3, 1, false}, {4, 1, true}} {
		s := newSolo(t, genomes[2])
		s.a.Genome.Traits.RiskTolerance = 1
		s.t.slotView.look(&wire.View{Bounties: []wire.BountyView{view}})
		for i := range c.counted {
			for range 9 {
				s.a.Memory.Findings.Observe(memory.MeasureReward, []byte{'A' + byte(i)}, 10, 1)
			}
		}
		for i := range c.published {
			s.a.Memory.Findings.Get(memory.MeasureReward, []byte{'A' + byte(i)}).SetEntry(wire.Hash{9})
		}
		b := &wire.BountyCreatedEvent{BountyID: view.ID, Creator: peerA, Difficulty: view.Difficulty, Reward: view.Reward, Title: view.Title}
		if _, able := s.t.goals.prospects(b); able != c.want {
			t.Errorf("%d counted, %d of them published: it is able %v", c.counted, c.published, able)
		}
	}
}

// A vote waits so that several can be cast together, unless its deadline is near or three of them wait.
func TestCanWait_VotesWaitUntilThreeOrUrgent(t *testing.T) {
	for _, c := range []struct {
		name     string
		votes    int
		deadline wire.Tick // from now
		want     bool
	}{
		{"one, with much time", 1, 1024, true},
		{"two, with much time", 2, 1024, true},
		{"three", 3, 1024, false},
		{"one that ends in half a cycle", 1, 128, true},
		{"one that ends sooner", 1, 127, false},
	} {
		s := newSolo(t, genomes[2])
		s.ask()
		deadline := s.t.seen.tick + c.deadline
		for i := range c.votes {
			g := s.about(goals.KindVote, wire.Hash{0xB1, byte(i)})
			g.Deadline = &deadline
			if err := s.a.Goals.Add(*g, &s.t.goals.situation.Appraisal); err != nil {
				t.Fatal(err)
			}
		}
		g := s.goal(goals.KindVote)
		if got := s.t.deferral().canWait(g); got != c.want {
			t.Errorf("%s: can wait %v", c.name, got)
		}
	}
}

// An agent that is asked by name answers before it finishes what it is doing. Other questions wait.
func TestCanWait_QuestionByNameDoesNotWait(t *testing.T) {
	for _, c := range []struct {
		names memory.Addressee
		want  bool
	}{{memory.AddresseeSelf, false}, {memory.AddresseeNone, true}} {
		s := newSolo(t, genomes[2])
		s.ask()
		id := wire.Hash{0xD1}
		s.a.Notebook.SeeMessage(memory.MessageNote{ID: id, Kind: wire.MessageKindQuestion, At: s.t.seen.tick, Addressee: c.names})
		g := s.about(goals.KindAnswer, id)
		g.CreatedAt = s.t.seen.tick
		if got := s.t.deferral().canWait(g); got != c.want {
			t.Errorf("names %d: can wait %v", c.names, got)
		}
	}
}

// TestReason_QuestionSaysWhatItsAnswerIsFor: a question says what its answer is wanted for: the bounty of its goal, else what this slot offers that was
// made by whom it asks about or that shows what it asks for.
func TestReason_QuestionSaysWhatItsAnswerIsFor(t *testing.T) {
	const word = "0a000000" // how peer 10 is called
	author := wire.AgentID{10}
	entry, bounty := wire.Hash{0xE1}, wire.Hash{0xB1}
	row, _ := action.ByName("entry_verify")
	for _, c := range []struct {
		name    string
		goal    wire.Hash
		m       memory.Measure
		subject string
		offered wire.Hash
		text    string // of the offer
		by      string
		says    string
		before  string
	}{
		{"the bounty of the goal", bounty, memory.MeasureReward, "HARD", entry, "", peerA.Alias(), "a hard bounty", "bounty_claim"},
		{"an entry of the agent asked about", wire.Hash{}, memory.MeasureKeeps, word, entry, "", author.Alias(), "How it is", "entry_verify"},
		{"nothing of the agent asked about", wire.Hash{}, memory.MeasureKeeps, "0b000000", entry, "", "", "", ""},
		{"what an act would be done to", wire.Hash{}, memory.MeasureRefused, "entry_verify", entry, "", "", "How it is", ""},
		{"the bounty that an act would be done to", wire.Hash{}, memory.MeasureRefused, "entry_verify", bounty, "", "", "a hard bounty", ""},
		{"the text that an act would be done to", wire.Hash{}, memory.MeasureRefused, "entry_verify", wire.Hash{0xC1}, "what somebody said", "", "what somebody said", ""},
		{"an act that nothing offers", wire.Hash{}, memory.MeasureRefused, "entry_get", entry, "", "", "", ""},
		{"the newest bounty of a difficulty", wire.Hash{}, memory.MeasureReward, "HARD", wire.Hash{}, "", "", "a hard bounty", ""},
		{"a library on which others build", wire.Hash{}, memory.MeasureDependent, "sort of " + word, wire.Hash{}, "", word, "It sorts lists", ""},
		{"no such library", wire.Hash{}, memory.MeasureDependent, "tree of " + word, wire.Hash{}, "", "", "", ""},
		{"no bounty of a difficulty", wire.Hash{}, memory.MeasureReward, "EASY", wire.Hash{}, "", "", "", ""},
	} {
		_, o := offering(t, func(s *solo) {
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: entry, Author: author, Title: []byte("How it is")})
			s.view.Bounties = []wire.BountyView{{ID: bounty, Creator: peerA, Status: wire.BountyStatusOpen, Title: []byte("a hard bounty"), Difficulty: wire.DifficultyHard}}
			s.view.Libraries = []wire.LibraryView{{Name: []byte("sort"), Author: author, Description: []byte("It sorts lists")}}
		})
		a := llm.Affordance{Action: row, Subject: c.offered, Params: &wire.EntryVerify{}}
		if c.text != "" {
			a.Text = []byte(c.text)
		}
		o.list = append(o.list[:0], a)
		g := goals.New(wire.AgentID{1}, goals.LayerTask, goals.SourceRole, goals.Description{Kind: goals.KindOwn, Subject: &c.goal}, 256)
		asks := llm.Affordance{}
		(scribe{o}).reason(&asks, &g, c.m, []byte(c.subject))
		if string(asks.Author) != c.by || string(asks.Text) != c.says || asks.Before != c.before {
			t.Errorf("%s: by %q, %q, before %q", c.name, asks.Author, asks.Text, asks.Before)
		}
	}
}

// TestKnow_AnswerStatesCountedFindings: an answer says what the agent has counted of what is asked, and what it has counted most often of the same
// subject besides. A question that is about nothing that agents count is answered in plain words, one of which nothing was counted not at all.
func TestKnow_AnswerStatesCountedFindings(t *testing.T) {
	reward, taken, ends := memory.MeasureReward, memory.MeasureTaken, memory.MeasureEnds
	for _, c := range []struct {
		name     string
		counted  map[memory.Measure]int // of HARD
		question string
		blind    []string
		ok       bool
		finding  string
		besides  string
		plain    bool
	}{
		{"nothing counted", nil, reward.Question([]byte("HARD")), nil, false, "", "", false},
		{"nothing counted, blind to knowledge", nil, reward.Question([]byte("HARD")), []string{"knowledge"}, true, "", "", true},
		{"small talk", nil, "How are you?", nil, true, "", "", true},
		{"heard of, not counted", map[memory.Measure]int{reward: 0}, reward.Question([]byte("HARD")), nil, false, "", "", false},
		{"just enough counted besides", map[memory.Measure]int{reward: 1, taken: enoughToJudge}, reward.Question([]byte("HARD")), nil, true, reward.Title([]byte("HARD")), taken.Title([]byte("HARD")), false},
		{"often counted", map[memory.Measure]int{reward: 9}, reward.Question([]byte("HARD")), nil, true, reward.Title([]byte("HARD")), "", false},
		{"counted once", map[memory.Measure]int{reward: 1}, reward.Question([]byte("HARD")), nil, true, reward.Title([]byte("HARD")), "", false},
		{"another difficulty", map[memory.Measure]int{reward: 9}, reward.Question([]byte("EASY")), nil, false, "", "", false},
		{"with what was counted besides", map[memory.Measure]int{reward: 1, taken: 4, ends: 3}, reward.Question([]byte("HARD")), nil, true, reward.Title([]byte("HARD")), taken.Title([]byte("HARD")), false},
		{"the other way round", map[memory.Measure]int{reward: 1, taken: 3, ends: 4}, reward.Question([]byte("HARD")), nil, true, reward.Title([]byte("HARD")), ends.Title([]byte("HARD")), false},
		{"too little counted besides", map[memory.Measure]int{reward: 1, taken: enoughToJudge - 1}, reward.Question([]byte("HARD")), nil, true, reward.Title([]byte("HARD")), "", false},
	} {
		s, o := offering(t, func(s *solo) {
			for range 16 {
				s.a.Memory.Findings.Observe(memory.MeasureKeeps, []byte("0a0b0000"), 1, 1) // about another subject
			}
			for m, n := range c.counted { //house:sorted each is counted by itself
				s.a.Memory.Findings.AddUncounted(m, []byte("HARD"), 1)
				for range n {
					s.a.Memory.Findings.Observe(m, []byte("HARD"), 1, 1)
				}
			}
		})
		s.rules.Blind = llm.LayersOf(c.blind)
		a := llm.Affordance{}
		ok := (scribe{o}).fillKnowledge(&a, []byte(c.question))
		title := func(f *llm.Finding) string {
			if f == nil {
				return ""
			}
			return f.Title
		}
		if s.t.expert().answerable([]byte(c.question)) != c.ok {
			t.Errorf("%s: answerable %v", c.name, !c.ok)
		}
		if ok != c.ok || title(a.Finding) != c.finding || title(a.Besides) != c.besides || (a.Know == plainKnow) != c.plain {
			t.Errorf("%s: answers %v, says %q, besides %q, knows %v", c.name, ok, title(a.Finding), title(a.Besides), a.Know)
		}
	}
}

// Of what is wrong in a program an agent asks if it does not know the topic of the pattern well.
func TestOpen_PatternsOfUnknownTopics(t *testing.T) {
	words := []byte(memory.Patterns(memory.TopicText)[0])
	for know, want := range map[float32]bool{0: true, .34: true, .36: false, 1: false} { //house:sorted each is looked at by itself
		for _, forgotten := range []bool{false, true} { // that there is such a pattern
			s, o := offering(t, nil)
			if s.a.Memory.Topics[memory.TopicText-1].Know = know; forgotten {
				s.a.Memory.Findings = nil
			}
			if got := (scribe{o}).open(memory.MeasurePattern, words); got != want {
				t.Errorf("knows the topic %v, forgotten %v: asks %v", know, forgotten, got)
			}
		}
	}
}

// What a question may be about is taken in turn from the things of the slot: open bounties, their creators, offered actions, and the
// authors of what is offered, as far as they are peers.
func TestSubjectFor_ThingsOfTheSlotInTurn(t *testing.T) {
	system := wire.SystemID(wire.SystemAgora)
	for _, c := range []struct {
		name string
		m    memory.Measure
		goal wire.Hash // what the goal is about
		want []string  // the subjects, in turn
	}{
		{"difficulties", memory.MeasureReward, wire.Hash{}, []string{"HARD", "EASY", "HARD"}},
		{"the difficulty of the goal's bounty", memory.MeasureReward, wire.Hash{0xB2}, []string{"EASY", "EASY"}},
		{"creators", memory.MeasurePays, wire.Hash{}, []string{peerA.Alias(), "AGORA", peerA.Alias()}},
		{"offered actions", memory.MeasureRefused, wire.Hash{}, []string{"entry_verify", "entry_get", "entry_get", "citation_add", "entry_verify"}},
		{"authors who are peers", memory.MeasureKeeps, wire.Hash{}, []string{peerB.Alias(), peerB.Alias(), peerA.Alias(), peerA.Alias(), peerB.Alias()}},
		{"the creator of the goal's bounty", memory.MeasureKeeps, wire.Hash{0xB1}, []string{peerA.Alias(), peerA.Alias()}},
		{"authors, if that creator is a system", memory.MeasureKeeps, wire.Hash{0xB2}, []string{peerB.Alias(), peerB.Alias()}},
		{"authors with their topics", memory.MeasureVersed, wire.Hash{}, []string{
			string(memory.TopicTalk.SubjectOf([]byte(peerB.Alias()))), string(memory.TopicTalk.SubjectOf([]byte(peerB.Alias()))), string(memory.TopicBounties.SubjectOf([]byte(peerA.Alias()))),
		}},
	} {
		s, o := offering(t, func(s *solo) {
			s.view.Bounties = []wire.BountyView{
				{ID: wire.Hash{0xB1}, Creator: peerA, Difficulty: wire.DifficultyHard, Status: wire.BountyStatusOpen},
				{ID: wire.Hash{0xB2}, Creator: system, Difficulty: wire.DifficultyEasy, Status: wire.BountyStatusOpen},
			}
			for i, author := range []wire.AgentID{s.a.ID, peerB, system, peerA} {
				title := memory.MeasureChannel.Title([]byte("help"))
				if author == peerA {
					title = memory.MeasureReward.Title([]byte("HARD"))
				}
				s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE1, byte(i)}, Author: author, Title: []byte(title)})
			}
		})
		for i, name := range []string{"entry_verify", "entry_get", "entry_get", "citation_add"} {
			row, _ := action.ByName(name)
			o.list, o.refs = append(o.list, llm.Affordance{Action: row, Subject: wire.Hash{0xE1, byte(i)}}), append(o.refs, offerRef{})
		}
		g := s.about(goals.KindEarn, c.goal)
		for i, want := range c.want {
			if got := string((scribe{o}).subjectFor(c.m, g, i)); got != want {
				t.Errorf("%s: subject %d is %q, want %q", c.name, i, got, want)
			}
		}
	}
}

// A question says what is asked, how often the agent has counted it, what it knows besides and what for. It is addressed to the peer
// that knows the topic best, if there is one, by sociable agents at least.
func TestOfferQuestion_ToThePeerThatKnowsTheTopic(t *testing.T) {
	about := wire.AgentID{10}
	alias := aliasOf(nil, about)
	s, o := offering(t, func(s *solo) {
		s.a.Genome.Traits.Collaboration = 0
		for s.t.deferral().asksByName(keyOf(memory.MeasureKeeps, alias)) { // until it is one that the unsociable ask everybody
			about[1]++
			alias = aliasOf(nil, about)
		}
		s.a.Genome.Traits.Collaboration = 1
		s.a.Memory.Findings.Observe(memory.MeasureKeeps, alias, 1, 1)
		for range 5 {
			s.a.Memory.Findings.Observe(memory.MeasureDelivers, alias, 1, 1)
		}
		s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE1}, Author: about, Title: []byte("How it is")})
		s.a.Memory.Peers.Interest(peerB, []byte(memory.TopicPromises.String()), 256)
	})
	verify, _ := action.ByName("entry_verify")
	s.a.Memory.Topics[memory.TopicPromises-1].Know = 0.7
	question := func() *llm.Affordance {
		o.reset()
		o.list, o.refs = append(o.list, llm.Affordance{Action: verify, Priority: 2, Subject: wire.Hash{0xE1}, Params: &wire.EntryVerify{}}), append(o.refs, offerRef{})
		g := s.about(goals.KindOperator, wire.Hash{})
		g.Priority = 1
		if (talker{o}).offerQuestion(g); len(o.list) != 2 {
			t.Fatalf("%d acts", len(o.list))
		}
		return &o.list[1]
	}
	a := question()
	if refs := a.Params.(*wire.MsgPost).References; len(refs) != 1 || wire.AgentID(refs[0]) != peerB {
		t.Errorf("it asks %v", refs)
	}
	if f := a.Finding; f == nil || f.Asks != memory.MeasureKeeps.Question(alias) || f.N != 1 || !near(a.Know, 0.7) {
		t.Errorf("it asks %+v", a.Finding)
	}
	if a.Besides == nil || a.Besides.Title != memory.MeasureDelivers.Title(alias) {
		t.Errorf("it says besides %+v", a.Besides)
	}
	if string(a.Text) != "How it is" || a.Before != "entry_verify" || string(a.Author) != about.Alias() {
		t.Errorf("it asks for %q, before %q", a.Text, a.Before)
	}
	s.a.Genome.Traits.Collaboration = 0
	if refs := question().Params.(*wire.MsgPost).References; len(refs) != 0 {
		t.Errorf("who does not turn to one peer asks %v", refs)
	}
	s.a.Genome.Traits.Collaboration, s.rules.Blind = 1, llm.LayersOf([]string{"peers"})
	if refs := question().Params.(*wire.MsgPost).References; len(refs) != 0 {
		t.Errorf("who knows nobody asks %v", refs)
	}
}

// Of two whose work is as good the agent asks the one that it trusts more.
func TestExpert_PrefersWhomItTrusts(t *testing.T) {
	for well, want := range map[uint32]wire.AgentID{0: peerA, 9: peerB} { //house:sorted each is looked at by itself
		_, o := offering(t, func(s *solo) {
			for _, peer := range []wire.AgentID{peerA, peerB} {
				s.a.Memory.Peers.Interest(peer, []byte(memory.TopicTalk.String()), 256)
			}
			s.a.Memory.Peers.AddInitial(peerA, 3, 10, 256)
			s.a.Memory.Peers.AddInitial(peerB, well, 10, 256)
		})
		if who := (scribe{o}).whomToAsk(memory.TopicTalk); who != want {
			t.Errorf("%d of 10 dealings with B went well, 3 with A: asks %s", well, who.Alias())
		}
	}
}

// TestExpert_PrefersWhoOwesAnAnswer: of those who write about a topic the agent asks the one whose work was found good and whom it
// trusts, and one that it helped more often than it was helped even if that one's work is four times less good.
func TestExpert_PrefersWhoOwesAnAnswer(t *testing.T) {
	for _, c := range []struct {
		name           string
		helped, served int // how often the agent helped peer B, and was helped by it
		competence     float32
		want           wire.AgentID
	}{
		{"the better one", 0, 0, 0.9, peerA},
		{"one that owes nothing any more", 2, 2, 0.9, peerA},
		{"one that the agent owes", 0, 1, 0.9, peerA},
		{"one that owes an answer", 1, 0, 0.26, peerB},
		{"one that owes an answer, and is far worse", 1, 0, 0.24, peerA},
	} {
		s, o := offering(t, func(s *solo) {
			for _, peer := range []wire.AgentID{peerA, peerB} {
				s.a.Memory.Peers.Interest(peer, []byte(memory.TopicTalk.String()), 256)
			}
			for range c.helped {
				s.a.Memory.Peers.Help(peerB, 256)
			}
			for range c.served {
				s.a.Memory.Peers.Serve(peerB, 256)
			}
		})
		s.a.Memory.Peers.Get(peerA).Competence, s.a.Memory.Peers.Get(peerB).Competence = 1, c.competence
		if who := (scribe{o}).whomToAsk(memory.TopicTalk); who != c.want {
			t.Errorf("%s: asks %s", c.name, who.Alias())
		}
		if who := (scribe{o}).whomToAsk(memory.TopicReviews); !who.IsZero() {
			t.Errorf("%s: asks %s about what nobody writes about", c.name, who.Alias())
		}
	}
}
