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
	// MindDefect: whether the work that a scripted mind hands in is finished.
	MindDefect Purpose = "mind.defect"
	// MindTopics: the topics that an agent knows when it is spawned, and its initial attention.
	MindTopics Purpose = "mind.topics"
	// RoleAspirations: which aspirations a GENERALIST gets.
	RoleAspirations Purpose = "role.aspirations"
	// PeersSample: the peers that fill up an agent's default subscriptions.
	PeersSample Purpose = "peers.sample"
	// ViewBoard: the position from which an agent's view lists bounties and reviews.
	ViewBoard Purpose = "view.board"
	// Jury: the order in which agents are asked to judge a thing that names no available judge. The stream's agent is the id
	// of the thing.
	Jury Purpose = "agora.jury"
	// ScenarioGenome: genomes drawn from a scenario's distributions.
	ScenarioGenome Purpose = "scenario.genome"
)
