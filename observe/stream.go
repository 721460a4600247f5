package observe

import (
	"path/filepath"

	"kingdom/wire/codec"
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

func (Stream) EnumNames() []string { return streamNames }
func (s Stream) String() string    { return codec.EnumString(streamNames, s) }

// Streams lists all streams.
func Streams() []Stream { return []Stream{StreamThink, StreamNOP, StreamDormancy, StreamEngine} }

// Path is where a run directory keeps the stream.
func (s Stream) Path(dir string) string { return filepath.Join(dir, "log", s.String()+".jsonl") }
