package ooda

import (
	"encoding/hex"

	"kingdom/memory"
	"kingdom/wire"
)

// messageLabel is the label under which a message that was read is known.
func messageLabel(id wire.Hash) []byte { return shortLabel(messageWord, id) }

// messageNode is the id of the node that would have that label.
func messageNode(id wire.Hash) wire.Hash {
	var room [32]byte
	return memory.NodeID(appendLabel(room[:0], messageWord, id))
}

const (
	messageWord = "message "
	seedWord    = "knowledge seed "
)

// shortLabel is a label made of a word and the first 8 hex digits of an id.
func shortLabel(word string, id wire.Hash) []byte {
	return appendLabel(make([]byte, 0, len(word)+8), word, id)
}

func appendLabel(dst []byte, word string, id wire.Hash) []byte {
	return hex.AppendEncode(append(dst, word...), id[:4])
}

var relationTag = []byte("tags")

var relationAnswer = []byte("answers")

// seedLabel is the label under which an entry that an agent is born to read is known
// before it is read.
func seedLabel(id wire.Hash) []byte { return shortLabel(seedWord, id) }
