package agora

import (
	"kingdom/wire"
	"kingdom/world"
)

// bugReward is what a confirmed bug report earns by default, in ⚡ from the treasury.
const bugReward = 3

// confirmBug follows a signal on a bug report. AGREE of the owner of the repo
// confirms the bug and costs the approvers of that snap; with a third agent's
// approval, before or after, the reporter is paid once.
func (d *Daemon) confirmBug(c *world.Context, e *entry, s *Signal) {
	if !approves(s.Kind) || d.code == nil || !e.bugReport {
		return
	}
	reporter := e.msg.Author
	object, owner, author, ok := d.reported(&e.msg)
	if !ok || owner == reporter {
		return
	}
	if s.Author == owner && s.Kind == wire.SignalKindAgree {
		for _, a := range d.reviews.approvers(object) {
			d.roster.BugConfirmed(c, a)
		}
	}
	if !e.marked(owner, wire.SignalKindAgree) {
		return
	}
	for _, m := range e.marks {
		third := m.agent != reporter && m.agent != owner && m.agent != author
		if approves(m.kind) && third && d.ledger.Note(c, world.Reward{
			Label: "bug", Subject: e.msg.ID, Payee: reporter,
			Amount: d.amount("mint.reward.bug", bugReward), Approvers: []wire.AgentID{m.agent},
		}) {
			return
		}
	}
}

// reported finds the first object of a repo that m refers to.
func (d *Daemon) reported(m *wire.Message) (object wire.Hash, owner, author wire.AgentID, ok bool) {
	for _, object = range m.References {
		if owner, author, ok = d.code.Owner(object); ok {
			return object, owner, author, true
		}
	}
	return object, owner, author, false
}
