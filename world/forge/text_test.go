package forge

import (
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world/forge/program"
)

// detail is a detail of a refusal, empty if it has none of this name.
func detail(r wire.Reply, key string) string {
	if r.Err != nil {
		for _, e := range r.Err.Context {
			if e.Key == key {
				return string(e.Value)
			}
		}
	}
	return ""
}

// A refusal says in which line of the sender's text the error is, if it is in one, and in printable ASCII what it is.
func TestRefusal_SaysWhereAndWhat(t *testing.T) {
	l := newLab(t)
	l.n.bought[l.n.ids[0]] = 1000
	l.endCycle(0)
	module := l.atom(0, "def f(data, state):\n    return data\n")
	link := func(text, symbol string) any {
		return &wire.LinkResolve{Program: l.atom(0, text), Imports: []wire.LinkImport{{From: module, Symbols: [][]byte{[]byte(symbol)}}}}
	}
	create := func(text string) any {
		return &wire.SandboxCreate{Code: l.atom(0, text), MemoryQuota: 1, TickBudget: 1}
	}
	for name, c := range map[string]struct {
		req       any
		line, why string
	}{
		"in line 12":              {create(strings.Repeat("\n", 11) + "x = ("), "12", "got end of file, want primary expression"},
		"too long":                {create(strings.Repeat("#", program.MaxSource+1)), "", "source of 262145 bytes, at most 262144"},
		"too long with its loads": {link(strings.Repeat("#", program.MaxSource), "f"), "", "source of 262228 bytes, at most 262144"},
		"after the loads":         {link("x = 1\nx = (", "f"), "2", "got end of file, want primary expression"},
		"not ASCII":               {link("x = 1\n", " ~\x1f\x7f\n"), "", " ~???"},
	} {
		r := l.send(0, c.req)
		if line, why := detail(r, "line"), detail(r, "why"); line != c.line || why != c.why {
			t.Errorf("%s: %q, line %q, why %q; want line %q, why %q", name, word(r), line, why, c.line, c.why)
		}
	}
}
