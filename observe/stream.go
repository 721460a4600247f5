package observe

import (
	"path/filepath"
	"strings"

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
	StreamGoals
)

var streamNames = []string{"think", "nop", "dormancy", "engine", "goals"}

func (Stream) EnumNames() []string { return streamNames }
func (s Stream) String() string    { return codec.EnumString(streamNames, s) }

// Streams lists all streams.
func Streams() []Stream {
	return []Stream{StreamThink, StreamNOP, StreamDormancy, StreamEngine, StreamGoals}
}

// Path returns the path of the stream's plain file in a run directory.
func (s Stream) Path(dir string) string { return filepath.Join(dir, "log", s.String()+".jsonl") }

// compressed is the extension of files with zstd frames.
const compressed = ".zst"

func isCompressed(path string) bool { return strings.HasSuffix(path, compressed) }

// Paths returns the paths of the stream's files in a run directory, plain and compressed. A run has both if it was
// written in one form and resumed in the other; each line is in one of them.
func (s Stream) Paths(dir string) []string { return []string{s.Path(dir), s.Path(dir) + compressed} }
