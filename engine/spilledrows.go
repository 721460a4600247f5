package engine

import (
	"errors"
	"fmt"

	"kingdom/agent"
	"kingdom/wire/codec"
)

// rowList is the form in which rows of one table are spilled.
type rowList[R any] struct {
	Rows []R `kdom:"rows"`
}

var (
	spilledExperiences = codec.New[rowList[agent.ExperienceRow]]()
	spilledBeliefs     = codec.New[rowList[agent.BeliefRow]]()
	spilledPlans       = codec.New[rowList[agent.PlanRow]]()
	spilledGoals       = codec.New[rowList[agent.GoalRow]]()
)

// flushSpilled takes what changed of an agent, spills it and hashes its state.
func (s *seat) flushSpilled(a *spillFile, j *job) error {
	var errs error
	put := func(to *span) func(b []byte) {
		return func(b []byte) {
			var err error
			*to, err = a.put(b)
			errs = errors.Join(errs, err)
		}
	}
	s.spilled = spilledRows{}
	s.rows, s.hash = s.a.FlushLarge(j.tick, agent.Large{
		Knowledge: put(&s.spilled.knowledge), Peers: put(&s.spilled.peers), Changes: put(&s.spilled.changes), State: put(&s.spilled.state),
	})
	return errors.Join(errs, s.spillLists(a))
}

// spillLists spills the lists of a seat's rows, in one piece.
func (s *seat) spillLists(a *spillFile) error {
	room := codec.Borrow()
	defer room.Return()
	r, l := &s.rows, &s.spilled
	room.B = appendList(room.B, &l.experiences, spilledExperiences, &r.Experiences)
	room.B = appendList(room.B, &l.beliefs, spilledBeliefs, &r.Beliefs)
	room.B = appendList(room.B, &l.plans, spilledPlans, &r.Plans)
	room.B = appendList(room.B, &l.goals, spilledGoals, &r.Goals)
	all, err := a.put(room.B)
	for _, part := range []*span{&l.experiences, &l.beliefs, &l.plans, &l.goals} {
		part.at += all.at
	}
	return err
}

// appendList appends the rows of a list to dst, notes where they begin there and lets go of them.
func appendList[R any](dst []byte, at *span, c *codec.Codec[rowList[R]], rows *[]R) []byte {
	at.at = int64(len(dst))
	if len(*rows) > 0 {
		dst = c.Append(dst, &rowList[R]{*rows})
	}
	at.length = len(dst) - int(at.at)
	*rows = nil
	return dst
}

// spilledList returns the rows of a list, read back if they were spilled.
func spilledList[R any](b *Batch, i int, held []R, at func(*spilledRows) span, c *codec.Codec[rowList[R]]) []R {
	if b.spillFile == nil || at(&b.spilled[i]).length == 0 {
		return held
	}
	b.buf = b.spillFile.read(b.buf[:0], at(&b.spilled[i]))
	var list rowList[R]
	if err := c.Decode(b.buf, &list); err != nil {
		panic(fmt.Errorf("read back a cycle's rows: %w", err))
	}
	return list.Rows
}

// Experiences returns the experience rows of the i-th of Minds.
func (b *Batch) Experiences(i int) []agent.ExperienceRow {
	return spilledList(b, i, b.Minds[i].Experiences, func(l *spilledRows) span { return l.experiences }, spilledExperiences)
}

// Beliefs returns the belief rows of the i-th of Minds.
func (b *Batch) Beliefs(i int) []agent.BeliefRow {
	return spilledList(b, i, b.Minds[i].Beliefs, func(l *spilledRows) span { return l.beliefs }, spilledBeliefs)
}

// Plans returns the plan rows of the i-th of Minds.
func (b *Batch) Plans(i int) []agent.PlanRow {
	return spilledList(b, i, b.Minds[i].Plans, func(l *spilledRows) span { return l.plans }, spilledPlans)
}

// Goals returns the goal rows of the i-th of Minds.
func (b *Batch) Goals(i int) []agent.GoalRow {
	return spilledList(b, i, b.Minds[i].Goals, func(l *spilledRows) span { return l.goals }, spilledGoals)
}

// Memory returns the memory row of the i-th of Minds, nil if it did not change. Its bytes are
// valid until a method of the batch is called again.
func (b *Batch) Memory(i int) *agent.MemoryRow {
	r := b.Minds[i].Memory
	if b.spillFile == nil || r == nil || b.spilled[i].knowledge == (span{}) {
		return r
	}
	whole, l := *r, &b.spilled[i]
	b.buf = b.spillFile.read(b.spillFile.read(b.buf[:0], l.knowledge), l.peers)
	whole.Knowledge, whole.PeerModel = b.buf[:l.knowledge.length:l.knowledge.length], b.buf[l.knowledge.length:]
	return &whole
}

// State returns the state row of the i-th of Minds, nil if it did not change. Its bytes are valid until a method of
// the batch is called again.
func (b *Batch) State(i int) *agent.StateRow {
	r := b.Minds[i].State
	if b.spillFile == nil || r == nil || b.spilled[i].state == (span{}) {
		return r
	}
	whole := *r
	b.buf = b.spillFile.read(b.buf[:0], b.spilled[i].state)
	whole.Body = b.buf
	return &whole
}

// Changes returns the rows of agent.changes of the i-th of Minds. Their bytes are valid until a method of the batch
// is called again.
func (b *Batch) Changes(i int) []agent.ChangesRow {
	rows := b.Minds[i].Changes
	if b.spillFile == nil || len(rows) == 0 || b.spilled[i].changes == (span{}) {
		return rows
	}
	whole := rows[0] // a flush makes one
	b.buf = b.spillFile.read(b.buf[:0], b.spilled[i].changes)
	whole.Body = b.buf
	return []agent.ChangesRow{whole}
}
