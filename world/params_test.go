package world

import (
	"slices"
	"strings"
	"testing"

	"kingdom/wire/action"
)

// TestParamBounds holds the bounds of docs/WORLD.md (governance), in its order.
func TestParamBounds(t *testing.T) {
	var names []string
	for _, c := range []struct {
		name        string
		least, most int64 // for 8 agents
		of64        int64 // greatest value for 64 agents
	}{
		{"agora.channel_fee", 1, 50, 50},
		{"population.cap", 4, 64, 512},
		{"mint.reward.review", 0, 10, 10},
		{"mint.reward.entry", 0, 20, 20},
		{"mint.reward.bug", 0, 6, 6},
		{"mint.reward.royalty", 0, 2, 2},
		{"mint.reward.vote", 0, 2, 2},
		{"vault.quota_bytes", 524_288, 4_194_304, 4_194_304},
		{"forge.cpu_quota", 500, 4000, 4000},
		{"portal.quota_bonus", 0, 5, 5},
	} {
		names = append(names, c.name)
		if least, most, ok := ParamBounds(&Rules{Population: 8}, c.name); least != c.least || most != c.most || !ok {
			t.Errorf("%s: %d to %d, %t; want %d to %d", c.name, least, most, ok, c.least, c.most)
		}
		if _, most, _ := ParamBounds(&Rules{Population: 64}, c.name); most != c.of64 {
			t.Errorf("%s: at most %d for 64 agents, want %d", c.name, most, c.of64)
		}
	}
	if least, _, _ := ParamBounds(&Rules{Population: 64}, "population.cap"); least != 32 {
		t.Errorf("population.cap: at least %d for 64 agents, want 32", least)
	}
	if got := ParamNames(); !slices.Equal(got, names) {
		t.Errorf("names %v, want %v", got, names)
	}
	if _, _, ok := ParamBounds(&Rules{Population: 8}, "mint.reward"); ok {
		t.Error("a name that no parameter has is accepted")
	}
}

// The help of proposals names every parameter, because a mind has no other list of them.
func TestParamNames_AreInTheHelpOfProposals(t *testing.T) {
	row, _ := action.ByName("proposal_submit")
	for _, p := range row.Params {
		if p.Name != "description" {
			continue
		}
		for _, name := range append(ParamNames(), "portal.domain_rule") {
			if last := name[strings.LastIndexByte(name, '.')+1:]; !strings.Contains(p.Help, last) { // {…|…} after a common prefix
				t.Errorf("the help does not name %s: %s", name, p.Help)
			}
		}
	}
}
