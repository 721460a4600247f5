package ooda

import (
	"encoding/hex"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// resolution says whether a reference stands for something.
type resolution uint8

const (
	neverResolves resolution = iota + 1 // as long as the plan stays at its step
	resolvesLater
	resolved
)

// resolve replaces the references in a step's parameters by what they stand for,
// up to the first that stands for nothing now. A dollar sign before any
// other word stays as it is. References:
//
//	$subject, $bounty  the goal's subject
//	$last.object_id    what the plan's last step made or found
//	$own               the newest own entry
//	$repo              the newest own repo
//	$channel           the channel of the goal's message, else #help
//	$tick              the tick of the oldest unread question in its channel, from which on one look shows all that wait
//	$me                the agent
//	$general, $help    the channels
func (pl *planner) resolve(dst []byte, params string, g *goals.Goal) (out []byte, found resolution) {
	for {
		i := strings.IndexByte(params, '$')
		if i < 0 {
			return append(dst, params...), resolved
		}
		dst = append(dst, params[:i]...)
		j := i + 1
		for j < len(params) && (params[j] == '.' || params[j] == '_' || 'a' <= params[j] && params[j] <= 'z') {
			j++
		}
		if dst, found = pl.reference(dst, params[i+1:j], g); found != resolved {
			return dst, found
		}
		params = params[j:]
	}
}

func (pl *planner) reference(dst []byte, name string, g *goals.Goal) ([]byte, resolution) {
	if name == "tick" {
		m := pl.notes.Message(g.Subject())
		if m == nil {
			return dst, neverResolves
		}
		return strconv.AppendUint(dst, uint64(pl.unreadSince(m)), 10), resolved
	}
	h, found := pl.referent(name, g)
	switch {
	case found == 0: // it is no reference
		return append(append(dst, '$'), name...), resolved
	case found != resolved:
		return dst, found
	}
	return hex.AppendEncode(dst, h[:]), resolved
}

// referent returns the thing that a reference stands for now; found is 0 for a word that refers to no thing.
func (pl *planner) referent(name string, g *goals.Goal) (h wire.Hash, found resolution) {
	missing := neverResolves
	switch name {
	case "subject", "bounty":
		h = g.Subject()
	case "last.object_id":
		h, _ = pl.notes.Object(g.ID)
	case "own":
		missing = resolvesLater // another goal may write one
		for i := len(pl.notes.Entries) - 1; i >= 0 && h.IsZero(); i-- {
			if pl.notes.Entries[i].Own {
				h = pl.notes.Entries[i].ID
			}
		}
	case "repo":
		missing = resolvesLater
		for i := len(pl.notes.Works) - 1; i >= 0 && h.IsZero(); i-- {
			if w := &pl.notes.Works[i]; w.Kind != memory.WorkReview {
				h = w.Repo
			}
		}
	case "channel":
		h = channelHelp
		if m := pl.notes.Message(g.Subject()); m != nil {
			h = m.Channel
		}
	case "me":
		h = wire.Hash(pl.agent.ID)
	case "general":
		h = channelGeneral
	case "help":
		h = channelHelp
	default:
		return h, 0
	}
	if h.IsZero() {
		return h, missing
	}
	return h, resolved
}

// unreadSince is the tick of the oldest unread question in the channel of a message, or that of the message if none is
// older.
func (pl *planner) unreadSince(m *memory.MessageNote) wire.Tick {
	at := m.At
	for i := range pl.notes.Messages {
		if n := &pl.notes.Messages[i]; n.Kind == wire.MessageKindQuestion && !n.Read && !n.Signed && n.Channel == m.Channel {
			at = min(at, n.At)
		}
	}
	return at
}

// objectOf returns the id of what a successful request made or found: the object to which $last.object_id refers in
// the next step of a plan. Of a list it takes something of another agent: preferably one that still waits for this
// agent, and among these one whose author's work was found best.
func (pl *planner) objectOf(reply *wire.Reply) (id wire.Hash, ok bool) {
	switch b := reply.Body.(type) {
	case *wire.EntryPublishAck:
		return b.EntryID, true
	case *wire.MsgPostAck:
		return b.MessageID, true
	case *wire.BountyCreateAck:
		return b.BountyID, true
	case *wire.ProposalSubmitAck:
		return b.ProposalID, true
	case *wire.ChannelCreateAck:
		return b.ChannelID, true
	case *wire.RepoCreateAck:
		return b.RepoID, true
	case *wire.SnapCreateAck:
		return b.SnapID, true
	case *wire.ObjectPutAck:
		return b.ObjectID, true
	case *wire.TagCreateAck:
		return b.TagID, true
	case *wire.SandboxCreateAck:
		return b.SandboxID, true
	case *wire.ServiceCreateAck:
		return b.ServiceID, true
	case *wire.EscrowCreateAck:
		return b.EscrowID, true
	case *wire.ReviewRequestAck:
		return b.ReviewID, true
	case *wire.EntryGetReply:
		return b.Entry.ID, b.Status == nil
	case *wire.EntryQueryReply:
		best := 0.0
		for i := range b.Entries {
			e := &b.Entries[i]
			if e.Author == pl.agent.ID {
				continue
			}
			worth := pl.relations().workQuality(e.Author)
			if n := pl.notes.Entry(e.ID); n != nil && !n.Judged {
				worth++
			}
			if worth > best {
				id, ok, best = e.ID, true, worth
			}
		}
	case *wire.MsgQueryReply:
		for i := range b.Messages {
			if b.Messages[i].Author != pl.agent.ID {
				return b.Messages[i].ID, true
			}
		}
	}
	return id, ok
}
