package society

import (
	"math/rand/v2"
	"slices"

	"kingdom/wire"
)

// edge is something that one agent did for another.
type edge struct{ from, to int }

// network counts the edges between n agents.
type network struct {
	n int
	w []float64 // from·n + to
}

func networkOf(n int, edges []edge) *network {
	g := &network{n: n, w: make([]float64, n*n)}
	for _, e := range edges {
		g.w[e.from*n+e.to]++
	}
	return g
}

// rewire shuffles the targets of the edges, so that each agent keeps its numbers of incoming and outgoing edges. It removes
// an edge from an agent to itself by an exchange with another edge, if one is found.
func rewire(edges []edge, rnd *rand.Rand) []edge {
	out := slices.Clone(edges)
	rnd.Shuffle(len(out), func(i, j int) { out[i].to, out[j].to = out[j].to, out[i].to })
	for i := range out {
		for try := 0; out[i].from == out[i].to && try < 2*len(out); try++ {
			j := rnd.IntN(len(out))
			if out[j].from != out[i].to && out[i].from != out[j].to {
				out[i].to, out[j].to = out[j].to, out[i].to
			}
		}
	}
	return out
}

// rewiredMean returns the mean of a figure over rewired networks. The random numbers are the same for all runs, so that they
// do not add differences between runs.
func rewiredMean(n int, edges []edge, times int, of func(*network) float64) float64 {
	rnd := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // not a secret
	sum := 0.0
	for range times {
		sum += of(networkOf(n, rewire(edges, rnd)))
	}
	return sum / float64(times)
}

// answerEdges returns an edge for each answer, from the agent that asked to the one that answered.
func (r *Run) answerEdges() (out []edge) {
	for _, q := range r.threads() {
		for _, a := range q.answers {
			if a.Author != q.question.Author {
				out = append(out, edge{q.question.Author, a.Author})
			}
		}
	}
	return out
}

const noAnswer = "nobody answered anybody"

func reciprocity(r *Run) figure {
	edges := r.answerEdges()
	if len(edges) == 0 {
		return none(noAnswer)
	}
	return value(networkOf(len(r.Agents), edges).reciprocatedShare(), len(edges))
}

func reciprocityOverNull(r *Run) figure {
	const times = 20
	edges := r.answerEdges()
	if len(edges) == 0 {
		return none(noAnswer)
	}
	null := rewiredMean(len(r.Agents), edges, times, (*network).reciprocatedShare)
	if null == 0 {
		return none("no answer is returned in the rewired networks either")
	}
	return value(networkOf(len(r.Agents), edges).reciprocatedShare()/null, len(edges))
}

// reciprocatedShare returns the share of the weight that has an edge in the other direction.
func (g *network) reciprocatedShare() float64 {
	back, all := 0.0, 0.0
	for u := range g.n {
		for v := range g.n {
			w := g.w[u*g.n+v]
			all += w
			back += min(w, g.w[v*g.n+u])
		}
	}
	return share(back, all)
}

func reciprocityPairs(r *Run) figure {
	edges := r.answerEdges()
	if len(edges) == 0 {
		return none(noAnswer)
	}
	g := networkOf(len(r.Agents), edges)
	pairs, both := 0, 0
	for u := range g.n {
		for v := range g.n {
			if g.w[u*g.n+v] > 0 {
				if pairs++; g.w[v*g.n+u] > 0 {
					both++
				}
			}
		}
	}
	return value(float64(both)/float64(pairs), pairs)
}

// dealingEdges returns the edges of answers and of payments between agents, which include those for bounties.
func (r *Run) dealingEdges() []edge {
	out := r.answerEdges()
	for i := range r.Transactions {
		if t := &r.Transactions[i]; t.From >= 0 && t.To >= 0 && t.From != t.To {
			out = append(out, edge{t.From, t.To})
		}
	}
	return out
}

func modularityOverNull(r *Run) figure {
	const times = 10
	edges := r.dealingEdges()
	if len(edges) == 0 {
		return none(noAnswer)
	}
	return value(networkOf(len(r.Agents), edges).modularity()-rewiredMean(len(r.Agents), edges, times, (*network).modularity), len(edges))
}

// modularity returns the modularity of the groups that the Louvain method finds, ignoring directions. Agents are visited in
// their order and of equally good groups the first is taken, so that there is one result.
func (g *network) modularity() float64 {
	h := &network{n: g.n, w: make([]float64, g.n*g.n)} // both ways, each counted at both ends
	for u := range g.n {
		for v := range g.n {
			h.w[u*g.n+v] = g.w[u*g.n+v] + g.w[v*g.n+u]
		}
	}
	for {
		group, moved := h.groups()
		if !moved {
			return h.quality()
		}
		h = h.merged(group)
	}
}

// groups moves each node to the neighbouring group that gains most, until none gains.
func (g *network) groups() (group []int, moved bool) {
	group = make([]int, g.n)
	degree, total := make([]float64, g.n), 0.0
	for u := range g.n {
		group[u] = u
		for v := range g.n {
			degree[u] += g.w[u*g.n+v]
		}
		total += degree[u]
	}
	of := slices.Clone(degree) // of each group
	if total == 0 {
		return group, false
	}
	for again := true; again; {
		again = false
		for u := range g.n {
			to := make([]float64, g.n)
			for v := range g.n {
				if v != u {
					to[group[v]] += g.w[u*g.n+v]
				}
			}
			of[group[u]] -= degree[u]
			best, gain := group[u], to[group[u]]-float64(degree[u]*of[group[u]])/total
			for c := range g.n {
				if x := to[c] - float64(degree[u]*of[c])/total; to[c] > 0 && x > gain+1e-9 {
					best, gain = c, x
				}
			}
			if best != group[u] {
				again, moved = true, true
			}
			group[u] = best
			of[best] += degree[u]
		}
	}
	return group, moved
}

// merged makes one node of each group.
func (g *network) merged(group []int) *network {
	number, n := map[int]int{}, 0
	for _, c := range group {
		if _, known := number[c]; !known {
			number[c] = n
			n++
		}
	}
	out := &network{n: n, w: make([]float64, n*n)}
	for u := range g.n {
		for v := range g.n {
			out.w[number[group[u]]*n+number[group[v]]] += g.w[u*g.n+v]
		}
	}
	return out
}

// quality returns the modularity of a network whose nodes are the groups.
func (g *network) quality() float64 {
	total := 0.0
	for _, w := range g.w {
		total += w
	}
	q := 0.0
	for u := range g.n {
		degree := 0.0
		for v := range g.n {
			degree += g.w[u*g.n+v]
		}
		q += g.w[u*g.n+u]/total - float64(degree/total)*float64(degree/total)
	}
	return q
}

// wins counts, for each agent and cycle, the bounties that were paid to it and the answers that its
// questions got.
func (r *Run) wins() map[agentTick]float64 {
	out := map[agentTick]float64{}
	for i := range r.Events {
		if b, ok := r.Events[i].Payload.(*wire.BountyCompletedEvent); ok {
			if who := r.agentIndex(b.Claimer); who >= 0 {
				out[agentTick{who, r.cycle(r.Events[i].Tick)}]++
			}
		}
	}
	for _, q := range r.threads() {
		for _, a := range q.answers {
			out[agentTick{q.question.Author, r.cycle(a.Tick)}]++
		}
	}
	return out
}

// agentIndex returns the index of an agent in Agents, -1 for others.
func (r *Run) agentIndex(id wire.AgentID) int {
	return slices.IndexFunc(r.Agents, func(a Agent) bool { return a.ID == id })
}
