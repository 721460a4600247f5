package ooda

import (
	"crypto/sha256"
	"testing"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
)

// drawn is what a prompt of the running slot tells.
func (s *solo) drawn() *llm.Facts {
	f := new(llm.Facts)
	(&life{s.t.items()}).FillFacts(f, new(llm.Handles))
	return f
}

// TestPrompt_StatesHowLongReviewIsDeferred: a prompt says of a review for how long the agent leaves it to others, exactly as the
// scripted mind's offers do: not a tick longer is it left. Without the wait neither speaks of it.
func TestPrompt_StatesHowLongReviewIsDeferred(t *testing.T) {
	left := 0
	for n := range 40 {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		s.a.Notebook.Active = 100
		r := wire.ReviewView{ID: sha256.Sum256([]byte{byte(n)}), Bounty: true, Author: peerA, Since: 300}
		s.t.slotView.tick, s.t.slotView.reviews = r.Since+60, []wire.ReviewView{r}
		g := s.about(goals.KindDoReview, r.ID)
		wait := s.drawn().State.Reviews[0].Wait
		if leaves := s.t.deferral().defers(g); leaves != (wait > 0) {
			t.Fatalf("review %d is left to others: %v; the prompt says for %d ticks", n, leaves, wait)
		}
		if wait == 0 {
			continue
		}
		left++
		for _, c := range []struct {
			after uint64
			want  bool
		}{{wait - 1, true}, {wait, false}} {
			s.t.slotView.tick = r.Since + 60 + wire.Tick(c.after)
			if got := s.t.deferral().defers(g); got != c.want {
				t.Errorf("review %d: %d ticks later, of %d, it is left to others: %v", n, c.after, wait, got)
			}
		}
		s.a.Notebook.BeginWork(memory.WorkReview, r.ID, 300).Stage = memory.WorkTreeSeen // it waits for nobody now
		s.t.slotView.tick = r.Since + 60
		if again := s.drawn().State.Reviews[0].Wait; again != 0 || s.t.deferral().defers(g) {
			t.Errorf("review %d has been begun: the prompt says %d ticks", n, again)
		}
	}
	if left < 20 {
		t.Errorf("of 40 reviews only %d are left to others: nothing was seen", left)
	}
}

// TestPrompt_StatesPractisedTopics: a topic stands in the prompt as practised where the agent leaves work in it to others for a
// shorter time, and where it does not know its topics neither does the prompt.
func TestPrompt_StatesPractisedTopics(t *testing.T) {
	wait := func(bar float32, blind llm.Layers) (ticks float64, told []llm.PracticeFact) {
		s := newSolo(t, genomes[6])
		s.slot(idle, wire.Reply{})
		s.rules.Blind = blind
		s.a.Notebook.Active = 100
		for i := range s.a.Memory.Topics {
			s.a.Memory.Topics[i].Bar = 1
		}
		s.a.Memory.Topics[memory.TopicReviews-1].Bar = bar
		return s.t.deferral().topicWait(wire.Hash{5}, reviewSlots, memory.TopicReviews), s.drawn().Memory.Practice
	}
	equal, none := wait(1, 0)
	less, one := wait(0.5, 0)
	if len(none) != 0 || len(one) != 1 || one[0].Topic != memory.TopicReviews.String() || one[0].Share != 0.5 || less >= equal {
		t.Errorf("who is as good as others waits %v ticks and is told %v, who is practised %v and %v", equal, none, less, one)
	}
	blind := llm.Layers(1 << llm.LayerKnowledge)
	if blinded, told := wait(0.5, blind); blinded != equal || len(told) != 0 {
		t.Errorf("blind to what it knows it waits %v ticks, others %v, and is told %v", blinded, equal, told)
	}
}
