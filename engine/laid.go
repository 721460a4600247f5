package engine

import (
	"errors"
	"fmt"

	"kingdom/agent"
	"kingdom/wire/codec"
)

// rowList is the form in which rows of one table are laid aside.
type rowList[R any] struct {
	Rows []R `kdom:"rows"`
}

var (
	laidExperiences = codec.New[rowList[agent.ExperienceRow]]()
	laidBeliefs     = codec.New[rowList[agent.BeliefRow]]()
	laidPlans       = codec.New[rowList[agent.PlanRow]]()
	laidGoals       = codec.New[rowList[agent.GoalRow]]()
)

// flushTo takes what changed of an agent, lays it aside and hashes its state.
func (s *seat) flushTo(a *aside, j *job) error {
	var errs error
	put := func(to *span) func(b []byte) {
		return func(b []byte) {
			var err error
			*to, err = a.put(b)
			errs = errors.Join(errs, err)
		}
	}
	s.laid = laidRows{}
	s.rows, s.hash = s.a.FlushLarge(j.tick, agent.Large{
		Knowledge: put(&s.laid.knowledge), Peers: put(&s.laid.peers), Changes: put(&s.laid.changes), State: put(&s.laid.state),
	})
	return errors.Join(errs, s.layLists(a))
}

// layLists lays the lists of a seat's rows aside, in one piece.
func (s *seat) layLists(a *aside) error {
	room := codec.Borrow()
	defer room.Return()
	r, l := &s.rows, &s.laid
	room.B = layList(room.B, &l.experiences, laidExperiences, &r.Experiences)
	room.B = layList(room.B, &l.beliefs, laidBeliefs, &r.Beliefs)
	room.B = layList(room.B, &l.plans, laidPlans, &r.Plans)
	room.B = layList(room.B, &l.goals, laidGoals, &r.Goals)
	all, err := a.put(room.B)
	for _, part := range []*span{&l.experiences, &l.beliefs, &l.plans, &l.goals} {
		part.at += all.at
	}
	return err
}

// layList appends the rows of a list to dst, notes where they begin there and lets go of them.
func layList[R any](dst []byte, at *span, c *codec.Codec[rowList[R]], rows *[]R) []byte {
	at.at = int64(len(dst))
	if len(*rows) > 0 {
		dst = c.Append(dst, &rowList[R]{*rows})
	}
	at.length = len(dst) - int(at.at)
	*rows = nil
	return dst
}

// laidList returns the rows of a list, read back if they were laid aside.
func laidList[R any](b *Batch, i int, held []R, at func(*laidRows) span, c *codec.Codec[rowList[R]]) []R {
	if b.aside == nil || at(&b.laid[i]).length == 0 {
		return held
	}
	b.room = b.aside.read(b.room[:0], at(&b.laid[i]))
	var list rowList[R]
	if err := c.Decode(b.room, &list); err != nil {
		panic(fmt.Errorf("read back a cycle's rows: %w", err))
	}
	return list.Rows
}

// Experiences returns the experience rows of the i-th of Minds.
func (b *Batch) Experiences(i int) []agent.ExperienceRow {
	return laidList(b, i, b.Minds[i].Experiences, func(l *laidRows) span { return l.experiences }, laidExperiences)
}

// Beliefs returns the belief rows of the i-th of Minds.
func (b *Batch) Beliefs(i int) []agent.BeliefRow {
	return laidList(b, i, b.Minds[i].Beliefs, func(l *laidRows) span { return l.beliefs }, laidBeliefs)
}

// Plans returns the plan rows of the i-th of Minds.
func (b *Batch) Plans(i int) []agent.PlanRow {
	return laidList(b, i, b.Minds[i].Plans, func(l *laidRows) span { return l.plans }, laidPlans)
}

// Goals returns the goal rows of the i-th of Minds.
func (b *Batch) Goals(i int) []agent.GoalRow {
	return laidList(b, i, b.Minds[i].Goals, func(l *laidRows) span { return l.goals }, laidGoals)
}

// Memory returns the memory row of the i-th of Minds, nil if it did not change. Its bytes are
// valid until a method of the batch is called again.
func (b *Batch) Memory(i int) *agent.MemoryRow {
	r := b.Minds[i].Memory
	if b.aside == nil || r == nil || b.laid[i].knowledge == (span{}) {
		return r
	}
	whole, l := *r, &b.laid[i]
	b.room = b.aside.read(b.aside.read(b.room[:0], l.knowledge), l.peers)
	whole.Knowledge, whole.PeerModel = b.room[:l.knowledge.length:l.knowledge.length], b.room[l.knowledge.length:]
	return &whole
}

// State returns the state row of the i-th of Minds, nil if it did not change. Its bytes are valid until a method of
// the batch is called again.
func (b *Batch) State(i int) *agent.StateRow {
	r := b.Minds[i].State
	if b.aside == nil || r == nil || b.laid[i].state == (span{}) {
		return r
	}
	whole := *r
	b.room = b.aside.read(b.room[:0], b.laid[i].state)
	whole.Body = b.room
	return &whole
}

// Changes returns the rows of agent.changes of the i-th of Minds. Their bytes are valid until a method of the batch
// is called again.
func (b *Batch) Changes(i int) []agent.ChangesRow {
	rows := b.Minds[i].Changes
	if b.aside == nil || len(rows) == 0 || b.laid[i].changes == (span{}) {
		return rows
	}
	whole := rows[0] // a flush makes one
	b.room = b.aside.read(b.room[:0], b.laid[i].changes)
	whole.Body = b.room
	return []agent.ChangesRow{whole}
}
