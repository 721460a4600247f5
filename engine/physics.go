package engine

// Flag numbers a change of behaviour that moved a hash. Flags are only ever
// added; a history recorded under older flags replays under them
// (docs/DETERMINISM.md).
type Flag uint32

// FlagOrigin is the behaviour of the first release.
const FlagOrigin Flag = 1

// Physics is the newest flag; it is stored in every run.
const Physics = uint32(FlagOrigin)

// Flags lists all flags this build knows, ascending. It is stored in run.json.
func Flags() []Flag { return []Flag{FlagOrigin} }
