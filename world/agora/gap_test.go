package agora

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
	"kingdom/world"
)

func TestQuestions_WantedByThreeOthersInOrder(t *testing.T) {
	l := newLab(t)
	help := wire.ChannelID("help")
	ask := func(a byte, text string, wanting ...byte) wire.Hash {
		id := l.say(a, help, wire.MessageKindQuestion, text)
		for i, w := range wanting {
			k := []wire.SignalKind{wire.SignalKindAgree, wire.SignalKindHelpful, wire.SignalKindActionable}[i%3]
			l.must(agent(w), signalOf(id, k))
		}
		return id
	}
	ask(1, "two others and the asker", 1, 2, 3)
	later := ask(2, "How do I parse the JSON tables?")
	first := ask(2, "wanted first, asked second", 3, 4, 5)
	for _, a := range []byte{3, 4, 5} {
		l.must(agent(a), signalOf(later, wire.SignalKindAgree))
	}
	twice := ask(3, "one agent three times", 4, 5)
	l.must(agent(4), signalOf(twice, wire.SignalKindHelpful))
	statement := l.say(1, help, wire.MessageKindStatement, "no question")
	for _, a := range []byte{3, 4, 5} {
		l.must(agent(a), signalOf(statement, wire.SignalKindAgree))
	}
	never := func(wire.Hash) bool { return false }
	got := l.d.Questions(10, never, always)
	var ids []wire.Hash
	for _, q := range got {
		ids = append(ids, q.Message)
	}
	if diff := cmp.Diff([]wire.Hash{later, first}, ids); diff != "" { // oldest message first
		t.Fatalf("questions (-want +got):\n%s", diff)
	}
	var tags []string
	for _, tag := range got[0].Tags {
		tags = append(tags, string(tag))
	}
	if diff := cmp.Diff([]string{"how", "parse", "the", "json", "tables"}, tags); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if n := len(l.d.Questions(1, never, always)); n != 1 {
		t.Errorf("%d questions, limit 1", n)
	}
	if q := l.d.Questions(10, func(m wire.Hash) bool { return m == later }, always); len(q) != 1 || q[0].Message != first {
		t.Errorf("with the first one done: %+v", q)
	}
}

func always(*world.Question) bool { return true }

// A question that is not wanted yet stays on the list; a doubt is no wish for an answer. At most eight tags are taken from it.
func TestQuestions_NotWantedYet(t *testing.T) {
	l := newLab(t)
	help := wire.ChannelID("help")
	doubted := l.say(1, help, wire.MessageKindQuestion, "is it so?")
	id := l.say(2, help, wire.MessageKindQuestion, "alpha bravo charlie delta echoes foxtrot golf hotel india juliet")
	for _, a := range []byte{3, 4, 5} {
		l.must(agent(a), signalOf(doubted, wire.SignalKindDisagree))
		l.must(agent(a), signalOf(id, wire.SignalKindAgree))
	}
	never := func(wire.Hash) bool { return false }
	if got := l.d.Questions(9, never, func(*world.Question) bool { return false }); len(got) != 0 {
		t.Errorf("%d questions that nobody wants", len(got))
	}
	if got := l.d.Questions(9, never, always); len(got) != 1 || got[0].Message != id || len(got[0].Tags) != maxTags {
		t.Errorf("%+v", got)
	}
}

// The title of a documentation bounty has at most 256 bytes, and it quotes 8 KiB of the question.
func TestOpenGapBounty_CutsTheQuestion(t *testing.T) {
	l := newLab(t)
	id, _ := l.d.OpenGapBounty(l.c, world.Question{Message: wire.Hash{5}, Asker: other, Topic: []byte(strings.Repeat("x", 9000))}, 10)
	b := l.d.Bounty(id)
	_, quoted, _ := strings.Cut(string(b.Specification), "The question:\n\n")
	if len(b.Title) != 256 || quoted != strings.Repeat("x", 8192) {
		t.Errorf("a title of %d bytes, %d quoted; want 256 and 8192", len(b.Title), len(quoted))
	}
}

// plainQuestions is the definition of Questions: of all messages, oldest first.
func (d *Daemon) plainQuestions(limit int, done func(wire.Hash) bool) (out []wire.Hash) {
	for e := range d.archive.all.All() {
		wanting := map[wire.AgentID]bool{}
		for by, kind := range d.archive.reactions.signallers(e) {
			if positive(kind) && by != d.archive.author(e) {
				wanting[by] = true
			}
		}
		open := d.channels.Get(d.archive.logOf(e).id).Access.InviteOnly == nil
		if e.kind == wire.MessageKindQuestion && open && len(wanting) >= manyAuthors && !done(e.id) && len(out) < limit {
			out = append(out, e.id)
		}
	}
	return out
}

// A question that is done is left out, also if it gets signals again, and no other is.
func TestProperty_QuestionsOmitsExactlyThoseDone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		l := newLab(t)
		everybody := []wire.AgentID{agent(1), agent(2), agent(3), agent(4), agent(5)}
		rooms := []wire.Hash{wire.ChannelID("help"), wire.ChannelID("general"), l.must(agent(1), &wire.ChannelCreate{
			Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &everybody},
		})}
		var asked []wire.Hash
		done := map[wire.Hash]bool{}
		for n := range 40 {
			room := rapid.SampledFrom(rooms).Draw(rt, "room")
			asked = append(asked, l.say(byte(n%5+1), room, wire.MessageKindQuestion, fmt.Sprint("question ", n)))
			for range rapid.IntRange(0, 5).Draw(rt, "signals") {
				target := rapid.SampledFrom(asked).Draw(rt, "target")
				l.send(agent(rapid.ByteRange(1, 5).Draw(rt, "who")), signalOf(target, wire.SignalKindHelpful)) // "already" does no harm
			}
			limit := rapid.IntRange(0, 8).Draw(rt, "limit")
			known := func(id wire.Hash) bool { return done[id] }
			want := l.d.plainQuestions(limit, known)
			var got []wire.Hash
			for _, q := range l.d.Questions(limit, known, always) {
				got = append(got, q.Message)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				rt.Fatalf("round %d (-want +got):\n%s", n, diff)
			}
			for _, id := range got {
				done[id] = rapid.Bool().Draw(rt, "done")
			}
		}
	})
}

func TestTopicTags_TakesTheLongestWords(t *testing.T) {
	got := topicTags([]byte("Why do we ever use the persistent vector instead of copying whole sequences of values, really?"), 4)
	var tags []string
	for _, tag := range got {
		tags = append(tags, string(tag))
	}
	if diff := cmp.Diff([]string{"persistent", "instead", "copying", "sequences"}, tags); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestOpenGapBounty(t *testing.T) {
	l := newLab(t)
	q := world.Question{Message: wire.Hash{5}, Asker: other, Topic: []byte(strings.Repeat("é", 300))}
	id, _ := l.d.OpenGapBounty(l.c, q, 10)
	b := l.d.Bounty(id)
	if b.Creator != me || *b.Asker != other || b.Reward != 10 || b.Difficulty != wire.DifficultyEasy || b.Deadline != 256+2560 {
		t.Errorf("bounty %+v", b)
	}
	if want := "Document: " + strings.Repeat("é", 123); string(b.Title) != want {
		t.Errorf("title %q, want %q", b.Title, want)
	}
	if e := l.bank.escrows[b.Escrow]; e.Owner != wire.SystemID(wire.SystemMint) || e.Tax != 0 {
		t.Errorf("escrow %+v, want the treasury's without a fee", e)
	}
	l.refused(other, claimOf(id), "UNAUTHORIZED own_bounty")
	l.must(claimer, claimOf(id))
	if got := l.send(claimer, submitOf(id)).Body.(*wire.BountySubmitAck); got.Status != wire.BountyStatusClaimed ||
		got.Failed == nil || !strings.Contains(string(got.Failed.Why), "no entry that references the question") {
		t.Errorf("without an answer: %+v", got)
	}
	l.shelf.answers[q.Message] = wire.Hash{0xE}
	l.must(claimer, submitOf(id))
	l.status(id, wire.BountyStatusCompleted)
	if len(l.shelf.answers) != 0 {
		t.Error("the answer can be sold again")
	}

	// The next one waits; what expires goes back to the budget.
	q.Message = wire.Hash{7}
	next, _ := l.d.OpenGapBounty(l.c, q, 10)
	l.refused(claimer, claimOf(next), "CONFLICT claim_limit")
	l.at(5*256 - 1)
	l.refused(claimer, claimOf(next), "CONFLICT claim_limit")
	l.at(5 * 256)
	l.must(claimer, claimOf(next))
	l.at(11 * 256)
	l.endCycle()
	l.status(next, wire.BountyStatusOpen) // the time that the claim took is given back
	l.at(l.d.Bounty(next).Deadline + 1)
	l.endCycle()
	l.status(next, wire.BountyStatusExpired)
	if l.bank.budget != 10 {
		t.Errorf("%d ⚡ went back to the budget, want 10", l.bank.budget)
	}

	l.bank.funds[wire.SystemID(wire.SystemMint)] = 9
	q.Message = wire.Hash{6}
	if id, ok := l.d.OpenGapBounty(l.c, q, 10); ok {
		t.Errorf("bounty %v without money for it", id)
	}
}

func TestFound_MakesChannelsAndBigBangBounty(t *testing.T) {
	l := newLab(t)
	if kinds := strings.Join(l.kinds(), " "); kinds != strings.Repeat("channel_created ", 6)+"message_posted" {
		t.Errorf("founding emits %s", kinds)
	}
	for _, name := range []string{"general", "help", "governance", "bounties", "reviews", "starlark"} {
		ch := l.d.Channel(wire.ChannelID(name))
		if ch == nil || ch.Creator != me || ch.AutoClose != nil || ch.Access.InviteOnly != nil {
			t.Errorf("#%s: %+v", name, ch)
		}
	}
	l.c.Boundary(91, 0)
	ids := l.d.BigBang(l.c)
	if len(ids) != 1 {
		t.Fatalf("%d bounties, want 1", len(ids))
	}
	b := l.d.Bounty(ids[0])
	if b.Reward != 20 || b.Deadline != 91+25600 || b.Creator != me || len(b.Reviewers) != 0 {
		t.Errorf("bounty %+v", b)
	}
	l.at(256)
	l.must(claimer, claimOf(b.ID))
	l.shelf.verified[claimer] = 3
	l.must(claimer, submitOf(b.ID)) // nobody needs to judge
	l.status(b.ID, wire.BountyStatusCompleted)
	if l.bank.paid[claimer] != 20 {
		t.Errorf("paid %d ⚡, want 20", l.bank.paid[claimer])
	}
}
