package memory

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"kingdom/wire"
)

// recallPlainly says what a recall without bounds finds, from the definition: a node counts with the heaviest of its
// shortest paths.
func recallPlainly(k *KnowledgeGraph, now wire.Tick, start []byte) []Recalled {
	weight, hops := map[wire.Hash]float64{NodeID(start): 1}, map[wire.Hash]int{NodeID(start): 0}
	for hop := 1; hop <= recallHops; hop++ {
		near := map[wire.Hash]float64{}
		for e := range k.Edges() {
			for _, way := range [][2]wire.Hash{{e.From, e.To}, {e.To, e.From}} {
				at, from := hops[way[0]]
				if _, known := hops[way[1]]; from && at == hop-1 && !known {
					near[way[1]] = max(near[way[1]], weight[way[0]]*float64(e.Weight))
				}
			}
		}
		for id, w := range near { //house:sorted each fills its own entry
			weight[id], hops[id] = w, hop
		}
	}
	var out []Recalled
	for id, hop := range hops { //house:sorted sorted below
		n, _ := k.Node(id)
		i, _ := k.findNode(&id)
		at := wire.Tick(k.nodes[i].confirmedAt)
		out = append(out, Recalled{Node: n, Strength: weight[id] * (float64(n.Confidence) * decay(at, now)), Weight: weight[id], At: at, Hops: hop})
	}
	slices.SortFunc(out, func(a, b Recalled) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), a.Node.ID.Compare(b.Node.ID))
	})
	return out
}

// Each small graph is recalled as the definition says, whatever its edges are.
func TestKnowledgeGraph_RecallFindsTheHeaviestOfTheShortestPaths(t *testing.T) {
	for seed := range 40 {
		k := New(&RowIDs{}, DefaultLimits).Knowledge
		var ids []wire.Hash
		for i := range 12 {
			ids = append(ids, k.Learn(fmt.Append(nil, "n", i), nil, KnowledgeOracle, float64((seed+i)%5)/4, wire.Tick(100*i)))
		}
		for i := range 20 {
			from, to := (seed*7+i*5)%12, (seed*3+i*i)%12
			k.Relate(ids[from], ids[to], fmt.Append(nil, "r", i%3), float64((seed+i)%7)/6, wire.Tick(i))
		}
		got, want := k.Recall(nil, 3000, []byte("n0")), recallPlainly(k, 3000, []byte("n0"))
		if !slices.Equal(got, want) {
			t.Fatalf("graph %d recalls\n%v\nwant\n%v", seed, got, want)
		}
	}
}

// A way over another node never counts for a neighbour of the start, however heavy it is.
func TestKnowledgeGraph_RecallPrefersTheShortestToTheHeaviestPath(t *testing.T) {
	k := New(&RowIDs{}, DefaultLimits).Knowledge
	start, near, far := k.Learn([]byte("start"), nil, KnowledgeOracle, 1, 0), k.Learn([]byte("near"), nil, KnowledgeOracle, 1, 0), k.Learn([]byte("far"), nil, KnowledgeOracle, 1, 0)
	for range 10 { // until these weigh nine tenths, and the direct one nearly nothing
		k.Relate(start, near, []byte("r"), 1, 0)
		k.Relate(near, far, []byte("r"), 1, 0)
		k.Relate(start, far, []byte("r"), 0, 0)
	}
	got, want := k.Recall(nil, 100, []byte("start")), recallPlainly(k, 100, []byte("start"))
	if !slices.Equal(got, want) || got[2].Node.Label != "far" || got[2].Hops != 1 || got[2].Weight > 0.1 {
		t.Errorf("recalled\n%v\nwant\n%v", got, want)
	}
}

// labelsOf are the labels of what was recalled, sorted.
func labelsOf(rs []Recalled) string {
	var out []string
	for _, r := range rs {
		out = append(out, r.Node.Label)
	}
	slices.Sort(out)
	return fmt.Sprint(out)
}

// Of more edges than the bound, those beyond it are not followed, in either direction.
func TestKnowledgeGraph_RecallFollowsNoMoreEdgesThanItsBound(t *testing.T) {
	for _, backwards := range []bool{false, true} {
		k := New(&RowIDs{}, DefaultLimits).Knowledge
		from, to := k.Learn([]byte("start"), nil, KnowledgeOracle, 1, 0), k.Learn([]byte("near"), nil, KnowledgeOracle, 1, 0)
		if backwards {
			from, to = to, from
		}
		for i := range recallEdges {
			k.Relate(from, to, fmt.Appendf(nil, "%03d", i), 0, 0)
		}
		k.Relate(from, to, []byte("the last"), 1, 0) // heavier than the others
		got := k.Recall(nil, 0, []byte("start"))
		if len(got) != 2 || math.Abs(got[1].Weight-0.4) > 1e-6 {
			t.Errorf("backwards %v: %+v, want a node of weight 0.4", backwards, got)
		}
	}
}

// The last edge of the bound is still followed.
func TestKnowledgeGraph_RecallFollowsTheLastEdgeOfItsBound(t *testing.T) {
	for extra, want := range []string{"[near next start]", "[near start]"} {
		k := New(&RowIDs{}, DefaultLimits).Knowledge
		start, near := k.Learn([]byte("start"), nil, KnowledgeOracle, 1, 0), k.Learn([]byte("near"), nil, KnowledgeOracle, 1, 0)
		next := k.Learn([]byte("next"), nil, KnowledgeOracle, 1, 0)
		for i := range recallEdges - 1 + extra {
			k.Relate(start, near, fmt.Appendf(nil, "%03d", i), 0, 0)
		}
		k.Relate(near, next, []byte("r"), 1, 0) // near's outgoing edges come first
		if got := labelsOf(k.Recall(nil, 0, []byte("start"))); got != want {
			t.Errorf("%d edges: recalled %s, want %s", recallEdges+extra, got, want)
		}
	}
}

// If not all edges can be followed, those of the node with the heaviest path come first.
func TestKnowledgeGraph_RecallFollowsHeavyEdgesFirst(t *testing.T) {
	for _, order := range [][2]string{{"heavy", "light"}, {"light", "heavy"}} { // whatever the order of their ids is
		k := New(&RowIDs{}, DefaultLimits).Knowledge
		start := k.Learn([]byte("start"), nil, KnowledgeOracle, 1, 0)
		at := map[string]wire.Hash{}
		for i, l := range order {
			at[l] = k.Learn(fmt.Append(nil, "node", i), nil, KnowledgeOracle, 1, 0)
		}
		k.Relate(start, at["heavy"], []byte("r"), 1, 0)
		k.Relate(start, at["light"], []byte("r"), 0, 0)
		after := k.Learn([]byte("after heavy"), nil, KnowledgeOracle, 1, 0)
		for i := range recallEdges {
			k.Relate(at["heavy"], after, fmt.Appendf(nil, "%03d", i), 0, 0)
		}
		k.Relate(at["light"], k.Learn([]byte("after light"), nil, KnowledgeOracle, 1, 0), []byte("r"), 1, 0)
		if got := labelsOf(k.Recall(nil, 0, []byte("start"))); got != "[after heavy node0 node1 start]" {
			t.Errorf("recalled %s", got)
		}
	}
}

// What the caller has in dst stays, and does not count.
func TestKnowledgeGraph_RecallAppends(t *testing.T) {
	had := []Recalled{{Weight: 7}, {Weight: 8}}
	got := fullGraph().Recall(had, 600, []byte("tag"))
	if len(got) != 2+recallNodes || !slices.Equal(got[:2], had) {
		t.Errorf("%d nodes, the first %v", len(got), got[:2])
	}
}
