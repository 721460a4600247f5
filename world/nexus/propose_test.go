package nexus

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/codec"
)

func param(name string, value int64) []byte {
	return wire.ParamProposalCodec.Append(nil, &wire.ParamProposal{Param: name, Value: value})
}

func spawn(fund uint64, g wire.Genome) []byte {
	return wire.SpawnProposalCodec.Append(nil, &wire.SpawnProposal{Role: g.Role, Genome: wire.GenomeCodec.Append(nil, &g), InitialFund: fund})
}

func newcomer() wire.Genome {
	return wire.Genome{Role: wire.RoleExplorer, KnowledgeSeeds: []wire.Hash{}}
}

func kill(a wire.AgentID) []byte {
	return wire.KillProposalCodec.Append(nil, &wire.KillProposal{AgentID: a})
}

func advance(to uint32) []byte {
	return wire.EpochProposalCodec.Append(nil, &wire.EpochProposal{Epoch: to})
}

// text is a CUSTOM description whose canonical form has n bytes.
func text(n int) []byte {
	b := codec.AppendString(codec.AppendMapLen(nil, 1), "text")
	return codec.AppendString(b, strings.Repeat("x", n-len(b)-3))
}

const (
	custom  = wire.ProposalKindCustom
	change  = wire.ProposalKindChangeParam
	end     = wire.ProposalKindKillAgent
	sponsor = wire.ProposalKindSpawnAgent
)

// Every bound of a proposal, at the bound and one past it, and the context of the refusal.
func TestSubmit_BoundsOfEachKind(t *testing.T) {
	const now = 256
	vote := param("population.cap", 9)
	seeds := func(n int) []byte {
		g := newcomer()
		g.KnowledgeSeeds = make([]wire.Hash, n)
		return spawn(50, g)
	}
	bold := newcomer()
	bold.Traits.RiskTolerance = 1.5
	other := wire.SpawnProposal{Role: wire.RoleLibrarian, InitialFund: 50}
	g := newcomer()
	other.Genome = wire.GenomeCodec.Append(nil, &g)
	for _, tt := range []struct {
		name     string
		kind     wire.ProposalKind
		text     []byte
		deadline wire.Tick
		want     string
		context  string
	}{
		{"no deadline: 512 ticks", change, vote, 0, "", ""},
		{"a tick too near", change, vote, now + 255, "deadline", "field=vote_deadline have=511 need=512"},
		{"the nearest", change, vote, now + 256, "", ""},
		{"the farthest", change, vote, now + 2560, "", ""},
		{"a tick too far", change, vote, now + 2561, "deadline", "field=vote_deadline have=2817 limit=2816"},
		{"the farthest for the end of an agent", end, nil, now + 512, "", ""},
		{"a tick too far for it", end, nil, now + 513, "deadline", "field=vote_deadline have=769 limit=768"},
		{"the least value", change, param("population.cap", 4), 0, "", ""},
		{"below it", change, param("population.cap", 3), 0, "description", "field=value need=4"},
		{"below zero", change, param("population.cap", -1), 0, "description", "field=value need=4"},
		{"the greatest value", change, param("population.cap", 64), 0, "", ""},
		{"above it", change, param("population.cap", 65), 0, "description", "field=value limit=64"},
		{"no parameter", change, param("time.travel", 1), 0, "description", "field=param"},
		{"another kind's map", change, kill(wire.AgentID{1}), 0, "description", "field=description.agent_id"},
		{"fund of 49", sponsor, spawn(49, newcomer()), 0, "fund_below_50", "field=initial_fund have=49 need=50"},
		{"fund of 50", sponsor, spawn(50, newcomer()), 0, "", ""},
		{"all that is left beside the bond", sponsor, spawn(995, newcomer()), 0, "", ""},
		{"one more", sponsor, spawn(996, newcomer()), 0, "funds", "have=1000 need=1001"},
		{"16 seeds", sponsor, seeds(16), 0, "", ""},
		{"17 seeds", sponsor, seeds(17), 0, "too_many", "field=genome.knowledge_seeds have=17 limit=16"},
		{"a trait beyond 1", sponsor, spawn(50, bold), 0, "description", "field=genome.traits"},
		{"another role", sponsor, wire.SpawnProposalCodec.Append(nil, &other), 0, "description", "field=genome.role"},
		{"a system", end, kill(wire.SystemID(wire.SystemMint)), 0, "description", "field=agent_id"},
		{"an epoch that its milestone brings", wire.ProposalKindEpochAdvance, advance(1), 0, "description", "field=epoch"},
		{"4096 bytes", custom, text(4096), 0, "", ""},
		{"4097 bytes", custom, text(4097), 0, "too_long", "field=description have=4097 limit=4096"},
		{"no map", custom, []byte{0x90}, 0, "description", "field=description"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, 8)
			if tt.text == nil {
				tt.text = kill(l.ids[7])
			}
			no := l.ask(l.ids[0], &wire.ProposalSubmit{Author: l.ids[0], Kind: tt.kind, Description: tt.text, VoteDeadline: tt.deadline})
			got, context := "", ""
			if no != nil {
				got, context = string(no.Message), said(no)
			}
			if got != tt.want || context != tt.context {
				t.Errorf("%q (%s), want %q (%s)", got, context, tt.want, tt.context)
			}
			if tt.deadline == 0 && tt.want == "" && l.governance.due[l.c.Msg] != now+512 {
				t.Errorf("deadline %d, want %d", l.governance.due[l.c.Msg], now+512)
			}
			if want := uint64(0); tt.want != "" && l.treasury.locked[l.ids[0]] != want {
				t.Errorf("%d ⚡ are locked for a proposal that was refused", l.treasury.locked[l.ids[0]])
			}
		})
	}
}

// said is a refusal's context as text.
func said(e *wire.ErrorBody) string {
	var parts []string
	for _, x := range e.Context {
		parts = append(parts, fmt.Sprintf("%s=%s", x.Key, x.Value))
	}
	return strings.Join(parts, " ")
}

// What is stored is the canonical form, the maps in it included.
func TestSubmit_StoresCanonicalMaps(t *testing.T) {
	l := newLab(t, 8)
	unsorted := []byte("\x82\xa1b\xcc\x01\xa1a\x02")
	id, no := l.propose(0, custom, unsorted, 0)
	if got := l.Proposal(id).Description; no != "" || !bytes.Equal(got, []byte("\x82\xa1a\x02\xa1b\x01")) {
		t.Errorf("%q: stored %x", no, got)
	}
	// initial_fund as a wide integer, the keys in another order
	g := newcomer()
	genome := wire.GenomeCodec.Append(nil, &g)
	b := codec.AppendMapLen(nil, 3)
	b = codec.AppendBytes(codec.AppendString(b, "genome"), genome)
	b = append(codec.AppendString(b, "initial_fund"), 0xCD, 0, 60)
	b = codec.AppendString(codec.AppendString(b, "role"), "EXPLORER")
	id, no = l.propose(0, sponsor, b, 0)
	if got := l.Proposal(id); no != "" || !bytes.Equal(got.Description, spawn(60, g)) || got.Fund != 60 || got.Bond != 5 {
		t.Errorf("%q: stored %+v", no, got)
	}
}

func TestSubmit_TwoOpenPerAuthor(t *testing.T) {
	l := newLab(t, 8)
	for i, want := range []string{"", "", "two_open"} {
		if _, got := l.propose(0, custom, text(20), wire.Tick(512+400*i)); got != want {
			t.Errorf("proposal %d: %q, want %q", i+1, got, want)
		}
	}
	l.end(2) // the first one is due
	l.at(768)
	for i, want := range []string{"", "two_open"} {
		if _, got := l.propose(0, custom, text(20), 1500); got != want {
			t.Errorf("after one was decided, proposal %d: %q, want %q", i+1, got, want)
		}
	}
}

// everybody gives every ACTIVE agent half a reputation and its vote on id.
func (l *lab) everybody(id wire.Hash, vote bool) {
	l.t.Helper()
	for i := range l.ids {
		if l.statusOf(i) != wire.StatusActive {
			continue
		}
		l.agents.Edit(l.ids[i]).Reputation = 0.5
		if no := l.ballot(i, id, vote); no != "" {
			l.t.Errorf("agent %d may not vote: %s", i, no)
		}
	}
}

// After a vote the same subject waits for sixteen cycles: an agent after its kill proposal, from its author and the
// author's kin; a parameter after its change, a sponsor after its newcomer.
func TestSubmit_SameSubjectWaitsSixteenCycles(t *testing.T) {
	for _, tt := range []struct {
		name   string
		kind   wire.ProposalKind
		text   func(l *lab) []byte
		author int // of the second proposal
		vote   bool
		rests  bool
	}{
		{"an agent whose kill proposal failed", end, func(l *lab) []byte { return kill(l.ids[7]) }, 0, false, true},
		{"the same, asked for by kin", end, func(l *lab) []byte { return kill(l.ids[7]) }, 2, false, true},
		{"the same, asked for by another", end, func(l *lab) []byte { return kill(l.ids[7]) }, 1, false, false},
		{"a changed parameter", change, func(*lab) []byte { return param("mint.reward.vote", 2) }, 1, true, true},
		{"a parameter that was not changed", change, func(*lab) []byte { return param("mint.reward.vote", 2) }, 1, false, false},
		{"a sponsor", sponsor, func(*lab) []byte { return spawn(50, newcomer()) }, 0, true, true},
		{"another sponsor", sponsor, func(*lab) []byte { return spawn(50, newcomer()) }, 1, true, false},
		{"a sponsor whose proposal failed", sponsor, func(*lab) []byte { return spawn(50, newcomer()) }, 0, false, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, 8)
			l.clock.edit().Epoch = 1 // room for newcomers
			l.agents.Edit(l.ids[2]).House = l.Agent(l.ids[0]).House
			id, _ := l.propose(0, tt.kind, tt.text(l), 512)
			l.everybody(id, tt.vote)
			l.end(2)
			for _, cycle := range []wire.Cycle{3, 17, 18} {
				l.Restored() // the indexes must tell the same after a restore
				l.at(l.rules.Calendar.First(cycle))
				no := l.ask(l.ids[tt.author], &wire.ProposalSubmit{Author: l.ids[tt.author], Kind: tt.kind, Description: tt.text(l)})
				switch {
				case !tt.rests && cycle == 3 || cycle == 18 && tt.rests:
					if no != nil {
						t.Errorf("cycle %d: %s", cycle, no.Message)
					}
				case tt.rests:
					if no == nil || string(no.Message) != "too_soon" || no.Category != "CONFLICT" || said(no) != "until=4608" {
						t.Errorf("cycle %d: %+v, want too_soon until tick 4608", cycle, no)
					}
				}
			}
		})
	}
}

func TestSubmit_OneOpenKillProposalPerAgent(t *testing.T) {
	l := newLab(t, 8)
	if _, no := l.propose(0, end, kill(l.ids[7]), 0); no != "" {
		t.Fatal(no)
	}
	no := l.ask(l.ids[1], &wire.ProposalSubmit{Author: l.ids[1], Kind: end, Description: kill(l.ids[7])})
	if no == nil || string(no.Message) != "exists" || no.Category != "CONFLICT" || said(no) != "status=OPEN" {
		t.Errorf("a second vote on the same end: %+v", no)
	}
	if _, no := l.propose(1, end, kill(l.ids[6]), 0); no != "" {
		t.Errorf("a vote on another end: %s", no)
	}
}

func TestSubmit_EpochAdvanceOnlyFromEpochSix(t *testing.T) {
	for _, tt := range []struct {
		epoch, to uint32
		cycle     wire.Cycle
		want      string
		context   string
	}{
		{5, 6, 26, "", ""},
		{5, 6, 25, "too_soon", "until=6656"},
		{5, 7, 40, "description", "field=epoch need=6"},
		{4, 5, 40, "description", "field=epoch"},
		{4, 6, 40, "description", "field=epoch"},
		{6, 7, 26, "", ""},
	} {
		l := newLab(t, 8)
		k := l.clock.edit()
		k.Epoch, k.Changed = tt.epoch, 10
		l.at(l.rules.Calendar.First(tt.cycle))
		no := l.ask(l.ids[0], &wire.ProposalSubmit{Author: l.ids[0], Kind: wire.ProposalKindEpochAdvance, Description: advance(tt.to)})
		if got := reason(no); got != tt.want || no != nil && said(no) != tt.context {
			t.Errorf("from %d to %d in cycle %d: %q, want %q (%s)", tt.epoch, tt.to, tt.cycle, got, tt.want, tt.context)
		}
	}
}

func TestParams_BoundsScaleWithPopulation(t *testing.T) {
	for name, want := range map[string]bounds{
		"vault.quota_bytes": {524_288, 4_194_304}, "forge.cpu_quota": {500, 4000}, "agora.channel_fee": {1, 50}, "portal.quota_bonus": {0, 5},
		"population.cap": {12, 192}, "mint.reward.review": {0, 10}, "mint.reward.entry": {0, 20}, "mint.reward.bug": {0, 6},
		"mint.reward.royalty": {0, 2}, "mint.reward.vote": {0, 2},
	} {
		if got, ok := newLab(t, 24).params.bounds(name); !ok || got != want {
			t.Errorf("%s: %+v, %t; want %+v", name, got, ok, want)
		}
	}
	for _, name := range []string{"mint.reward.", "mint.reward.tea", "vote", "", "time.ticks_per_cycle", "portal.domain_rule"} {
		if _, ok := newLab(t, 8).params.bounds(name); ok {
			t.Errorf("%q may be changed", name)
		}
	}
}

func reason(e *wire.ErrorBody) string {
	if e == nil {
		return ""
	}
	return string(e.Message)
}
