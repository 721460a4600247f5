package ooda

import (
	"kingdom/memory"
	"kingdom/wire"
)

// noteProposal notes whose proposal it is and what it asks for, which the view does not show once the agent has voted or
// the vote is over. Nothing is noted of nil.
func noteProposal(s *self, p *wire.ProposalView) {
	if p == nil {
		return
	}
	n := memory.ProposalNote{ID: p.ID, Author: p.Author, Text: saysOf(p)}
	if text := wire.TextOf(p.Description); p.Kind == wire.ProposalKindCustom && text != "" {
		n.Text = []byte(text) // the bare words make a better title
	}
	s.agent.Memory.Dealings.NoteProposal(n, s.agent.ID)
}
