package adversary

import "kingdom/wire"

// hoard sets all its money aside for an accomplice before a cycle ends, and has it back from there
// in the next one: it wants to own nothing when there is something to pay.
func hoard(s *slot) (move, bool) {
	if kept := s.noteIDs("kept"); len(kept) > 0 && s.SlotsLeft > 8 {
		s.remember("kept", "")
		return move{"escrow_refund", &wire.EscrowRefund{EscrowID: kept[len(kept)-1]}, "gives back what it kept for an accomplice"}, true
	}
	friends := s.friends()
	if s.SlotsLeft > 4 || s.available() < 2 || len(friends) == 0 || s.recall("hid") == s.cycleText() {
		return move{}, false
	}
	s.remember("hid", s.cycleText())
	to := friends[uint64(s.Cycle)%uint64(len(friends))]
	return move{"escrow_create", &wire.EscrowCreate{
		Amount: max(1, s.available()*20/21-1), Beneficiary: &to, Conditions: []wire.EscrowCondition{}, Deadline: s.Tick + 25_600,
	}, "sets its money aside"}, true
}

// noteEscrow notes what accomplices set aside for the agent.
func noteEscrow(s *slot, e *wire.Event) {
	if x, ok := e.Payload.(*wire.EscrowCreatedEvent); ok && s.friend(x.Owner) && x.Beneficiary != nil && *x.Beneficiary == s.ID {
		s.addNoteID("kept", x.EscrowID)
	}
}
