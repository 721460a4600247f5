package world

import "kingdom/wire"

// Vault is the part of Vault that other daemons use.
type Vault interface {
	// Stored says whether snap is the snap of a repo and was stored before tick t.
	Stored(snap wire.Hash, t wire.Tick) bool
	// Contains says whether object is a repo itself, or a snap or tag of it.
	Contains(repo, object wire.Hash) bool
	// Owner names the owner of the repo that holds a snap or tag, and who wrote it.
	Owner(object wire.Hash) (owner, author wire.AgentID, ok bool)
	// Readable says whether these agents may read a snap and its tree, or everybody if none is given.
	Readable(snap wire.Hash, by ...wire.AgentID) bool
	// Public says whether everybody may read a stored object.
	Public(object wire.Hash) bool
	// Tag says when a tag was stored and whether its repo has a newer one; ok is false for what is
	// no tag.
	Tag(id wire.Hash) (at wire.Tick, outdated, ok bool)
	// OutdatedTags lists the tags that became outdated in the open cycle.
	OutdatedTags() []wire.Hash
	// Reviewed adds a verdict (0, 0.5, 1) on a repo's code, weighted by the reviewer, to what
	// the registry says of its quality.
	Reviewed(c *Context, repo wire.Hash, score, weight float64)
}

// Objects is the part of Vault that Forge uses.
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

// Publication is the newest publication of a repo.
type Publication struct {
	Repo  wire.Hash
	Owner wire.AgentID
	Snap  wire.Hash // that of the tag
	Place uint64    // in order of publication
}

// Forge is the part of Forge that other daemons use.
type Forge interface {
	// CheckTask is the task that runs the checks of work for the request in seat, on the state
	// before tick t. Its value goes to Check.
	CheckTask(t wire.Tick, seat int, work Submission) Task
	// Check says which check work fails first, nil if it passes all. It takes prepared, the value of
	// CheckTask, and charges the claimer's CPU quota what the checks used. It refuses, and has then
	// changed nothing, if that quota does not hold their limits, or if nothing was prepared.
	Check(c *Context, prepared any, work Submission) (failed *wire.FailedCheck, r *Refusal)
	// ReadTask is the task that reads the programs that a request names, for Readable; nothing where
	// its sender has not got the forge ticks for them.
	ReadTask(t wire.Tick, request *Request, programs []wire.Hash) Task
	// ReadCost says how many forge ticks it takes the sender to read programs, which Charge then
	// counts. It refuses what is not stored, is no program or is hidden from the sender, with field
	// in the context, and more than the sender's CPU quota holds.
	ReadCost(c *Context, field string, programs []wire.Hash) (ticks uint64, r *Refusal)
	// Charge counts forge ticks that an agent has used.
	Charge(a wire.AgentID, ticks uint64)
	// AgentLeft stops the services of an agent that is DEAD.
	AgentLeft(c *Context, a wire.AgentID)
}

// Proofs is the part of Forge that remembers which runs it certified.
type Proofs interface {
	// Proved says whether Forge made p. The signature alone does not: the keys of systems are
	// public constants, so that any program can sign as FORGE_0.
	Proved(p *wire.ExecutionProof) bool
}

// Submission is work that is checked by running it.
type Submission struct {
	Claimer wire.AgentID // whose CPU quota pays
	Snap    wire.Hash    // its tree holds the programs
	Checks  []ProgramCheck
}

// Limit returns the most forge ticks that all checks together may use.
func (s *Submission) Limit() (ticks uint64) {
	for i := range s.Checks {
		ticks += s.Checks[i].Ticks
	}
	return ticks
}

// ProgramCheck is one automatic requirement of a bounty.
type ProgramCheck struct {
	Place uint32 // of the requirement among those of its bounty, from 0
	Path  []byte // key in the tree of the submission
	// Test is the program that tests it: it loads it as "submission", finds its source on stdin,
	// and passes it by halting. nil: the program itself has to load and run its top level.
	Test  *wire.Hash
	Ticks uint64 // forge ticks at most
}
