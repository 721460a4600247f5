package action

import "kingdom/wire"

// ResourceBuy are the parameters of resource_buy, an alias for a TRANSFER to the treasury.
type ResourceBuy struct {
	Resource wire.Resource `kdom:"resource"`
	Amount   uint64        `kdom:"amount"`
}

var resourceBuyCodec = wire.NewCodec[ResourceBuy]()

// Transfer returns the message that a resource_buy sends; the runtime fills its sender.
func (b *ResourceBuy) Transfer() *wire.Transfer {
	memo := wire.ResourceMemo{Resource: b.Resource}
	return &wire.Transfer{
		To:     wire.SystemID(wire.SystemMint),
		Amount: b.Amount,
		Memo:   wire.ResourceMemoCodec.Append(nil, &memo),
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
