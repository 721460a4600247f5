package llm

import "kingdom/wire"

// Sight is the information from which a prompt is built, as values, for minds that are programs. It has only what the
// agent itself may know, is read-only, and is valid as long as the prompt.
type Sight struct {
	View *wire.View // what this slot shows; nil where nobody filled the sight in
	// Missed are the events of this cycle's slots since the last thought, oldest first: a request
	// that takes more than one slot leaves slots in which events arrive and no mind is asked.
	Missed []*wire.Event
	// Reply answers the agent's last request of this cycle; nil: there was none.
	Reply *wire.Reply
	// Note reads a note of the agent's working memory, which answers write by memory_update.
	Note func(key string) (value []byte, ok bool)
}
