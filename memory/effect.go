package memory

import (
	"slices"

	"kingdom/wire"
)

// EffectsMax is how many acts are followed; the oldest is dropped first.
const EffectsMax = experienceRecent

// Effect is the known consequence of one act besides its outcome.
type Effect struct {
	Experience uint64    `kdom:"x"` // row id of the act
	Object     wire.Hash `kdom:"o"` // the message, entry or bounty that it made, or the entry that it judged; zero: none
	Refusal    string    `kdom:"r"` // the world's reason when it refused, else empty
	Spark      int64     `kdom:"b"` // ⚡ that it cost, as a negative number
	Fresh      uint32    `kdom:"f"` // things that it showed and that had not been read before
	Answers    uint32    `kdom:"w"` // ANSWERs to the object
	Approved   uint32    `kdom:"y"` // verdicts ACCURATE on the object, or approving signals to it
	Disputed   uint32    `kdom:"n"` // other verdicts, or other signals
	Reward     uint64    `kdom:"p"` // ⚡ that a delivered bounty paid
	Verb       string    `kdom:"v"` // what was done, see llm.Affordance
	Domain     uint8     `kdom:"d"` // of the goal that it served, else of the action
	Goal       uint64    `kdom:"g"` // the first 8 bytes of the goal's id; 0: none
}

// Tuple makes the stored form a list.
func (Effect) Tuple() {}

// Effects are the effects of the newest acts, oldest first. They are stored in the agent's state.
type Effects []Effect

// Add follows an act. It is valid until the next Add.
func (l *Effects) Add(e Effect) *Effect {
	list := *l
	if len(list) >= EffectsMax {
		list = slices.Delete(list, 0, 1+len(list)-EffectsMax)
	}
	e.Refusal = cutText(e.Refusal, refusalText)
	*l = append(grow(list, EffectsMax), e)
	return &(*l)[len(*l)-1]
}

// ByExperience returns the effect of the act with a row id, or nil.
func (l Effects) ByExperience(experience uint64) *Effect {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].Experience == experience {
			return &l[i]
		}
	}
	return nil
}

// Last returns the effect of the newest act, or nil.
func (l Effects) Last() *Effect {
	if len(l) == 0 {
		return nil
	}
	return &l[len(l)-1]
}

// ByObject returns the effect of the act that made something, or nil.
func (l Effects) ByObject(object wire.Hash) *Effect {
	for i := len(l) - 1; i >= 0; i-- {
		if l[i].Object == object && !object.IsZero() {
			return &l[i]
		}
	}
	return nil
}
