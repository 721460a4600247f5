package realm

import (
	"fmt"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// messageRow is a delivery that is no event, as it is stored.
type messageRow struct {
	Type uint16 `kdom:"type"`
	Body []byte `kdom:"body"`
}

var (
	allocCodec  = codec.New[wire.TickAlloc]()
	stateCodec  = codec.New[wire.WorldState]()
	reportCodec = codec.New[wire.EconomicReport]()
	resultCodec = codec.New[wire.ProposalResult]()
	ackCodec    = codec.New[wire.AgentSpawnAck]()
	stakeCodec  = codec.New[wire.StakeResolve]()
)

func messages(list []wire.Reply) []messageRow {
	out := make([]messageRow, 0, len(list))
	for _, m := range list {
		if m.Body != nil {
			out = append(out, messageRow{Type: uint16(m.Type), Body: wire.AppendPayload(nil, m.Body)})
		}
	}
	return out
}

func unpack(rows []messageRow) ([]wire.Reply, error) {
	out := make([]wire.Reply, 0, len(rows))
	for _, m := range rows {
		t := wire.MsgType(m.Type)
		body, err := delivery(t, m.Body)
		if err != nil {
			return nil, fmt.Errorf("restore %v: %w", t, err)
		}
		out = append(out, wire.Reply{Type: t, Body: body})
	}
	return out, nil
}

// delivery decodes the body of one of the messages that the bus delivers.
func delivery(t wire.MsgType, b []byte) (any, error) {
	switch t {
	case wire.TypeTickAlloc:
		return decode(allocCodec, b)
	case wire.TypeWorldState:
		return decode(stateCodec, b)
	case wire.TypeEconomyReport:
		return decode(reportCodec, b)
	case wire.TypeProposalResult:
		return decode(resultCodec, b)
	case wire.TypeAgentSpawnAck:
		return decode(ackCodec, b)
	case wire.TypeStakeResolve:
		return decode(stakeCodec, b)
	}
	return nil, fmt.Errorf("no delivery has this type; the run was written by another version")
}

func decode[T any](c *codec.Codec[T], b []byte) (any, error) {
	v := new(T)
	return v, c.DecodeCanonical(b, v)
}
