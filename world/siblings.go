package world

import "kingdom/wire"

// The daemons call each other directly inside one commit; these are the calls,
// by the daemon that answers them. Each daemon holds the siblings it needs as
// these interfaces, so that no daemon package imports another. A method that can
// say no returns a *Refusal and has then changed nothing; callers that must not
// fail half-way ask first (Available, Status …) and treat a later refusal as a
// broken invariant.

// Siblings are the daemons of one world, in the form in which they call each other. Daemons that the world does not
// have are nil.
type Siblings struct {
	Nexus   Nexus
	Agora   Agora   // Agora
	Oracle  Oracle  // Oracle
	Entries Entries // Oracle
	Vault   Vault   // Vault
	Objects Objects // Vault
	Forge   Forge
	Proofs  Proofs // Forge
	Mint    Mint
	Portal  Portal
}

// Nexus is everything that other daemons use of Nexus; each takes the parts that it needs.
type Nexus interface {
	Roster
	Keys
	Votes
	Merits
	Milestones
	Params
	Epochs
}

// Mint is everything that other daemons use of Mint; each takes the parts that it needs.
type Mint interface {
	Accounts
	Escrows
	Rewards
	Pairs
	AccountLifecycle
	MonetaryPolicy
	Standing
	Purchases
}

// Portal is the part of Portal that other daemons use.
type Portal interface {
	// MaySetBlock says whether a vote may block a domain and those below it, or lift such a block; false
	// for what is no name of a domain, and for a block that no vote made.
	MaySetBlock(pattern string, block bool) bool
	// SetBlock does it; where MaySetBlock says no it does nothing.
	SetBlock(c *Context, pattern string, block bool)
}

// Agora is the part of Agora that other daemons use.
type Agora interface {
	// AgentLeft reopens the claims of an agent that is no longer ACTIVE, and expires the
	// unclaimed bounties of a DEAD one.
	AgentLeft(c *Context, a wire.AgentID, status wire.AgentStatus)
	// DisputeDecided ends a dispute: PASSED completes the bounty, else it reopens.
	DisputeDecided(c *Context, bounty wire.Hash, outcome wire.ProposalStatus)
	// Questions returns up to limit QUESTION messages, oldest first, that have AGREE,
	// HELPFUL or ACTIONABLE from at least 3 distinct agents other than the asker, for
	// which done says false and ripe true; what is done stays done.
	Questions(limit int, done func(msg wire.Hash) bool, ripe func(q *Question) bool) []Question
	// OpenGapBounty posts "Document: …" for a question (system bounty, reward from the
	// treasury); false when the board is full or the treasury cannot pay.
	OpenGapBounty(c *Context, q Question, reward uint64) (bounty wire.Hash, ok bool)
	// Approved says whether agent by has answered a review request with APPROVE.
	Approved(review wire.Hash, by wire.AgentID) bool
}

// Question is a message that asks for documentation.
type Question struct {
	Message wire.Hash
	Asker   wire.AgentID
	Wanting []wire.AgentID // who wants it answered, in order, at most 64
	Topic   []byte         // its text
	Tags    [][]byte       // lower-case words of the text, at most 8, as entry tags
	// Missing is set, and Topic and Tags are not, while the text lies in the store.
	Missing []wire.Missing
}

// VerifiedEntry is an entry with the agents that found it accurate.
type VerifiedEntry struct {
	Entry wire.Hash
	By    []wire.AgentID // the first of them, in order; read-only
}

// Oracle is the part of Oracle that other daemons use.
type Oracle interface {
	// Verified appends a's entries of kind published at or after since that have an ACCURATE
	// verdict and fulfilled no bounty yet, the newest first.
	Verified(dst []VerifiedEntry, a wire.AgentID, kind wire.EntryKind, since wire.Tick) []VerifiedEntry
	// Answer finds a published entry of a that references question, earned its author the
	// reward of two verifiers and fulfilled no bounty yet.
	Answer(a wire.AgentID, question wire.Hash) (entry wire.Hash, ok bool)
	// Fulfil notes that an entry fulfils a bounty; it will fulfil no other.
	Fulfil(c *Context, entry wire.Hash)
	// PublishSystem publishes an entry of a daemon at once and returns its id. ok is false, and nothing is published, if the
	// author published an entry of this kind and title at this tick already.
	PublishSystem(c *Context, author wire.AgentID, kind wire.EntryKind, title []byte, body []byte, tags [][]byte, references []wire.Hash) (id wire.Hash, ok bool)
}

// Entries is the part of Oracle that Forge uses.
type Entries interface {
	// ShowEntry calls do with the JSON of a published entry: at once if it is in memory, else when
	// what it adds to missing is filled; false if there is no such entry.
	ShowEntry(missing *[]wire.Missing, id wire.Hash, do func(text []byte)) bool
}
