package oracle

import "kingdom/wire"

// Entry is the record of one entry. Head.Body is empty: bodies are in table versions.
type Entry struct {
	Head        wire.OracleEntry `kdom:"head"`
	Place       uint64           `kdom:"place"`        // in order of publication, from 1; 0 = hidden, under peer review
	PublishedAt wire.Tick        `kdom:"published_at"` // when it got its place
	Versions    uint32           `kdom:"versions"`     // highest version number recorded so far
	Pending     *Pending         `kdom:"pending"`
	Valued      bool             `kdom:"valued"`    // an ACCURATE verdict was credited to the author
	Rewarded    bool             `kdom:"rewarded"`  // the reward for two verifiers was noted
	Answers     bool             `kdom:"answers"`   // in place of the reward: two verifiers found that it answers a question with a bounty
	Fulfilled   bool             `kdom:"fulfilled"` // it answered a question for a bounty
}

// Pending is an update by somebody other than the author that waits for its time.
type Pending struct {
	Version uint32       `kdom:"version"`
	Author  wire.AgentID `kdom:"author"`
	Due     wire.Tick    `kdom:"due"` // until then the author may reject it
}

// Version is one body of an entry, applied, pending or rejected.
type Version struct {
	EntryID    wire.Hash    `kdom:"entry_id"`
	Version    uint32       `kdom:"version"`
	Author     wire.AgentID `kdom:"author"`
	Body       []byte       `kdom:"body"`
	ChangeNote []byte       `kdom:"change_note"`
	Tick       wire.Tick    `kdom:"tick"`
	MsgID      wire.Hash    `kdom:"msg_id"`
}

// Verification is one verdict on a published entry.
type Verification struct {
	EntryID    wire.Hash    `kdom:"entry_id"`
	Version    uint32       `kdom:"version"`
	Verifier   wire.AgentID `kdom:"verifier"`
	Verdict    wire.Verdict `kdom:"verdict"`
	Weight     uint64       `kdom:"weight"` // verifier's reputation then, in units of 2^-20
	Evidence   []byte       `kdom:"evidence"`
	References []wire.Hash  `kdom:"references"`
	Tick       wire.Tick    `kdom:"tick"`
	MsgID      wire.Hash    `kdom:"msg_id"`
}

// Rest is a cooldown: the agent may not update the entry before cycle Until.
type Rest struct {
	Until wire.Cycle `kdom:"until"`
}

// Counter is what an agent has used of its quotas in the cycle. It is deleted at the cycle end.
type Counter struct {
	Writes   uint32 `kdom:"writes"`   // entries published and updated
	Text     uint64 `kdom:"text"`     // bytes of bodies, notes, evidence and contexts
	Verified uint32 `kdom:"verified"` // verifications that counted for its reputation
}

// Approval is one verdict on an entry under peer review.
type Approval struct {
	Verdict wire.Verdict `kdom:"verdict"`
	Tick    wire.Tick    `kdom:"tick"`
	MsgID   wire.Hash    `kdom:"msg_id"`
}

// Citation is one edge of the citation graph.
type Citation struct {
	Source  wire.Hash         `kdom:"source"`
	Target  wire.Hash         `kdom:"target"`
	Kind    wire.CitationKind `kdom:"kind"`
	Context []byte            `kdom:"context"`
	Author  wire.AgentID      `kdom:"author"`
	Tick    wire.Tick         `kdom:"tick"`
	MsgID   wire.Hash         `kdom:"msg_id"`
}

// Gap marks a question that was looked at: a bounty was opened for it, or, without one,
// it was found answered.
type Gap struct {
	Bounty *wire.Hash `kdom:"bounty"`
	Tick   wire.Tick  `kdom:"tick"`
}
