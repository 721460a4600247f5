package engine

import (
	"errors"
	"fmt"

	"kingdom/agent"
	"kingdom/wire/codec"
)

// rowList is the encoded form of the rows of one table.
type rowList[R any] struct {
	Rows []R `kdom:"rows"`
}

var (
	spilledExperiences = codec.New[rowList[agent.ExperienceRow]]()
	spilledBeliefs     = codec.New[rowList[agent.BeliefRow]]()
	spilledPlans       = codec.New[rowList[agent.PlanRow]]()
	spilledGoals       = codec.New[rowList[agent.GoalRow]]()
)

// flushSpilled is flushAgent that writes the rows to a spillFile.
func (s *seat) flushSpilled(f *spillFile, j *job) error {
	var errs error
	put := func(to *span) func(b []byte) {
		return func(b []byte) {
			var err error
			*to, err = f.put(b)
			errs = errors.Join(errs, err)
		}
	}
	s.spilled = spilledRows{}
	s.rows, s.hash = s.a.FlushLarge(j.tick, agent.LargeBlobs{
		Knowledge: put(&s.spilled.knowledge), Peers: put(&s.spilled.peers), Changes: put(&s.spilled.changes), State: put(&s.spilled.state),
	})
	return errors.Join(errs, s.spillLists(f))
}

// spillLists writes the lists of a seat's rows with one put.
func (s *seat) spillLists(f *spillFile) error {
	buf := codec.Borrow()
	defer buf.Return()
	r, l := &s.rows, &s.spilled
	buf.B = appendList(buf.B, &l.experiences, spilledExperiences, &r.Experiences)
	buf.B = appendList(buf.B, &l.beliefs, spilledBeliefs, &r.Beliefs)
	buf.B = appendList(buf.B, &l.plans, spilledPlans, &r.Plans)
	buf.B = appendList(buf.B, &l.goals, spilledGoals, &r.Goals)
	all, err := f.put(buf.B)
	for _, part := range []*span{&l.experiences, &l.beliefs, &l.plans, &l.goals} {
		part.at += all.at
	}
	return err
}

// appendList appends the encoded rows of a list to dst, stores their position in at, and clears the list.
func appendList[R any](dst []byte, at *span, c *codec.Codec[rowList[R]], rows *[]R) []byte {
	at.at = int64(len(dst))
	if len(*rows) > 0 {
		dst = c.Append(dst, &rowList[R]{*rows})
	}
	at.length = len(dst) - int(at.at)
	*rows = nil
	return dst
}

// spilledList returns the rows of a list, from the spillFile if they were spilled.
func spilledList[R any](b *Batch, i int, held []R, at func(*spilledRows) span, c *codec.Codec[rowList[R]]) []R {
	if b.spillFile == nil || at(&b.spilled[i]).length == 0 {
		return held
	}
	b.buf = b.spillFile.read(b.buf[:0], at(&b.spilled[i]))
	var list rowList[R]
	if err := c.Decode(b.buf, &list); err != nil {
		panic(fmt.Errorf("decode rows of the cycle from the temporary file: %w", err))
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
	row, l := *r, &b.spilled[i]
	b.buf = b.spillFile.read(b.spillFile.read(b.buf[:0], l.knowledge), l.peers)
	row.Knowledge, row.PeerModel = b.buf[:l.knowledge.length:l.knowledge.length], b.buf[l.knowledge.length:]
	return &row
}

// State returns the state row of the i-th of Minds, nil if it did not change. Its bytes are valid until a method of
// the batch is called again.
func (b *Batch) State(i int) *agent.StateRow {
	r := b.Minds[i].State
	if b.spillFile == nil || r == nil || b.spilled[i].state == (span{}) {
		return r
	}
	row := *r
	b.buf = b.spillFile.read(b.buf[:0], b.spilled[i].state)
	row.Body = b.buf
	return &row
}

// Changes returns the rows of agent.changes of the i-th of Minds. Their bytes are valid until a method of the batch
// is called again.
func (b *Batch) Changes(i int) []agent.ChangesRow {
	rows := b.Minds[i].Changes
	if b.spillFile == nil || len(rows) == 0 || b.spilled[i].changes == (span{}) {
		return rows
	}
	row := rows[0] // a flush makes one
	b.buf = b.spillFile.read(b.buf[:0], b.spilled[i].changes)
	row.Body = b.buf
	return []agent.ChangesRow{row}
}
