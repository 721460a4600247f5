package world

import "kingdom/wire"

// The daemons call each other directly inside one commit; these are the calls,
// by the daemon that answers them. Each daemon holds the siblings it needs as
// these interfaces, so that no daemon package imports another. A method that can
// say no returns a *Refusal and has then changed nothing; callers that must not
// fail half-way ask first (Available, Status …) and treat a later refusal as a
// broken invariant.

// Siblings are the daemons of one world as they call each other; nil where a world has
// none.
type Siblings struct {
	Nexus   Nexus
	Forum   Forum   // Agora
	Library Library // Oracle
	Entries Entries // Oracle
	Code    Code    // Vault
	Objects Objects // Vault
	Forge   Workshop
	Mint    Mint
	Portal  Window
}

// Nexus is all that Nexus does for the other daemons; each takes the parts it needs.
type Nexus interface {
	Roster
	Keys
	Votes
	Merits
	Milestones
	Params
	Epochs
}

// Mint is all that Mint does for the other daemons; each takes the parts it needs.
type Mint interface {
	Accounts
	Escrows
	Rewards
	Pairs
	Estates
	Policy
	Standing
	Purchases
}

// Escrow is money locked until a condition holds (docs/WORLD.md, Mint).
type Escrow struct {
	ID          wire.Hash
	Owner       wire.AgentID // agent, or the treasury's owner (MINT_0)
	Amount      uint64       // ⚡ to the beneficiary on release
	Tax         uint64       // ⚡ locked on top, to the treasury on release
	Beneficiary *wire.AgentID
	Conditions  []wire.EscrowCondition
	Deadline    wire.Tick
	Bounty      bool // released and refunded by AGORA_0 only; never expires before Agora decided
}

// Reward is a payment from the treasury, noted when it is earned and settled at
// the end of the cycle.
type Reward struct {
	Label     string    // "review", "entry", "bug", "royalty", "vote"
	Subject   wire.Hash // what it is for; label ‖ subject is paid once
	Payee     wire.AgentID
	Amount    uint64         // ⚡
	Class     PairClass      // of the pairs; PairReward, or PairVote
	Approvers []wire.AgentID // each pair approver → payee must be unused
}

// Accounts is Mint's answer to who has how much.
type Accounts interface {
	// Balance is the money of a, what is locked included; 0 for unknown owners.
	Balance(a wire.AgentID) int64
	// Available is balance − locked; 0 for unknown owners.
	Available(a wire.AgentID) int64
	// Lock and Unlock set amount ⚡ of a's balance aside and back.
	Lock(c *Context, a wire.AgentID, amount uint64) *Refusal
	Unlock(c *Context, a wire.AgentID, amount uint64)
	// PayLocked moves amount ⚡ of from's locked money to to, untaxed.
	PayLocked(c *Context, from, to wire.AgentID, amount uint64, kind wire.TransferKind)
	// Fee moves amount ⚡ of a's available money to the treasury, untaxed.
	Fee(c *Context, a wire.AgentID, amount uint64) *Refusal
	// Debit moves amount ⚡ of a to the treasury, untaxed, whether it has them or not: the
	// balance may become negative.
	Debit(c *Context, a wire.AgentID, amount uint64)
	// CanPayService refuses a call of a service whose caller has not its fee and tax;
	// PayService pays them, as a SERVICE_FEE, and must be asked for before.
	CanPayService(caller wire.AgentID, fee uint64) *Refusal
	PayService(c *Context, caller, owner wire.AgentID, fee uint64)
}

// Escrows is what Mint keeps until a condition holds.
type Escrows interface {
	// OpenEscrow locks Amount + Tax of the owner.
	OpenEscrow(c *Context, e Escrow) *Refusal
	// ReleaseEscrow pays the beneficiary and the tax; as a BOUNTY_REWARD when Escrow.Bounty.
	ReleaseEscrow(c *Context, id wire.Hash, to wire.AgentID)
	RefundEscrow(c *Context, id wire.Hash)
	// ExpireEscrow gives the amount back and the tax to the treasury.
	ExpireEscrow(c *Context, id wire.Hash)
	// DisputeEscrow freezes it; disputer is who asked.
	DisputeEscrow(c *Context, id wire.Hash, disputer wire.AgentID)
	// ReopenEscrow makes a disputed escrow LOCKED again.
	ReopenEscrow(c *Context, id wire.Hash)
}

// Rewards is what Mint pays for work at the end of a cycle.
type Rewards interface {
	// Note notes a reward; false when it was noted before or a pair is used up.
	Note(c *Context, r Reward) bool
	// ReturnBudget gives the reward of a bounty that was opened from the budget and expired
	// back to it.
	ReturnBudget(c *Context, amount uint64)
	// TakeBudget takes amount ⚡ out of the half of the reward pool that is for documentation
	// bounties; false when it holds less.
	TakeBudget(c *Context, amount uint64) bool
}

// Pairs is what Mint remembers of who has spoken for whom. What the word of agents can
// draw from the treasury or add to a reputation flows over pairs only: one agent's word
// about another counts once in Rules.PairCycles cycles, for each class by itself.
type Pairs interface {
	// PairFree says whether from → to would count in cycle now. If not, until is the first
	// cycle in which it may, or 0 if it never does: kin, an agent with itself, systems.
	PairFree(class PairClass, from, to wire.AgentID, now wire.Cycle) (free bool, until wire.Cycle)
	// UsePair uses a pair up; false if it does not count, and then nothing has changed.
	UsePair(c *Context, class PairClass, from, to wire.AgentID) bool
}

// PairClass is what a word counts for. Classes are kept apart, so that nobody is lured
// into using up a verdict elsewhere. The numbers are part of stored keys.
type PairClass uint8

// The classes.
const (
	PairReward PairClass = iota // approver → payee of a reward
	PairVote                    // author of a proposal → voter; systems count as authors
	PairMerit                   // who used or reviewed a work → its author
	PairVerify                  // verifier → author of an entry
	PairJudge                   // reviewer of a bounty → claimer
	PairPeer                    // peer reviewer → author of an entry
	PairAsk                     // who wants an answer → who asked
	PairBug                     // owner of a repo → who approved the faulty snap
)

// Estates is what Mint does when an agent comes into the world or leaves it.
type Estates interface {
	// Open creates an account holding balance ⚡ that was minted with it (genesis)
	// or 0.
	Open(c *Context, a wire.AgentID, balance uint64)
	// Grant pays a newcomer 100 earmarked ⚡ from the reserve; returns what was paid, 0 or 100.
	Grant(c *Context, to wire.AgentID) uint64
	// Sweep moves all that a DEAD agent owns to the treasury.
	Sweep(c *Context, dead wire.AgentID)
}

// Policy is what Mint does after a vote or a change of epoch.
type Policy interface {
	// ResolveStakes settles the stakes on a proposal: passed, failed, or expired (outcome nil).
	// It returns who had staked, ascending, each once.
	ResolveStakes(c *Context, proposal wire.Hash, outcome *bool) []wire.AgentID
	// Inflate mints ⌊2 %⌋ of the supply into the treasury at an epoch change.
	Inflate(c *Context, epoch uint32)
	// Intervene carries out a passed intervention.
	Intervene(c *Context, kind wire.InterventionKind)
}

// Standing is what Mint knows of an agent that decides its budget and its reputation.
type Standing interface {
	// Insolvent is the count of consecutive cycle ends with a negative balance, 0 to
	// InsolventFatal.
	Insolvent(a wire.AgentID) uint32
	// TakeExtra returns and clears the ticks a bought for the coming cycle.
	TakeExtra(c *Context, a wire.AgentID) uint64
	// Earnings is the ⚡ received as SERVICE_FEE and BOUNTY_REWARD, at most 50 per counterparty
	// that is no kin, less all ⚡ ever paid to agents.
	Earnings(a wire.AgentID) uint64
}

// Purchases is what an agent has bought beside ticks.
type Purchases interface {
	// Storage is the bytes of storage that a has bought, beside what everybody has.
	Storage(a wire.AgentID) uint64
	// TakeForgeTicks returns and clears the forge ticks that a bought in the cycle that ends, for
	// the next one.
	TakeForgeTicks(c *Context, a wire.AgentID) uint64
}

// The bankruptcy counter's stations (docs/WORLD.md, bankruptcy), in consecutive cycle ends
// with a negative balance: below InsolventSevere an agent gets a warning and half its budget,
// from InsolventSevere on a quarter, at InsolventFatal it dies.
const (
	InsolventSevere = 4
	InsolventFatal  = 5
)

// Roster is Nexus's answer to who exists. Its slices are read-only.
type Roster interface {
	// Status is the live status; ok is false for unknown agents.
	Status(a wire.AgentID) (s wire.AgentStatus, ok bool)
	// Reputation in [0,1], as of the last cycle end; 0 for unknown agents and systems.
	Reputation(a wire.AgentID) float64
	// Kin says whether two agents are of one house: descended by sponsorship from the same
	// agent that no agent sponsored. Everybody is its own kin; unknown ids have none.
	Kin(a, b wire.AgentID) bool
	// Agents returns all agents ever, ascending; Living those that are not DEAD, Active those
	// ACTIVE now.
	Agents() []wire.AgentID
	Living() []wire.AgentID
	Active() []wire.AgentID
	// ActiveCount is how many are ACTIVE now; unlike Active it may be called by many goroutines
	// at once, as views are.
	ActiveCount() uint32
}

// Keys is Nexus's answer to who can have signed something.
type Keys interface {
	// PublicKey is the Ed25519 key of an agent; nil for unknown ones.
	PublicKey(a wire.AgentID) []byte
}

// Votes is Nexus's governance as daemons use it.
type Votes interface {
	// Propose opens a proposal of a daemon (AGORA_0: dispute, MINT_0: intervention):
	// no gate, no bond, no limit. id is the proposal's id; the parties have no vote on it.
	Propose(c *Context, id wire.Hash, author wire.AgentID, kind wire.ProposalKind, description []byte, deadline wire.Tick, parties ...wire.AgentID)
	// ProposalStatus of id; ok is false for unknown ones.
	ProposalStatus(id wire.Hash) (s wire.ProposalStatus, ok bool)
	// StakesUntil is the last tick of stakes on a proposal, the middle of its vote; 0 for
	// unknown ones.
	StakesUntil(id wire.Hash) wire.Tick
}

// Merits is where Nexus learns what an agent has done for others; reputation comes from it.
type Merits interface {
	// Reviewed adds a review verdict (0, 0.5, 1) on author's code, weighted by the reviewer.
	Reviewed(c *Context, author, reviewer wire.AgentID, score float64)
	// BugConfirmed costs an approver of the snap quality.
	BugConfirmed(c *Context, approver wire.AgentID)
	// Valued adds quarters of a contribution: 4 for a work others use, 1 for a verification given.
	Valued(c *Context, a wire.AgentID, quarters uint64)
}

// Milestones latches the triggers of epochs.
type Milestones interface {
	// Milestone latches an epoch trigger; once more does nothing.
	Milestone(c *Context, name string)
}

// The milestones that open epochs 1, 2, 3 and 5 (docs/WORLD.md, epochs).
const (
	MilestoneSpark       = "spark"
	MilestoneFoundation  = "foundation"
	MilestoneCommerce    = "commerce"
	MilestoneSovereignty = "sovereignty"
)

// Params is what votes have changed.
type Params interface {
	// Param is the value that a passed CHANGE_PARAM gave name, else fallback.
	Param(name string, fallback int64) int64
}

// Epochs is Nexus's answer to how far the world has come.
type Epochs interface {
	// Epoch is the current epoch; it changes at the end of a cycle only.
	Epoch() uint32
}

// Window is what Portal does for the other daemons.
type Window interface {
	// May says whether a vote may block a domain and those below it, or lift such a block; false
	// for what is no name of a domain, and for a block that no vote made.
	May(pattern string, block bool) bool
	// Vote does it; where May says no it does nothing.
	Vote(c *Context, pattern string, block bool)
}

// Forum is what Agora does for the other daemons.
type Forum interface {
	// Left reopens the claims of an agent that is no longer ACTIVE, and expires the
	// unclaimed bounties of a DEAD one.
	Left(c *Context, a wire.AgentID, status wire.AgentStatus)
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
	Channel wire.Hash
	Asker   wire.AgentID
	Wanting []wire.AgentID // who wants it answered, in order, at most 64
	Topic   []byte         // its text
	Tags    [][]byte       // lower-case words of the text, at most 8, as entry tags
	// Missing is set, and Topic and Tags are not, while the text lies in the store.
	Missing []wire.Missing
}

// Library is what Oracle does for the other daemons.
type Library interface {
	// Verified counts a's published entries of kind created at or after since
	// that have an ACCURATE verdict of another agent, no kin of a.
	Verified(a wire.AgentID, kind wire.EntryKind, since wire.Tick) uint32
	// Answer finds a published entry of a that references question, earned its author the
	// reward of two verifiers and fulfilled no bounty yet.
	Answer(a wire.AgentID, question wire.Hash) (entry wire.Hash, ok bool)
	// Fulfil notes that an entry fulfils a bounty; it will fulfil no other.
	Fulfil(c *Context, entry wire.Hash)
	// PublishSystem publishes an entry of a daemon at once and returns its id.
	PublishSystem(c *Context, author wire.AgentID, kind wire.EntryKind, title []byte, body []byte, tags [][]byte, references []wire.Hash) wire.Hash
}

// Code is what Vault knows of stored objects and tells the other daemons.
type Code interface {
	// Stored says whether snap is the snap of a repo and was stored before tick t.
	Stored(snap wire.Hash, t wire.Tick) bool
	// Holds says whether object is a repo itself, or a snap or tag of it.
	Holds(repo, object wire.Hash) bool
	// Owner names the owner of the repo that holds a snap or tag, and who wrote it.
	Owner(object wire.Hash) (owner, author wire.AgentID, ok bool)
	// Tag says when a tag was stored and whether its repo has a newer one; ok is false for what is
	// no tag.
	Tag(id wire.Hash) (at wire.Tick, outdated, ok bool)
	// Overtaken lists the tags that became outdated in the open cycle.
	Overtaken() []wire.Hash
	// Reviewed adds a verdict (0, 0.5, 1) on a repo's code, weighted by the reviewer, to what
	// the registry says of its quality.
	Reviewed(c *Context, repo wire.Hash, score, weight float64)
}

// Objects is what Vault gives Forge of stored objects.
type Objects interface {
	// Object describes a stored object.
	Object(id wire.Hash) (o Object, ok bool)
	// MayRead says whether a may read an object, which must be stored.
	MayRead(id wire.Hash, a wire.AgentID) bool
	// ShowObject calls do with the content of a stored object: at once if it is in memory, else
	// when what it adds to missing is filled.
	ShowObject(missing *[]wire.Missing, id wire.Hash, do func(data []byte))
	// PutAtom stores a text on the storage of the request's sender. It refuses, and has then
	// changed nothing, what does not fit.
	PutAtom(c *Context, text []byte) (wire.Hash, *Refusal)
	// Root is the tree of a repo's snap.
	Root(snap wire.Hash) (root wire.Hash, ok bool)
	// Published lists the newest publications of repos in a category, in order of publication.
	Published(category string) []Publication
}

// Object is what is known of a stored object besides its content.
type Object struct {
	Type   wire.ObjectType
	Size   int          // bytes
	Putter wire.AgentID // who stored it first
	Tick   wire.Tick    // when
}

// Publication is a repo as its newest publication shows it.
type Publication struct {
	Repo  wire.Hash
	Owner wire.AgentID
	Snap  wire.Hash // that of the tag
	Place uint64    // in order of publication
}

// Entries is what Oracle gives Forge of entries.
type Entries interface {
	// ShowEntry calls do with the JSON of a published entry: at once if it is in memory, else when
	// what it adds to missing is filled; false if there is no such entry.
	ShowEntry(missing *[]wire.Missing, id wire.Hash, do func(text []byte)) bool
}

// Workshop is what Forge does for the other daemons.
type Workshop interface {
	// Checking is the task that runs the checks of work for the request in seat, on the state
	// before tick t. Its value goes to Check.
	Checking(t wire.Tick, seat int, work Submission) Task
	// Check says whether work passes all its checks. It takes prepared, the value of the task of
	// Checking, as far as it holds here, and charges the claimer's CPU quota what the checks used.
	// It refuses, and has then changed nothing, if that quota does not hold their limits.
	Check(c *Context, prepared any, work Submission) (passed bool, r *Refusal)
	// Left stops the services of an agent that is DEAD.
	Left(c *Context, a wire.AgentID)
}

// Submission is work that is checked by running it.
type Submission struct {
	Claimer wire.AgentID // whose CPU quota pays
	Snap    wire.Hash    // its tree holds the programs
	Checks  []ProgramCheck
}

// ProgramCheck is one automatic requirement of a bounty.
type ProgramCheck struct {
	Path []byte // key in the tree of the submission
	// Test is the program that tests it: it loads it as "submission", finds its source on stdin,
	// and passes it by halting. nil: the program itself has to load and run its top level.
	Test  *wire.Hash
	Ticks uint64 // forge ticks at most
}
