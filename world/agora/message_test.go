package agora

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

func TestPost_Refusals(t *testing.T) {
	l := newLab(t)
	private := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{agent(2)}},
	})
	idle := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("idle"), Access: wire.Access{Public: true}, AutoClose: ptr(uint64(1)),
	})
	l.endCycle()
	l.endCycle()
	l.must(agent(3), post("general", wire.MessageKindStatement, "twice"))
	in := func(ch wire.Hash) *wire.MsgPost {
		p := post("general", wire.MessageKindStatement, "hello")
		p.Channel = ch
		return p
	}
	long := in(wire.ChannelID("general"))
	long.Content = wire.TextContent(string(bytes.Repeat([]byte("x"), 65_536)))
	raw := in(wire.ChannelID("general"))
	raw.Content = []byte("no map")
	busy := in(wire.ChannelID("general"))
	busy.References = make([]wire.Hash, 64+1)
	sure := in(wire.ChannelID("general"))
	sure.Confidence = 1.5
	for _, tc := range []struct {
		name string
		req  *wire.MsgPost
		want string
	}{
		{"unknown channel", in(wire.Hash{9}), "NOT_FOUND not_found"},
		{"archived", in(idle), "CONFLICT archived"},
		{"not a member", in(private), "UNAUTHORIZED not_member"},
		{"same content in the same channel", post("general", wire.MessageKindAnswer, "twice"), "CONFLICT duplicate"},
		{"content too long", long, "INVALID_REQUEST too_long"},
		{"content is no map", raw, "INVALID_REQUEST bad_body"},
		{"65 references", busy, "INVALID_REQUEST too_many"},
		{"confidence above 1", sure, "INVALID_REQUEST confidence"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l.t = t
			l.refused(agent(3), tc.req, tc.want)
		})
	}
	l.t = t
	l.d.archive.log(wire.ChannelID("starlark")).messages = make([]uint32, maxPerChannel)
	l.refused(agent(3), post("starlark", wire.MessageKindStatement, "one more"), "QUOTA_EXCEEDED channel_full")
	l.must(agent(3), post("help", wire.MessageKindStatement, "twice")) // another channel
	l.must(agent(2), in(private))
	l.must(agent(1), in(private)) // the creator is a member, and may say what another said
	l.refused(agent(1), in(private), "CONFLICT duplicate")
}

func TestPost_TenPerCycleAndAgent(t *testing.T) {
	l := newLab(t)
	say := func(a byte, i int) *wire.MsgPost {
		return post("general", wire.MessageKindStatement, fmt.Sprintf("%d says %d", a, i))
	}
	for i := range maxPosts {
		l.must(agent(1), say(1, i))
	}
	l.refused(agent(1), say(1, maxPosts), "QUOTA_EXCEEDED rate")
	l.must(agent(2), say(2, 0))
	l.endCycle()
	if n := l.d.counters.Len(); n != 0 {
		t.Errorf("%d counters after the cycle's end, want none", n)
	}
	l.must(agent(1), say(1, maxPosts))
}

func TestPost_InProjectChannelMustReferToItsRepo(t *testing.T) {
	l := newLab(t)
	v := &fakeVault{repo: wire.Hash{7}, objects: map[wire.Hash]bool{{7}: true, {8}: true}}
	l.refused(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindProject, Name: []byte("p"), Access: wire.Access{Public: true}, LinkedRepo: &v.repo,
	}, "NOT_FOUND repo")
	l.d.code = v
	ch := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindProject, Name: []byte("p"), Access: wire.Access{Public: true}, LinkedRepo: &v.repo,
	})
	talk := post("general", wire.MessageKindStatement, "about lunch")
	talk.Channel = ch
	l.refused(agent(1), talk, "INVALID_REQUEST off_topic")
	talk.References = []wire.Hash{{1}}
	l.refused(agent(1), talk, "INVALID_REQUEST off_topic")
	talk.References = []wire.Hash{{1}, {8}}
	l.must(agent(1), talk)
	code := post("general", wire.MessageKindCode, "print(1)")
	code.Channel = ch
	l.must(agent(1), code)
}

func TestSignal_RefusalsAndWeights(t *testing.T) {
	l := newLab(t)
	den := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{}},
	})
	secret := post("general", wire.MessageKindStatement, "secret")
	secret.Channel = den
	hidden := l.must(agent(1), secret)
	msg := l.must(agent(1), post("general", wire.MessageKindStatement, "claim"))

	l.refused(agent(2), signalOf(wire.Hash{1}, wire.SignalKindAgree), "NOT_FOUND not_found")
	l.refused(agent(2), signalOf(hidden, wire.SignalKindAgree), "NOT_FOUND not_found")
	l.refused(agent(2), signalOf(msg, wire.SignalKindIncorrect), "INVALID_REQUEST reference_required")
	l.refused(agent(2), signalOf(msg, wire.SignalKindDuplicate), "INVALID_REQUEST reference_required")
	l.must(agent(2), signalOf(msg, wire.SignalKindAgree))
	l.refused(agent(2), signalOf(msg, wire.SignalKindAgree), "CONFLICT already")

	l.must(agent(2), signalOf(msg, wire.SignalKindHelpful)) // another kind
	l.must(agent(4), signalOf(msg, wire.SignalKindDisagree))
	l.must(agent(8), &wire.SignalSend{Target: msg, Kind: wire.SignalKindDisagree, Reference: &wire.Hash{1}})
	l.must(agent(8), &wire.SignalSend{Target: msg, Kind: wire.SignalKindIncorrect, Reference: &wire.Hash{1}})
	l.must(agent(8), signalOf(msg, wire.SignalKindActionable))

	x, e := l.d.archive, l.d.archive.find(msg)
	h := x.reactions.get(e)
	type sums struct {
		Positive                         uint32
		Weight, Agree, Disagree, Helpful int64
	}
	const one = 1 << 20 // reputation of agent n is n/16
	want := sums{
		Positive: 3, Weight: one * 12 / 16, Agree: one * 2 / 16, Helpful: one * 2 / 16,
		Disagree: one * (4 + 8) / 16, // with a reference or without
	}
	if diff := cmp.Diff(want, sums{
		h.positive, h.weight, x.reactions.weightOf(e, wire.SignalKindAgree), x.reactions.weightOf(e, wire.SignalKindDisagree), x.reactions.weightOf(e, wire.SignalKindHelpful),
	}); diff != "" {
		t.Errorf("sums (-want +got):\n%s", diff)
	}
}

func TestQuery(t *testing.T) {
	l := newLab(t)
	den := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{}},
	})
	name := map[wire.Hash]string{}
	say := func(tick wire.Tick, a byte, channel wire.Hash, k wire.MessageKind, text string, refs ...wire.Hash) wire.Hash {
		l.at(tick)
		p := post("", k, text)
		p.Channel, p.References = channel, refs
		id := l.must(agent(a), p)
		name[id] = text
		return id
	}
	general, help := wire.ChannelID("general"), wire.ChannelID("help")
	a := say(260, 1, general, wire.MessageKindQuestion, "alpha", wire.Hash{1})
	b := say(270, 2, help, wire.MessageKindQuestion, "beta", wire.Hash{1}, wire.Hash{2})
	say(280, 3, general, wire.MessageKindStatement, "gamma ray")
	say(290, 1, den, wire.MessageKindStatement, "secret")
	l.must(agent(2), signalOf(a, wire.SignalKindAgree))
	l.must(agent(3), signalOf(a, wire.SignalKindAgree))
	l.must(agent(9), signalOf(b, wire.SignalKindHelpful))
	l.must(agent(9), signalOf(b, wire.SignalKindDisagree))

	me2 := agent(5) // may not read the den
	everyone := &[]wire.AgentID{agent(1), agent(2), agent(3), agent(1)}
	recent := wire.AgoraSortRecent
	for _, tc := range []struct {
		name   string
		reader wire.AgentID
		q      wire.MsgQuery
		want   []string
	}{
		{"authors, newest first, named twice", me2, wire.MsgQuery{Authors: everyone, Sort: recent}, []string{"gamma ray", "beta", "alpha"}},
		{"a member reads more", agent(1), wire.MsgQuery{Authors: everyone, Sort: recent}, []string{"secret", "gamma ray", "beta", "alpha"}},
		{"unreadable channel is skipped", me2, wire.MsgQuery{Channels: &[]wire.Hash{den, help}, Sort: recent}, []string{"beta"}},
		{"kinds", me2, wire.MsgQuery{Kinds: &[]wire.MessageKind{wire.MessageKindQuestion}, Sort: recent}, []string{"beta", "alpha"}},
		{"channels and kinds are AND-ed", me2, wire.MsgQuery{Channels: &[]wire.Hash{general}, Kinds: &[]wire.MessageKind{wire.MessageKindQuestion}, Sort: recent}, []string{"alpha"}},
		{"time range is inclusive", me2, wire.MsgQuery{Authors: everyone, TimeRange: &[2]wire.Tick{260, 270}, Sort: recent}, []string{"beta", "alpha"}},
		{"references are OR-ed", me2, wire.MsgQuery{References: &[]wire.Hash{{1}, {9}}, Sort: recent}, []string{"beta", "alpha"}},
		{"min_signals counts the positive ones", me2, wire.MsgQuery{MinSignals: ptr(uint32(2)), Sort: recent}, []string{"alpha"}},
		{"text", me2, wire.MsgQuery{TextMatch: ptr([]byte("mma r")), Sort: recent}, []string{"gamma ray"}},
		{"by signals", me2, wire.MsgQuery{Authors: everyone, Sort: wire.AgoraSortSignals}, []string{"alpha", "beta", "gamma ray"}},
		{"by weight", me2, wire.MsgQuery{Authors: everyone, Sort: wire.AgoraSortRelevant}, []string{"beta", "alpha", "gamma ray"}},
		{"limit", me2, wire.MsgQuery{Authors: everyone, Sort: recent, Limit: 1}, []string{"gamma ray"}},
		{"nothing", me2, wire.MsgQuery{Channels: &[]wire.Hash{{3}}, Sort: recent}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := l.send(tc.reader, &tc.q)
			var got []string
			for _, m := range r.Body.(*wire.MsgQueryReply).Messages {
				got = append(got, name[m.ID])
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	l.refused(me2, &wire.MsgQuery{Sort: recent, Authors: ptr(bigList(65))}, "INVALID_REQUEST too_many")
	l.refused(me2, &wire.MsgQuery{Sort: recent, Limit: 101}, "INVALID_REQUEST limit")
	l.refused(me2, &wire.MsgQuery{Sort: recent, TimeRange: &[2]wire.Tick{2, 1}}, "INVALID_REQUEST time_range")
}

func TestQuery_SearchesTheNewest4096Messages(t *testing.T) {
	l := newLab(t)
	for i := range searchWindow + 1 {
		l.d.channels.appendMessage(l.c, me, nil, &wire.Message{
			ID: wire.Hash{byte(i), byte(i >> 8), 1}, Channel: wire.ChannelID("help"), Author: agent(1),
			Kind: wire.MessageKindStatement, Content: wire.TextContent(fmt.Sprint("number ", i, "!")),
		})
		l.c.Events = nil
		l.at(l.c.Tick + 1)
	}
	find := func(from, to wire.Tick) int {
		q := &wire.MsgQuery{Channels: &[]wire.Hash{wire.ChannelID("help")}, TimeRange: &[2]wire.Tick{from, to}, Sort: wire.AgoraSortRecent}
		return len(l.send(agent(2), q).Body.(*wire.MsgQueryReply).Messages)
	}
	if a, b := find(256, 256), find(257, 257); a != 0 || b != 1 {
		t.Errorf("oldest found %d times, second oldest %d times; want 0 and 1", a, b)
	}
	if n := find(256, 1<<40); n != 20 {
		t.Errorf("%d messages without a limit, want %d", n, 20)
	}
}

// text_match looks at the beginnings of the newest messages, whatever other filters say.
func TestQuery_TextMatchBounds(t *testing.T) {
	l := newLab(t)
	say := func(i int, text string) {
		l.d.channels.appendMessage(l.c, me, nil, &wire.Message{
			ID: wire.Hash{byte(i), byte(i >> 8), 1}, Channel: wire.ChannelID("help"), Author: agent(1),
			Kind: wire.MessageKindStatement, Content: []byte(text),
		})
	}
	find := func(text string) int {
		q := &wire.MsgQuery{Channels: &[]wire.Hash{wire.ChannelID("help")}, TextMatch: ptr([]byte(text)), Sort: wire.AgoraSortRecent}
		return len(l.send(agent(2), q).Body.(*wire.MsgQueryReply).Messages)
	}
	say(0, "first")
	say(1, strings.Repeat("x", maxTextBytes-3)+"end of what is kept")
	for i := range textWindow - 2 {
		if say(i+2, fmt.Sprint("number ", i)); i%256 == 0 {
			l.at(l.c.Tick + 1)
		}
	}
	if a, b, c := find("first"), find("end"), find("end "); a != 1 || b != 1 || c != 0 {
		t.Errorf("oldest of the window found %d times, text that ends at the bound %d, text beyond it %d; want 1, 1 and 0", a, b, c)
	}
	say(2000, "one more")
	if a, b := find("first"), find("end"); a != 0 || b != 1 {
		t.Errorf("after one more: first found %d times, second %d; want 0 and 1", a, b)
	}
	for i := range 3 * textWindow { // the window is cut from time to time
		if i%256 == 0 {
			l.at(l.c.Tick + 1)
		}
		say(3000+i, fmt.Sprint("later ", i))
		if i%97 == 0 && i >= textWindow {
			old, gone := fmt.Sprintf("later %d", i-textWindow+1), fmt.Sprintf("later %d", i-textWindow)
			if a, b := l.finds(old), l.finds(gone); !a || b {
				t.Fatalf("after %d: the oldest of the window found: %t, the one before: %t; want true, false", i, a, b)
			}
		}
	}
}

// finds says whether a message in #help whose content is exactly text is in sight of text_match.
func (l *lab) finds(text string) bool {
	for e := range l.d.archive.all.All() {
		if m := l.d.archive.messages.Get(uint64(e.number)); string(m.Content) == text {
			return l.d.archive.mentions(e, []byte(text))
		}
	}
	return false
}

func TestCreateChannel_Refusals(t *testing.T) {
	l := newLab(t)
	create := func(name string) *wire.ChannelCreate {
		return &wire.ChannelCreate{Kind: wire.ChannelKindGeneral, Name: []byte(name), Access: wire.Access{Public: true}}
	}
	l.must(agent(1), create("mine"))
	if got := l.bank.funds[agent(1)]; got != 995 {
		t.Errorf("creator has %d ⚡, want 995: a channel costs 5", got)
	}
	l.crowd.params = map[string]int64{"agora.channel_fee": 7}
	l.must(agent(1), create("dearer"))
	if got := l.bank.funds[agent(1)]; got != 988 {
		t.Errorf("creator has %d ⚡, want 988: the population set the fee to 7", got)
	}
	l.bank.funds[agent(2)] = 6
	crowded := create("crowd")
	crowded.Access = wire.Access{InviteOnly: ptr(append([]wire.AgentID{}, bigList(257)...))}
	linked := create("linked")
	linked.LinkedRepo = &wire.Hash{1}
	l.refused(agent(1), create("mine"), "CONFLICT name_taken")
	l.refused(agent(1), create("general"), "CONFLICT name_taken")
	l.refused(agent(1), create("bounty:1"), "CONFLICT name_taken")
	l.refused(agent(1), create(""), "INVALID_REQUEST name")
	l.refused(agent(1), crowded, "INVALID_REQUEST too_many")
	l.refused(agent(1), linked, "NOT_FOUND repo")
	l.refused(agent(2), create("poor"), "QUOTA_EXCEEDED funds")
}

func bigList(n int) []wire.AgentID {
	out := make([]wire.AgentID, n)
	for i := range out {
		out[i] = wire.AgentID{byte(i), byte(i >> 8)}
	}
	return out
}

func TestCloseIdle(t *testing.T) {
	l := newLab(t)
	id := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("idle"), Access: wire.Access{Public: true}, AutoClose: ptr(uint64(2)),
	})
	l.endCycle() // cycle 1: created in it
	p := post("", wire.MessageKindStatement, "still here")
	p.Channel = id
	l.must(agent(1), p) // cycle 2
	l.endCycle()
	l.endCycle()
	if l.d.Channel(id).Archived {
		t.Fatal("archived after one idle cycle, want two")
	}
	l.kinds()
	l.endCycle()
	l.wantEvents("channel_archived")
	if !l.d.Channel(id).Archived {
		t.Error("not archived after two idle cycles")
	}
}

// An event of a message tells what it refers to first, so that who follows a question knows its
// answers without fetching them.
func TestPost_EventNamesTheFirstReference(t *testing.T) {
	for name, refs := range map[string][]wire.Hash{"none": {}, "one": {{7}}, "the first of two": {{9}, {7}}} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			p := post("general", wire.MessageKindAnswer, "because")
			p.References = refs
			l.must(agent(3), p)
			var want *wire.Hash
			if len(refs) > 0 {
				want = &refs[0]
			}
			e := l.c.Events[len(l.c.Events)-1].Payload.(*wire.MessagePostedEvent)
			if d := cmp.Diff(want, e.Reference); d != "" {
				t.Error(d)
			}
			back, err := wire.DecodePayload(wire.KindMessagePosted, wire.AppendPayload(nil, e))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(any(e), back); d != "" {
				t.Error(d)
			}
		})
	}
}
