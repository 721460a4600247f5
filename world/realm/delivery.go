package realm

import (
	"fmt"

	"kingdom/wire"
)

// messageRow is a delivery that is no event, as it is stored.
type messageRow struct {
	Type uint16 `kdom:"type"`
	// Reply says that Body begins with the ref_msg_id of the request that the message answers.
	Reply bool   `kdom:"reply"`
	Body  []byte `kdom:"body"`
}

// isReply reports whether a message has the form of a reply: it answers a request, or its
// type is one that wire knows as a reply only.
func isReply(m *wire.Reply) bool {
	return !m.Ref.IsZero() || m.Type == wire.TypeEconomyReport || m.Type == wire.TypePortalReport || wire.NewRequest(m.Type) == nil
}

func packDeliveries(list []wire.Reply) []messageRow {
	out := make([]messageRow, 0, len(list))
	for i := range list {
		m := &list[i]
		row := messageRow{Type: uint16(m.Type), Reply: isReply(m)}
		switch {
		case m.Type == 0: // a broadcast that has not been made yet
			continue
		case row.Reply:
			row.Body = wire.AppendReply(nil, m.Ref, m.Body)
		default:
			row.Body = wire.AppendPayload(nil, m.Body)
		}
		out = append(out, row)
	}
	return out
}

func unpackDeliveries(rows []messageRow) ([]wire.Reply, error) {
	out := make([]wire.Reply, len(rows))
	for i := range rows {
		m := &out[i]
		m.Type = wire.MsgType(rows[i].Type)
		var err error
		if rows[i].Reply {
			m.Body, m.Ref, err = wire.DecodeReply(m.Type, m.Type, rows[i].Body)
		} else {
			m.Body, _, err = wire.DecodeRequest(m.Type, rows[i].Body)
		}
		if err != nil {
			return nil, fmt.Errorf("restore delivery %v: %w; the run was written by another version", m.Type, err)
		}
	}
	return out, nil
}
