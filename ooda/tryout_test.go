package ooda

import (
	"testing"

	"kingdom/memory"
	"kingdom/wire"
)

// What an action that was never tried is filled with depends on the names of its parameters alone: for each there is one thing that the agent
// knows, the newest where there are several.
func TestTryOut_ValueByNameOfParameter(t *testing.T) {
	quoted := func(id wire.Hash) string { return `"` + id.String() + `"` }
	for _, knows := range []bool{false, true} {
		s := newSolo(t, genomes[6])
		s.ask()
		s.a.Notebook.Works = []memory.WorkNote{
			{Kind: memory.WorkModule, Snap: wire.Hash{1}}, {Kind: memory.WorkReview, Repo: wire.Hash{2}, Snap: wire.Hash{2}}, // not yet in a repo, and another's
		}
		if knows {
			s.meet(peerA)
			s.noteEntries(2, memory.EntryNote{Author: peerA})
			s.a.Notebook.SeeEntry(memory.EntryNote{ID: wire.Hash{0xE9}, Author: s.a.ID, Own: true})
			s.noteMessages(2, memory.MessageNote{Author: peerA})
			s.t.slotView.bounties = []wire.BountyView{{ID: wire.Hash{3}}}
			s.t.slotView.proposals = []wire.ProposalView{{ID: wire.Hash{4}}}
			s.t.slotView.sandboxes = []wire.SandboxView{{ID: wire.Hash{5}}}
			s.t.slotView.services = []wire.ServiceView{{ID: wire.Hash{6}}}
			s.a.Notebook.Works = append(s.a.Notebook.Works, memory.WorkNote{Kind: memory.WorkModule, Repo: wire.Hash{7}, Code: wire.Hash{8}, Snap: wire.Hash{9}})
		}
		for _, c := range []struct {
			names  []string
			want   string
			always bool // it takes no knowledge
		}{
			{[]string{"agent_id", "to", "beneficiary", "peer"}, quoted(wire.Hash(peerA)), false},
			{[]string{"entry_id", "target"}, quoted(wire.Hash{0xE1, 1}), false},
			{[]string{"source"}, quoted(wire.Hash{0xE9}), false},
			{[]string{"message_id"}, quoted(wire.Hash{0xA1, 1}), false},
			{[]string{"bounty_id"}, quoted(wire.Hash{3}), false},
			{[]string{"proposal", "proposal_id"}, quoted(wire.Hash{4}), false},
			{[]string{"sandbox", "sandbox_id"}, quoted(wire.Hash{5}), false},
			{[]string{"service_id"}, quoted(wire.Hash{6}), false},
			{[]string{"repo", "repo_id"}, quoted(wire.Hash{7}), false},
			{[]string{"object_id", "code", "program"}, quoted(wire.Hash{8}), false},
			{[]string{"snap_id", "head", "new_head"}, quoted(wire.Hash{9}), false},
			{[]string{"channel", "channel_id"}, quoted(channelGeneral), true},
			{[]string{"limit", "amount", "slots"}, "1", true},
			{[]string{"name", "text", "content", "message", "memo", "description", "note", "reason"}, `"trying it out"`, true},
			{[]string{"data", "input"}, `""`, true},
		} {
			for _, name := range c.names {
				got, ok := trials{&s.t.offers}.known(name)
				if ok != (knows || c.always) || ok && got != c.want {
					t.Errorf("%s, knows something %v: %s, %v; want %s", name, knows, got, ok, c.want)
				}
			}
		}
		if got, ok := (trials{&s.t.offers}).known("colour"); ok {
			t.Errorf("of a colour it knows %s", got)
		}
	}
}
