package engine

// Flag numbers a change of behaviour that moved a hash. Flags are only ever
// added. Until the first release that promises more, a build runs the behaviour of
// its newest flag alone: a run that began under an older one is refused with the
// build to use (docs/decisions/0011-one-physics-per-build.md).
type Flag uint32

const (
	// FlagOrigin is the behaviour that was first recorded.
	FlagOrigin Flag = iota + 1
	// FlagCorrectedRules is that of the corrected rules of the four daemons, and of
	// minds that keep what they read and why they acted.
	FlagCorrectedRules
	// FlagWholeRules is that of all rules of the four daemons: bounds, governance,
	// reputation, upkeep, and views that say what became of their subjects.
	FlagWholeRules
	// FlagWholeWorld is that of the world with all its daemons: Vault, Forge and Portal
	// answer, automatic requirements run programs, and every epoch has its trigger.
	FlagWholeWorld
	// FlagMinds is that of agents whose choice weighs what they know, believe and
	// remember, and of the rules that adversaries had left open.
	FlagMinds
	// FlagSociety is that of agents who specialise, look only where something is new,
	// rest until something happens, set prices for what nobody does and vote by what
	// they expect.
	FlagSociety
	// FlagPatience is that of agents who leave to others what few are needed for.
	FlagPatience
	// FlagIntention is that of agents who go back to what they were about, hand in what is not
	// ready and make it good, and pay more the more they ask without doing anything.
	FlagIntention
	// FlagDrive is that of agents whose success makes them do more, who finish what they began, correct
	// what they find wrong, contradict what they counted otherwise, and spend what they can spare.
	FlagDrive
	// FlagThrift is that of agents who leave undone what brings them too little, learn from what nobody has judged
	// yet and buy where it is cheapest, and of claims, reviews and judges that bind fewer for less time.
	FlagThrift
	// FlagProvision is that of agents who keep back what they will live on and do errands in the breaks of their work, and
	// of bounties to which the time of a claim in vain is given back.
	FlagProvision
	// FlagLots is that of requests for reviews that, where they name nobody, are for agents drawn by lot.
	FlagLots
	// FlagOnce is that of agents who do not pay again for what they have, or for what nobody does, and of documentation
	// bounties that pay an entry in place of its reward.
	FlagOnce
	// FlagWhole is that of agents who finish a piece of work before they begin an errand of several acts, and leave to
	// others what comes back to the board as they leave them what is new.
	FlagWhole
	// FlagStale is that of agents who ask anew what they counted long ago, answer a second time whom they owe it to, want only
	// the bounties that they can deliver, and keep four references of a belief.
	FlagStale
	// FlagWritten is that of agents who pay to have written down what somebody answered, but not to have set right what
	// stands elsewhere by now, and who give all votes that wait when they go to vote.
	FlagWritten
	// FlagTogether is that of agents who let a vote wait for others for half of its time, give all for one goal, and get up for
	// one that is about to end.
	FlagTogether
	// FlagJuries is that of juries drawn from the roster once per cycle, and of agents who let reviews and votes wait for each
	// other, hand in more that is unfinished, and propose the same again sooner.
	FlagJuries
	// FlagBold is that of agents whose reach beyond what they know grows with the square of their boldness or caution, who
	// answer at their next slot when they are asked by name, and of minds whose slips grow with the cube of their speed.
	FlagBold
	// FlagAble is that of agents who take on a bounty for several entries only if they have as much to state.
	FlagAble
)

// Physics is the newest flag; it is stored in every run.
const Physics = uint32(FlagAble)

// flags lists those that hold in a world of a physics version, ascending.
func flags(physics uint32) []Flag {
	var out []Flag
	for f := FlagOrigin; f <= Flag(physics); f++ {
		out = append(out, f)
	}
	return out
}
