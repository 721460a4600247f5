package portal

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/wire"
	"kingdom/world"
)

func TestDomains_ListsAndVotes(t *testing.T) {
	l := newLab(t, 3)
	for url, want := range map[string]string{
		"https://docs.test/": "", "https://a.b.docs.test/": "", "https://code.docs.test/": "domain_blocked 0702", "https://x.code.docs.test/": "domain_blocked 0702",
		"https://both.test/": "domain_blocked 0702", "https://mydocs.test/": "domain_blocked 0702", "https://test.org/": "domain_blocked 0702",
	} {
		l.endCycle()
		if got := reasonOf(l.send(0, url, wire.HTTPMethodGet)); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	l.rules.PortalUnlisted = true
	if got := reasonOf(l.send(1, "https://test.org/", wire.HTTPMethodGet)); got != "" {
		t.Errorf("unlisted domains are open: %q", got)
	}
	if got := reasonOf(l.send(1, "https://both.test/", wire.HTTPMethodGet)); got != "domain_blocked 0702" {
		t.Errorf("a blocked one: %q", got)
	}
	for _, c := range []struct {
		pattern     string
		block, want bool
	}{
		{"docs.test", true, true}, {"docs.test", false, false}, {"both.test", false, false}, {"new.test", true, true}, {"new.test", false, false}, {"no domain", true, false}, {"test", true, false},
	} {
		if got := l.MaySetBlock(c.pattern, c.block); got != c.want {
			t.Errorf("a vote on %s, block %t: %t", c.pattern, c.block, got)
		}
	}
	l.SetBlock(l.c, "new.test", true)
	l.SetBlock(l.c, "docs.test", true)
	l.SetBlock(l.c, "both.test", true)
	l.SetBlock(l.c, "code.docs.test", true)
	for _, url := range []string{"https://new.test/", "https://docs.test/2", "https://both.test/"} {
		if got := reasonOf(l.send(2, url, wire.HTTPMethodGet)); got != "domain_blocked 0702" {
			t.Errorf("%s after a vote: %q", url, got)
		}
	}
	l.SetBlock(l.c, "new.test", false)
	l.SetBlock(l.c, "docs.test", false)
	l.SetBlock(l.c, "both.test", false)
	l.SetBlock(l.c, "code.docs.test", false) // a block of the scenario is there before the vote, and after
	for url, want := range map[string]string{"https://new.test/": "", "https://docs.test/2": "", "https://both.test/": "domain_blocked 0702", "https://code.docs.test/": "domain_blocked 0702"} {
		if got := reasonOf(l.send(2, url, wire.HTTPMethodGet)); got != want {
			t.Errorf("%s after another: %q, want %q", url, got, want)
		}
	}
	voted := 0
	for ; voted <= maxVoted && l.MaySetBlock(fmt.Sprintf("d%d.test", voted), true); voted++ {
		l.SetBlock(l.c, fmt.Sprintf("d%d.test", voted), true)
	}
	if voted != maxVoted {
		t.Errorf("votes may block %d domains, want %d", voted, maxVoted)
	}
}

// Everybody may see the rules of a scenario in the events of the bootstrap. A domain in both lists is blocked, under the
// category of the block.
func TestDomains_OfTheScenario(t *testing.T) {
	l := newLab(t, 3)
	d := New(l.rules)
	d.Attach(&world.Siblings{Nexus: l.n, Mint: l.n})
	l.at(85)
	d.Phases(nil)[0].Run(l.c)
	checkRules(t, l.c.Events, "docs.test ALLOW reference scenario", "both.test ALLOW reference scenario", "code.docs.test BLOCK code_host scenario", "both.test BLOCK code_host scenario")
	for host, want := range map[string]string{"docs.test": "", "a.docs.test": "", "code.docs.test": "code_host", "both.test": "code_host", "test": unlisted, "docs.test.org": unlisted} {
		if got := d.domains.blocked(host); got != want {
			t.Errorf("%s is refused for %q, want %q", host, got, want)
		}
	}
}

// checkRules compares the rules that events tell of.
func checkRules(t *testing.T, events []*wire.Event, want ...string) {
	t.Helper()
	var got []string
	for _, e := range events {
		if r, ok := e.Payload.(*wire.DomainRuleUpdatedEvent); ok {
			got = append(got, fmt.Sprintf("%s %v %s %s", r.Pattern, r.Action, r.Category, r.Reason))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("rules %q, want %q", got, want)
	}
}

// Where a domain needs the scenario's leave, a vote takes it and gives it back, and gives none of its own.
func TestDomains_VotesWhereUnlistedOnesAreClosed(t *testing.T) {
	l := newLab(t, 3)
	for _, c := range []struct {
		pattern        string
		blocked, after string
	}{{"docs.test", byVote, ""}, {"both.test", "code_host", "code_host"}, {"new.test", byVote, unlisted}} {
		l.c.Events = nil
		l.SetBlock(l.c, c.pattern, true)
		if got := l.domains.blocked(c.pattern); got != c.blocked {
			t.Errorf("%s after a vote: %q, want %q", c.pattern, got, c.blocked)
		}
		l.SetBlock(l.c, c.pattern, false)
		l.SetBlock(l.c, c.pattern, false) // there is no such block any more
		if got := l.domains.blocked(c.pattern); got != c.after {
			t.Errorf("%s after another: %q, want %q", c.pattern, got, c.after)
		}
		checkRules(t, l.c.Events, c.pattern+" BLOCK vote vote", c.pattern+" ALLOW vote vote_lifted")
	}
	if l.domains.Get("new.test") != nil {
		t.Error("a rule that says nothing is kept")
	}
}

// The outside is told which domains it may be led to, so that it can check a redirect.
func TestFetch_TellsTheRules(t *testing.T) {
	l := newLab(t, 4)
	l.SetBlock(l.c, "voted.test", true)
	body := []byte("x=1")
	q := &wire.WebRequest{URL: []byte("https://docs.test/"), Method: wire.HTTPMethodPost, Body: &body, Filter: usual}
	l.n.money[agentID(0)] = 10
	for _, open := range []bool{false, true} {
		l.rules.PortalUnlisted = open
		var f wire.WebFetch
		if err := wire.WebFetchCodec.Decode(l.Prepare(l.c.Tick, []world.Request{{Source: agentID(0), Payload: q}})[0].Fetch, &f); err != nil {
			t.Fatal(err)
		}
		allow, block := []string{"both.test", "docs.test"}, []string{"both.test", "code.docs.test", "voted.test"}
		if !slices.Equal(f.Allow, allow) || !slices.Equal(f.Block, block) || f.Open != open || string(f.Body) != "x=1" || f.Method != q.Method || string(f.URL) != string(q.URL) {
			t.Errorf("the outside is told %+v", f)
		}
	}
}

// A redirect may lead where a request may go.
func TestAllows(t *testing.T) {
	listed := &wire.WebFetch{Allow: []string{"docs.test", "other.test"}, Block: []string{"code.docs.test", "bad.test"}}
	open := &wire.WebFetch{Open: true, Block: listed.Block}
	for url, want := range map[string]struct{ listed, open bool }{
		"https://docs.test/":          {true, true},
		"http://A.other.test:80/":     {true, true},
		"https://docs.test:8080/":     {},
		"https://me@docs.test/":       {},
		"https://127.0.0.1/":          {},
		"https://code.docs.test/":     {},
		"https://x.code.docs.test/":   {},
		"https://bad.test/":           {},
		"https://notbad.test/":        {false, true},
		"https://mydocs.test/":        {false, true},
		"https://docs.test.evil.org/": {false, true},
		"https://test/":               {},
	} {
		if got := Allows(listed, []byte(url)); got != want.listed {
			t.Errorf("%s: %t, want %t", url, got, want.listed)
		}
		if got := Allows(open, []byte(url)); got != want.open {
			t.Errorf("%s where unlisted domains are open: %t, want %t", url, got, want.open)
		}
	}
}
