package society

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"

	"kingdom/wire"
)

// Graph is a directed network of a run, for programs that draw and measure networks. In each direction two nodes have one
// edge at most.
type Graph struct {
	NodeKeys []GraphKey
	EdgeKeys []GraphKey
	Nodes    []GraphNode
	Edges    []GraphEdge
}

// GraphKey describes a value that all nodes or all edges of a graph have.
type GraphKey struct {
	Name string
	Type string // string, long or double
}

// GraphNode is a node, with its values in the order of NodeKeys.
type GraphNode struct {
	ID     string
	Values []string
}

// GraphEdge connects two nodes, by their ids. It has its values in the order of EdgeKeys.
type GraphEdge struct {
	From, To string
	Values   []string
}

// AgentGraph is the agents as nodes, without edges. Names are optional.
func (r *Run) AgentGraph(names map[wire.AgentID]string) *Graph {
	g := &Graph{NodeKeys: []GraphKey{
		{"agent", "string"}, {"name", "string"}, {"role", "string"}, {"status", "string"}, {"balance", "long"}, {"reputation", "double"}, {"productive_acts", "long"},
	}}
	productive := make([]int, len(r.Agents))
	for i := range r.Acts {
		if r.Acts[i].productive() {
			productive[r.Acts[i].Agent]++
		}
	}
	for i := range r.Agents {
		a := &r.Agents[i]
		g.Nodes = append(g.Nodes, GraphNode{a.ID.Alias(), []string{
			a.ID.String(), names[a.ID], a.Role.String(), a.Status.String(), strconv.FormatInt(a.Balance, 10), decimal(a.Reputation), strconv.Itoa(productive[i]),
		}})
	}
	return g
}

// AnswerGraph is who answered whom: an edge leads from who answered to who had asked, with the number of answers.
func (r *Run) AnswerGraph(names map[wire.AgentID]string) *Graph {
	g := r.AgentGraph(names)
	g.EdgeKeys = []GraphKey{{"answers", "long"}}
	for from, row := range r.Answers() {
		for to, n := range row {
			if n > 0 {
				g.Edges = append(g.Edges, GraphEdge{g.Nodes[from].ID, g.Nodes[to].ID, []string{strconv.Itoa(n)}})
			}
		}
	}
	return g
}

// PaymentGraph is who paid whom, without what systems paid or got: an edge leads from payer to payee, with the number of
// payments and their sum in ⚡ before tax.
func (r *Run) PaymentGraph(names map[wire.AgentID]string) *Graph {
	g := r.AgentGraph(names)
	g.EdgeKeys = []GraphKey{{"payments", "long"}, {"amount", "long"}}
	paid := map[edge][2]uint64{}
	for _, t := range r.Transactions {
		if t.From >= 0 && t.To >= 0 && t.From != t.To {
			sum := paid[edge{t.From, t.To}]
			paid[edge{t.From, t.To}] = [2]uint64{sum[0] + 1, sum[1] + t.Amount}
		}
	}
	for from := range g.Nodes {
		for to := range g.Nodes {
			if sum, ok := paid[edge{from, to}]; ok {
				g.Edges = append(g.Edges, GraphEdge{g.Nodes[from].ID, g.Nodes[to].ID, []string{strconv.FormatUint(sum[0], 10), strconv.FormatUint(sum[1], 10)}})
			}
		}
	}
	return g
}

// CitationGraph is the entries that agents wrote and who cites whom among them: an edge leads from the citing to the cited
// entry.
func (r *Run) CitationGraph() *Graph {
	g := &Graph{
		NodeKeys: []GraphKey{{"entry", "string"}, {"title", "string"}, {"author", "string"}, {"tag", "string"}, {"accuracy", "double"}, {"tick", "long"}},
		EdgeKeys: []GraphKey{{"kind", "string"}, {"tick", "long"}},
	}
	known := map[wire.Hash]bool{}
	for i := range r.Entries {
		e := &r.Entries[i]
		author := ""
		if e.Author >= 0 {
			author = r.Agents[e.Author].ID.Alias()
		}
		known[e.ID] = true
		g.Nodes = append(g.Nodes, GraphNode{e.ID.String(), []string{e.ID.String(), e.Title, author, e.Tag, decimal(e.Accuracy), strconv.FormatUint(e.Tick, 10)}})
	}
	drawn := map[[2]wire.Hash]bool{}
	for _, ev := range r.Events {
		c, ok := ev.Payload.(*wire.CitationAddedEvent)
		if !ok || !known[c.Source] || !known[c.Target] || drawn[[2]wire.Hash{c.Source, c.Target}] {
			continue
		}
		drawn[[2]wire.Hash{c.Source, c.Target}] = true
		g.Edges = append(g.Edges, GraphEdge{c.Source.String(), c.Target.String(), []string{c.Kind.String(), strconv.FormatUint(ev.Tick, 10)}})
	}
	return g
}

func decimal(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// WriteGraphML writes the graph as GraphML (Brandes et al., "GraphML progress report", 2002).
func (g *Graph) WriteGraphML(w io.Writer) error {
	var doc graphml
	doc.Graph.Default = "directed"
	for _, k := range g.NodeKeys {
		doc.Keys = append(doc.Keys, graphmlKey{"n." + k.Name, "node", k.Name, k.Type})
	}
	for _, k := range g.EdgeKeys {
		doc.Keys = append(doc.Keys, graphmlKey{"e." + k.Name, "edge", k.Name, k.Type})
	}
	for _, n := range g.Nodes {
		doc.Graph.Nodes = append(doc.Graph.Nodes, graphmlNode{n.ID, graphmlValues("n.", g.NodeKeys, n.Values)})
	}
	for _, e := range g.Edges {
		doc.Graph.Edges = append(doc.Graph.Edges, graphmlEdge{e.From, e.To, graphmlValues("e.", g.EdgeKeys, e.Values)})
	}
	b, err := xml.MarshalIndent(doc, "", " ")
	if err != nil {
		return fmt.Errorf("write graph: %w", err)
	}
	_, err = w.Write(slices.Concat([]byte(xml.Header), b, []byte("\n")))
	return err
}

// graphmlValues leaves out empty values: readers take them for missing.
func graphmlValues(prefix string, keys []GraphKey, values []string) []graphmlData {
	var out []graphmlData
	for i, v := range values {
		if v != "" {
			out = append(out, graphmlData{prefix + keys[i].Name, v})
		}
	}
	return out
}

type graphml struct {
	XMLName xml.Name     `xml:"http://graphml.graphdrawing.org/xmlns graphml"`
	Keys    []graphmlKey `xml:"key"`
	Graph   struct {
		Default string        `xml:"edgedefault,attr"`
		Nodes   []graphmlNode `xml:"node"`
		Edges   []graphmlEdge `xml:"edge"`
	} `xml:"graph"`
}

type graphmlKey struct {
	ID   string `xml:"id,attr"`
	For  string `xml:"for,attr"`
	Name string `xml:"attr.name,attr"`
	Type string `xml:"attr.type,attr"`
}

type graphmlNode struct {
	ID   string        `xml:"id,attr"`
	Data []graphmlData `xml:"data"`
}

type graphmlEdge struct {
	Source string        `xml:"source,attr"`
	Target string        `xml:"target,attr"`
	Data   []graphmlData `xml:"data"`
}

type graphmlData struct {
	Key   string `xml:"key,attr"`
	Value string `xml:",chardata"`
}
