package action

import (
	"slices"

	"kingdom/wire"
	"kingdom/wire/codec"
)

// ResourceBuy are the parameters of resource_buy, which is sent as a TRANSFER to the treasury.
type ResourceBuy struct {
	Resource wire.Resource `kdom:"resource"`
	Amount   uint64        `kdom:"amount"`
}

var resourceBuyCodec = codec.New[ResourceBuy]()

// memos holds the memo for each resource, at its value minus one. All transfers share these slices, so they are
// read-only.
var memos = makeMemos()

func makeMemos() [][]byte {
	out := make([][]byte, len(wire.Resource(0).EnumNames()))
	for i := range out {
		memo := wire.ResourceMemo{Resource: wire.Resource(i + 1)}
		out[i] = slices.Clip(wire.ResourceMemoCodec.Bytes(&memo))
	}
	return out
}

// Transfer returns the message that a resource_buy sends; the runtime fills its sender. It
// panics on a resource outside the enum.
func (b *ResourceBuy) Transfer() *wire.Transfer {
	return &wire.Transfer{
		To:     wire.SystemID(wire.SystemMint),
		Amount: b.Amount,
		Memo:   memos[b.Resource-1],
		Kind:   wire.TransferKindResourceBuy,
	}
}

// resourceBuyOf reads back the parameters; ok is false for any other transfer.
func resourceBuyOf(t *wire.Transfer) (b ResourceBuy, ok bool) {
	var memo wire.ResourceMemo
	if t.Kind != wire.TransferKindResourceBuy || wire.ResourceMemoCodec.Decode(t.Memo, &memo) != nil {
		return b, false
	}
	return ResourceBuy{memo.Resource, t.Amount}, true
}
