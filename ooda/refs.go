package ooda

import (
	"encoding/hex"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/wire"
)

// reach says whether a reference stands for something.
type reach uint8

const (
	reachNever reach = iota + 1 // nor will it while the plan stays at its step
	reachLater
	reachNow
)

// resolve replaces the references in a step's parameters by what they stand for,
// up to the first that stands for nothing now. A dollar sign before any
// other word stays as it is. References:
//
//	$subject, $bounty  the goal's subject
//	$last.object_id    what the plan's last step made or found
//	$own               the newest own entry
//	$channel           the channel of the goal's message, else #help
//	$tick              the tick of the goal's message
//	$me                the agent
//	$general, $help    the channels
func (t *Turn) resolve(dst []byte, params string, g *goals.Goal) (out []byte, found reach) {
	for {
		i := strings.IndexByte(params, '$')
		if i < 0 {
			return append(dst, params...), reachNow
		}
		dst = append(dst, params[:i]...)
		j := i + 1
		for j < len(params) && (params[j] == '.' || params[j] == '_' || 'a' <= params[j] && params[j] <= 'z') {
			j++
		}
		if dst, found = t.reference(dst, params[i+1:j], g); found != reachNow {
			return dst, found
		}
		params = params[j:]
	}
}

func (t *Turn) reference(dst []byte, name string, g *goals.Goal) ([]byte, reach) {
	var h wire.Hash
	missing := reachNever
	switch name {
	case "subject", "bounty":
		h = g.Subject()
	case "last.object_id":
		h, _ = t.l.Object(g.ID)
	case "own":
		missing = reachLater // another goal may write one
		for i := len(t.l.Entries) - 1; i >= 0 && h.IsZero(); i-- {
			if t.l.Entries[i].Own {
				h = t.l.Entries[i].ID
			}
		}
	case "channel":
		h = channelHelp
		if m := t.l.Message(g.Subject()); m != nil {
			h = m.Channel
		}
	case "tick":
		m := t.l.Message(g.Subject())
		if m == nil {
			return dst, reachNever
		}
		return strconv.AppendUint(dst, uint64(m.At), 10), reachNow
	case "me":
		h = wire.Hash(t.a.ID)
	case "general":
		h = channelGeneral
	case "help":
		h = channelHelp
	default:
		return append(append(dst, '$'), name...), reachNow
	}
	if h.IsZero() {
		return dst, missing
	}
	return hex.AppendEncode(dst, h[:]), reachNow
}
