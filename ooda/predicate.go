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
//	entries_written:KIND:COUNT   so many, published since the claim, were found accurate or may still be
//	answer_wanted                the bounty can be claimed by this agent, and two others are left whose verdicts may earn this agent a reward
//	answer_verified              an own entry about the claimed bounty's question has earned the reward of two verifiers
//	may_post                     a message may still be posted in this cycle
//	may_publish                  neither too many entries in this cycle nor too many that nobody has judged
//	may_browse                   an entry waits to be read and the last look at the entries is browsePause ticks ago; or that look is a whole cycle ago
//	own_waits                    the newest own entry has had no verdict for half a cycle, and a message may be posted
//	own_judged                   it has a verdict, or there is none
//	message_read                 the goal's message was read
//	message_answered             the goal's message was answered by this agent
//	entry_read                   it was read, or nothing is left to do with it
//	entry_unjudged               the object of the plan's last step is an entry of another, without this agent's verdict
//	entry_judged                 it has this agent's verdict, or takes none any more
//
// An unknown name, as a mind may write, does not hold.
func (pl *planner) holds(predicate []byte, g *goals.Goal) bool {
	switch string(predicate) {
	case "":
		return true
	case "bounty_open":
		b := pl.seen.bounty(g.Subject())
		return b != nil && !b.Barred && b.Status == wire.BountyStatusOpen && pl.seen.held() < pl.rules.MaxClaims
	case "bounty_mine":
		return pl.seen.claimed(g.Subject()) != nil
	case "answer_wanted":
		return pl.holds([]byte("bounty_open"), g) && pl.seen.view.Approvers >= 2
	case "answer_verified":
		b := pl.seen.claimed(g.Subject())
		return b != nil && b.Ready
	case "may_post":
		return pl.notes.Posts < pl.rules.MaxPosts
	case "may_publish":
		return pl.mayPublish()
	case "may_browse":
		return pl.due(pl.notes.Browsed, pl.notes.BrowsePause) || pl.seen.tick >= pl.notes.Browsed+browsePause && pl.shelf().unreadEntries() > 0
	case "own_waits":
		w := pl.newestWork()
		patient := wire.Tick(pl.rules.Calendar.TicksPerCycle / 2)
		return w != nil && w.Verdicts == 0 && pl.seen.tick >= w.At+patient && pl.notes.Posts < pl.rules.MaxPosts
	case "own_judged":
		w := pl.newestWork()
		return w == nil || w.Verdicts > 0
	case "message_read":
		m := pl.notes.Message(g.Subject())
		return m != nil && m.Read
	case "message_answered":
		m := pl.notes.Message(g.Subject())
		return m != nil && m.Answered
	case "entry_read":
		id, _ := pl.notes.Object(g.ID)
		n := pl.notes.Entry(id)
		return n != nil && (n.Read || n.Judged) || pl.seen.over(id)
	case "entry_unjudged":
		id, _ := pl.notes.Object(g.ID)
		n := pl.notes.Entry(id)
		return n != nil && !n.Judged
	case "entry_judged":
		id, _ := pl.notes.Object(g.ID)
		n := pl.notes.Entry(id)
		return n != nil && n.Judged || pl.seen.over(id)
	default:
		if args, ok := bytes.CutPrefix(predicate, []byte("entries_verified:")); ok {
			return pl.countsSince(g.Subject(), string(args), false)
		}
		args, ok := bytes.CutPrefix(predicate, []byte("entries_written:"))
		return ok && pl.countsSince(g.Subject(), string(args), true)
	}
}

// newestWork is the newest entry of the agent; nil: it has none.
func (pl *planner) newestWork() *goals.Work {
	works := pl.agent.Learning.Works
	if len(works) == 0 {
		return nil
	}
	return &works[len(works)-1]
}

// countsSince checks the argument KIND:COUNT of entries_verified, and of entries_written, which counts what may still
// be verified.
func (pl *planner) countsSince(bounty wire.Hash, args string, hopes bool) bool {
	kind, number, _ := strings.Cut(args, ":")
	count, err := strconv.Atoi(number)
	b := pl.seen.claimed(bounty)
	if err != nil || b == nil {
		return false
	}
	accurate, open := pl.deliveredSince(kind, b.ClaimedAt)
	if hopes {
		accurate += open
	}
	return accurate >= count
}

// deliveredSince counts own entries of a kind published after a tick: those found accurate, and those that still may
// be.
func (pl *planner) deliveredSince(kind string, since wire.Tick) (accurate, open int) {
	for _, w := range pl.agent.Learning.Works {
		n := pl.notes.Entry(w.Entry)
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

// unjudgedCycles is for how many cycles the agent waits for a verdict. If only the author has counted something, none
// may ever come.
const unjudgedCycles = 4

// mayPublish holds back agents that write faster than others read: one entry per cycle, up to three for agents that
// prefer speed to quality.
func (pl *planner) mayPublish() bool {
	limit := 1 + uint32(float64(2*float64(pl.agent.Genome.Traits.QualityVsSpeed))+0.5)
	if pl.notes.Published >= limit {
		return false
	}
	unjudged := 0
	patience := wire.Tick(unjudgedCycles * pl.rules.Calendar.TicksPerCycle)
	for _, w := range pl.agent.Learning.Works {
		if w.Verdicts == 0 && w.At+patience > pl.seen.tick {
			unjudged++
		}
	}
	return unjudged < maxUnjudged
}
