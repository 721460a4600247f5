package wire

// Transfer moves money; the sender pays the tax on top where the kind has one.
type Transfer struct {
	From   AgentID `kdom:"from,runtime"`
	To     AgentID `kdom:"to"`
	Amount uint64  `kdom:"amount"`
	// Memo is free, except that a RESOURCE_BUY carries the canonical map of [ResourceMemo].
	Memo []byte       `kdom:"memo,object,default"`
	Kind TransferKind `kdom:"kind,default"`
	// Signature is always nil: the envelope's signature lies beside the record.
	Signature *[]byte `kdom:"signature,runtime"`
}

// ResourceMemo is the memo of a RESOURCE_BUY.
type ResourceMemo struct {
	Resource Resource `kdom:"resource"`
}

// TransferAck names the transaction and the tax paid.
type TransferAck struct {
	TxID Hash   `kdom:"tx_id"`
	Tax  uint64 `kdom:"tax"`
}

// BalanceQuery reads an account.
type BalanceQuery struct {
	AgentID AgentID `kdom:"agent_id"`
}

// BalanceQueryReply shows an account. Locked is the part of the balance that is locked, or owed as upkeep.
type BalanceQueryReply struct {
	Owner       AgentID `kdom:"owner"`
	Balance     int64   `kdom:"balance"`
	Locked      uint64  `kdom:"locked"`
	TotalEarned uint64  `kdom:"total_earned"`
	TotalSpent  uint64  `kdom:"total_spent"`
}
