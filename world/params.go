package world

// Defaults of the parameters of daemons that are not built yet (docs/WORLD.md, governance).
const (
	vaultQuota = 1 << 20 // bytes per agent
	forgeQuota = 1000    // forge ticks per agent and cycle
)

// param is a parameter that a passed CHANGE_PARAM, or an operator, may change.
type param struct {
	name        string
	least, most int64
	scaled      bool // the bounds are multiples of the world's scale
}

var params = []param{
	{name: "agora.channel_fee", least: 1, most: 50},
	{name: "population.cap", least: 4, most: 64, scaled: true},
	{name: "mint.reward.review", most: 2 * 5},
	{name: "mint.reward.entry", most: 2 * 10},
	{name: "mint.reward.bug", most: 2 * 3},
	{name: "mint.reward.royalty", most: 2 * 1},
	{name: "mint.reward.vote", most: 2 * 1},
	{name: "vault.quota_bytes", least: vaultQuota / 2, most: 4 * vaultQuota},
	{name: "forge.cpu_quota", least: forgeQuota / 2, most: 4 * forgeQuota},
	{name: "portal.quota_bonus", most: 5},
}

// ParamNames returns the parameters that may be changed, in the order of docs/WORLD.md.
func ParamNames() []string {
	out := make([]string, len(params))
	for i := range params {
		out[i] = params[i].name
	}
	return out
}

// ParamBounds returns the least and the greatest value that a parameter of ParamNames may get in a world with these
// rules; ok is false for other names.
func ParamBounds(r *Rules, name string) (least, most int64, ok bool) {
	for _, p := range params {
		if p.name != name {
			continue
		}
		if p.scaled {
			s := int64(r.Scale())
			return p.least * s, p.most * s, true
		}
		return p.least, p.most, true
	}
	return 0, 0, false
}
