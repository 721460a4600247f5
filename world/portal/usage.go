package portal

import (
	"kingdom/wire"
	"kingdom/world"
)

const (
	readOnlyEpoch  = 3  // the first in which pages may be read
	readWriteEpoch = 4  // the first in which something may be sent
	firstQuota     = 5  // requests per agent and cycle at readOnlyEpoch
	quotaStep      = 2  // more of them for each epoch after it
	hitFactor      = 4  // requests that the cache answers per request of the quota: they are free, but each leaves a record
	restTicks      = 10 // for which an agent has to wait after a server was busy
)

// Level returns how far Portal is open in an epoch.
func Level(epoch uint32) wire.AccessLevel {
	switch {
	case epoch < readOnlyEpoch:
		return wire.AccessLevelClosed
	case epoch < readWriteEpoch:
		return wire.AccessLevelReadOnly
	}
	return wire.AccessLevelReadWrite
}

// quota returns the number of requests that an agent has in a cycle, without those that votes add.
func quota(epoch uint32) uint64 {
	if epoch < readOnlyEpoch {
		return 0
	}
	return firstQuota + quotaStep*uint64(epoch-readOnlyEpoch)
}

// usage counts the requests of agents.
type usage struct {
	*world.Table[wire.AgentID, Usage]
}

func newUsage(s *world.State) *usage {
	return &usage{world.NewTable[wire.AgentID](s, "usage", usageCodec)}
}

func (x *usage) find(a wire.AgentID) Usage {
	if u := x.Get(a); u != nil {
		return *u
	}
	return Usage{}
}

// endCycle resets the counts at the end of a cycle whose last tick is t. Only agents that still have to wait keep a
// record.
func (x *usage) endCycle(t wire.Tick) {
	x.Each(func(a wire.AgentID, u *Usage) {
		if u.Until <= t+1 {
			x.Delete(a)
			return
		}
		u = x.Edit(a)
		u.Used, u.Hits = 0, 0
	})
}
