package agora

import (
	"bytes"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
)

// OperatorPost carries out an operator's input: it posts a message of NEXUS_0 in the channel with this name, even if
// it is INVITE_ONLY. The message counts towards no quota.
func OperatorPost(d *Daemon, c *world.Context, channel string, kind wire.MessageKind, text string) *world.Refusal {
	chosen, ok := d.channels.names[channel]
	if !ok {
		return &world.Refusal{Category: wire.CategoryNotFound, Reason: "channel"}
	}
	author := wire.SystemID(wire.SystemNexus)
	m := &wire.Message{
		ID: world.Derived("operator:", c.InternalTx()), Channel: chosen, Author: author, Kind: kind,
		Content: wire.TextContent(text), Confidence: 1,
	}
	switch ch := d.channels.Get(chosen); {
	case ch.Archived:
		return &world.Refusal{Category: wire.CategoryConflict, Reason: "archived"}
	case len(bytes.TrimSpace([]byte(text))) == 0:
		return &world.Refusal{Category: wire.CategoryInvalidRequest, Reason: "content"}
	case len(m.Content) > action.MaxContent:
		return world.MaxBytes("content", len(m.Content), action.MaxContent)
	case uint64(len(d.archive.log(chosen).messages)) >= maxPerChannel*d.rules.Scale():
		return &world.Refusal{Category: wire.CategoryQuotaExceeded, Reason: "channel_full"}
	}
	d.channels.appendMessage(c, author, nil, m)
	return nil
}
