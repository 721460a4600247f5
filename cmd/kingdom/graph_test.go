//go:build !race

package main

import (
	"encoding/xml"
	"os"
	"slices"
	"strings"
	"testing"

	"kingdom/sql/pgserver"
)

// drawing is what other programs read of a network.
type drawing struct {
	Keys []struct {
		ID   string `xml:"id,attr"`
		Name string `xml:"attr.name,attr"`
	} `xml:"key"`
	Graph struct {
		Nodes []struct {
			ID string `xml:"id,attr"`
		} `xml:"node"`
		Edges []struct {
			Source string `xml:"source,attr"`
			Target string `xml:"target,attr"`
			Data   []struct {
				Key string `xml:"key,attr"`
				X   string `xml:",chardata"`
			} `xml:"data"`
		} `xml:"edge"`
	} `xml:"graph"`
}

// Each network is well-formed, its edges lead between its nodes, and both stores have the same.
func TestGraph(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "6", "--out", "r"))
	must(t, in(t, "run", "epoch0", "--cycles", "6", "--out", "pg", "--store", pgserver.Database(t)))
	for of, value := range map[string]string{"answers": "e.answers", "payments": "e.amount", "citations": "e.kind", "dependencies": "e.required"} {
		text := must(t, in(t, "graph", "r", "--of", of)).out
		var g drawing
		if err := xml.Unmarshal([]byte(text), &g); err != nil {
			t.Fatalf("%s: %v", of, err)
		}
		nodes, drawn := map[string]bool{}, map[[2]string]bool{}
		for _, n := range g.Graph.Nodes {
			nodes[n.ID] = true
		}
		if len(g.Graph.Edges) == 0 {
			t.Errorf("%s: no edges", of)
		}
		for _, e := range g.Graph.Edges {
			between := [2]string{e.Source, e.Target}
			if !nodes[e.Source] || !nodes[e.Target] || drawn[between] {
				t.Errorf("%s: edge %v, twice: %v", of, between, drawn[between])
			}
			drawn[between] = true
			at := slices.IndexFunc(e.Data, func(d struct {
				Key string `xml:"key,attr"`
				X   string `xml:",chardata"`
			},
			) bool {
				return d.Key == value
			})
			if at < 0 || e.Data[at].X == "" {
				t.Errorf("%s: edge %v lacks %s", of, between, value)
			}
		}
		if pg := must(t, in(t, "graph", "pg", "--of", of)).out; pg != text {
			t.Errorf("%s: PostgreSQL has another network", of)
		}
	}
	r := must(t, in(t, "graph", "r", "--out", "a.graphml", "--json"))
	if want := `{"graph":"a.graphml","of":"answers","nodes":8,"edges":`; !strings.HasPrefix(r.out, want) {
		t.Errorf("prints %s", r.out)
	}
	b, err := os.ReadFile("a.graphml")
	if text := must(t, in(t, "graph", "r")).out; err != nil || string(b) != text {
		t.Errorf("the file differs from what is printed, %v", err)
	}
	says(t, "graph|r|--of|likes", exitInput, `--of is "likes"; want answers, payments, citations or dependencies`)
	says(t, "graph|r|--json", exitInput, "give --out too")
	says(t, "graph|r|--out|r", exitInput, "--out names a file, and r is a directory; want such as r/answers.graphml")
	says(t, "graph|r|--out|no/x.graphml", exitInput, "--out names a file in no, which does not exist")
	says(t, "graph|nowhere", exitInput, "nowhere")
}
