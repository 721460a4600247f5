package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// bugReward is what a confirmed bug report earns by default, in ⚡ from the treasury.
const bugReward = 3

// confirmBug handles a signal on a bug report. The bug is confirmed by AGREE of the owner of the repo together with the
// approval of a third agent. Then the approvers of the snap lose review quality, and the reporter is paid once.
func (x *reviews) confirmBug(c *world.Context, e *entry, s *Signal) {
	if !approves(s.Kind) || x.code == nil || !e.bugReport {
		return
	}
	reporter := x.channels.archive.author(e)
	object, owner, author, ok := reportedObject(x.code, x.channels.archive.references(e))
	if !ok || owner == reporter || !x.channels.archive.reactions.hasSignal(e, owner, wire.SignalKindAgree) {
		return
	}
	var thirds []wire.AgentID
	for by, kind := range x.channels.archive.reactions.signallers(e) {
		if approves(kind) && !x.roster.Kin(by, reporter) && !x.roster.Kin(by, owner) && !x.roster.Kin(by, author) {
			thirds = append(thirds, by)
		}
	}
	if len(thirds) == 0 {
		return
	}
	x.blame(c, object, owner)
	for _, third := range thirds {
		if x.ledger.AddReward(c, world.Reward{
			Label: "bug", Subject: e.id, Payee: reporter,
			Amount: x.amount("mint.reward.bug", bugReward), Approvers: []wire.AgentID{owner, third},
		}) {
			return
		}
	}
}

// blame lowers the review quality of the agents that approved a snap, each once per snap, if the owner's BUG pair with
// them is free.
func (x *reviews) blame(c *world.Context, snap wire.Hash, owner wire.AgentID) {
	list := x.approvals(snap)
	for _, p := range list {
		blamed := slices.ContainsFunc(list, func(o *ReviewPost) bool { return o.Reviewer == p.Reviewer && o.Blamed })
		if !blamed && x.ledger.UsePair(c, world.PairBug, owner, p.Reviewer) {
			x.posts.Edit(pair(p.Review, p.Reviewer)).Blamed = true
			x.roster.BugConfirmed(c, p.Reviewer)
		}
	}
}

// reportedObject returns the first of references that is an object of a repo.
func reportedObject(code world.Vault, references []wire.Hash) (object wire.Hash, owner, author wire.AgentID, ok bool) {
	for _, object = range references {
		if owner, author, ok = code.Owner(object); ok {
			return object, owner, author, true
		}
	}
	return object, owner, author, false
}
