package det

// Purpose names what a stream's numbers are for, so that no two uses of the same agent and
// tick share numbers. The list is closed: a new use adds a constant.
type Purpose string

// All purposes.
const (
	// MindChoice: the noise of the scripted mind's choice, one number per affordance.
	MindChoice Purpose = "mind.choice"
	// MindMalformed: whether a scripted answer is malformed, drawn per slot.
	MindMalformed Purpose = "mind.malformed"
	// MindContent: what a scripted mind writes.
	MindContent Purpose = "mind.content"
	// MindDefect: whether what a scripted mind hands in is finished.
	MindDefect Purpose = "mind.defect"
	// MindTopics: the fields that an agent knows from its birth on, and how its attention begins.
	MindTopics Purpose = "mind.topics"
	// RoleAspirations: which aspirations a GENERALIST gets.
	RoleAspirations Purpose = "role.aspirations"
	// PeersSample: the peers that fill up an agent's default subscriptions.
	PeersSample Purpose = "peers.sample"
	// ViewBoard: the place at which what an agent is shown of bounties and reviews begins.
	ViewBoard Purpose = "view.board"
	// Jury: in which order agents are asked to judge a thing that names nobody who can; its agent is the thing's id.
	Jury Purpose = "agora.jury"
	// ScenarioGenome: genomes drawn from a scenario's distributions.
	ScenarioGenome Purpose = "scenario.genome"
)
