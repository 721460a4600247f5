package adversary

import "kingdom/wire"

// ringDoorbells names one stranger in every slot, in an event that costs nothing: an escrow of 1 ⚡ that comes back, or a payment that
// it cannot make. Each ends the rest of the agent that it names.
func ringDoorbells(s *slot) (move, bool) {
	known := s.noteIDs("known")
	if len(known) == 0 {
		return move{}, false
	}
	to := wire.AgentID(known[int(s.Slot)%len(known)])
	if s.Slot%2 == 0 && s.available() >= 2 {
		return move{"escrow_create", &wire.EscrowCreate{
			Amount: 1, Beneficiary: &to, Conditions: []wire.EscrowCondition{}, Deadline: s.Tick + 1,
		}, "names a stranger"}, true
	}
	return move{"transfer", &wire.Transfer{To: to, Amount: 1_000_000, Kind: wire.TransferKindDirect}, "names a stranger"}, true
}
