package ooda

import "kingdom/wire"

// sender fills in the fields of a request that depend on who sends it.
type sender struct{ *self }

// fillRuntime writes the fields of a request that the agent's runtime owns.
func (s sender) fillRuntime(payload any) {
	me, standing := s.agent.ID, s.agent.Reputation
	switch p := payload.(type) {
	case *wire.BountyClaim:
		p.Claimer = me
	case *wire.MsgPost:
		p.Author = me
	case *wire.SignalSend:
		p.Weight = standing
	case *wire.ReviewRequest:
		p.Author = me
	case *wire.ReviewSubmit:
		p.Reviewer = me
	case *wire.EntryUpdate:
		p.Author = me
	case *wire.ProposalSubmit:
		p.Author = me
	case *wire.ProposalVote:
		p.Weight = standing
	case *wire.Transfer:
		p.From = me
	case *wire.EscrowCreate:
		p.Owner = me
	case *wire.SandboxCreate:
		p.Owner = me
	case *wire.ServiceCreate:
		p.Owner = me
	case *wire.StakeCreate:
		p.Agent = me
	case *wire.WebRequest:
		p.Agent = me
	default:
		s.sign(payload)
	}
}

// sign makes the signatures that are part of what a request creates: they cannot wait for the
// envelope's.
func (s sender) sign(payload any) {
	me, key := s.agent.ID, s.agent.Key
	switch p := payload.(type) {
	case *wire.RepoCreate:
		p.Owner = me
		root := s.firstRoot(p)
		if p.ForkOf != nil { // the forked repo may have another tree by the time the request is served, and the signature is for this one
			p.Root = &root
		}
		p.Sign(key, root)
	case *wire.SnapCreate:
		p.Author = me
		p.Sign(key)
	case *wire.TagCreate:
		p.Sign(key, me)
	case *wire.ObjectPut:
		p.Complete(me, key)
	}
}

// firstRoot is the tree of the first snap of a repo that a request makes.
func (s sender) firstRoot(p *wire.RepoCreate) wire.Hash {
	if p.Root != nil {
		return *p.Root
	}
	if p.ForkOf != nil && s.rules.MainRoot != nil {
		if root, ok := s.rules.MainRoot(*p.ForkOf); ok {
			return root
		}
	}
	return wire.EmptyTree
}
