package agora

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kingdom/wire"
)

// plainSearch is the definition of MSG_QUERY: the newest window messages that pass the
// indexed filters and may be read, of those the ones that match, sorted, cut.
func (d *Daemon) plainSearch(reader wire.AgentID, q *wire.MsgQuery, limit int) []*entry {
	var found []*entry
	for _, e := range slices.Backward(slices.Collect(d.archive.all.All())) {
		if d.archive.passes(e, q) && d.CanRead(d.archive.logOf(e).id, reader) {
			found = append(found, e)
		}
	}
	found = found[:min(searchWindow, len(found))]
	found = slices.DeleteFunc(found, func(e *entry) bool { return !d.archive.matches(e, q) })
	slices.SortStableFunc(found, func(a, b *entry) int { return cmp.Compare(d.archive.score(b, q.Sort), d.archive.score(a, q.Sort)) })
	return found[:min(limit, len(found))]
}

// crowded returns a lab with n messages of nine agents in open and private channels,
// and signals on some of them.
func crowded(t testing.TB, n int) (*lab, []wire.Hash) {
	l := newLab(t)
	rooms := []wire.Hash{wire.ChannelID("general"), wire.ChannelID("help")}
	for i, invited := range [][]wire.AgentID{{agent(1), agent(2)}, {agent(9)}} {
		rooms = append(rooms, l.must(agent(byte(i+3)), &wire.ChannelCreate{
			Kind: wire.ChannelKindGeneral, Name: fmt.Append(nil, "private ", i), Access: wire.Access{InviteOnly: &invited},
		}))
	}
	for i := range n {
		m := &wire.Message{
			ID: wire.Hash{byte(i), byte(i >> 8), 1}, Channel: rooms[i*5%11%4], Author: agent(byte(i*5%9 + 1)),
			Kind: wire.MessageKind(i%5 + 1), Content: wire.TextContent(fmt.Sprint("number ", i%10)),
		}
		if i > 3 {
			m.References = []wire.Hash{{byte(i - 3), byte((i - 3) >> 8), 1}}
		}
		l.c.Seat(wire.Tick(256+i), 1)
		l.d.channels.appendMessage(l.c, me, nil, m)
		for k := range i % 11 % 4 {
			l.d.archive.signals.Append(&Signal{
				Target: m.ID, Author: agent(byte(k + 1)), Kind: wire.SignalKindHelpful, Weight: float32(i*7%4) / 4, Tick: l.c.Tick,
			})
		}
		l.c.Events = nil
	}
	return l, rooms
}

func TestProperty_SearchEqualsPlainSearch(t *testing.T) {
	const n = searchWindow + 500
	l, rooms := crowded(t, n)
	restored := l.restored()
	rapid.Check(t, func(rt *rapid.T) {
		q := &wire.MsgQuery{Sort: rapid.SampledFrom([]wire.AgoraSort{
			wire.AgoraSortRecent, wire.AgoraSortSignals, wire.AgoraSortRelevant,
		}).Draw(rt, "sort")}
		given := func(name string) bool { return rapid.IntRange(0, 2).Draw(rt, name) == 0 }
		if given("channels?") {
			q.Channels = ptr(rapid.SliceOfN(rapid.SampledFrom(append(rooms, wire.Hash{1})), 0, 4).Draw(rt, "channels"))
		}
		if given("authors?") {
			q.Authors = ptr(rapid.SliceOfN(rapid.Map(rapid.ByteRange(0, 10), agent), 0, 4).Draw(rt, "authors"))
		}
		if given("kinds?") {
			q.Kinds = ptr(rapid.SliceOfN(rapid.Map(rapid.ByteRange(1, 6), func(k byte) wire.MessageKind {
				return wire.MessageKind(k)
			}), 0, 4).Draw(rt, "kinds"))
		}
		switch rapid.IntRange(0, 4).Draw(rt, "other") {
		case 0:
			q.TextMatch = ptr(fmt.Append(nil, "number ", rapid.IntRange(0, 10).Draw(rt, "text")))
		case 1:
			i := rapid.IntRange(0, n-1).Draw(rt, "reference")
			q.References = &[]wire.Hash{{byte(i), byte(i >> 8), 1}, {byte(i % 600), byte(i % 600 >> 8), 1}}
		case 2:
			q.MinSignals = ptr(uint32(rapid.IntRange(0, 3).Draw(rt, "signals")))
		case 3:
			from := wire.Tick(rapid.IntRange(256, 256+n).Draw(rt, "from"))
			q.TimeRange = &[2]wire.Tick{from, from + 100}
		}
		limit := rapid.IntRange(1, 100).Draw(rt, "limit")
		reader := agent(rapid.ByteRange(0, 10).Draw(rt, "reader"))
		numbers := func(list []*entry) []uint32 {
			out := []uint32{}
			for _, e := range list {
				out = append(out, e.number)
			}
			return out
		}
		want := numbers(l.d.plainSearch(reader, q, limit))
		for _, d := range []*Daemon{l.d, restored.d} {
			if diff := gocmp.Diff(want, numbers(d.archive.search(reader, q, limit))); diff != "" {
				rt.Fatalf("messages (-want +got):\n%s", diff)
			}
		}
	})
}

func TestSearch_ByReferenceEndsAtTheWindow(t *testing.T) {
	l, _ := crowded(t, 3*searchWindow)
	for _, reader := range []wire.AgentID{agent(0), agent(1), agent(9)} {
		edge := l.d.archive.all.Len()
		for readable := 0; readable < searchWindow; {
			edge--
			if l.d.CanRead(l.d.archive.logOf(l.d.archive.all.At(uint32(edge))).id, reader) {
				readable++
			}
		}
		found := 0
		for i := edge - 10; i < edge+10; i++ {
			q := &wire.MsgQuery{References: &[]wire.Hash{{byte(i), byte(i >> 8), 1}}, Sort: wire.AgoraSortRecent}
			want, got := l.d.plainSearch(reader, q, 1), l.d.archive.search(reader, q, 1)
			if !slices.Equal(want, got) {
				t.Errorf("reader %v finds %v about message %d, want %v", reader.Alias(), got, i, want)
			}
			found += len(got)
		}
		if found == 0 || found == 20 {
			t.Errorf("reader %v finds %d of 20, want those inside the window", reader.Alias(), found)
		}
	}
}

// Messages that a reader may not see do not count towards its search window.
func TestArchive_WindowCountsReadableMessagesOnly(t *testing.T) {
	l := newLab(t)
	den := l.must(agent(1), &wire.ChannelCreate{
		Kind: wire.ChannelKindGeneral, Name: []byte("den"), Access: wire.Access{InviteOnly: &[]wire.AgentID{agent(2)}},
	})
	for i, private := range []bool{false, true, false, true, false} { // numbers 1 to 5; 0 is the welcome
		q := post("general", wire.MessageKindStatement, fmt.Sprint(i))
		if private {
			q.Channel = den
		}
		l.must(agent(1), q)
	}
	for _, tc := range []struct {
		reader wire.AgentID
		window int
		want   uint32
	}{
		{agent(2), 1, 5},
		{agent(2), 2, 4},
		{agent(2), 5, 1},
		{agent(2), 9, 0},
		{agent(3), 1, 5},
		{agent(3), 2, 3},
		{agent(3), 3, 1},
		{agent(3), 4, 0},
		{agent(3), 9, 0},
	} {
		if got := l.d.archive.oldestVisible(tc.reader, tc.window); got != tc.want {
			t.Errorf("%v with a window of %d looks back to message %d, want %d", tc.reader.Alias(), tc.window, got, tc.want)
		}
	}
}

// A list leaves out long contents, which can be asked for alone; what does not fit comes with the next page. So four
// long messages do not make other agents' queries fail.
func TestQuery_LongContentsAreCutAndPaged(t *testing.T) {
	l := newLab(t)
	l.c.Rules.AgoraText = 1 << 20
	for i, n := range []int{4_000, 65_000, 65_000, 65_000, 65_000, 65_000} {
		l.must(agent(byte(i+1)), post("general", wire.MessageKindQuestion, fmt.Sprint(i, strings.Repeat("x", n))))
	}
	ask := func(limit, offset uint32) *wire.MsgQueryReply {
		r := l.send(agent(9), &wire.MsgQuery{Kinds: &[]wire.MessageKind{wire.MessageKindQuestion}, Sort: wire.AgoraSortRecent, Limit: limit, Offset: offset})
		wire.NewEnvelope(r.Type, me, agent(9), 256, wire.AppendReply(nil, r.Ref, r.Body)) // panics if it does not fit
		return r.Body.(*wire.MsgQueryReply)
	}
	all := ask(0, 0)
	if len(all.Messages) != 6 || len(all.Cut) != 5 || all.Next != nil {
		t.Fatalf("%d messages, %d cut, next %v; want 6, 5, none", len(all.Messages), len(all.Cut), all.Next)
	}
	for i := range all.Messages {
		if m := &all.Messages[i]; slices.Contains(all.Cut, m.ID) != (len(m.Content) == 0) || (i == 5) != (len(m.Content) > 0) {
			t.Errorf("message %d: %d bytes of content, cut %v", i, len(m.Content), all.Cut)
		}
	}
	for i := range uint32(6) {
		one := ask(1, i)
		if len(one.Messages) != 1 || len(one.Messages[0].Content) < 4_000 || len(one.Cut) != 0 || (one.Next == nil) != (i == 5) {
			t.Errorf("alone, message %d: %d with next %v", i, len(one.Messages), one.Next)
		}
	}
}

// Many messages of middling length come page by page, each once.
func TestQuery_PagesHoldEveryMatchOnce(t *testing.T) {
	l := newLab(t)
	l.c.Rules.AgoraText = 1 << 20
	for i := range 90 {
		l.must(agent(byte(i/10+1)), post("general", wire.MessageKindQuestion, fmt.Sprint(i, strings.Repeat("x", 4_000))))
	}
	for _, sort := range []wire.AgoraSort{wire.AgoraSortRecent, wire.AgoraSortSignals, wire.AgoraSortRelevant} {
		seen, pages := map[wire.Hash]bool{}, 0
		for next := new(uint32); next != nil; pages++ {
			r := l.send(agent(9), &wire.MsgQuery{
				Kinds: &[]wire.MessageKind{wire.MessageKindQuestion}, Sort: sort, Limit: 100, Offset: *next,
			}).Body.(*wire.MsgQueryReply)
			if n := len(wire.AppendReply(nil, wire.Hash{}, r)); n > 262_144+256 {
				t.Errorf("an answer of %d bytes", n)
			}
			for i := range r.Messages {
				if seen[r.Messages[i].ID] {
					t.Errorf("%v: message %d is shown twice", sort, i)
				}
				seen[r.Messages[i].ID] = true
			}
			next = r.Next
		}
		if len(seen) != 90 || pages != 2 {
			t.Errorf("%v: %d messages on %d pages, want 90 on 2", sort, len(seen), pages)
		}
	}
}

// The size that is estimated without encoding must not be too low.
func TestQuery_RoughSizeIsAtLeastEncodedSize(t *testing.T) {
	m := wire.Message{Tick: 1 << 62, Kind: wire.MessageKindReference, Content: make([]byte, 4_096), References: make([]wire.Hash, 64), Confidence: 0.3}
	if got := len(messageCodec.Append(nil, &m)); got > roughSize(&m) {
		t.Errorf("a message of %d bytes, above the bound of %d", got, roughSize(&m))
	}
}

// BenchmarkQuery is one MSG_QUERY over a full window.
func BenchmarkQuery(b *testing.B) {
	l, _ := crowded(b, 2*searchWindow)
	for name, q := range map[string]*wire.MsgQuery{
		"recent":   {Channels: &[]wire.Hash{wire.ChannelID("general")}, Sort: wire.AgoraSortRecent, Limit: 16},
		"author":   {Authors: &[]wire.AgentID{agent(1)}, Sort: wire.AgoraSortSignals, Limit: 16},
		"relevant": {Sort: wire.AgoraSortRelevant, Limit: 16},
		"about":    {References: &[]wire.Hash{{1}}, Sort: wire.AgoraSortRecent, Limit: 16},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				l.d.archive.search(agent(1), q, 16)
			}
		})
	}
}

func TestRecentList_KeepsWhatAQuerySees(t *testing.T) {
	var x recentList
	for n := range uint32(3 * searchSteps) {
		x.add(2 * n)
		if least := min(searchSteps, int(n)+1); len(x.list) < least || len(x.list) > 2*searchSteps || x.count != int(n)+1 {
			t.Fatalf("of %d it keeps %d and counts %d; it must keep %d", n+1, len(x.list), x.count, least)
		}
		if i := len(x.list) - min(searchSteps, int(n)+1); x.list[len(x.list)-1] != 2*n || x.list[i] != 2*(n+1-uint32(len(x.list)-i)) {
			t.Fatalf("of %d the last it keeps is %d, the first that a query sees %d", n+1, x.list[len(x.list)-1], x.list[i])
		}
	}
}
