package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/wire"
)

// purse is how an agent judges the money that it has.
type purse struct{ *self }

// moneyNeed is how much a ⚡ is worth to the agent, in [0,1]: more, the less it can spare. It is 1 for an agent that
// has only what keeps it out of poverty, and one half for one that can spare as much again. Money that is locked in
// own offers was to spare. 0: the scenario blinds the agent to money.
func (p purse) moneyNeed() float64 {
	if p.rules.Blind.Has(llm.LayerMoney) {
		return 0
	}
	locked := max(p.agent.Balance-p.seen.available, 0)
	return goals.SurvivalBalance / (goals.SurvivalBalance + float64(p.spare()) + float64(locked))
}

// spare is the ⚡ that an agent can part with: all but what keeps it out of poverty and its upkeep until it is paid
// again. An agent that is blind to money does not know what it has and parts with nothing.
func (p purse) spare() uint64 {
	if p.rules.Blind.Has(llm.LayerMoney) {
		return 0
	}
	return uint64(max(p.seen.available-goals.SurvivalBalance-p.ahead()*int64(p.rules.Upkeep), 0))
}

// entryPays is what the world pays for an entry, in ⚡. Most agents live on payments of this size.
const entryPays = 10

// ahead is for how many cycles an agent keeps its upkeep in reserve: as long as it takes to earn what an entry pays,
// so that an agent that earns little or seldom saves. Such payments come by chance, so a careful agent saves for up to
// three times as long.
func (p purse) ahead() int64 {
	m := &p.agent.Memory.Market
	if m.Cycles <= 1 || p.rules.Blind.Has(llm.LayerMoney) {
		return upkeepCycles
	}
	caution := float64(3 * (1 - float64(p.agent.Genome.Traits.RiskTolerance)))
	return int64(max(float64(caution*entryPays)/max(m.Wage, 0.5), upkeepCycles))
}

// valueOfPay is what a ⚡ that the agent was paid counts among what its acts bring, in [0,2]: 2 for an agent that has only
// what keeps it out of poverty, 1 for one that can spare as much again, and less for the rich.
func (p purse) valueOfPay() float64 { return float64(2 * p.moneyNeed()) }

// most is the greatest reward of a bounty that the agent can spare, with its tax.
func (p purse) most() uint64 {
	spare := p.spare()
	return spare - min(spare, spare/21+1)
}

// holdsOut is for how many ticks the agent waits before it claims an open bounty that pays less than such work has
// brought lately: if nobody takes it, its creator offers more. It waits longer the less the bounty pays; hasty agents
// and those that need money hardly wait.
func (p purse) holdsOut(b *wire.BountyView, going float64) float64 {
	if p.rules.Blind.Has(llm.LayerMoney) || float64(b.Reward) >= going {
		return 0
	}
	short := 1 - float64(b.Reward)/going
	haste := float64(2 * (1 - float64(p.agent.Genome.Traits.QualityVsSpeed)))
	return float64(float64(float64(p.deferral().longestWait()*haste)*short) * (1 - p.moneyNeed()))
}
