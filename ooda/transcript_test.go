package ooda

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"

	"kingdom/internal/golden"
	"kingdom/llm/scripted"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

// TestTurn_Transcript shows whole turns as text: what was seen, what was possible,
// what was answered, sent, replied and remembered. Run with -update to rewrite.
func TestTurn_Transcript(t *testing.T) {
	for _, c := range []struct {
		file  string
		who   int
		knobs scripted.Knobs
	}{
		{"librarian.txt", 2, scripted.Knobs{}},
		{"explorer.txt", 5, scripted.Knobs{}},
		{"malformed.txt", 0, scripted.Knobs{MalformedRate: 0.5, NOPRate: 0.3}},
	} {
		v := newVillage(8, "transcript")
		var out bytes.Buffer
		v.log = func(p *villager, a Asked, text []byte, s Step, r wire.Reply) {
			if p == v.people[c.who] {
				show(&out, p, a, text, s, r)
			}
		}
		v.cycle(t, scripted.New(v.rules.WorldSeed, c.knobs), 1, 12)
		golden.File(t, filepath.Join("testdata", c.file), out.String())
	}
}

func show(out *bytes.Buffer, p *villager, a Asked, text []byte, s Step, r wire.Reply) {
	fmt.Fprintf(out, "tick %d\n  view    balance %d, slots %d, open bounties %d, claims %d\n",
		p.view.Tick, p.view.Balance, p.view.SlotsLeft, len(p.view.Bounties), len(p.view.Claims))
	for _, e := range p.view.Events {
		fmt.Fprintf(out, "  event   %v by %s\n", e.Kind, e.Origin.Alias())
	}
	if a.Kind == AskSilent {
		fmt.Fprintln(out, "  ask     no thought needed")
	} else {
		fmt.Fprintf(out, "  ask     %v, goal %v at %.3f\n", a.Prompt.Tier, p.t.prompt.Affordances[0].GoalKind, a.Prompt.Affordances[0].Priority)
		for i := range a.Prompt.Affordances {
			f := &a.Prompt.Affordances[i]
			if f.Action == nil {
				fmt.Fprintln(out, "          nop")
				continue
			}
			mark := " "
			if f.Plan {
				mark = "*"
			}
			fmt.Fprintf(out, "        %s %-13s %.3f × %.3f %s\n", mark, f.GoalKind, f.Priority, f.Success, short(f.Action, f.Params))
		}
		fmt.Fprintf(out, "  answer  %s\n", clip(string(text)))
	}
	switch {
	case s.NOP != nil && s.Kind == StepSend:
		fmt.Fprintf(out, "  act     %v %v, streak %d: report %v\n", s.NOP.Reason.Class(), s.NOP.Reason, s.NOP.Streak, s.Envelope.Type)
	case s.NOP != nil:
		fmt.Fprintf(out, "  act     %v %v, streak %d %s\n", s.NOP.Reason.Class(), s.NOP.Reason, s.NOP.Streak, s.NOP.Error)
	case s.Kind == StepNone:
		fmt.Fprintln(out, "  act     consumed by the task")
	default:
		to, _ := wire.SystemOf(s.Envelope.Target)
		fmt.Fprintf(out, "  act     %v to %v, msg %s, body %d bytes\n", s.Envelope.Type, to, s.Envelope.MsgID.String()[:8], len(s.Envelope.Body))
	}
	if s.Kind == StepSend {
		if r.Err != nil {
			fmt.Fprintf(out, "  reply   ERROR %s\n", r.Err.Message)
		} else {
			fmt.Fprintf(out, "  reply   %v %T\n", r.Type, r.Body)
		}
	}
	if e := p.a.Memory.Experiences.Recent(0); e != nil && e.Tick == p.view.Tick {
		var act memory.Act
		_ = memory.DecodeAct(e.Action, &act)
		fmt.Fprintf(out, "  record  %s for %s: %s\n", act.Action, act.GoalKind, e.Lesson)
	}
	for _, sat := range p.t.Satisfactions() {
		fmt.Fprintf(out, "  felt    %v in %v: %v, effort %d\n", sat.Kind, sat.Domain, sat.Outcome(), sat.Effort)
	}
}

func short(r *action.Row, params any) string {
	return clip(r.Name + " " + string(r.AppendJSON(nil, params)))
}

func clip(s string) string {
	const most = 150
	if len(s) > most {
		return s[:most] + "…"
	}
	return s
}
