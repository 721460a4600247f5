package agora

import (
	"slices"

	"kingdom/wire"
	"kingdom/world"
)

// bugReward is what a confirmed bug report earns by default, in ⚡ from the treasury.
const bugReward = 3

// confirmBug follows a signal on a bug report. AGREE of the owner of the repo together
// with the approval of a third agent confirms the bug: it costs the approvers of that snap,
// and the reporter is paid once.
func (d *Daemon) confirmBug(c *world.Context, e *entry, s *Signal) {
	if !approves(s.Kind) || d.code == nil || !e.bugReport {
		return
	}
	reporter := d.archive.author(e)
	object, owner, author, ok := reported(d.code, d.archive.references(e))
	if !ok || owner == reporter || !d.archive.echoes.marked(e, owner, wire.SignalKindAgree) {
		return
	}
	var thirds []wire.AgentID
	for by, kind := range d.archive.echoes.signalled(e) {
		if approves(kind) && !d.roster.Kin(by, reporter) && !d.roster.Kin(by, owner) && !d.roster.Kin(by, author) {
			thirds = append(thirds, by)
		}
	}
	if len(thirds) == 0 {
		return
	}
	d.blame(c, object, owner)
	for _, third := range thirds {
		if d.ledger.Note(c, world.Reward{
			Label: "bug", Subject: e.id, Payee: reporter,
			Amount: d.amount("mint.reward.bug", bugReward), Approvers: []wire.AgentID{owner, third},
		}) {
			return
		}
	}
}

// blame costs those who approved a snap quality, each once per snap, as far as the word of
// the owner about them counts.
func (d *Daemon) blame(c *world.Context, snap wire.Hash, owner wire.AgentID) {
	list := d.reviews.approvals(snap)
	for _, p := range list {
		blamed := slices.ContainsFunc(list, func(o *ReviewPost) bool { return o.Reviewer == p.Reviewer && o.Blamed })
		if !blamed && d.ledger.UsePair(c, world.PairBug, owner, p.Reviewer) {
			d.reviews.posts.Edit(pair(p.Review, p.Reviewer)).Blamed = true
			d.roster.BugConfirmed(c, p.Reviewer)
		}
	}
}

// reported finds the first object of a repo among references.
func reported(code world.Code, references []wire.Hash) (object wire.Hash, owner, author wire.AgentID, ok bool) {
	for _, object = range references {
		if owner, author, ok = code.Owner(object); ok {
			return object, owner, author, true
		}
	}
	return object, owner, author, false
}
