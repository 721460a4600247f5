package wire

// Windows of replay protection, in ticks.
const (
	// ReplayWindow is how old a message may be.
	ReplayWindow = 256
	// ReplayMemory is how long a msg_id is remembered.
	ReplayMemory = 512
)

// ReplayVerdict is what a [ReplayGuard] makes of a message.
type ReplayVerdict uint8

// Verdicts of a [ReplayGuard].
const (
	// ReplayFresh: execute it.
	ReplayFresh ReplayVerdict = iota + 1
	// ReplayRepeat: seen before; do not execute or charge it, send the stored reply again.
	ReplayRepeat
	// ReplayStale: too old, from the future, or older than the source's last message.
	ReplayStale
)

// ReplayGuard remembers what each source sent. The zero value is ready; it is a plain value
// owned by one receiver and grows with the messages of the last [ReplayMemory] ticks.
type ReplayGuard struct {
	last  map[AgentID]Tick
	seen  map[Hash]struct{}
	queue []replayEntry // in order of acceptance, so in order of expiry
}

type replayEntry struct {
	id Hash
	at Tick
}

// Admit judges a message whose envelope has been checked, and remembers it when fresh. now
// must not decrease between calls.
func (g *ReplayGuard) Admit(h *Header, now Tick) ReplayVerdict {
	g.forget(now)
	if _, ok := g.seen[h.MsgID]; ok {
		return ReplayRepeat
	}
	if h.Timestamp > now || now-h.Timestamp > ReplayWindow || h.Timestamp < g.last[h.Source] {
		return ReplayStale
	}
	if g.seen == nil {
		g.seen, g.last = map[Hash]struct{}{}, map[AgentID]Tick{}
	}
	g.seen[h.MsgID] = struct{}{}
	g.last[h.Source] = h.Timestamp
	g.queue = append(g.queue, replayEntry{h.MsgID, now})
	return ReplayFresh
}

// forget drops the ids that were accepted more than ReplayMemory ticks ago.
func (g *ReplayGuard) forget(now Tick) {
	n := 0
	for n < len(g.queue) && now-g.queue[n].at > ReplayMemory {
		delete(g.seen, g.queue[n].id)
		n++
	}
	if n > 0 {
		g.queue = append(g.queue[:0], g.queue[n:]...)
	}
}
