package llm

import (
	"strconv"

	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// answerForm is an answer as a mind writes it. Its codec reads the whole answer; Parse checks what the types cannot
// express. The choice is either action and params, or act: an object whose one key is the action and whose value is the
// params ([action.StrictSchema]).
type answerForm struct {
	Action       string        `kdom:"action,default"`
	Params       codec.RawJSON `kdom:"params,default"` // shares memory with the answer's text
	Act          codec.RawJSON `kdom:"act,default"`
	Reasoning    string        `kdom:"reasoning,default"`
	MemoryUpdate *MemoryUpdate `kdom:"memory_update"`
	ignored      int           `kdom:"-"`
}

var answerCodec = codec.New[answerForm]()

// Answer is a usable answer: an action of the catalogue with its typed request,
// or nop, and what the mind wants to remember.
type Answer struct {
	Action    *action.Row // nil: nop
	Payload   any         // pointer to the request payload; nil for nop
	Reasoning string
	Memory    MemoryUpdate
	Ignored   int // keys that an answer does not have
}

// ParseError says why an answer is unusable. It goes to the think log, never to the world.
type ParseError struct {
	Offset int    // byte of the answer's text
	Path   string // key that was being read, "" at the top
	Reason string
}

// Error implements error.
func (e *ParseError) Error() string {
	b := make([]byte, 0, 128) // enough for most messages
	b = append(b, "parse answer at byte "...)
	b = strconv.AppendInt(b, int64(e.Offset), 10)
	if e.Path != "" {
		b = append(append(b, ", "...), e.Path...)
	}
	return string(append(append(b, ": "...), e.Reason...))
}
