//go:build !race

package engine

import (
	"testing"

	"kingdom/goals"
	"kingdom/wire"
	"kingdom/wire/action"
)

// deeds counts what one agent sends.
type deeds struct {
	who  wire.AgentID
	sent map[wire.MsgType]int
	all  int
}

func (d *deeds) Cycle(*CycleReport) {}
func (d *deeds) Commit(c *Commit) {
	for i := range c.Seats {
		if s := &c.Seats[i]; s.Agent == d.who && s.Type != 0 {
			d.sent[s.Type]++
			d.all++
		}
	}
}

// deedsWith are the acts of the sixth agent (an explorer) in four worlds, with a goal or without.
func deedsWith(t *testing.T, g *goals.Goal) *deeds {
	t.Helper()
	d := &deeds{sent: map[wire.MsgType]int{}}
	for _, seed := range []string{"42", "43", "44", "45"} {
		cfg := testConfig(seed, 8)
		cfg.Rules.BaseBudget = 64
		d.who = wire.AgentIDAt(cfg.Rules.Seed, 6)
		if g != nil {
			cfg.Beginnings = make([]Beginning, 6)
			cfg.Beginnings[5].Goals = []goals.Goal{*g}
		}
		mustRun(t, cfg, Options{Observers: []Observer{d}}, 12)
	}
	return d
}

// A goal of the closed vocabulary changes what the scripted mind does, each domain in its own way. REVIEW is left out:
// an agent that already judges everything that waits for a verdict can judge no more.
func TestBeginning_DomainGoalChangesWhatScriptedMindDoes(t *testing.T) {
	before := deedsWith(t, nil)
	for _, c := range []struct {
		domain action.Domain
		more   wire.MsgType
	}{
		{action.DomainDocumentation, wire.TypeEntryPublish}, // it states what it has counted
		{action.DomainLibrary, wire.TypeCitationAdd},        // and connects what others have
		{action.DomainSocial, wire.TypeAgentStatus},
	} {
		g := askedFor(c.domain)
		after := deedsWith(t, &g)
		was, is := before.sent[c.more], after.sent[c.more]
		t.Logf("%s: %d -> %d %s, %d -> %d acts", c.domain, was, is, c.more, before.all, after.all)
		if 10*is < 11*was+10 {
			t.Errorf("with a goal in %s the agent sends %d %s, without it %d", c.domain, is, c.more, was)
		}
	}
}
