package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kingdom/agent"
	"kingdom/engine"
	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/ooda"
	"kingdom/scenarios"
	"kingdom/wire"
)

// interviewee is an agent, and what it is told before the first question. It implements [engine.Tracer].
type interviewee struct {
	shown  shownInterview
	id     wire.AgentID
	chosen string   // what the operator who spawned it chose to think for it; "": nothing
	models []string // that answer, in the order in which they are asked
	mind   *openai.Mind
}

// interviewHeader says who is asked, and at which thought.
type interviewHeader struct {
	Agent uint64 `json:"agent"`
	Alias string `json:"alias"`
	Name  string `json:"name,omitempty"`
	Role  string `json:"role"`
	Cycle uint64 `json:"cycle"`
	Tick  uint64 `json:"tick"`
}

// shownInterview is an interviewee as --preview --json prints it.
type shownInterview struct {
	interviewHeader
	Messages []openai.Message `json:"messages"` // none: it had no thought
}

// Asked implements [engine.Tracer]. It keeps the messages of the newest thought.
func (p *interviewee) Asked(t *ooda.Turn, prompt *llm.Prompt) {
	if prompt == nil {
		return
	}
	system, user := prompt.Interview()
	p.chosen = prompt.Mind
	p.shown.Role, p.shown.Cycle, p.shown.Tick = prompt.Role.String(), uint64(prompt.Cycle), uint64(t.Tick())
	p.shown.Messages = []openai.Message{{Role: "system", Content: string(system)}, {Role: "user", Content: string(user)}}
}

// Thought implements [engine.Tracer].
func (p *interviewee) Thought(llm.Thought, *ooda.ThinkRecord) {}

// Acted implements [engine.Tracer].
func (p *interviewee) Acted(*ooda.Step) {}

// Recorded implements [engine.Tracer].
func (p *interviewee) Recorded(*agent.Agent, *wire.Reply) {}

// thoughtWithin is for how many cycles before the end of the chosen one the last thought of an agent is looked for.
const thoughtWithin = 16

// people returns the agents to ask, each with what it knew at its last thought. Those who had none are left out.
func (iv *interview) people(ctx context.Context) ([]*interviewee, error) {
	if iv.run.state.Last == 0 {
		return nil, usagef("%s has no whole cycle yet, so nobody has thought; kingdom inspect %s says how far it is", iv.dir, shellQuote(iv.dir))
	}
	if iv.cycle == 0 || iv.cycle > iv.run.state.Last {
		return nil, usagef("--cycle is %d; want a cycle from 1 to %d, the last one of %s", iv.cycle, iv.run.state.Last, iv.dir)
	}
	ids, err := agentIDs(ctx, iv.run.store)
	if err != nil {
		return nil, err
	}
	names, err := namesIn(ctx, iv.run)
	if err != nil {
		return nil, err
	}
	var people []*interviewee
	for i, id := range ids {
		people = append(people, &interviewee{id: id, shown: shownInterview{interviewHeader: interviewHeader{Agent: uint64(i) + 1, Alias: id.Alias(), Name: names[id]}}})
	}
	if iv.agent != scenarios.EveryAgent {
		asked, err := findAgents(ctx, iv.run, iv.dir, iv.agent)
		if err != nil {
			return nil, err
		}
		people = slices.DeleteFunc(people, func(p *interviewee) bool { return !slices.Contains(asked, p.id) })
	}
	if err := iv.recall(ctx, people); err != nil {
		return nil, err
	}
	silent := func(p *interviewee) bool { return len(p.shown.Messages) == 0 }
	for _, p := range people {
		if silent(p) {
			iv.app.say("agent %d (%s) had no thought in the %d cycles up to cycle %d, because it slept, was dead or not born; it is left out", p.shown.Agent, p.shown.Alias, min(thoughtWithin, iv.cycle), iv.cycle)
		}
	}
	if people = slices.DeleteFunc(people, silent); len(people) == 0 {
		return nil, usagef("there is nobody to ask; choose another --cycle or --agent")
	}
	return people, nil
}

// recall executes cycles again until each agent has had a thought: first the chosen cycle, in which most have one, and then
// those before it.
func (iv *interview) recall(ctx context.Context, people []*interviewee) error {
	opt := engine.Options{Dir: iv.dir, Store: iv.run.store, Mind: replayMind(iv.run.scenario)}
	first, last := iv.cycle, iv.cycle
	for range 2 {
		missing := map[wire.AgentID]engine.Tracer{}
		for _, p := range people {
			if len(p.shown.Messages) == 0 {
				missing[p.id] = p
			}
		}
		if len(missing) == 0 || last == 0 {
			return nil
		}
		of := func(id wire.AgentID) engine.Tracer { return missing[id] }
		if err := engine.Explain(ctx, iv.run.config, opt, wire.Cycle(first), wire.Cycle(last), of); err != nil {
			return err
		}
		first, last = max(first, thoughtWithin)-thoughtWithin+1, first-1
	}
	return nil
}

// title says who an agent is and when it is asked.
func (p *interviewee) title() string {
	s := &p.shown
	if s.Name != "" {
		return fmt.Sprintf("%s, agent %d (%s, %s), at tick %d of cycle %d", s.Name, s.Agent, s.Alias, s.Role, s.Tick, s.Cycle)
	}
	return fmt.Sprintf("agent %d (%s, %s), at tick %d of cycle %d", s.Agent, s.Alias, s.Role, s.Tick, s.Cycle)
}

// conversation returns the messages of an interview up to its first question.
func (p *interviewee) conversation(first string) []openai.Message {
	c := slices.Clone(p.shown.Messages)
	c[len(c)-1].Content += first + "\n"
	return c
}

// interview asks the questions in turn. It ends early where an answer is missing.
func (p *interviewee) interview(ctx context.Context, questions []string) (answers []answer, err error) {
	conversation := p.conversation(questions[0])
	for i, q := range questions {
		if i > 0 {
			conversation = append(conversation, openai.Message{Role: "user", Content: q})
		}
		th, err := p.mind.Interview(ctx, p.id, conversation)
		if err != nil {
			return answers, err
		}
		text := strings.TrimSpace(string(th.Text))
		switch {
		case th.Outcome == llm.Interrupted:
			th.Error = "interrupted"
		case text == "" && th.Error == "":
			th.Error = "empty answer"
		}
		answers = append(answers, answer{
			interviewHeader: p.shown.interviewHeader, Question: q, Answer: text, Model: th.Model, Error: th.Error, PromptTokens: th.PromptTokens, OutputTokens: th.OutputTokens, Cost: th.CostMicroUSD, thought: th,
		})
		if text == "" {
			break
		}
		conversation = append(conversation, openai.Message{Role: "assistant", Content: text})
	}
	return answers, nil
}
