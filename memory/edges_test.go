package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// Of equally weak beliefs the one tested longest ago is evicted, of those the one with the lower row id.
func TestBeliefs_EvictionTieByTestTimeThenRow(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tested [3]wire.Tick // of the beliefs with the rows 100, 101 and 102
		weaker int          // of these is weaker than the others, -1: none
		want   string
	}{
		{"the weakest, though tested last", [3]wire.Tick{5, 6, 900}, 2, "c102"},
		{"of equals the one tested longest ago", [3]wire.Tick{7, 6, 8}, -1, "c101"},
		{"of these the lower row id", [3]wire.Tick{6, 6, 6}, -1, "c100"},
	} {
		b := New(&RowIDs{}, DefaultLimits).Beliefs
		for i := range beliefMax {
			// Names run against row ids, so that the order by claim gives nothing away.
			b.Set(claim(fmt.Sprintf("%03d", 999-i)), 0.9, nil, 1)
		}
		for i, at := range tt.tested {
			row := uint64(100 + i)
			for _, p := range slices.Collect(b.All()) {
				if b.id(p) == row {
					c := Claim{[]byte(p.Subject()), p.Predicate()}
					confidence := 0.4
					if tt.weaker == i {
						confidence = 0.3
					}
					b.Set(c, confidence, nil, at)
				}
			}
		}
		b.Test(claim("new"), true, nil, 1000)
		var left []uint64
		for p := range b.All() {
			if b.id(p) >= 100 && b.id(p) <= 102 {
				left = append(left, b.id(p))
			}
		}
		_, gone := b.Changed()
		if len(gone) != 1 || fmt.Sprintf("c%d", gone[0]) != tt.want || len(left) != 2 {
			t.Errorf("%s: row %v made room, want %s", tt.name, gone, tt.want)
		}
	}
}

func TestExperiences_RecentCountsBackwards(t *testing.T) {
	x := New(&RowIDs{}, DefaultLimits).Experiences
	if x.Recent(0) != nil {
		t.Error("an experience before the first")
	}
	for i := range 40 {
		x.Add(Experience{Tick: wire.Tick(i), Outcome: OutcomeSuccess})
	}
	x.Forget()
	for i := range 42 {
		got := x.Recent(i)
		if i >= experienceRecent {
			if got != nil {
				t.Errorf("the %dth newest is held, which only its hash needs to be", i)
			}
			continue
		}
		if got == nil || got.Tick != wire.Tick(39-i) {
			t.Errorf("the %dth newest is %v, want that of tick %d", i, got, 39-i)
		}
	}
}

// An outcome that is still to come is held as long as the window lasts, and no longer.
func TestExperiences_UnknownOutcomesLastAsLongAsTheWindow(t *testing.T) {
	for _, tt := range []struct {
		later int
		want  bool
	}{{ExperienceWindow - 1, true}, {ExperienceWindow, false}, {ExperienceWindow + 1, false}} {
		for _, flushed := range []bool{false, true} {
			x := New(&RowIDs{}, DefaultLimits).Experiences
			id := x.Add(Experience{Outcome: OutcomeUnknown})
			for range tt.later {
				x.Add(Experience{Outcome: OutcomeSuccess})
			}
			if flushed {
				x.Forget()
			}
			if got := x.Resolve(id, OutcomeSuccess, nil); got != tt.want {
				t.Errorf("after %d more (flushed %t): resolved %t", tt.later, flushed, got)
			}
		}
	}
}

func TestWords_TableHolds256(t *testing.T) {
	var w wordTable
	for i := range 256 {
		if n, ok := w.index(fmt.Sprint(i)); !ok || int(n) != i {
			t.Fatalf("word %d: %d %t", i, n, ok)
		}
	}
	if _, ok := w.index("one more"); ok {
		t.Error("a 257th word has an index, which one byte cannot hold")
	}
	if n, ok := w.index("0"); !ok || n != 0 {
		t.Errorf("a known word: %d %t", n, ok)
	}
}

// The agent's hash of a part is made anew only when its revision changes.
func TestRevision_FollowsEveryChange(t *testing.T) {
	m := New(&RowIDs{}, DefaultLimits)
	peer := wire.AgentID{1}
	a, b := NodeID([]byte("a")), NodeID([]byte("b"))
	parts := map[string]interface{ Revision() uint64 }{"working": m.Working, "knowledge": m.Knowledge, "peers": m.Peers}
	for _, tt := range []struct {
		part, what string
		change     func()
	}{
		{"working", "set", func() { must(t, m.Working.Set("k", nil)) }},
		{"working", "drop", func() { m.Working.Drop("k") }},
		{"working", "cycle start", func() { must(t, m.Working.Set("k", nil)); m.Working.CycleStart() }},
		{"knowledge", "learn", func() { m.Knowledge.Learn([]byte("a"), nil, KnowledgeOracle, 1, 1) }},
		{"knowledge", "confirm", func() { m.Knowledge.Learn([]byte("a"), nil, KnowledgeOracle, 1, 2) }},
		{"knowledge", "learn another", func() { m.Knowledge.Learn([]byte("b"), nil, KnowledgeOracle, 1, 2) }},
		{"knowledge", "relate", func() { m.Knowledge.Relate(a, b, []byte("r"), 1, 2) }},
		{"knowledge", "restore", func() {
			st := m.State()
			must(t, m.Knowledge.Restore(m.Knowledge.AppendTo(nil), st.Nodes, st.Edges))
		}},
		{"peers", "observe", func() { m.Peers.Observe(peer, 1) }},
		{"peers", "interact", func() { m.Peers.Interact(peer, DealAnswer, true, 2) }},
		{"peers", "commitment", func() { m.Peers.Commitment(peer, true, 2) }},
		{"peers", "interest", func() { m.Peers.Interest(peer, []byte("tag"), 2) }},
		{"peers", "restore", func() { must(t, m.Peers.Restore(m.Peers.AppendTo(nil), m.State().Peers)) }},
		{"peers", "forget", func() { m.Peers.Forget(peer) }},
	} {
		before := parts[tt.part].Revision()
		if tt.change(); parts[tt.part].Revision() <= before {
			t.Errorf("%s, %s: revision %d stayed", tt.part, tt.what, before)
		}
	}
}

func TestKnowledgeGraph_RestoreRefusesWhatIsOutOfOrder(t *testing.T) {
	k := &KnowledgeGraph{limits: DefaultLimits}
	for _, l := range []string{"a", "b"} {
		k.Learn([]byte(l), nil, KnowledgeOracle, 1, 1)
	}
	var nodes [2]nodeRow
	for i := range nodes {
		n := k.node(i)
		nodes[i] = nodeRow{n.ID, []byte(n.Label), []byte(n.Content), n.Source, n.Confidence}
	}
	ticks := make([]wire.Tick, 2)
	for _, tt := range []struct {
		name  string
		nodes []nodeRow
		ticks []wire.Tick
		want  string // "": restored
	}{
		{"as it was", nodes[:], ticks, ""},
		{"swapped", []nodeRow{nodes[1], nodes[0]}, ticks, "out of order"},
		{"twice the same", []nodeRow{nodes[0], nodes[0]}, ticks, "out of order"},
		{"a tick too few", nodes[:], ticks[:1], "got 2 nodes and 0 edges, but the state has ticks for 1 and 0"},
	} {
		err := new(KnowledgeGraph).Restore(graphCodec.Bytes(&graph{Nodes: tt.nodes}), tt.ticks, nil)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestDealings_KeepAtMostEightReviews(t *testing.T) {
	var d Dealings
	for i := range byte(20) {
		d.AskedReview(wire.Hash{i})
		if want := min(int(i)+1, 8); len(d.Reviews) != want || d.Reviews[len(d.Reviews)-1] != (wire.Hash{i}) {
			t.Fatalf("after %d reviews %d are noted, want %d", i+1, len(d.Reviews), want)
		}
	}
}

// The counters of a notebook's lists: 16 claims, 4 releases, 16 objects, and 8 interests of a
// peer; the oldest goes first, but a release is never forgotten for a newer one.
func TestNotebook_Bounds(t *testing.T) {
	var n Notebook
	var m PeerModels
	for i := range byte(20) {
		n.Claim(wire.Hash{i}, wire.AgentID{i}, 1)
		n.SetObject(wire.Hash{i}, wire.Hash{i, 1})
		n.Release(wire.Hash{i})
		m.Interest(peerID(1), []byte{i}, 1)
		if len(n.Claims) != min(int(i)+1, 16) || len(n.Objects) != min(int(i)+1, 16) ||
			len(n.Releases) != min(int(i)+1, 4) || m.Get(peerID(1)).interestCount() != min(int(i)+1, 8) {
			t.Fatalf("after %d: %d claims, %d objects, %d releases, %d interests", i+1,
				len(n.Claims), len(n.Objects), len(n.Releases), m.Get(peerID(1)).interestCount())
		}
	}
	if n.Claims[0].Bounty != (wire.Hash{4}) || n.Objects[0].Goal != (wire.Hash{4}) || n.Releases[3] != (wire.Hash{3}) {
		t.Errorf("first claim %v, first object %v, last release %v", n.Claims[0], n.Objects[0], n.Releases[3])
	}
	n.SetObject(wire.Hash{9}, wire.Hash{99})
	if o, ok := n.Object(wire.Hash{9}); !ok || o != (wire.Hash{99}) || len(n.Objects) != 16 {
		t.Errorf("the object of goal 9 is %v of %d", o, len(n.Objects))
	}
	if _, ok := n.Object(wire.Hash{3}); ok {
		t.Error("the oldest object is still noted")
	}
	if got := TruncatedCopy(make([]byte, 400)); len(got) != 384 {
		t.Errorf("%d bytes of a text are kept, want 384", len(got))
	}
}

// A message's text is of use until it is signed and, if it is a question, answered.
func TestMessageNote_ForgetText(t *testing.T) {
	for _, tt := range []struct {
		kind             wire.MessageKind
		signed, answered bool
		kept             bool
	}{
		{wire.MessageKindQuestion, false, false, true},
		{wire.MessageKindQuestion, true, false, true},
		{wire.MessageKindQuestion, false, true, true},
		{wire.MessageKindQuestion, true, true, false},
		{wire.MessageKindAnswer, false, false, true},
		{wire.MessageKindAnswer, true, false, false},
	} {
		n := MessageNote{Kind: tt.kind, Signed: tt.signed, Answered: tt.answered, Text: []byte("x")}
		if n.ForgetText(); (n.Text != nil) != tt.kept {
			t.Errorf("%+v: text kept %t", tt, n.Text != nil)
		}
	}
}

// A stranger that is only seen takes nobody's place. One that an agent deals with takes that of a peer with whom it had no
// dealings, of equally old ones that of the lower id.
func TestPeerModels_StrangersDoNotDisplace(t *testing.T) {
	var m PeerModels
	m.Interact(peerID(0), DealAnswer, true, 5)
	m.Interact(peerID(1), DealAnswer, true, 6)
	for i := 2; i < PeerMax; i++ {
		m.Observe(peerID(i), 10)
	}
	m.Observe(peerID(5000), 11)
	if len(m.All()) != PeerMax || m.Get(peerID(5000)) != nil {
		t.Errorf("%d peers, the stranger: %v", len(m.All()), m.Get(peerID(5000)))
	}
	for i, next := range []int{6000, 6001} {
		m.Interact(peerID(next), DealAnswer, true, 12)
		for j := range 4 {
			if gone := j == 2 || j == 3 && i == 1; (m.Get(peerID(j)) == nil) != gone || m.Get(peerID(next)) == nil || len(m.All()) != PeerMax {
				t.Errorf("after dealing with %d, of %d peers: the one with number %d is gone: %t", next, len(m.All()), j, m.Get(peerID(j)) == nil)
			}
		}
	}
	m.Observe(peerID(0), 13)
	if m.Get(peerID(0)).Seen() != 13 {
		t.Error("a known peer was not seen")
	}
}

// A node that is forgotten takes its edges with it, whichever end it is, and no others.
func TestKnowledgeGraph_EdgesGoWithTheirNode(t *testing.T) {
	k := &KnowledgeGraph{limits: Limits{Nodes: 3, Edges: 16}}
	ids := map[string]wire.Hash{}
	for i, l := range []string{"a", "b", "c"} {
		ids[l] = k.Learn([]byte(l), nil, KnowledgeOracle, 1, wire.Tick(i*1000)) // a is the oldest
	}
	name := map[wire.Hash]string{ids["a"]: "a", ids["b"]: "b", ids["c"]: "c"}
	for _, e := range []string{"ab", "bc", "ca", "bb", "aa", "cb", "ac"} {
		k.Relate(ids[e[:1]], ids[e[1:]], []byte("r"), 1, 3000)
	}
	k.Learn([]byte("d"), nil, KnowledgeOracle, 1, 3000)
	var left []string
	for e := range k.Edges() {
		left = append(left, name[e.From]+name[e.To])
	}
	slices.Sort(left)
	gone := ids["a"]
	if want := []string{"bb", "bc", "cb"}; !slices.Equal(left, want) || k.knows(&gone) {
		t.Errorf("edges left: %v, want %v", left, want)
	}
	for _, e := range []string{"bb", "bc", "cb"} { // the index still finds each
		if before := len(k.edges); !k.Relate(ids[e[:1]], ids[e[1:]], []byte("r"), 1, 3001) || len(k.edges) != before {
			t.Errorf("edge %s is no longer found", e)
		}
	}
}

// At the limit the edge of least weight · recency is evicted, of equals the first by from, to, relation.
func TestKnowledgeGraph_EdgeOfLeastWeightTimesRecencyIsEvicted(t *testing.T) {
	for _, tt := range []struct {
		name   string
		weight [4]float64 // observed once, from 0.5
		at     [4]wire.Tick
		gone   int
	}{
		{"the lightest", [4]float64{1, 1, 0, 1}, [4]wire.Tick{2000, 2000, 2000, 2000}, 2},
		{"the oldest", [4]float64{1, 1, 1, 1}, [4]wire.Tick{2000, 0, 2000, 1000}, 1},
		{"a strong old one before a weak new one", [4]float64{0, 0, 0, 1}, [4]wire.Tick{2000, 2000, 2000, 0}, 3},
		{"a weak one before one a little older", [4]float64{1, 0, 1, 1}, [4]wire.Tick{1900, 2000, 2000, 2000}, 1},
		{"of equals the first", [4]float64{1, 1, 1, 1}, [4]wire.Tick{9, 9, 9, 9}, 0},
	} {
		k := &KnowledgeGraph{limits: Limits{Nodes: 4, Edges: 4}}
		a := k.Learn([]byte("a"), nil, KnowledgeOracle, 1, 2000)
		relation := func(i int) []byte { return fmt.Append(nil, "r", i) }
		for i := range 4 {
			k.Relate(a, a, relation(i), tt.weight[i], tt.at[i])
		}
		k.Relate(a, a, []byte("newcomer"), 1, 2000)
		for i := range 4 {
			_, found := k.findEdge(&edgeKey{a, a, string(relation(i))})
			if found == (i == tt.gone) {
				t.Errorf("%s: edge %d is there: %t", tt.name, i, found)
			}
		}
	}
}

// A list with a limit never has capacity for more: an agent has several such lists, and a world many agents.
func TestGrow_CapacityStaysWithinLimit(t *testing.T) {
	var list []int
	for i := range 10 {
		list = append(grow(list, 10), i)
		if cap(list) > 10 || len(list) != i+1 || list[i] != i || list[0] != 0 {
			t.Fatalf("after %d items: %v with room for %d", i+1, list, cap(list))
		}
	}
	if full := grow(list, 10); len(full) != 10 || cap(full) != 10 {
		t.Errorf("a full list got room for %d", cap(full))
	}
}

// Size is the length of the encoding wherever a head grows by a byte or two, and what an update
// is foreseen to need is what it needs.
func TestWorking_SizeAtTheEdgesOfHeads(t *testing.T) {
	for _, n := range []int{0, 1, 14, 15, 16, 17} {
		for _, key := range []int{3, 31, 32, 255, 256} {
			for _, value := range []int{0, 255, 256} {
				w := &Working{}
				for i := range n {
					must(t, w.Set(fmt.Sprintf("%0*d", key, i), make([]byte, value)))
				}
				if got := len(w.AppendTo(nil)); w.Size() != got {
					t.Fatalf("%d notes of %d and %d bytes: size %d, encoded %d", n, key, value, w.Size(), got)
				}
				name := func(i int) string { return fmt.Sprintf("%0*d", key, i) }
				for _, u := range []struct {
					set  codec.BinMap
					drop []string
				}{
					{drop: []string{name(0)}},
					{drop: []string{name(0), name(0), "not there"}},
					{set: codec.BinMap{{Key: name(0), Value: make([]byte, 300)}}},
					{set: codec.BinMap{{Key: "new", Value: make([]byte, value)}}},
					{set: codec.BinMap{{Key: name(0)}}, drop: []string{name(0), name(1)}},
					{set: codec.BinMap{{Key: "1new"}, {Key: "2new"}}, drop: []string{name(1)}},
				} {
					want := w.sizeAfter(u.set, u.drop)
					before := w.Revision()
					must(t, w.Update(u.set, u.drop))
					if got := len(w.AppendTo(nil)); got != want || w.Size() != want {
						t.Fatalf("%d notes, update %v %v: foreseen %d, size %d, encoded %d", n, len(u.set), u.drop, want, w.Size(), got)
					}
					if len(u.set) > 0 && w.Revision() <= before {
						t.Fatalf("the revision stayed at %d", before)
					}
				}
			}
		}
	}
	w := &Working{}
	must(t, w.Set("k", make([]byte, 60_000)))
	if got := len(w.AppendTo(nil)); w.Size() != got {
		t.Errorf("a long value: size %d, encoded %d", w.Size(), got)
	}
}
