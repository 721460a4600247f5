package ooda

import (
	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
)

// pending is what Act decided, until Record learns what came of it.
type pending struct {
	sent        bool
	denied      *wire.ErrorBody // the action is dearer than the slots left: refused before it is sealed
	slept       bool            // the agent goes to sleep for a reason of its own
	rested      bool            // nothing is sent: the agent lets slots pass
	reported    uint32          // the streak that the runtime reports; 0: the mind's own action
	row         *action.Row
	payload     any
	ticks       uint64    // what it costs: the bound until there is a reply
	msgID       wire.Hash // zero until sealed
	subject     wire.Hash
	subjectKind goals.Subject
	goal        wire.Hash     // zero: none in particular
	goalKind    goals.Kind    // 0: none
	verb        string        // see llm.Affordance
	domain      action.Domain // of the goal, else of the action
	plan        uint64        // row id of the plan whose step this is; 0: none
	step        uint32
	offer       int // index of the affordance that it is taken to be; -1: none
	memory      *llm.MemoryUpdate
	reasoning   string // the mind's own; also of a choice to do nothing

	act memory.Act // scratch of describe
}

// encode is the content of the experience that an action makes, as bytes.
func (p *pending) encode() []byte {
	s := codec.Borrow()
	s.B = memory.AppendAct(s.B, p.describe())
	return s.Take()
}

// describe is the content of the experience that an action makes, valid until the next.
func (p *pending) describe() *memory.Act {
	act := &p.act
	*act = memory.Act{
		Action: p.row.Name, Domain: p.row.Domain.String(), SubjectKind: p.subjectKind.String(),
	}
	if !p.goal.IsZero() {
		act.Goal, act.GoalKind = &p.goal, p.goalKind.String()
	}
	if !p.subject.IsZero() {
		act.Subject = &p.subject
	}
	if !p.msgID.IsZero() {
		act.Envelope = &p.msgID
	}
	return act
}

// outcome judges a reply.
func (p *pending) outcome(r *wire.Reply) memory.Outcome {
	switch {
	case r.Err != nil:
		return memory.OutcomeFailure
	case asynchronous(p.row.Type):
		return memory.OutcomeUnknown
	}
	switch b := r.Body.(type) {
	case *wire.BountySubmitAck:
		if b.Status == wire.BountyStatusClaimed || b.Status == wire.BountyStatusRejected {
			return memory.OutcomePartial
		}
	case *wire.MergeReply:
		if len(b.Conflicts) > 0 {
			return memory.OutcomePartial
		}
	}
	return memory.OutcomeSuccess
}
