package memory

import (
	"fmt"
	"strings"
	"testing"

	"kingdom/det"
	"kingdom/wire"
)

func TestKnowledgeGraph_ConfidenceIsAMovingAverage(t *testing.T) {
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	n := k.Learn([]byte("lists"), []byte("old"), KnowledgeInference, 1, 5)
	near(t, "first", float64(n.Confidence), 0.6)
	n = k.Learn([]byte("lists"), []byte("new"), KnowledgeOracle, 0.7, 6)
	near(t, "second", float64(n.Confidence), 0.62)
	if string(n.Content) != "new" || n.Source != KnowledgeOracle || n.ID != NodeID([]byte("lists")) {
		t.Errorf("%+v", n)
	}
	if nodes, _ := k.Size(); nodes != 1 {
		t.Errorf("%d nodes", nodes)
	}
}

func TestKnowledgeGraph_EdgesNeedBothNodes(t *testing.T) {
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	a := k.Learn([]byte("a"), nil, KnowledgeOracle, 1, 0).ID
	if k.Relate(a, wire.Hash{9}, []byte("is"), 1, 0) {
		t.Error("an edge to nowhere")
	}
	b := k.Learn([]byte("b"), nil, KnowledgeOracle, 1, 0).ID
	for range 2 {
		if !k.Relate(a, b, []byte("is"), 1, 0) {
			t.Error("refused")
		}
	}
	for e := range k.Edges() {
		near(t, "weight after two", float64(e.Weight), 0.68)
	}
	if _, edges := k.Size(); edges != 1 {
		t.Errorf("%d edges", edges)
	}
}

func TestKnowledgeGraph_EvictsByConfidenceAndRecency(t *testing.T) {
	k := New(&RowIDs{}, Limits{Nodes: 3, Edges: 2}).Knowledge
	strongOld := k.Learn([]byte("strong but old"), nil, KnowledgeOracle, 1, 0).ID
	weakNew := k.Learn([]byte("weak but new"), nil, KnowledgeOracle, 0, 2000).ID
	third := k.Learn([]byte("third"), nil, KnowledgeOracle, 1, 2000).ID
	k.Relate(strongOld, weakNew, []byte("r"), 1, 2000)
	// 0.6·exp(−2) = 0.081 against 0.4·1.
	k.Learn([]byte("newcomer"), nil, KnowledgeOracle, 1, 2000)
	nodes, edges := k.Size()
	if k.Node(strongOld) != nil || k.Node(weakNew) == nil || k.Node(third) == nil || nodes != 3 || edges != 0 {
		t.Errorf("%d nodes, %d edges, old one: %v", nodes, edges, k.Node(strongOld))
	}
	// Edges: the lightest goes.
	k.Relate(weakNew, third, []byte("light"), 0, 2000)
	k.Relate(weakNew, third, []byte("heavy"), 1, 2000)
	k.Relate(third, weakNew, []byte("next"), 1, 2000)
	var left []string
	for e := range k.Edges() {
		left = append(left, string(e.Relation))
	}
	if got := strings.Join(left, " "); got != "heavy next" && got != "next heavy" {
		t.Errorf("edges left: %s", got)
	}
}

func TestKnowledgeGraph_RecallWalksTwoHops(t *testing.T) {
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	id := map[string]wire.Hash{}
	for _, l := range []string{"start", "one", "two", "three", "far"} {
		id[l] = k.Learn([]byte(l), nil, KnowledgeOracle, 1, 0).ID // confidence 0.6
	}
	k.Relate(id["start"], id["one"], []byte("r"), 1, 0) // 0.6
	k.Relate(id["two"], id["one"], []byte("r"), 0, 0)   // 0.4, walked backwards
	k.Relate(id["start"], id["two"], []byte("r"), 0, 0) // 0.4
	k.Relate(id["two"], id["three"], []byte("r"), 1, 0) // 0.6
	k.Relate(id["three"], id["far"], []byte("r"), 1, 0) // third hop
	k.Relate(id["one"], id["three"], []byte("s"), 0, 0) // 0.6·0.4 equals 0.4·0.6
	var got []string
	for _, r := range k.Recall([]byte("start"), []byte("unknown"), []byte("start")) {
		got = append(got, fmt.Sprintf("%s %d %.3f", r.Node.Label, r.Hops, r.Rank))
	}
	want := "start 0 0.600, one 1 0.360, two 1 0.240, three 2 0.144"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("recalled %s\nwant %s", s, want)
	}
}

func TestKnowledgeGraph_RoundTrip(t *testing.T) {
	limits := Limits{Nodes: 20, Edges: 30}
	k := New(&RowIDs{}, limits).Knowledge
	for i := range 50 {
		a := k.Learn(fmt.Append(nil, i%25), fmt.Append(nil, i), KnowledgeSource(1+i%4), float64(i%10)/10, wire.Tick(i)).ID
		b := k.Learn(fmt.Append(nil, i*3%25), nil, KnowledgeOracle, 1, wire.Tick(i)).ID
		k.Relate(a, b, fmt.Append(nil, i%3), 0.3, wire.Tick(i))
	}
	back := New(&RowIDs{}, limits)
	st := (&Memory{Knowledge: k, Working: &Working{}, Experiences: &Experiences{}, Plans: &Plans{}, Peers: &PeerModels{}}).State()
	must(t, back.Knowledge.Restore(k.AppendTo(nil), st.Nodes, st.Edges))
	// The same next step must evict the same pieces.
	for _, g := range []*KnowledgeGraph{k, back.Knowledge} {
		g.Learn([]byte("one more"), nil, KnowledgeOracle, 1, 100)
	}
	if string(k.AppendTo(nil)) != string(back.Knowledge.AppendTo(nil)) {
		t.Error("restore differs")
	}
}

// TestKnowledgeGraph_TheShortcutOfEvictionChangesNothing compares with the plain rule: the
// least confidence · recency goes, of equals the lower id.
func TestKnowledgeGraph_TheShortcutOfEvictionChangesNothing(t *testing.T) {
	s := det.NewStream([32]byte{1}, det.MindChoice, [32]byte{}, 0)
	for range 200 {
		k := &KnowledgeGraph{limits: Limits{Nodes: 24, Edges: 24}}
		for range 24 {
			k.Learn([]byte{byte(s.IntN(256)), byte(s.IntN(256))}, nil, KnowledgeOracle, float64(s.IntN(4))/3, wire.Tick(s.IntN(5)*400))
		}
		const now = 2000
		want, worst := wire.Hash{}, 2.0
		for i, p := range k.places { // by id
			if w := float64(float64(k.node(i).Confidence) * exactDecay(since(p.touched, now))); w < worst {
				want, worst = k.node(i).ID, w
			}
		}
		k.evictNode(now)
		if k.Node(want) != nil {
			t.Fatal("another node than the worst went")
		}
	}
}

func TestKnowledgeGraph_Into(t *testing.T) {
	k := &KnowledgeGraph{limits: DefaultLimits}
	for _, l := range []string{"title", "tag", "other"} {
		k.Learn([]byte(l), nil, KnowledgeOracle, 1, 1)
	}
	k.Relate(NodeID([]byte("tag")), NodeID([]byte("title")), []byte("tags"), 1, 1)
	k.Relate(NodeID([]byte("other")), NodeID([]byte("title")), []byte("near"), 1, 1)
	got := k.Into(NodeID([]byte("title")), []byte("tags"))
	if len(got) != 1 || string(got[0]) != "tag" {
		t.Errorf("tags %q", got)
	}
}
