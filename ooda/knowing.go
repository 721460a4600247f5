package ooda

import (
	"kingdom/det"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	// knows is from where on an agent answers, judges and writes about a topic.
	knows = 0.35
	// knowSum is what an agent knows at its birth, over all topics together; no topic is known
	// better than knowMost.
	knowSum  = 3.0
	knowMost = 0.95
)

// leanings are the topics that a role is drawn to, three times as much as to others.
var leanings = [...][]memory.Topic{
	wire.RoleCompilerSmith: {memory.TopicPrograms, memory.TopicText, memory.TopicData, memory.TopicControl},
	wire.RoleLibrarian:     {memory.TopicVerdicts, memory.TopicTalk, memory.TopicData},
	wire.RoleArchitect:     {memory.TopicLibraries, memory.TopicReviews, memory.TopicPromises},
	wire.RoleExplorer:      {memory.TopicBounties, memory.TopicStanding, memory.TopicPrograms},
	wire.RoleGeneralist:    {},
}

// bornKnowing draws the topics that an agent knows from its birth on: specialists few and well,
// generalists many and little.
func (gt *goalTracker) bornKnowing() {
	a := gt.agent
	stream := det.NewStream(gt.rules.WorldSeed, det.MindTopics, a.ID, 0)
	var weights [memory.Topics]float64
	sum := 0.0
	for i := range weights {
		weights[i] = 1
	}
	if int(a.Genome.Role) < len(leanings) {
		for _, t := range leanings[a.Genome.Role] {
			weights[t-1] = 3
		}
	}
	for _, w := range weights {
		sum += w
	}
	n := min(2+int(float64(6*float64(a.Genome.Traits.DepthVsBreadth))), memory.Topics)
	notes := make(memory.TopicNotes, memory.Topics)
	know := float32(det.Quantise(min(knowSum/float64(n), knowMost)))
	for range n {
		draw := float64(stream.Float64() * sum)
		at := -1
		for i, w := range weights {
			if w == 0 {
				continue
			}
			at = i
			if draw < w {
				break
			}
			draw -= w
		}
		sum -= weights[at]
		weights[at] = 0
		notes[at].Know = know
	}
	for i := range notes {
		notes[i].Credit = float32(det.Quantise(stream.Float64()))
	}
	a.Memory.Topics = notes
	for t := memory.TopicText; t <= memory.TopicControl; t++ {
		if notes.Know(t) >= knows {
			for _, word := range memory.Patterns(t) {
				a.Memory.Findings.Take(memory.MeasurePattern, []byte(word))
			}
		}
	}
}

// knowOf is how well the agent knows the topic of a measure.
func (s *self) knowOf(m memory.Measure, subject []byte) float64 {
	return s.agent.Memory.Topics.Know(m.Topic(subject))
}

// can reports whether the agent can say what a finding is, and judge what others say of it: of what
// is counted it has counted enough, of what is known it knows enough.
func (s *self) can(f *memory.Finding, least uint32) bool {
	if f.Measure == memory.MeasurePattern {
		return s.knowOf(f.Measure, f.Subject) >= knows
	}
	return f.N >= least && (!f.Measure.Era() || !memory.SameEra(f.At, s.seen.cycle)) // of a time only when it is over
}

// care is how much the agent wants to have seen before it publishes, [0,1].
func (s *self) care() float64 { return 1 - float64(s.agent.Genome.Traits.QualityVsSpeed) }

// unknowing is what is said of an agent that knows nothing of a topic: 0 would say that it does not matter.
const unknowing = 0.05
