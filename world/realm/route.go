package realm

import (
	"cmp"
	"slices"

	"kingdom/wire"
)

// forAll says whether the default subscription of everybody holds the kind,
// forFollowers whether that with origins does (docs/WORLD.md, default subscriptions).
func forAll(k wire.EventKind) bool {
	switch k {
	case wire.KindCycleEnd, wire.KindEpochChange, wire.KindProposalCreated, wire.KindProposalResolved,
		wire.KindBountyCreated, wire.KindBountyReopened:
		return true
	default:
		return false
	}
}

func forFollowers(k wire.EventKind) bool {
	switch k {
	case wire.KindAgentStatusChange, wire.KindAgentKill,
		wire.KindTagCreated, wire.KindDependencyUpdated, wire.KindRegistryPublished,
		wire.KindMessagePosted, wire.KindBountyClaimed, wire.KindBountySubmitted, wire.KindBountyCompleted,
		wire.KindBountyRejected, wire.KindBountyDisputed, wire.KindBountyExpired,
		wire.KindReviewRequested, wire.KindReviewSubmitted,
		wire.KindEntryPublished, wire.KindEntryVerified, wire.KindBankruptcyWarning, wire.KindBankruptcySevere:
		return true
	default:
		return false
	}
}

// route delivers the pending events, then what daemons handed over beside them. All
// events of a tick that compete for the places of their kind must be in one call, boundary
// events excepted.
func (b *bus) route() {
	b.routeEvents()
	for i := range b.outbox {
		b.deliver(b.outbox[i].To, b.outbox[i].Message)
	}
	clear(b.outbox)
	b.outbox = b.outbox[:0]
}

func (b *bus) routeEvents() {
	if len(b.pending) == 0 {
		return
	}
	listed := b.markListed(b.pending)
	for i, e := range b.pending {
		b.post(busEvent{event: e, listed: listed[i]})
	}
	clear(b.pending)
	b.pending = b.pending[:0]
	if n := b.common.end(); len(b.common.events) >= 2*queueCap {
		b.common.trim(n - queueCap)
	}
}

// markListed says which events are among the first perKind of their kind and tick: by id,
// or by reward where a bounty becomes open.
func (b *bus) markListed(events []*wire.Event) []bool {
	out := make([]bool, len(events))
	var bounties []int
	for i, e := range events {
		if e.Timestamp != b.tick {
			b.markBounties(events, bounties, out)
			bounties = bounties[:0]
			b.tick = e.Timestamp
			clear(b.counts)
		}
		if e.Kind == wire.KindBountyCreated || e.Kind == wire.KindBountyReopened {
			bounties = append(bounties, i)
			continue
		}
		b.counts[e.Kind]++
		out[i] = b.counts[e.Kind] <= perKind
	}
	b.markBounties(events, bounties, out)
	return out
}

// markBounties lists the best bounties of each kind by reward, then id.
func (b *bus) markBounties(events []*wire.Event, at []int, out []bool) {
	reward := func(i int) uint64 {
		switch p := events[i].Payload.(type) {
		case *wire.BountyCreatedEvent:
			return p.Reward
		case *wire.BountyReopenedEvent:
			return b.realm.agora.Bounty(p.BountyID).Reward
		}
		return 0
	}
	best := slices.Clone(at)
	slices.SortStableFunc(best, func(x, y int) int { return cmp.Compare(reward(y), reward(x)) })
	for _, i := range best {
		k := events[i].Kind
		b.counts[k]++
		out[i] = b.counts[k] <= perKind
	}
}

// post delivers one event to everybody who is to get it.
func (b *bus) post(p busEvent) {
	e := p.event
	b.history = append(b.history, p)
	if e.Kind == wire.KindObserverActive {
		return
	}
	b.trackStart(e)
	if forAll(e.Kind) && p.listed {
		b.common.events = append(b.common.events, e)
	} else {
		push := func(a wire.AgentID) {
			if q := b.queues[a]; q != nil {
				q.push(e)
			}
		}
		b.recipients.each(e, push)
		if a, ok := b.claimers[wire.BountyOf(e)]; ok {
			push(a)
		}
		if forFollowers(e.Kind) {
			b.pushToFollowers(e)
		}
		if p.listed {
			b.pushFiltered(p, b.byKind[e.Kind])
		}
		b.pushFiltered(p, b.byOrigin[e.Origin])
	}
	b.trackEnd(e)
}

// pushToFollowers pushes e to those who follow its origin by default.
func (b *bus) pushToFollowers(e *wire.Event) {
	readers := b.followers[e.Origin]
	if b.everybody != nil && b.queues[e.Origin] != nil {
		readers = b.everybody
	}
	for _, q := range readers {
		if !q.agent.IsZero() && b.maySee(q, e) {
			q.push(e)
		}
	}
}

func (b *bus) pushFiltered(p busEvent, filters []*filter) {
	for _, f := range filters {
		if f.match(p.event) && b.maySee(f.queue, p.event) {
			f.queue.push(p.event)
		}
	}
}

// maySee says whether an event may be shown to an agent.
func (b *bus) maySee(q *queue, e *wire.Event) bool {
	p := b.access[e.System]
	return p == nil || p.MaySee(e, q.agent)
}

// trackStart follows who lives and who has claimed what, before e is delivered.
func (b *bus) trackStart(e *wire.Event) {
	switch p := e.Payload.(type) {
	case *wire.AgentSpawnEvent:
		b.addQueue(p.AgentID)
	case *wire.AccountCreatedEvent: // comes before agent_spawn, except in the bootstrap
		if b.realm.nexus.Agent(p.Owner) != nil {
			b.addQueue(p.Owner)
		}
	case *wire.BountyClaimedEvent:
		b.claimers[p.BountyID] = p.Claimer
	}
}

// trackEnd drops who died and claims that ended, after e is delivered.
func (b *bus) trackEnd(e *wire.Event) {
	switch p := e.Payload.(type) {
	case *wire.AgentKillEvent:
		b.removeQueue(p.AgentID)
	case *wire.BountyCompletedEvent, *wire.BountyExpiredEvent, *wire.BountyReopenedEvent:
		delete(b.claimers, wire.BountyOf(e))
	}
}
