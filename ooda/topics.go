package ooda

import (
	"kingdom/det"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

const (
	// knows is how well an agent has to know a topic to answer, judge and write about it.
	knows = 0.35
	// knowSum is what an agent knows at its birth, over all topics together; no topic is known better than knowMost.
	knowSum  = 3.0
	knowMost = 0.95
)

// A bar says how long the agent leaves work in a topic to others. It is lower in what it knows, falls in each cycle in
// which its work in the topic was found good, and rises in the others, faster for those who keep to their fields: so
// equals come to different trades.
const (
	barAtBirth = 1.3
	barPerKnow = 0.8
	barFalls   = 0.10
	barRises   = 0.05
)

// roleTopics are the topics that agents of a role are likely to know: they are drawn with three times the weight of
// others. The first one is the role's trade.
var roleTopics = [...][]memory.Topic{
	wire.RoleCompilerSmith: {memory.TopicPrograms, memory.TopicText, memory.TopicData, memory.TopicControl},
	wire.RoleLibrarian:     {memory.TopicVerdicts, memory.TopicTalk, memory.TopicData},
	wire.RoleArchitect:     {memory.TopicLibraries, memory.TopicReviews, memory.TopicPromises},
	wire.RoleExplorer:      {memory.TopicBounties, memory.TopicStanding, memory.TopicPrograms},
	wire.RoleGeneralist:    {},
}

// drawTopics draws the topics that an agent knows from its birth on: specialists few and well,
// generalists many and little.
func (gt *goalTracker) drawTopics() {
	a := gt.agent
	stream := det.NewStream(gt.rules.WorldSeed, det.MindTopics, a.ID, 0)
	var weights [memory.Topics]float64
	sum := 0.0
	for i := range weights {
		weights[i] = 1
	}
	if int(a.Genome.Role) < len(roleTopics) {
		for _, t := range roleTopics[a.Genome.Role] {
			weights[t-1] = 3
		}
	}
	for _, w := range weights {
		sum += w
	}
	n := min(2+int(float64(6*float64(a.Genome.Traits.DepthVsBreadth))), memory.Topics)
	notes := make(memory.TopicNotes, memory.Topics)
	know := float32(det.Quantise(min(knowSum/float64(n), knowMost)))
	for i := range n {
		at := drawTopic(stream, &weights, sum)
		if trade := tradeOf(a.Genome.Role); i == 0 && trade != 0 {
			at = int(trade) - 1
		}
		sum -= weights[at]
		weights[at] = 0
		notes[at].Know = know
	}
	for i := range notes {
		notes[i].Credit = float32(det.Quantise(stream.Float64()))
		notes[i].Bar = float32(det.Quantise(barAtBirth - float64(barPerKnow*float64(notes[i].Know))))
	}
	a.Memory.Topics, a.Memory.Drive = notes, memory.NewDrive()
	for t := memory.TopicText; t <= memory.TopicControl; t++ {
		if notes.Know(t) >= knows {
			for _, word := range memory.Patterns(t) {
				a.Memory.Findings.GetOrAdd(memory.MeasurePattern, []byte(word))
			}
		}
	}
}

// expert is the agent as it knows topics and has counted what it may state and judge.
type expert struct{ *self }

// practised notes that work of the agent in a topic was found good by others.
func (s expert) practised(t memory.Topic) {
	s.agent.Memory.Topics.Practise(t, s.seen.cycle, float64(barFalls*s.specialisation()))
}

// specialisation is how fast the agent comes to a trade of its own, in [0.2,1.2]: slower for generalists.
func (s expert) specialisation() float64 { return 1.2 - float64(s.agent.Genome.Traits.DepthVsBreadth) }

// bar is how long the agent leaves work in a topic to others, in shares of an equal's time.
func (s expert) bar(t memory.Topic) float64 {
	if s.rules.Blind.Has(llm.LayerKnowledge) {
		return 1
	}
	return s.agent.Memory.Topics.Bar(t)
}

// drawTopic draws a topic, by weights whose sum is given, and returns its place.
func drawTopic(stream *det.Stream, weights *[memory.Topics]float64, sum float64) (at int) {
	draw := float64(stream.Float64() * sum)
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
	return at
}

// tradeOf is the topic that every agent of a role knows from its birth; 0: the role has none.
func tradeOf(r wire.Role) memory.Topic {
	if int(r) < len(roleTopics) && len(roleTopics[r]) > 0 {
		return roleTopics[r][0]
	}
	return 0
}

// topicOf is the topic of an entry, by its title; 0: it is about nothing that agents count.
func topicOf(title []byte) memory.Topic {
	if m, subject, about := memory.ReadTitle(title); about {
		return m.Topic(subject)
	}
	return 0
}

// knowOf is how well the agent knows the topic of a measure.
func (s expert) knowOf(m memory.Measure, subject []byte) float64 {
	return s.agent.Memory.Topics.Know(m.Topic(subject))
}

// expertise is how well the agent knows the topic of a finding.
func (s expert) expertise(f *memory.Finding) float64 { return s.agent.Memory.Topics.Know(f.Topic()) }

// knowsEnough reports whether the agent can state a finding and judge what others state of it: it has observed it
// often enough or, for a pattern, knows its topic well enough.
func (s expert) knowsEnough(f *memory.Finding, least uint32) bool {
	if f.Measure == memory.MeasurePattern {
		return s.expertise(f) >= knows
	}
	return f.N >= least && (!f.Measure.Era() || !memory.SameEra(f.At, s.seen.cycle)) // of a time only when it is over
}

// counted is what the agent has counted of a measure, if that is enough to judge what others state of it and to state it for
// pay; else nil.
func (s expert) counted(m memory.Measure, subject []byte) *memory.Finding {
	f := s.agent.Memory.Findings.Get(m, subject)
	if f == nil || !s.knowsEnough(f, min(enoughToJudge, m.MinObservations(0))) {
		return nil
	}
	return f
}

// care is how careful the agent is, in [0,1]; [memory.Measure.MinObservations] turns it into a number of observations.
func (s expert) care() float64 { return 1 - float64(s.agent.Genome.Traits.QualityVsSpeed) }

// knowsNothing is the knowledge shown for an agent that knows nothing of a topic; 0 would mean that knowledge does not
// matter.
const knowsNothing = 0.05
