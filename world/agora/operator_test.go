package agora

import (
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

// An operator posts as NEXUS_0 in any channel that is not archived, even one for invited agents. What it posts is bounded
// like any other message, but counts towards no quota.
func TestOperatorPost(t *testing.T) {
	const name = "general"
	room := wire.ChannelID(name)
	overhead := len(wire.TextContent(strings.Repeat("x", 60_000))) - 60_000
	for _, tc := range []struct {
		name, channel, text string
		spoil               func(l *lab)
		want                string
	}{
		{"a text", name, "hello", nil, ""},
		{"no such channel", "nowhere", "hello", nil, "NOT_FOUND channel"},
		{"an archived channel", name, "hello", func(l *lab) { l.d.channels.Edit(room).Archived = true }, "CONFLICT archived"},
		{"a channel for others", name, "hello", func(l *lab) { l.d.channels.Edit(room).Access = wire.Access{InviteOnly: &[]wire.AgentID{}} }, ""},
		{"no text", name, " \n\t", nil, "INVALID_REQUEST content"},
		{"the longest text", name, strings.Repeat("x", 65_536-overhead), nil, ""},
		{"one byte more", name, strings.Repeat("x", 65_537-overhead), nil, "INVALID_REQUEST too_long"},
		{"the last place", name, "hello", fill(room, 2*maxPerChannel-1), ""},
		{"a full channel", name, "hello", fill(room, 2*maxPerChannel), "QUOTA_EXCEEDED channel_full"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := newLab(t)
			l.c.Rules.Population = 16 // twice the scale
			if tc.spoil != nil {
				tc.spoil(l)
			}
			l.kinds()
			before := l.d.archive.all.Len()
			got := ""
			if r := OperatorPost(l.d, l.c, tc.channel, wire.MessageKindStatement, tc.text); r != nil {
				got = r.Category.String() + " " + r.Reason
			}
			if got != tc.want {
				t.Fatalf("got %q, want %q", got, tc.want)
			}
			if tc.want != "" {
				l.wantEvents()
				return
			}
			l.wantEvents("message_posted")
			m := l.d.archive.message(l.d.archive.all.At(uint32(before)))
			if m.Author != wire.SystemID(wire.SystemNexus) || m.Channel != room || m.Kind != wire.MessageKindStatement || l.d.counters.Len() != 0 {
				t.Errorf("posted %+v, %d counters", m, l.d.counters.Len())
			}
		})
	}
}

// fill makes a channel look as if it had n messages.
func fill(channel wire.Hash, n int) func(l *lab) {
	return func(l *lab) { l.d.archive.log(channel).messages = make([]uint32, n) }
}

// What a world can hold grows with its population; a refusal names the bound.
func TestBounds_GrowWithTheWorld(t *testing.T) {
	l := newLab(t)
	l.c.Rules.Population = 16
	limit := func(r wire.Reply) string {
		t.Helper()
		if r.Err == nil {
			t.Fatal("not refused")
		}
		v, _ := r.Err.Context.Get("limit")
		return string(v)
	}
	fill(wire.ChannelID("help"), 2*maxPerChannel)(l)
	if got := limit(l.send(claimer, post("help", wire.MessageKindStatement, "one more"))); got != "200000" {
		t.Errorf("a channel is full at %s messages, want 200000", got)
	}
	if l.d.board.open = make([]*Bounty, 2*maxOpen-1); l.d.board.full() {
		t.Error("the board is full one bounty too early")
	}
	l.d.board.open = make([]*Bounty, 2*maxOpen)
	if got := limit(l.send(creator, offerOf())); got != "2000" {
		t.Errorf("the board is full at %s bounties, want 2000", got)
	}
	if _, ok := l.d.OpenGapBounty(l.c, world.Question{Message: wire.Hash{5}, Topic: []byte("why?")}, 1); ok {
		t.Error("a documentation bounty was opened on a full board")
	}
}

// The channels that every world has, in the order in which they are opened; the one about programs is linked to the
// repo of the bootstrap, if there is one.
func TestFound_LinksTheProjectChannel(t *testing.T) {
	want := []string{"general", "help", "governance", "bounties", "reviews", "starlark"}
	if got := strings.Join(SystemChannels(), " "); got != strings.Join(want, " ") {
		t.Errorf("channels %s", got)
	}
	for _, genesis := range []wire.Hash{{}, {7}} {
		l := newLab(t)
		d := New(l.c.Rules)
		d.Attach(&world.Siblings{Mint: l.bank, Nexus: l.crowd, Oracle: l.shelf})
		ids := d.Found(l.c, genesis)
		for i, id := range ids {
			linked := d.Channel(id).LinkedRepo
			if should := want[i] == "starlark" && !genesis.IsZero(); should != (linked != nil) || should && *linked != genesis {
				t.Errorf("with repo %v #%s is linked to %v", genesis, want[i], linked)
			}
		}
	}
}
