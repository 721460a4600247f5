package observe

import (
	"fmt"
	"path/filepath"
)

// Stream names one log file.
type Stream uint8

// The closed list of streams, in the order in which lines of one tick are shown.
const (
	StreamThink Stream = iota + 1
	StreamNOP
	StreamDormancy
	StreamEngine
)

var streamNames = []string{"think", "nop", "dormancy", "engine"}

// EnumNames lists the names in ordinal order.
func (Stream) EnumNames() []string { return streamNames }

// String returns the name of the stream.
func (s Stream) String() string {
	if s == 0 || int(s) > len(streamNames) {
		return fmt.Sprintf("stream(%d)", uint8(s))
	}
	return streamNames[s-1]
}

// Streams lists all streams.
func Streams() []Stream { return []Stream{StreamThink, StreamNOP, StreamDormancy, StreamEngine} }

// Path is where a run directory keeps the stream.
func (s Stream) Path(dir string) string { return filepath.Join(dir, "log", s.String()+".jsonl") }
