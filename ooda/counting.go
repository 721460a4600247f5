package ooda

import (
	"encoding/hex"

	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// counter counts what the agent observes, in its findings. An era is a period of five cycles, see [memory.AppendEra].
type counter struct{ *self }

// observe notes one observation if the agent knows the topic or somebody pays for it. Otherwise it only notes that there
// is something to count, which the agent may ask about.
func (s counter) observe(m memory.Measure, subject []byte, x float64) {
	if s.agent.Memory.Topics.Attends(m.Topic(subject)) || s.demand().sought(m, subject) {
		s.agent.Memory.Findings.Observe(m, subject, x, s.seen.cycle)
	} else {
		s.agent.Memory.Findings.AddUncounted(m, subject, s.seen.cycle)
	}
}

// takenUpFor is the least reward of a bounty, in ⚡ times the agent's need for money, for which the agent counts what the
// bounty asks for although it does not know the topic.
const takenUpFor = 1

// soughtCycles is for how many cycles an agent looks out for what somebody pays for: as long as Oracle's bounties are
// open.
const soughtCycles = 10

// demand tells for which statements others have offered to pay lately.
type demand struct{ *self }

// sought reports whether somebody offered to pay for an entry about this in the last soughtCycles cycles. If so the
// agent counts every observation of it.
func (s demand) sought(m memory.Measure, subject []byte) bool {
	f := s.agent.Memory.Findings.Get(m, subject)
	return f != nil && f.Paid > 0 && s.seen.cycle < f.Paid.Cycle()+soughtCycles
}

// paidFor reports whether somebody pays for an entry with a title, as far as the agent looks out for such.
func (s demand) paidFor(title []byte) bool {
	m, subject, ok := memory.ReadTitle(title)
	return ok && s.sought(m, subject)
}

// noteSought notes what a bounty asks for, if the agent knows the topic or the bounty pays enough to learn it.
func (s demand) noteSought(title []byte, reward uint64) {
	if m, subject, ok := readDocumented(title); ok && !m.Private() && (s.expert().knowOf(m, subject) >= knows || float64(float64(reward)*s.purse().moneyNeed()) >= takenUpFor) {
		s.agent.Memory.Findings.GetOrAdd(m, subject).Paid = memory.CycleNumber(s.seen.cycle + 1)
	}
}

// observeShare notes whether something is so.
func (s counter) observeShare(m memory.Measure, subject []byte, so bool) {
	x := 0.0
	if so {
		x = 1
	}
	s.observe(m, subject, x)
}

// observeEra notes a number for the present era.
func (s counter) observeEra(m memory.Measure, x float64) {
	var room [32]byte
	s.observe(m, memory.AppendEra(room[:0], s.seen.cycle), x)
}

// observeEraShare notes whether something is so for the present era.
func (s counter) observeEraShare(m memory.Measure, so bool) {
	var room [32]byte
	s.observeShare(m, memory.AppendEra(room[:0], s.seen.cycle), so)
}

// observeAgent notes whether something is so of an agent. Systems are ignored.
func (s counter) observeAgent(m memory.Measure, who wire.AgentID, so bool) {
	if !wire.IsSystem(who) {
		var room [8]byte
		s.observeShare(m, aliasOf(room[:0], who), so)
	}
}

// observeAgentEra notes whether something is so of an agent in the present era. Systems are ignored.
func (s counter) observeAgentEra(m memory.Measure, who wire.AgentID, so bool) {
	if !wire.IsSystem(who) {
		var room [8]byte
		s.observeSubjectEra(m, aliasOf(room[:0], who), so)
	}
}

// observeSubjectEra notes whether something is so of a subject in the present era.
func (s counter) observeSubjectEra(m memory.Measure, about []byte, so bool) {
	var room [64]byte
	s.observeShare(m, memory.AppendEra(append(append(room[:0], about...), " in "...), s.seen.cycle), so)
}

// observeTicks notes how many ticks passed between two ticks.
func (s counter) observeTicks(m memory.Measure, subject []byte, from, to wire.Tick) {
	if to >= from {
		s.observe(m, subject, float64(to-from))
	}
}

// aliasOf appends the alias of an agent.
func aliasOf(dst []byte, who wire.AgentID) []byte { return hex.AppendEncode(dst, who[:4]) }

// countEvent counts what an event shows of this world.
func (er *eventReader) countEvent(e *wire.Event) {
	switch p := e.Payload.(type) {
	case *wire.MessagePostedEvent:
		er.countMessage(p)
	case *wire.EntryPublishedEvent:
		er.expert().noteStated(p.Title, p.EntryID, p.Author == er.agent.ID)
	case *wire.EntryVerifiedEvent:
		right := p.Verdict == wire.VerdictAccurate
		er.counter().observeAgent(memory.MeasureJudge, p.Verifier, right)
		er.counter().observeAgentEra(memory.MeasureEraJudge, p.Verifier, right)
		er.counter().observeEraShare(memory.MeasureEraVerdicts, right)
		if n := er.notes.Entry(p.EntryID); n != nil {
			er.counter().observeAgent(memory.MeasureAuthor, n.Author, right)
			er.counter().observeAgentEra(memory.MeasureEraAuthor, n.Author, right)
			er.counter().observeShare(memory.MeasureGenre, []byte(n.Kind.String()), right)
			er.counter().observeSubjectEra(memory.MeasureEraGenre, []byte(n.Kind.String()), right)
			er.countField(n, p, right)
		}
	case *wire.SignalSentEvent:
		if p.Author == er.agent.ID {
			return
		}
		good := approves(p.Kind)
		er.counter().observeAgent(memory.MeasureKind, p.Author, good)
		var room [8]byte
		er.counter().observe(memory.MeasureStanding, aliasOf(room[:0], p.Author), float64(p.Weight))
		if m := er.notes.Message(p.TargetID); m != nil {
			er.counter().observeShare(memory.MeasureWelcome, []byte(m.Kind.String()), good)
		}
	case *wire.ReviewSubmittedEvent:
		er.counter().observeAgent(memory.MeasureReviewer, p.Reviewer, p.Verdict == wire.ReviewVerdictApprove)
		er.counter().observeEraShare(memory.MeasureEraReviews, p.Verdict == wire.ReviewVerdictApprove)
		er.counter().observeAgent(memory.MeasureKeeps, p.Reviewer, true)
	case *wire.DependencyUpdatedEvent:
		er.countDependents(p)
	case *wire.AgentStatusChangeEvent:
		switch p.NewStatus {
		case wire.StatusDormant:
			poor := p.Reason == "poverty" || p.Reason == "bankruptcy"
			er.counter().observeAgent(memory.MeasureSleeps, p.AgentID, poor)
			er.counter().observeEraShare(memory.MeasureEraSleeps, poor)
		case wire.StatusActive:
			er.counter().observeAgent(memory.MeasureWakes, p.AgentID, p.Reason == "mention" || p.Reason == "message")
		default: // nothing to count of the others
		}
	default:
		er.countBounty(e)
	}
}

// countField counts a verdict for the topic of the entry, and for what its author is worth in that topic.
func (er *eventReader) countField(n *memory.EntryNote, p *wire.EntryVerifiedEvent, right bool) {
	m, subject, ok := memory.ReadTitle(n.Title)
	if !ok {
		return
	}
	topic := m.Topic(subject)
	name := []byte(topic.String())
	er.counter().observeShare(memory.MeasureField, name, right)
	er.counter().observeSubjectEra(memory.MeasureEraField, name, right)
	if n.Verdicts == 0 && n.Verdict == 0 {
		er.counter().observeTicks(memory.MeasureJudged, name, n.At, p.Tick)
	}
	if !wire.IsSystem(n.Author) {
		var room [64]byte
		er.counter().observeShare(memory.MeasureVersed, topic.SubjectOf(aliasOf(room[:0], n.Author)), right)
	}
}

// countQuestion counts what a question that was read is about.
func (rr messageReader) countQuestion(text []byte) {
	m, subject, ok := memory.ReadQuestion(text)
	if !ok {
		return
	}
	asked := m.Topic(subject)
	for t := memory.Topic(1); int(t) <= memory.Topics; t++ {
		if t == asked || rr.agent.Memory.Findings.Get(memory.MeasureDemand, []byte(t.String())) != nil {
			rr.counter().observeShare(memory.MeasureDemand, []byte(t.String()), t == asked)
		}
	}
}

// countTry counts whether the world took an own act.
func (rr *replyReader) countTry(name string, taken bool) {
	rr.counter().observeShare(memory.MeasureRefused, []byte(name), !taken)
	rr.counter().observeEraShare(memory.MeasureEraRefused, !taken)
}

func approves(k wire.SignalKind) bool {
	return k == wire.SignalKindAgree || k == wire.SignalKindHelpful || k == wire.SignalKindActionable
}

func (er *eventReader) countMessage(p *wire.MessagePostedEvent) {
	if wire.IsSystem(p.Author) {
		return
	}
	name := er.counter().channelWord(p.ChannelID)
	if name != nil {
		er.counter().observeShare(memory.MeasureAsked, name, p.Kind == wire.MessageKindQuestion)
		er.counter().observeSubjectEra(memory.MeasureEraChannel, name, p.Kind == wire.MessageKindQuestion)
	}
	er.counter().observeAgent(memory.MeasureHelps, p.Author, p.Kind == wire.MessageKindAnswer)
	er.counter().observeEraShare(memory.MeasureEraAsked, p.Kind == wire.MessageKindQuestion)
	if p.Kind != wire.MessageKindAnswer || p.Reference == nil {
		return
	}
	q := er.notes.Message(*p.Reference)
	if q == nil || q.Kind != wire.MessageKindQuestion {
		return
	}
	if name != nil {
		er.counter().observeTicks(memory.MeasureChannel, name, q.At, p.Tick)
	}
	var room [8]byte
	er.counter().observeTicks(memory.MeasureAnswers, aliasOf(room[:0], p.Author), q.At, p.Tick)
	if p.Tick >= q.At {
		er.counter().observeEra(memory.MeasureEraAnswers, float64(p.Tick-q.At))
	}
	if m, subject, ok := memory.ReadQuestion(q.Text); ok && q.Answers == 0 {
		er.counter().observeTicks(memory.MeasureSolved, []byte(m.Topic(subject).String()), q.At, p.Tick)
	}
}

// channelWord is the name of a channel, nil if the agent does not know it.
func (s counter) channelWord(id wire.Hash) []byte {
	if name := llm.ChannelName(id); name != "" {
		return []byte(name)
	}
	if n := s.notes.Channel(id); n != nil {
		return n.Name
	}
	return nil
}

// countBounty counts what events show of a bounty from its creation to its end.
func (er *eventReader) countBounty(e *wire.Event) {
	switch p := e.Payload.(type) {
	case *wire.BountyCreatedEvent:
		asked, _, _ := readDocumented(p.Title)
		er.notes.Offer(memory.OfferNote{Bounty: p.BountyID, Difficulty: p.Difficulty, Measure: asked, At: p.Tick})
		er.demand().noteSought(p.Title, p.Reward)
		er.counter().observe(memory.MeasureReward, []byte(p.Difficulty.String()), float64(p.Reward))
		er.counter().observeEra(memory.MeasureEraPay, float64(p.Reward))
		if p.Creator != er.agent.ID {
			er.counter().observe(memory.MeasurePays, appendName(nil, p.Creator), float64(p.Reward))
		}
	case *wire.BountyClaimedEvent:
		if o := er.notes.Offered(p.BountyID); o != nil {
			er.counter().observeTicks(memory.MeasureTaken, []byte(o.Difficulty.String()), o.At, p.Tick)
			er.counter().observeEra(memory.MeasureEraTaken, float64(p.Tick-min(o.At, p.Tick)))
			o.Claimed = p.Tick
		}
	case *wire.BountyCompletedEvent:
		er.counter().observeAgent(memory.MeasureKeeps, p.Claimer, true)
		er.counter().observeAgent(memory.MeasureDelivers, p.Claimer, true)
		if !wire.IsSystem(p.Claimer) {
			var room [8]byte
			er.counter().observe(memory.MeasureEarns, aliasOf(room[:0], p.Claimer), float64(p.Reward))
		}
		if o := er.notes.Offered(p.BountyID); o != nil {
			er.agent.Memory.Market.NotePay(o.Work(), p.Reward)
			er.believer().believeAgreed(o, true, p.Tick)
			er.counter().observeShare(memory.MeasureEnds, []byte(o.Difficulty.String()), true)
			er.counter().observeEraShare(memory.MeasureEraEnds, true)
			if o.Claimed > 0 && !wire.IsSystem(p.Claimer) {
				var room [8]byte
				er.counter().observeTicks(memory.MeasurePace, aliasOf(room[:0], p.Claimer), o.Claimed, p.Tick)
			}
		}
	case *wire.BountyRejectedEvent:
		if claimer, ok := er.notes.Claimer(p.BountyID); ok {
			er.counter().observeAgent(memory.MeasureDelivers, claimer, false)
		}
	case *wire.BountyExpiredEvent:
		er.countLost(p.BountyID, p.Tick)
	case *wire.BountyReopenedEvent:
		er.countLost(p.BountyID, p.Tick)
		er.offeredAgain(p)
	}
}

// offeredAgain notes a bounty that came back and had been forgotten meanwhile: it, too, is left to others for a time, where
// all who know it hear in the same tick that it is free.
func (er *eventReader) offeredAgain(p *wire.BountyReopenedEvent) {
	b := er.seen.bounty(p.BountyID)
	if b == nil || er.notes.Offered(b.ID) != nil {
		return
	}
	asked, _, _ := readDocumented(b.Title)
	er.notes.Offer(memory.OfferNote{Bounty: b.ID, Difficulty: b.Difficulty, Measure: asked, Tried: true, At: p.Tick})
}

// countLost counts a bounty that came back or expired, and the promise that was broken with it.
func (er *eventReader) countLost(id wire.Hash, at wire.Tick) {
	if claimer, ok := er.notes.Claimer(id); ok {
		er.counter().observeAgent(memory.MeasureKeeps, claimer, false)
	}
	if o := er.notes.Offered(id); o != nil {
		er.counter().observeShare(memory.MeasureEnds, []byte(o.Difficulty.String()), false)
		er.counter().observeEraShare(memory.MeasureEraEnds, false)
		if o.Claimed > 0 || !o.Tried {
			er.believer().believeAgreed(o, false, at)
		}
		o.At, o.Claimed, o.Tried, o.Again = at, 0, true, 0
	}
}

// countDependents notes how many repos build on one that the view shows.
func (er *eventReader) countDependents(p *wire.DependencyUpdatedEvent) {
	er.counter().observeEra(memory.MeasureEraBuilt, float64(p.DependentCount))
	for i := range er.seen.libraries {
		l := &er.seen.libraries[i]
		if l.Repo != p.RepoID {
			continue
		}
		subject := append(append(append([]byte{}, l.Name...), " of "...), l.Author.Alias()...)
		if er.agent.Memory.Topics.Know(memory.TopicLibraries) < knows {
			er.agent.Memory.Findings.AddUncounted(memory.MeasureDependent, subject, er.seen.cycle)
			return
		}
		er.agent.Memory.Findings.Set(memory.MeasureDependent, subject, float64(p.DependentCount), er.seen.cycle)
		return
	}
}

// countRun notes what a run of an own program cost.
func (rr workReader) countRun(w *memory.WorkNote, box *wire.SandboxView) {
	var room [64]byte
	subject := hex.AppendEncode(room[:0], w.Code[:4])
	rr.agent.Memory.Findings.Set(memory.MeasureSteps, subject, float64(box.TicksUsed), rr.seen.cycle)
	rr.agent.Memory.Topics.Prove(memory.TopicPrograms)
}

// countLook notes how many new messages a look at a channel brought.
func (rr messageReader) countLook(channel wire.Hash, news uint32) {
	if name := rr.counter().channelWord(channel); name != nil {
		rr.counter().observe(memory.MeasureLook, name, float64(news))
	}
}
