package ooda

import (
	"bytes"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/wire"
)

// holds evaluates a pre- or postcondition about a goal's plan. The list is closed:
//
//	bounty_open                  the goal's bounty can be claimed by this agent now
//	bounty_mine                  the goal's bounty is claimed by this agent and undelivered
//	entries_verified:KIND:COUNT  so many own entries of the kind, published since the claim, were found accurate by others
//	may_post                     a message may still be posted in this cycle
//	may_publish                  neither too many entries in this cycle nor too many that nobody has judged
//	may_browse                   the last look at the entries is some ticks ago
//	message_read                 the goal's message was read
//	message_answered             the goal's message was answered by this agent
//	entry_unjudged               the object of the plan's last step is an entry of another, without this agent's verdict
//	entry_judged                 it has this agent's verdict
//
// An unknown name, as a mind may write, does not hold.
func (t *Turn) holds(predicate []byte, g *goals.Goal) bool {
	switch string(predicate) {
	case "":
		return true
	case "bounty_open":
		b := t.seen.bounty(g.Subject())
		return b != nil && !b.Barred && b.Status == wire.BountyStatusOpen && t.held() < t.r.MaxClaims
	case "bounty_mine":
		return t.claimed(g.Subject()) != nil
	case "may_post":
		return t.l.Posts < t.r.MaxPosts
	case "may_publish":
		return t.mayPublish()
	case "may_browse":
		return t.seen.tick >= t.l.Browsed+browsePause
	case "message_read":
		m := t.l.Message(g.Subject())
		return m != nil && m.Read
	case "message_answered":
		m := t.l.Message(g.Subject())
		return m != nil && m.Answered
	case "entry_unjudged":
		id, _ := t.l.Object(g.ID)
		n := t.l.Entry(id)
		return n != nil && !n.Judged
	case "entry_judged":
		id, _ := t.l.Object(g.ID)
		n := t.l.Entry(id)
		return n != nil && n.Judged
	default:
		args, ok := bytes.CutPrefix(predicate, []byte("entries_verified:"))
		return ok && t.verifiedSince(g.Subject(), string(args))
	}
}

// claimed returns the bounty if this agent holds it and still has to deliver.
func (t *Turn) claimed(id wire.Hash) *wire.BountyView {
	b := t.seen.claim(id)
	if b == nil || b.Claimer == nil || *b.Claimer != t.a.ID || b.Status != wire.BountyStatusClaimed {
		return nil
	}
	return b
}

// verifiedSince checks the argument KIND:COUNT of entries_verified.
func (t *Turn) verifiedSince(bounty wire.Hash, args string) bool {
	kind, number, _ := strings.Cut(args, ":")
	count, err := strconv.Atoi(number)
	b := t.claimed(bounty)
	if err != nil || b == nil {
		return false
	}
	accurate, _ := t.deliveredSince(kind, b.ClaimedAt)
	return accurate >= count
}

// deliveredSince counts own entries of a kind published after a tick: those found
// accurate, and those that still may be.
func (t *Turn) deliveredSince(kind string, since wire.Tick) (accurate, open int) {
	for _, w := range t.a.Learning.Works() {
		n := t.l.Entry(w.Entry)
		if n == nil || n.At <= since || w.Kind.String() != kind {
			continue
		}
		switch {
		case w.Accurate > 0:
			accurate++
		case w.Verdicts < 2:
			open++
		}
	}
	return accurate, open
}

// browsePause is the least number of ticks between two looks at the entries that a
// plan makes.
const browsePause = 16

// maxUnjudged is how many own entries without any verdict an agent waits for
// before it writes more of its own accord.
const maxUnjudged = 3

// mayPublish holds back those who write faster than others read: one entry per
// cycle, up to three for those who ship fast.
func (t *Turn) mayPublish() bool {
	limit := 1 + uint32(float64(2*float64(t.a.Genome.Traits.QualityVsSpeed))+0.5)
	if t.l.Published >= limit {
		return false
	}
	unjudged := 0
	for _, w := range t.a.Learning.Works() {
		if w.Verdicts == 0 {
			unjudged++
		}
	}
	return unjudged < maxUnjudged
}
