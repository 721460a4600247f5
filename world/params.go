package world

// Quotas of an agent, unless a vote changed them. The bounds of the parameters follow from them (docs/WORLD.md,
// governance).
const (
	VaultQuota = 1 << 20 // bytes, without the storage that the agent bought
	ForgeQuota = 1000    // forge ticks per cycle, without those that it bought
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
	{name: "vault.quota_bytes", least: VaultQuota / 2, most: 4 * VaultQuota},
	{name: "forge.cpu_quota", least: ForgeQuota / 2, most: 4 * ForgeQuota},
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
