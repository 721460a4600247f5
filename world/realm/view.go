package realm

import (
	"kingdom/wire"
	"kingdom/world/vault"
)

// proposalsShown is how many open proposals a view looks at; Agora knows the
// lengths of its own lists (docs/WORLD.md, filters and delivery).
const proposalsShown = 32

// servicesShown is how many services of others a view shows.
const servicesShown = 8

// librariesShown is how many published repos of others a view shows.
const librariesShown = 8

// View fills v, reusing its slices, with the state before the tick as agent a sees it, and empties a's queues. asked
// are the things about which a wants to know whether they are closed; the first 64 count. The engine fills in
// SlotsLeft. The list of open bounties may be shared with other views.
func (r *Realm) View(a wire.AgentID, asked []wire.Subject, v *wire.View) {
	k := r.nexus.Clock()
	v.Tick, v.Cycle, v.Epoch, v.Gates = k.Tick, k.Cycle, k.Epoch, r.rules.Gates
	v.Events, v.Deliveries = v.Events[:0], v.Deliveries[:0]
	v.Claims, v.Reviews, v.Proposals = v.Claims[:0], v.Reviews[:0], v.Proposals[:0]
	v.Subjects, v.Sandboxes = v.Subjects[:0], v.Sandboxes[:0]
	v.Libraries, v.Services = v.Libraries[:0], v.Services[:0]
	agent := r.nexus.Agent(a)
	if agent == nil {
		v.Bounties = nil
		return
	}
	v.Status, v.Reputation = agent.Status, float64(agent.Reputation)
	acc, _ := r.mint.Account(a)
	v.Balance, v.Locked, v.Earmarked, v.Earned = acc.Balance, acc.Held(), acc.Earmarked, acc.TotalEarned
	v.Approvers = r.mint.Approvers(a)
	if q := r.bus.queues[a]; q != nil {
		v.Events, v.Deliveries = q.drain(r.bus, v.Events, v.Deliveries)
	}
	v.Bounties = r.agora.Open(v.Bounties, a, k.Tick)
	v.Claims = r.agora.AppendClaims(v.Claims, a, k.Tick)
	v.Reviews = r.agora.AppendReviews(v.Reviews, a, k.Tick)
	v.Libraries = vault.AppendLibraries(r.vault, v.Libraries, a, librariesShown)
	v.Services = r.forge.AppendServices(v.Services, a, servicesShown)
	v.Sandboxes, v.ForgeTicks = r.forge.AppendSandboxes(v.Sandboxes, a), r.forge.TicksLeft(a)
	v.Proposals = r.nexus.OpenProposals(v.Proposals, a, proposalsShown)
	v.Subjects = r.AppendSubjects(v.Subjects, a, asked, k.Tick)
}
