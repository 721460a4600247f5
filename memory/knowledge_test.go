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
	id := k.Learn([]byte("lists"), []byte("old"), KnowledgeInference, 1, 5)
	n, _ := k.Node(id)
	near(t, "first", float64(n.Confidence), 0.6)
	n, _ = k.Node(k.Learn([]byte("lists"), []byte("new"), KnowledgeOracle, 0.7, 6))
	near(t, "second", float64(n.Confidence), 0.62)
	if n.Content != "new" || n.Source != KnowledgeOracle || n.ID != NodeID([]byte("lists")) {
		t.Errorf("%+v", n)
	}
	if nodes, _ := k.Size(); nodes != 1 {
		t.Errorf("%d nodes", nodes)
	}
}

func TestKnowledgeGraph_EdgesNeedBothNodes(t *testing.T) {
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	a := k.Learn([]byte("a"), nil, KnowledgeOracle, 1, 0)
	if k.Relate(a, wire.Hash{9}, []byte("is"), 1, 0) {
		t.Error("an edge to nowhere")
	}
	b := k.Learn([]byte("b"), nil, KnowledgeOracle, 1, 0)
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
	strongOld := k.Learn([]byte("strong but old"), nil, KnowledgeOracle, 1, 0)
	weakNew := k.Learn([]byte("weak but new"), nil, KnowledgeOracle, 0, 2000)
	third := k.Learn([]byte("third"), nil, KnowledgeOracle, 1, 2000)
	k.Relate(strongOld, weakNew, []byte("r"), 1, 2000)
	// 0.6·exp(−2) = 0.081 against 0.4·1.
	k.Learn([]byte("newcomer"), nil, KnowledgeOracle, 1, 2000)
	nodes, edges := k.Size()
	if k.knows(&strongOld) || !k.knows(&weakNew) || !k.knows(&third) || nodes != 3 || edges != 0 {
		t.Errorf("%d nodes, %d edges, old one: %v", nodes, edges, k.knows(&strongOld))
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
		id[l] = k.Learn([]byte(l), nil, KnowledgeOracle, 1, 0) // confidence 0.6
	}
	k.Relate(id["start"], id["one"], []byte("r"), 1, 0) // 0.6
	k.Relate(id["two"], id["one"], []byte("r"), 0, 0)   // 0.4, walked backwards
	k.Relate(id["start"], id["two"], []byte("r"), 0, 0) // 0.4
	k.Relate(id["two"], id["three"], []byte("r"), 1, 0) // 0.6
	k.Relate(id["three"], id["far"], []byte("r"), 1, 0) // third hop
	k.Relate(id["one"], id["three"], []byte("s"), 0, 0) // 0.6·0.4 equals 0.4·0.6
	var got []string
	for _, r := range k.Recall(nil, 0, []byte("start"), []byte("unknown"), []byte("start")) {
		got = append(got, fmt.Sprintf("%s %d %.3f", r.Node.Label, r.Hops, r.Strength))
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
		a := k.Learn(fmt.Append(nil, i%25), fmt.Append(nil, i), KnowledgeSource(1+i%4), float64(i%10)/10, wire.Tick(i))
		b := k.Learn(fmt.Append(nil, i*3%25), nil, KnowledgeOracle, 1, wire.Tick(i))
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

// The fast eviction equals the plain rule: the node of least confidence · recency, of equals the one with the lower id.
func TestKnowledgeGraph_EvictionEqualsPlainRule(t *testing.T) {
	s := det.NewStream([32]byte{1}, det.MindChoice, [32]byte{}, 0)
	for range 200 {
		k := &KnowledgeGraph{limits: Limits{Nodes: 24, Edges: 24}}
		for range 24 {
			k.Learn([]byte{byte(s.IntN(256)), byte(s.IntN(256))}, nil, KnowledgeOracle, float64(s.IntN(4))/3, wire.Tick(s.IntN(5)*400))
		}
		const now = 2000
		want, worst := wire.Hash{}, 2.0
		for i, p := range k.nodes { // by id
			if w := float64(float64(k.node(i).Confidence) * exactDecay(since(wire.Tick(p.confirmedAt), now))); w < worst {
				want, worst = k.node(i).ID, w
			}
		}
		k.evictNode(now)
		if k.knows(&want) {
			t.Fatal("another node than the worst went")
		}
	}
}

func TestKnowledgeGraph_IntoListsIncomingEdges(t *testing.T) {
	k := &KnowledgeGraph{limits: DefaultLimits}
	for _, l := range []string{"title", "tag", "other"} {
		k.Learn([]byte(l), nil, KnowledgeOracle, 1, 1)
	}
	k.Relate(NodeID([]byte("tag")), NodeID([]byte("title")), []byte("tags"), 1, 1)
	k.Relate(NodeID([]byte("other")), NodeID([]byte("title")), []byte("near"), 1, 1)
	got := k.LabelsInto(NodeID([]byte("title")), []byte("tags"))
	if len(got) != 1 || string(got[0]) != "tag" {
		t.Errorf("tags %q", got)
	}
}

func TestKnowledgeGraph_LessonOfMostSimilarAct(t *testing.T) {
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	channel, other := wire.Hash{1, 2, 3, 4}, wire.Hash{9, 9, 9, 9}
	learn := func(key LessonKey, text string, worked bool, at wire.Tick) {
		k.LearnLesson(key, []byte(text), worked, at)
	}
	if _, _, _, ok := k.Lesson(LessonKey{Action: "msg_post", Domain: "SOCIAL"}, 0); ok {
		t.Error("a lesson before the first")
	}
	learn(LessonKey{"msg_post", "SOCIAL", wire.Hash{}}, "say why", true, 10)
	learn(LessonKey{"msg_post", "SOCIAL", channel}, "they answer here", true, 10)
	learn(LessonKey{"msg_post", "ECONOMY", wire.Hash{}}, "nobody pays for it", false, 10)
	learn(LessonKey{"msg_posts", "SOCIAL", wire.Hash{}}, "another action", true, 10)
	for _, c := range []struct {
		key      LessonKey
		want     string
		strength float64
	}{
		{LessonKey{"msg_post", "SOCIAL", channel}, "they answer here", 0.6},
		{LessonKey{"msg_post", "SOCIAL", other}, "say why", 0.8 * 0.6},
		{LessonKey{"msg_post", "ECONOMY", other}, "nobody pays for it", 0.8 * 0.4},
		{LessonKey{"msg_post", "REVIEW", other}, "", 0.4 * 0.6}, // one of the first two
		{LessonKey{"entry_get", "SOCIAL", other}, "", 0},
	} {
		n, strength, at, ok := k.Lesson(c.key, 10)
		if near(t, fmt.Sprint(c.key), strength, c.strength); ok != (c.strength > 0) {
			t.Errorf("%v: found %t", c.key, ok)
		}
		if ok && (at != 10 || c.want != "" && n.Content != c.want) {
			t.Errorf("%v: %q of tick %d, want %q", c.key, n.Content, at, c.want)
		}
	}
	// The same key again: one lesson, surer when it worked again, weaker with time.
	learn(LessonKey{"msg_post", "SOCIAL", channel}, "they still answer here", true, 1010)
	n, strength, _, _ := k.Lesson(LessonKey{"msg_post", "SOCIAL", channel}, 2010)
	if n.Content != "they still answer here" {
		t.Errorf("%q", n.Content)
	}
	near(t, "a thousand ticks later", strength, 0.68*0.36788)
}

// A lesson of long ago is recalled until hardly anything is left of it: 0.6 of confidence falls below 0.05 after 2,485 ticks.
func TestKnowledgeGraph_LessonFadesAway(t *testing.T) {
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	key := LessonKey{"msg_post", "SOCIAL", thing(1)}
	k.LearnLesson(key, []byte("they answer here"), true, 10)
	for ticks, want := range map[wire.Tick]bool{0: true, 2484: true, 2485: false, 9000: false} {
		n, strength, at, ok := k.Lesson(key, 10+ticks)
		if ok != want || ok && (n.Content != "they answer here" || at != 10) || !ok && (strength != 0 || n.Content != "") {
			t.Errorf("after %d ticks: %q of tick %d with strength %v, %v", ticks, n.Content, at, strength, ok)
		}
	}
}

// TestKnowledgeGraph_IndexesFollowTheGraph: after any steps, and after a restore, lessons and
// edges are found by their indexes as by a look at each.
func TestKnowledgeGraph_IndexesFollowTheGraph(t *testing.T) {
	s := det.NewStream([32]byte{2}, det.MindChoice, [32]byte{}, 0)
	limits := Limits{Nodes: 24, Edges: 40}
	for range 60 {
		m := New(&RowIDs{}, limits)
		for i := range 120 {
			at, label := wire.Tick(i), []byte{'n', byte('a' + s.IntN(30))}
			m.Knowledge.Learn(label, nil, KnowledgeOracle, float64(s.IntN(4))/3, at)
			m.Knowledge.Relate(NodeID(label), NodeID([]byte{'n', byte('a' + s.IntN(30))}), []byte{byte('x' + s.IntN(2))}, 1, at)
			if s.IntN(4) == 0 {
				m.Knowledge.LearnLesson(LessonKey{Action: string(rune('p' + s.IntN(3))), Domain: "SOCIAL", Subject: wire.Hash{byte(s.IntN(5))}}, label, true, at)
			}
		}
		st, back := m.State(), New(&RowIDs{}, limits).Knowledge
		must(t, back.Restore(m.Knowledge.AppendTo(nil), st.Nodes, st.Edges))
		for _, k := range []*KnowledgeGraph{m.Knowledge, back} {
			lessons := 0
			for n := range k.Nodes() {
				if l, ok := parseLesson(&n.ID, n.Label); ok {
					lessons++
					if _, known := k.findLesson(l); !known {
						t.Fatalf("lesson %s is not in the index", n.Label)
					}
				}
				into := 0
				for e := range k.Edges() {
					if e.To == n.ID {
						into++
					}
				}
				for e := range k.incomingEdges(&n.ID) {
					if into--; e.row().To != n.ID {
						t.Fatal("an edge that leads elsewhere")
					}
				}
				if into != 0 {
					t.Fatalf("%d edges into %s are missing", into, n.Label)
				}
			}
			if lessons != len(k.lessons) || len(k.incoming) != len(k.edges) {
				t.Fatalf("%d lessons, %d in the index; %d edges, %d in the index", lessons, len(k.lessons), len(k.edges), len(k.incoming))
			}
		}
	}
}

// fullGraph is a graph at both limits, with one tag that all nodes have.
func fullGraph() *KnowledgeGraph {
	s := det.NewStream([32]byte{3}, det.MindChoice, [32]byte{}, 0)
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	ids := []wire.Hash{k.Learn([]byte("tag"), nil, KnowledgeOracle, 1, 0)}
	for i := 1; i < DefaultLimits.Nodes; i++ {
		ids = append(ids, k.Learn(fmt.Append(nil, "n", i), []byte("content"), KnowledgeOracle, s.Float64(), wire.Tick(i)))
		k.Relate(ids[0], ids[i], []byte("tags"), 1, wire.Tick(i))
	}
	for len(k.edges) < DefaultLimits.Edges {
		k.Relate(ids[s.IntN(len(ids))], ids[s.IntN(len(ids))], []byte("seen_with"), s.Float64(), 600)
	}
	return k
}

func TestKnowledgeGraph_RecallIsBounded(t *testing.T) {
	k := fullGraph()
	got := k.Recall(nil, 600, []byte("tag"), []byte("n7"))
	if len(got) != recallNodes {
		t.Errorf("%d nodes came to mind, want %d", len(got), recallNodes)
	}
	for i := 1; i < len(got); i++ {
		if got[i].Strength > got[i-1].Strength {
			t.Error("the strongest is not first")
		}
	}
}

func BenchmarkRecall(b *testing.B) {
	k := fullGraph()
	starts := [][]byte{[]byte("n7"), []byte("n8"), []byte("tag")}
	var room []Recalled
	b.ReportAllocs()
	for b.Loop() {
		room = k.Recall(room[:0], 600, starts...)
	}
}

func BenchmarkLesson(b *testing.B) {
	k := fullGraph()
	for i := range 64 {
		k.LearnLesson(LessonKey{Action: "msg_post", Domain: "SOCIAL", Subject: wire.Hash{byte(i % 8)}}, []byte("say why"), true, 600)
		k.LearnLesson(LessonKey{Action: "entry_get", Domain: "LIBRARY", Subject: wire.Hash{byte(i % 8)}}, []byte("say why"), true, 600)
	}
	b.ReportAllocs()
	for b.Loop() {
		k.Lesson(LessonKey{Action: "msg_post", Domain: "SOCIAL", Subject: wire.Hash{3}}, 700)
	}
}

func TestKnowledgeGraph_HandWrittenEncodingEqualsCodec(t *testing.T) {
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	a := k.Learn([]byte("a"), []byte("content"), KnowledgeOracle, 0.7, 1)
	b := k.Learn([]byte("b"), nil, KnowledgePeerCommunication, 1, 2)
	k.Relate(a, b, []byte("answers"), 0.3, 3)
	k.Relate(b, a, nil, 1, 3)
	var g graph
	for n := range k.Nodes() {
		g.Nodes = append(g.Nodes, nodeRow{n.ID, []byte(n.Label), []byte(n.Content), n.Source, n.Confidence})
	}
	for e := range k.Edges() {
		g.Edges = append(g.Edges, e)
	}
	if got, want := k.AppendTo(nil), graphCodec.Bytes(&g); string(got) != string(want) {
		t.Errorf("%x, want %x", got, want)
	}
}
