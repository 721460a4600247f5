package ooda

import (
	"strconv"

	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// trials try actions that the agent never took.
type trials struct{ *offers }

// tryOut makes a request of an action from the catalogue alone: it fills the required parameters, by their names, with
// what the agent knows. nil: it knows nothing that fits, or the result is no valid request.
func (o trials) tryOut(row *action.Row) any {
	b := []byte{'{'}
	for i := range row.Params {
		p := &row.Params[i]
		if !p.Required {
			continue
		}
		value, ok := o.known(p.Name)
		if !ok {
			return nil
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, p.Name), ':')
		b = append(b, value...)
	}
	payload, err := row.FromJSON(append(b, '}'), o.rules.Names)
	if err != nil {
		return nil
	}
	return payload
}

// known is a value for a parameter with a name, as JSON.
func (o trials) known(name string) (json string, ok bool) {
	var id wire.Hash
	switch name {
	case "agent_id", "to", "beneficiary", "peer":
		p, met := explorer(o).somePeer()
		if !met {
			return "", false
		}
		id = wire.Hash(p)
	case "entry_id", "target":
		id, _ = explorer(o).knownEntry(false)
	case "source":
		id, _ = explorer(o).knownEntry(true)
	case "message_id":
		if n := len(o.notes.Messages); n > 0 {
			id = o.notes.Messages[n-1].ID
		}
	case "channel", "channel_id":
		id = channelGeneral
	case "bounty_id":
		if len(o.seen.bounties) > 0 {
			id = o.seen.bounties[0].ID
		}
	case "proposal", "proposal_id":
		if len(o.seen.proposals) > 0 {
			id = o.seen.proposals[0].ID
		}
	case "sandbox", "sandbox_id":
		if len(o.seen.sandboxes) > 0 {
			id = o.seen.sandboxes[0].ID
		}
	case "service_id":
		if len(o.seen.services) > 0 {
			id = o.seen.services[0].ID
		}
	case "repo", "repo_id", "snap_id", "head", "new_head", "object_id", "code", "program":
		w := o.someWork()
		if w == nil {
			return "", false
		}
		switch name {
		case "repo", "repo_id":
			id = w.Repo
		case "object_id", "code", "program":
			id = w.Code
		default:
			id = w.Snap
		}
	case "limit", "amount", "slots":
		return "1", true
	case "name", "text", "content", "message", "memo", "description", "note", "reason":
		return `"trying it out"`, true
	case "data", "input":
		return `""`, true
	}
	if id.IsZero() {
		return "", false
	}
	return strconv.Quote(id.String()), true
}

// someWork is a program of this agent that lies in a repo; nil if there is none.
func (o trials) someWork() *memory.WorkNote {
	for i := range o.notes.Works {
		if w := &o.notes.Works[i]; !w.Repo.IsZero() && w.Kind != memory.WorkReview {
			return w
		}
	}
	return nil
}
