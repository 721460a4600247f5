package engine

// Flag numbers a change of behaviour that moved a hash. Flags are only ever
// added; a run that began under older ones goes on and replays under them, which
// Config.Physics says (docs/DETERMINISM.md).
type Flag uint32

// FlagOrigin is the behaviour of the first release.
const FlagOrigin Flag = 1

// Physics is the newest flag; it is stored in every run.
const Physics = uint32(FlagOrigin)

// flags lists those that hold in a world of a physics version, ascending.
func flags(physics uint32) []Flag {
	var out []Flag
	for f := FlagOrigin; f <= Flag(physics); f++ {
		out = append(out, f)
	}
	return out
}
