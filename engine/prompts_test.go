package engine

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"

	"kingdom/llm"
)

// reader is a mind that counts what the prompts hold before another answers them.
type reader struct {
	Mind
	prompts, lessons, offers, general atomic.Int64
}

func (r *reader) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	r.prompts.Add(1)
	learned := false
	for i := range p.Affordances {
		a := &p.Affordances[i]
		learned = learned || len(a.Lesson.Text) > 0
		if a.Action == nil {
			continue
		}
		r.offers.Add(1)
		if a.Goal.IsZero() != (a.GoalKind == "") {
			panic("an affordance has a goal without a kind, or a kind without a goal")
		}
		if a.Goal.IsZero() {
			r.general.Add(1)
		}
	}
	if learned {
		r.lessons.Add(1)
	}
	return r.Mind.Think(ctx, p)
}

// Lessons that minds wrote are shown again where they apply.
func TestPrompts_ATenthShowLessons(t *testing.T) {
	r := &reader{Mind: testMind("42")}
	mustRun(t, testConfig("42", 8), Options{Mind: r}, 12)
	prompts, lessons := r.prompts.Load(), r.lessons.Load()
	t.Logf("%d of %d prompts hold a lesson; %d of %d offers serve no goal in particular", lessons, prompts, r.general.Load(), r.offers.Load())
	if lessons*10 < prompts {
		t.Errorf("%d of %d prompts hold a lesson, want at least a tenth", lessons, prompts)
	}
	if r.general.Load() == 0 {
		t.Error("nothing was offered beyond goals")
	}
}

// redrawer is a mind that renders each prompt again in fresh buffers.
type redrawer struct {
	Mind
	prompts, differ atomic.Int64
}

func (r *redrawer) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	r.prompts.Add(1)
	fresh := *p
	fresh.Forget()
	want, wantUser := fresh.Messages()
	system, user := p.Messages()
	if fresh.Hash() != p.Hash() || !bytes.Equal(system, want) || !bytes.Equal(user, wantUser) {
		r.differ.Add(1)
	}
	return r.Mind.Think(ctx, p)
}

// A prompt is the same in buffers that held other prompts before.
func TestPrompts_ReusedBuffersChangeNothing(t *testing.T) {
	r := &redrawer{Mind: testMind("42")}
	mustRun(t, testConfig("42", 8), Options{Mind: r}, 4)
	if all, differ := r.prompts.Load(), r.differ.Load(); differ > 0 || all == 0 {
		t.Errorf("%d of %d prompts read otherwise in fresh buffers", differ, all)
	}
}
