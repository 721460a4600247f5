package goals

import (
	"cmp"
	"fmt"
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

// Capacity is how many living goals each layer holds.
type Capacity struct {
	Aspirations, Objectives, Tasks int
}

// DefaultCapacity is used unless a scenario says otherwise.
var DefaultCapacity = Capacity{Aspirations: 8, Objectives: 16, Tasks: 32}

func (c Capacity) of(l Layer) int {
	switch l {
	case LayerAspiration:
		return c.Aspirations
	case LayerObjective:
		return c.Objectives
	case LayerTask:
		return c.Tasks
	}
	panic("goals: capacity of unknown layer " + l.String())
}

// FullError says that a layer is full of goals at least as good as the new one.
type FullError struct {
	Layer Layer
	Max   int
}

// Error names the layer and what can be done.
func (e *FullError) Error() string {
	return fmt.Sprintf("add goal: layer %s is full with %d goals of higher priority: finish or abandon one", e.Layer, e.Max)
}

// DuplicateError says that the same goal is alive already.
type DuplicateError struct {
	ID wire.Hash // of the living one
}

// Error names the living goal.
func (e *DuplicateError) Error() string {
	return fmt.Sprintf("add goal: goal %s of the same source, kind and subject is alive", e.ID)
}

// Stack holds the living goals of one agent and those that ended since the last flush.
type Stack struct {
	capacity Capacity
	living   []*Goal // by created_at, then id
	kinds    []Kind  // of living: a search for a kind need not read each goal
	ranked   []*Goal // those that were alive at the last Rank, in its order
	ended    []*Goal // final since the last Changed
	refused  uint64
	revision uint64
}

// NewStack returns an empty stack.
func NewStack(c Capacity) *Stack { return &Stack{capacity: c} }

// Restore puts the living goals of a stored stack back, in any order, with their records.
func (s *Stack) Restore(living []Goal, st *State) error {
	s.living = make([]*Goal, len(living))
	for i := range living {
		g := living[i]
		g.dirty = false
		s.living[i] = &g
	}
	slices.SortFunc(s.living, byAge)
	s.kinds = make([]Kind, len(living))
	for i, g := range s.living {
		s.kinds[i] = g.Kind()
	}
	s.ranked, s.ended, s.refused = nil, nil, st.Refused
	s.revision++
	if len(st.Records) != len(living) {
		return fmt.Errorf("restore goals: got %d living goals, but the state has records for %d", len(living), len(st.Records))
	}
	for i, g := range s.living {
		if st.Records[i].Goal != g.ID {
			return fmt.Errorf("restore goals: goal %s has no record", g.ID)
		}
		g.Record = st.Records[i].Record
	}
	return nil
}

// Add is [Stack.Put] for a caller that does not need the satisfaction of a replaced goal.
func (s *Stack) Add(g Goal, a *Appraisal) error {
	_, err := s.Put(nil, g, a)
	return err
}

// Put adds a goal as PENDING and fills in its Record. A goal with a subject is refused while another of the same
// source, kind and subject is alive, and a goal of the mind's own while one with the same text is alive. If the layer
// is full, the new goal replaces the PENDING goal of lowest priority if its own is higher. The replaced goal is
// ABANDONED and its satisfaction is appended to dst. Otherwise the new goal is refused and counted. The error is a
// [*FullError] or a [*DuplicateError].
func (s *Stack) Put(dst []Satisfaction, g Goal, a *Appraisal) ([]Satisfaction, error) {
	if twin := s.duplicateOf(&g); twin != nil {
		return dst, &DuplicateError{ID: twin.ID}
	}
	g.Status, g.dirty = StatusPending, true
	g.Priority = a.Priority(&g)
	g.Record = Record{
		Novelty:        a.Learning.Novelty(g.Domain(), g.Kind()),
		RewardExpected: uint64(a.Expected(&g)),
		Reputation:     det.Quantise(a.Reputation),
		Earned:         a.Earned,
	}
	if limit := s.capacity.of(g.Layer); s.Count(g.Layer) >= limit {
		low := s.lowestPending(g.Layer, a)
		if low == nil || CompareRank(&g, low) >= 0 {
			s.refused++
			s.revision++
			return dst, &FullError{Layer: g.Layer, Max: limit}
		}
		low.Ended = ReasonReplaced
		s.end(low, StatusAbandoned)
		dst = append(dst, low.satisfaction(low.Record.Paid, a.Reputation))
	}
	n := new(Goal) // allocated only here, so that a refused goal costs no memory
	*n = g
	i, _ := slices.BinarySearchFunc(s.living, n, byAge)
	s.living = slices.Insert(s.living, i, n)
	s.kinds = slices.Insert(s.kinds, i, n.Kind())
	s.revision++
	return dst, nil
}

// duplicateOf returns the living goal because of which g is refused as a duplicate, or nil.
func (s *Stack) duplicateOf(g *Goal) *Goal {
	for _, o := range s.living {
		if o.ID == g.ID {
			return o
		}
		if g.Kind() == KindOwn && o.Kind() == KindOwn && g.Description.Subject == nil && o.Description.Subject == nil && o.Description.Text == g.Description.Text {
			return o // a mind that repeats a text means the same goal
		}
		if g.Description.Subject != nil && o.About(*g.Description.Subject) && o.Source == g.Source && o.Kind() == g.Kind() {
			return o
		}
	}
	return nil
}

// lowestPending finds the PENDING goal of a layer that ranks last at this moment.
func (s *Stack) lowestPending(l Layer, a *Appraisal) *Goal {
	var (
		low   *Goal
		trust lastTrust
	)
	for _, g := range s.living {
		if g.Layer != l || g.Status != StatusPending {
			continue
		}
		s.setPriority(g, a.priority(g, &trust))
		if low == nil || CompareRank(low, g) < 0 {
			low = g
		}
	}
	return low
}

func (s *Stack) setPriority(g *Goal, p float64) {
	if g.Priority != p {
		g.Priority, g.dirty = p, true
		s.revision++
	}
}

func (s *Stack) setStatus(g *Goal, st Status) {
	if g.Status != st {
		g.Status, g.dirty = st, true
		s.revision++
	}
}

// Rank computes all priorities and returns the living goals, best first. The slice belongs to the stack: it is valid
// until the next Add, Rank or end of a goal, and must not be changed.
func (s *Stack) Rank(a *Appraisal) []*Goal {
	if len(s.ranked) != len(s.living) { // goals were added; else the old order is nearly the new one
		s.ranked = append(s.ranked[:0], s.living...)
	}
	var trust lastTrust
	for _, g := range s.ranked {
		s.setPriority(g, a.priority(g, &trust))
	}
	slices.SortFunc(s.ranked, CompareRank)
	return s.ranked
}

// Choose makes a living goal the ACTIVE one; the former becomes PENDING again. A nil goal makes none ACTIVE.
func (s *Stack) Choose(g *Goal) {
	for _, o := range s.living {
		if o != g && o.Status == StatusActive {
			s.setStatus(o, StatusPending)
		}
	}
	if g != nil {
		s.setStatus(g, StatusActive)
	}
}

// Get returns the living goal with an id, or nil.
func (s *Stack) Get(id wire.Hash) *Goal {
	for _, g := range s.living {
		if g.ID == id {
			return g
		}
	}
	return nil
}

// Has reports whether a goal of the source and kind is alive.
func (s *Stack) Has(source Source, kind Kind) bool {
	for i, k := range s.kinds {
		if k == kind && s.living[i].Source == source {
			return true
		}
	}
	return false
}

// HasKind reports whether a goal of the kind is alive, from any source.
func (s *Stack) HasKind(kind Kind) bool { return slices.Contains(s.kinds, kind) }

// Living returns the living goals by age. The slice is the stack's own.
func (s *Stack) Living() []*Goal { return s.living }

// Count returns the living goals of a layer.
func (s *Stack) Count(l Layer) int {
	n := 0
	for _, g := range s.living {
		if g.Layer == l {
			n++
		}
	}
	return n
}

// Refused returns how many goals were refused because their layer was full.
func (s *Stack) Refused() uint64 { return s.refused }

// Revision changes whenever a stored column of a goal changes.
func (s *Stack) Revision() uint64 { return s.revision }

// end makes a goal final and takes it off the stack.
func (s *Stack) end(g *Goal, st Status) {
	s.setStatus(g, st)
	i := slices.Index(s.living, g)
	s.living = slices.Delete(s.living, i, i+1)
	s.kinds = slices.Delete(s.kinds, i, i+1)
	if i := slices.Index(s.ranked, g); i >= 0 {
		s.ranked = slices.Delete(s.ranked, i, i+1)
	}
	s.ended = append(s.ended, g)
}

// Changed returns the goals whose stored columns changed since the last call, by age, ended ones included. It then
// forgets the changes and the ended goals.
func (s *Stack) Changed() []*Goal {
	var out []*Goal
	for _, g := range s.living {
		if g.dirty {
			g.dirty = false
			out = append(out, g)
		}
	}
	out = append(out, s.ended...)
	s.ended = nil
	slices.SortFunc(out, byAge)
	return out
}

// CompareRank compares goals: higher last computed priority first, then older, then lower id.
func CompareRank(a, b *Goal) int {
	switch {
	case a.Priority > b.Priority:
		return -1
	case a.Priority < b.Priority:
		return 1
	}
	return byAge(a, b)
}

func byAge(a, b *Goal) int {
	if c := cmp.Compare(a.CreatedAt, b.CreatedAt); c != 0 {
		return c
	}
	return a.ID.Compare(b.ID)
}
