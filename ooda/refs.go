package ooda

import (
	"encoding/hex"
	"strconv"
	"strings"

	"kingdom/goals"
	"kingdom/wire"
)

// resolve replaces the references in a step's parameters by what they stand for;
// ok is false when one of them stands for nothing now. A dollar sign before any
// other word stays as it is. References:
//
//	$subject, $bounty  the goal's subject
//	$last.object_id    what the plan's last step made or found
//	$own               the newest own entry
//	$channel           the channel of the goal's message, else #help
//	$tick              the tick of the goal's message
//	$me                the agent
//	$general, $help    the channels
func (t *Turn) resolve(dst []byte, params string, g *goals.Goal) (out []byte, ok bool) {
	for {
		i := strings.IndexByte(params, '$')
		if i < 0 {
			return append(dst, params...), true
		}
		dst = append(dst, params[:i]...)
		j := i + 1
		for j < len(params) && (params[j] == '.' || params[j] == '_' || 'a' <= params[j] && params[j] <= 'z') {
			j++
		}
		if dst, ok = t.reference(dst, params[i+1:j], g); !ok {
			return dst, false
		}
		params = params[j:]
	}
}

func (t *Turn) reference(dst []byte, name string, g *goals.Goal) ([]byte, bool) {
	var h wire.Hash
	switch name {
	case "subject", "bounty":
		h = g.Subject()
	case "last.object_id":
		h, _ = t.l.Object(g.ID)
	case "own":
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
			return dst, false
		}
		return strconv.AppendUint(dst, uint64(m.At), 10), true
	case "me":
		h = wire.Hash(t.a.ID)
	case "general":
		h = channelGeneral
	case "help":
		h = channelHelp
	default:
		return append(append(dst, '$'), name...), true
	}
	return hex.AppendEncode(dst, h[:]), !h.IsZero()
}
