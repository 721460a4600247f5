package action

import "kingdom/wire"

// Gates by profile: default, strict, open (docs/WORLD.md, epochs).
var (
	gateFree    = [3]uint32{0, 0, 0}
	gateCode    = [3]uint32{0, 1, 0}
	gateServe   = [3]uint32{1, 1, 0}
	gateTalk    = [3]uint32{0, 2, 0}
	gateTrade   = [3]uint32{2, 2, 0}
	gateVote    = [3]uint32{2, 5, 0}
	gateBinding = [3]uint32{5, 5, 0}
	gateWeb     = [3]uint32{3, 3, 3}
	gateWebPost = [3]uint32{4, 4, 4}
)

// MinEpoch returns the lowest epoch in which a request with this payload is served; with a nil payload the lowest of
// what the row is for. Requests of systems are served in every epoch; the caller has to check that.
func (r *Row) MinEpoch(p Profile, payload any) uint32 {
	switch v := payload.(type) {
	case *wire.Transfer:
		if v.Kind == wire.TransferKindDirect {
			return gateTrade[p]
		}
		return gateTalk[p]
	case *wire.ProposalSubmit:
		switch v.Kind {
		case wire.ProposalKindChangeParam, wire.ProposalKindEpochAdvance:
			return gateBinding[p]
		default:
			return gateTrade[p]
		}
	case *wire.WebRequest:
		if v.Method == wire.HTTPMethodPost {
			return gateWebPost[p]
		}
	}
	return r.Epoch[p]
}
