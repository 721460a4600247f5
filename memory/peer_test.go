package memory

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/wire/codec"
)

func peerID(n int) wire.AgentID { return wire.AgentID{byte(n >> 8), byte(n)} }

func TestPeerModels_Trust(t *testing.T) {
	var m PeerModels
	if trust, known := m.Trust(peerID(1), 0); trust != 0 || known {
		t.Errorf("a stranger: %v %v", trust, known)
	}
	m.Verdict(peerID(1), true, 1, 0)
	if trust, known := m.Trust(peerID(1), 0); trust != 0 || known {
		t.Errorf("0/0 counts as 0: %v %v", trust, known)
	}
	for i := range 4 {
		m.Interact(peerID(1), DealAnswer, i != 0, 100)
	}
	for _, tt := range []struct {
		now  wire.Tick
		want float64
	}{
		{100, 0.75},
		{90, 0.75}, // never from the future
		{101, 0.75 * 0.9990004998333750},
		{793, 0.75 * 0.5000735956},
		{1100, 0.75 * 0.3678794412},
		{100 + 20_000, 0},
	} {
		trust, known := m.Trust(peerID(1), tt.now)
		near(t, "trust", trust, tt.want)
		if !known || trust != det.Quantise(trust) {
			t.Errorf("at %d: known %v, %v not quantised", tt.now, known, trust)
		}
	}
}

func TestPeerModels_ObservingDoesNotRefreshTrust(t *testing.T) {
	var m PeerModels
	id := peerID(1)
	m.Interact(id, DealAnswer, true, 100)
	for at := wire.Tick(200); at <= 1100; at += 100 {
		m.Observe(id, at)
		m.Interest(id, []byte("tag"), at)
		m.Verdict(id, true, 1, at)
		m.Commitment(id, true, at)
	}
	trust, _ := m.Trust(id, 1100)
	near(t, "trust after 1000 ticks of watching", trust, 0.3678794412)
	if p := m.Get(id); p.LastInteraction() != 100 || p.Seen() != 1100 {
		t.Errorf("%+v", p)
	}
}

func TestPeerModels_Forget(t *testing.T) {
	var m PeerModels
	for i := range 3 {
		m.Interact(peerID(i), DealAnswer, true, 1)
	}
	m.Forget(peerID(1))
	m.Forget(peerID(9))
	if m.Get(peerID(0)) == nil || m.Get(peerID(1)) != nil || m.Get(peerID(2)) == nil || len(m.All()) != 2 {
		t.Errorf("%d peers", len(m.All()))
	}
}

func TestPeerModels_ReliabilityAndCompetence(t *testing.T) {
	var m PeerModels
	id := peerID(1)
	m.Commitment(id, true, 1)
	near(t, "kept once", float64(m.Get(id).Reliability), 0.6)
	m.Commitment(id, false, 2)
	near(t, "then broken", float64(m.Get(id).Reliability), 0.48)
	m.Verdict(id, true, 0.5, 3) // 0.2·0.5
	near(t, "praised by 0.5", float64(m.Get(id).Competence), 0.55)
	m.Verdict(id, false, 0, 4) // 0.2·0.1
	near(t, "blamed by nobody", float64(m.Get(id).Competence), 0.539)
	if p := m.Get(id); p.Seen() != 4 || p.LastInteraction() != 0 || p.Interactions != 0 {
		t.Errorf("%+v", p)
	}
}

func TestPeerModels_InterestsAreTheLastEight(t *testing.T) {
	var m PeerModels
	for _, tag := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "b", "i"} {
		m.Interest(peerID(1), []byte(tag), 1)
	}
	got := ""
	for tag := range m.Interests(m.Get(peerID(1))) {
		got += tag
	}
	if got != "ibhgfedc" {
		t.Errorf("interests %q", got)
	}
}

// However many tags there were, each peer has its latest interests, and tags that no peer has are forgotten.
func TestPeerModels_UnusedTagsAreForgotten(t *testing.T) {
	var m PeerModels
	want := map[int][]string{}
	for i := range 3 * maxTags {
		peer, tag := i%5, fmt.Sprint("tag ", i)
		m.Interest(peerID(peer), []byte(tag), wire.Tick(i))
		want[peer] = append(want[peer], tag)
		want[peer] = want[peer][max(0, len(want[peer])-interestMax):]
		if len(m.tags) > maxTags {
			t.Fatalf("%d tags are kept", len(m.tags))
		}
	}
	for peer, tags := range want {
		got := slices.Collect(m.Interests(m.Get(peerID(peer))))
		if slices.Reverse(got); !slices.Equal(got, tags) {
			t.Errorf("peer %d: %q, want %q", peer, got, tags)
		}
	}
}

func TestPeerModels_RestoreRefusesTooManyInterests(t *testing.T) {
	model := PeerModel{AgentID: peerID(1), Interests: make([][]byte, interestMax+1)}
	b := peerCodec.Append(codec.AppendBytes(codec.AppendMapLen(nil, 1), model.AgentID[:]), &model)
	err := new(PeerModels).Restore(b, make([]PeerCount, 1))
	if want := "restore peer models: model of " + model.AgentID.String() + " has 9 interests, want at most 8"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func TestPeerModels_LeastRecentIsEvicted(t *testing.T) {
	var m PeerModels
	for i := range PeerMax {
		m.Interact(peerID(i), DealAnswer, true, wire.Tick(10+i))
	}
	m.Interact(peerID(0), DealAnswer, true, 1000)
	m.Interact(peerID(PeerMax), DealAnswer, true, 1001)
	if len(m.All()) != PeerMax || m.Get(peerID(1)) != nil || m.Get(peerID(0)) == nil {
		t.Errorf("%d peers", len(m.All()))
	}
	for i := 1; i < PeerMax; i++ {
		if m.All()[i-1].AgentID().Compare(m.All()[i].AgentID()) >= 0 {
			t.Fatal("not sorted by id")
		}
	}
}

func TestPeerModels_RoundTrip(t *testing.T) {
	var m, back PeerModels
	for i := range 40 {
		m.Interact(peerID(i*7), DealAnswer, i%2 == 0, wire.Tick(i))
		m.Interest(peerID(i*7), []byte("tag"), wire.Tick(300*i))
	}
	b := m.AppendTo(nil)
	var counts []PeerCount
	for _, p := range m.All() {
		counts = append(counts, p.count())
	}
	must(t, back.Restore(b, counts))
	if string(back.AppendTo(nil)) != string(b) || back.Get(peerID(14)).count() != m.Get(peerID(14)).count() {
		t.Error("restore differs")
	}
	for n := range b {
		if err := back.Restore(b[:n], counts); err == nil {
			t.Fatalf("%d of %d bytes were accepted", n, len(b))
		}
	}
	if err := back.Restore(append(b, 0), counts); err == nil {
		t.Error("a trailing byte was accepted")
	}
	if err := back.Restore(b, counts[1:]); err == nil {
		t.Error("missing counts were accepted")
	}
}

func TestPeerModels_RestoreSaysWhatIsWrong(t *testing.T) {
	var m PeerModels
	m.Observe(wire.AgentID{1}, 5)
	m.Observe(wire.AgentID{2}, 5)
	blob := m.AppendTo(nil)
	model := len(blob) / 2 // both models are of one length
	for _, tc := range []struct {
		name   string
		blob   []byte
		counts int
		want   string
	}{
		{"a count too few", blob, 1, "restore peer models: got 2 models, but the state has counts for 1"},
		{"a count too many", blob, 3, "restore peer models: got 2 models, but the state has counts for 3"},
		{"no map", []byte{0xc0}, 2, "restore peer models: decode PeerModel: wrong type at byte 0, want a map"},
		{"cut off", blob[:len(blob)-1], 2, fmt.Sprintf("restore peer models: decode PeerModel: field \"last_interaction\": bad syntax at byte %d, want a value, the input ends", len(blob)-1)},
		{"bytes behind", append(slices.Clone(blob), 0), 2, fmt.Sprintf("restore peer models: decode PeerModel: trailing bytes at byte %d, want the end of the input", len(blob))},
		{"a longer head", append([]byte{0xde, 0, 2}, blob[1:]...), 2, "restore peer models: it is not in the canonical form"},
		{"another key", slices.Concat(blob[:3], []byte{9}, blob[4:]), 2, "restore peer models: model of " + wire.AgentID{1}.String() + " is stored under another key"},
		{"twice the same", slices.Concat(blob[:1+model], blob[1:1+model]), 2, "restore peer models: model of " + wire.AgentID{1}.String() + " is out of order"},
		{"order", slices.Concat(blob[:1], blob[1+model:], blob[1:1+model]), 2, "restore peer models: model of " + wire.AgentID{1}.String() + " is out of order"},
	} {
		err := new(PeerModels).Restore(tc.blob, make([]PeerCount, tc.counts))
		if err == nil || err.Error() != tc.want {
			t.Errorf("%s: error %v, want %s", tc.name, err, tc.want)
		}
	}
}

// TestPeerModels_HelpAndService: what two agents did for each other is counted on both sides.
func TestPeerModels_HelpAndService(t *testing.T) {
	m := New(&RowIDs{}, DefaultLimits).Peers
	who := peerID(1)
	for range 3 {
		m.Serve(who, 10)
	}
	m.Help(who, 11)
	if p := m.Get(who); p.Served != 3 || p.Helped != 1 || p.Balance() != 2 {
		t.Errorf("served %d, helped %d, balance %d", p.Served, p.Helped, p.Balance())
	}
	p := m.Get(who)
	p.Served, p.Helped = 1<<32-1, 1<<32-1
	m.Serve(who, 12)
	m.Help(who, 12)
	if p := m.Get(who); p.Served != 1<<32-1 || p.Helped != 1<<32-1 {
		t.Errorf("a counter went beyond its end: served %d, helped %d", p.Served, p.Helped)
	}
}

// What a peer's reviews said is counted by its alias, up to 254 approvals, and one that wanted changes is never forgotten.
func TestPeerModels_ReadReview(t *testing.T) {
	for _, c := range []struct {
		approvals int
		refused   bool
		want      uint8
	}{{0, false, 0}, {3, false, 3}, {4, false, 4}, {254, false, 254}, {300, false, 254}, {0, true, 255}, {300, true, 255}} {
		var m, back PeerModels
		for i := range 5 {
			m.Observe(peerID(i), 5)
		}
		m.forgetChanges()
		alias := []byte(peerID(3).Alias())
		if c.refused {
			m.ReadReview(alias, false)
		}
		for range c.approvals {
			m.ReadReview(alias, true)
		}
		stored := 0
		m.eachChanged(func(*Peer) { stored++ })
		if read := c.refused || c.approvals > 0; (stored == 1) != read {
			t.Errorf("%+v: %d models are stored anew", c, stored)
		}
		p := m.Get(peerID(3))
		if p.approvals != c.want || p.ApprovesAll(4) != (c.want >= 4 && c.want < 255) {
			t.Errorf("%+v: %d approvals, all %v", c, p.approvals, p.ApprovesAll(4))
		}
		must(t, back.Restore(m.AppendTo(nil), []PeerCount{m.list[0].count(), m.list[1].count(), m.list[2].count(), p.count(), m.list[4].count()}))
		if back.Get(peerID(3)).approvals != c.want || back.Get(peerID(2)).approvals != 0 {
			t.Errorf("%+v: restored with %d approvals", c, back.Get(peerID(3)).approvals)
		}
	}
	var m PeerModels
	m.Observe(peerID(3), 5)
	for _, alias := range []string{"", "00", "0003", "00030001", "0003000000", "zzzzzzzz", peerID(3).String() + "00"} {
		if p := m.ReadReview([]byte(alias), true); p != nil {
			t.Errorf("%q names a peer", alias)
		}
	}
	if m.Get(peerID(3)).approvals != 0 {
		t.Error("a review of nobody counts")
	}
}

// Trust from before the world began is the share of interactions that went well, and the last interaction counts as
// most of them went.
func TestPeerModels_InitialTrustIsShareOfSuccesses(t *testing.T) {
	for _, c := range []struct {
		successes, interactions uint32
		want                    uint32
		well                    bool
	}{{0, 10, 0, false}, {4, 10, 4, false}, {5, 10, 5, true}, {10, 10, 10, true}, {12, 10, 10, true}} {
		m := New(&RowIDs{}, DefaultLimits).Peers
		m.AddInitial(peerID(1), c.successes, c.interactions, 7)
		if p := m.Get(peerID(1)); p.Successes != c.want || p.Interactions != c.interactions || p.LastSuccess != c.well || p.Last != DealBefore {
			t.Errorf("%d of %d: %+v", c.successes, c.interactions, p)
		}
	}
}

// A checked statement moves the competence a fifth of the way to 1 or 0, and the distance is returned.
func TestPeerModels_CheckedStatementMovesCompetenceByAFifth(t *testing.T) {
	near := func(a, b float64) bool { return a-b < 1e-5 && b-a < 1e-5 }
	m := New(&RowIDs{}, DefaultLimits).Peers
	for i, c := range []struct {
		right       bool
		moved, then float64
	}{{true, 0.1, 0.6}, {true, 0.08, 0.68}, {false, 0.136, 0.544}} {
		moved := m.StatementChecked(peerID(1), c.right, 10)
		if got := float64(m.Get(peerID(1)).Competence); !near(moved, c.moved) || !near(got, c.then) {
			t.Errorf("statement %d: moved by %v to %v, want %v to %v", i+1, moved, got, c.moved, c.then)
		}
	}
}
