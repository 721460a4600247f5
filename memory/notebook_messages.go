package memory

import (
	"slices"

	"kingdom/wire"
)

// MessageNote is one message that the agent knows of.
type MessageNote struct {
	ID        wire.Hash        `kdom:"i"`
	Channel   wire.Hash        `kdom:"c"`
	Author    wire.AgentID     `kdom:"a"`
	Kind      wire.MessageKind `kdom:"k"`
	At        wire.Tick        `kdom:"t"`
	Text      []byte           `kdom:"x"` // empty until read; cleared once nothing is left to do
	Read      bool             `kdom:"r"`
	Signed    bool             `kdom:"s"` // a signal was sent, or its own
	Answered  bool             `kdom:"w"` // answered by this agent, or its own
	Answers   uint8            `kdom:"n"` // of others, that were noticed
	Signals   uint8            `kdom:"g"` // of others, that were noticed
	Opinion   Opinion          `kdom:"o"` // of this agent, once it is read
	Addressee Addressee        `kdom:"m"` // of a question or an answer: whom it is addressed to
	Pledged   uint32           `kdom:"p"` // ⚡ that its author has locked for the reader's answer
}

// Message returns the note of a message, or nil. It is valid until the next
// SeeMessage.
func (l *Notebook) Message(id wire.Hash) *MessageNote {
	if i := findNote(&l.messages, l.Messages, &id, func(n *MessageNote) *wire.Hash { return &n.ID }); i >= 0 {
		return &l.Messages[i]
	}
	return nil
}

// SeeMessage notes a message, unless it is known.
func (l *Notebook) SeeMessage(n MessageNote) *MessageNote {
	if p := l.Message(n.ID); p != nil {
		return p
	}
	if len(l.Messages) >= NotebookMessages {
		i := l.messageToForget()
		l.Forgot = max(l.Forgot, l.Messages[i].At)
		l.dropMessage(i)
	}
	if len(l.Messages) == NotebookMessages-1 {
		l.growMessages()
	}
	l.Messages = append(grow(l.Messages, NotebookMessages), n)
	l.messages = append(l.messages, prefixOf(&n.ID))
	return &l.Messages[len(l.Messages)-1]
}

// messageToForget returns the index of the oldest finished message, or of the oldest.
func (l *Notebook) messageToForget() int {
	for i := range l.Messages {
		if l.Messages[i].Signed {
			return i
		}
	}
	return 0
}

// dropMessage removes a message. Several are dropped per tick, mostly from the front, so it moves the messages before it
// instead of those after it.
func (l *Notebook) dropMessage(i int) {
	copy(l.Messages[1:], l.Messages[:i])
	l.Messages[0] = MessageNote{}
	l.Messages = l.Messages[1:]
	l.messages = slices.Delete(l.messages, i, i+1)
}

// growMessages makes room behind a full list of messages, a tenth more than it needs: the
// list moves through the array and is copied back to the front when it reaches the end.
func (l *Notebook) growMessages() {
	if len(l.Messages) < cap(l.Messages) {
		return
	}
	if l.messageArray == nil {
		l.messageArray = make([]MessageNote, NotebookMessages+NotebookMessages/10)
	}
	n := copy(l.messageArray, l.Messages)
	clear(l.messageArray[n:])
	l.Messages = l.messageArray[:n]
}

// ForgetText drops the text of a message if nothing is left to do with it.
func (n *MessageNote) ForgetText() {
	if n.Signed && (n.Kind != wire.MessageKindQuestion || n.Answered) {
		n.Text = nil
	}
}
