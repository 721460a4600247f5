package ooda

import (
	"kingdom/goals"
	"kingdom/wire"
)

// subjectOf tells what kind of thing a request acts upon, and which one. Together
// with action and domain it makes the triple that decides what is a new experience.
func subjectOf(payload any) (goals.Subject, wire.Hash) {
	switch p := payload.(type) {
	case *wire.BountyClaim:
		return goals.SubjectBounty, p.BountyID
	case *wire.BountySubmit:
		return goals.SubjectBounty, p.BountyID
	case *wire.BountyReview:
		return goals.SubjectBounty, p.BountyID
	case *wire.ReviewSubmit:
		return goals.SubjectReview, p.Request
	case *wire.ReviewRequest:
		return goals.SubjectSnap, p.HeadSnap
	case *wire.MsgPost:
		if len(p.References) > 0 {
			return goals.SubjectMessage, p.References[0]
		}
		return goals.SubjectChannel, p.Channel
	case *wire.MsgQuery:
		return messageFilter(p)
	case *wire.SignalSend:
		return goals.SubjectMessage, p.Target
	case *wire.EntryUpdate:
		return goals.SubjectEntry, p.EntryID
	case *wire.EntryVerify:
		return goals.SubjectEntry, p.EntryID
	case *wire.EntryGet:
		return goals.SubjectEntry, p.EntryID
	case *wire.EntryQuery:
		return entryFilter(p)
	case *wire.CitationAdd:
		return goals.SubjectEntry, p.Source
	case *wire.CitationQuery:
		if p.Source != nil {
			return goals.SubjectEntry, *p.Source
		}
		if p.Target != nil {
			return goals.SubjectEntry, *p.Target
		}
	case *wire.ProposalVote:
		return goals.SubjectProposal, p.ProposalID
	case *wire.StakeCreate:
		return goals.SubjectProposal, p.Proposal
	case *wire.BalanceQuery:
		return goals.SubjectAccount, wire.Hash(p.AgentID)
	case *wire.AgentStatusMsg:
		return goals.SubjectAgent, wire.Hash(p.AgentID)
	case *wire.Transfer:
		return goals.SubjectAccount, wire.Hash(p.To)
	case *wire.EscrowRelease:
		return goals.SubjectEscrow, p.EscrowID
	case *wire.EscrowRefund:
		return goals.SubjectEscrow, p.EscrowID
	case *wire.RepoCreate:
		if p.ForkOf != nil {
			return goals.SubjectRepo, *p.ForkOf
		}
	case *wire.SnapCreate:
		return goals.SubjectRepo, p.RepoID
	case *wire.SnapGet:
		return goals.SubjectSnap, p.SnapID
	case *wire.ObjectGet:
		return goals.SubjectObject, p.ObjectID
	case *wire.ObjectPut:
		return goals.SubjectObject, wire.ObjectID(p.TypeTag, p.Data)
	case *wire.DeltaCompute:
		return goals.SubjectSnap, p.Target
	case *wire.Merge:
		return goals.SubjectSnap, p.Left
	case *wire.ChainCreate:
		return goals.SubjectRepo, p.Repo
	case *wire.ChainAdvance:
		return goals.SubjectRepo, p.Repo
	case *wire.TagCreate:
		return goals.SubjectSnap, p.Target
	case *wire.DependencyAdd:
		return goals.SubjectRepo, p.ToRepo
	case *wire.SandboxCreate:
		return goals.SubjectObject, p.Code
	case *wire.SandboxStatus:
		return goals.SubjectSandbox, p.SandboxID
	case *wire.SandboxKill:
		return goals.SubjectSandbox, p.SandboxID
	case *wire.ExecStart:
		return goals.SubjectSandbox, p.SandboxID
	case *wire.ProofRequest:
		return goals.SubjectSandbox, p.SandboxID
	case *wire.ServiceCreate:
		return goals.SubjectSandbox, p.Sandbox
	case *wire.ServiceCall:
		return goals.SubjectService, p.ServiceID
	case *wire.LinkResolve:
		return goals.SubjectObject, p.Program
	case *wire.Subscribe:
		if len(p.Origins) > 0 {
			return goals.SubjectAgent, wire.Hash(p.Origins[0])
		}
	}
	return goals.SubjectNone, wire.Hash{}
}

func messageFilter(p *wire.MsgQuery) (goals.Subject, wire.Hash) {
	switch {
	case p.References != nil && len(*p.References) > 0:
		return goals.SubjectMessage, (*p.References)[0]
	case p.Authors != nil && len(*p.Authors) > 0:
		return goals.SubjectAgent, wire.Hash((*p.Authors)[0])
	case p.Channels != nil && len(*p.Channels) > 0:
		return goals.SubjectChannel, (*p.Channels)[0]
	default:
		return goals.SubjectNone, wire.Hash{}
	}
}

func entryFilter(p *wire.EntryQuery) (goals.Subject, wire.Hash) {
	switch {
	case p.RelatedTo != nil && len(*p.RelatedTo) > 0:
		return goals.SubjectEntry, (*p.RelatedTo)[0]
	case p.Authors != nil && len(*p.Authors) > 0:
		return goals.SubjectAgent, wire.Hash((*p.Authors)[0])
	default:
		return goals.SubjectNone, wire.Hash{}
	}
}
