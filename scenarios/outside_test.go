package scenarios

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

const running = "name: x\ncycles: 30\ninputs:\n  - {cycle: 9, do: grant, agent: 1, amount: 5}\n" +
	"population:\n  - {role: EXPLORER, name: team, count: 2}\n  - {role: LIBRARIAN}\n"

// What an operator writes becomes one line for each agent, in the order of the cycles; it comes back from a file as it
// was, and a scenario that plans it has the same inputs.
func TestOutsideInputs_OneLineForEachAgent(t *testing.T) {
	s := must(Parse("x.yaml", []byte(running)))(t)
	alias := wire.AgentIDAt(s.WorldSeed(), 3).Alias()
	only, list, err := s.OutsideInputs([]string{
		"do: post\ncycle: 14 # later\ntext: |\n  one\n  two\n", `{"do": "wake", "agent": "team"}`, "{do: goal, agent: '" + alias + "', text: \"a: b, 'c'\", deadline_cycle: 40}",
	}, 12, 20)
	if err != nil {
		t.Fatal(err)
	}
	want := []OutsideInput{
		{12, `{"do": "wake", "agent": 1}`}, {12, `{"do": "wake", "agent": 2}`}, {12, `{do: goal, agent: 3, text: "a: b, 'c'", deadline_cycle: 40}`}, {14, `{do: post, text: "one\ntwo\n"}`},
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if len(only.Inputs) != 4 || only.Inputs[1].Agent != "2" || only.Inputs[3].Text != "one\ntwo\n" || only.Inputs[3].Cycle != 14 {
		t.Errorf("%+v", only.Inputs)
	}
	texts, err := InputTexts(InputsFile(list))
	if err != nil {
		t.Fatal(err)
	}
	if _, again, err := s.OutsideInputs(texts, 1, MostCycles); err != nil || cmp.Diff(list, again) != "" {
		t.Errorf("from the file: %v, %v", again, err)
	}
	planned, err := s.WithInputs(list)
	if err != nil || planned.Cycles != 30 || len(planned.Inputs) != 5 || cmp.Diff(planned.Inputs[1:], only.Inputs) != "" || planned.Inputs[0].Do != DoGrant {
		t.Errorf("planned: %+v, %v", planned, err)
	}
	if longer, err := s.WithInputs([]OutsideInput{{35, "{do: wake, agent: 1}"}}); err != nil || longer.Cycles != 35 {
		t.Errorf("an input after the last cycle: %v", err)
	}
	if len(s.Inputs) != 1 || s.Cycles != 30 {
		t.Error("the scenario itself was changed")
	}
}

// Each problem names the text that has it, and what would be right.
func TestOutsideInputs_SayWhatIsWrong(t *testing.T) {
	s := must(Parse("x.yaml", []byte(running)))(t)
	for text, want := range map[string]string{
		"wake":                                 "wake: is not a YAML mapping; want one such as {do: wake, agent: 3}",
		"{do: wake":                            "is not a YAML mapping; want",
		"{do: wake, agent: 4}":                 "{do: wake, agent: 4}: inputs[0].agent: is 4; want at most 3, the agents of population",
		"{do: wake, agent: tem}":               `inputs[0].agent: is the text "tem", which names nobody; did you mean team?`,
		"{do: wake}":                           "inputs[0].agent: is missing; want the number of an agent",
		"{do: grant, agent: 1}":                "inputs[0].amount: is missing; want a whole number of ⚡",
		"{do: wak, agent: 1}":                  "inputs[0].do: ",
		"{do: wake, agent: 1, cycle: 11}":      "is for cycle 11, which has begun; want a cycle from 12 on, or none for the next",
		"{do: wake, agent: 1, cycle: 21}":      "is for cycle 21, and the run ends with cycle 20; want a cycle from 12 to 20",
		"{do: wake, agent: 1, cycle: soon}":    "inputs[0].cycle: ",
		"{do: wake, agent: 1, amount: 3}":      "inputs[0].amount: has no meaning for do: wake; remove it",
		"{do: spawn, role: LIBRARIAN}":         `kingdom fork RUN --at 11 --input "{cycle: 12, do: spawn, role: LIBRARIAN}"`,
		"{do: wake, agent: 1, agent: 2}":       "inputs[0].agent: is written twice",
		"{do: goal, agent: 1}":                 "inputs[0].text: is missing; say what the goal is",
		"{do: param, param: agora.chanel_fee}": "did you mean agora.channel_fee?",
	} {
		if _, _, err := s.OutsideInputs([]string{text}, 12, 20); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	for _, file := range []string{"", "{do: wake}", "[]", "- {do"} {
		if _, err := InputTexts([]byte(file)); err == nil || !strings.Contains(err.Error(), "is not a YAML list of inputs; want items such as") {
			t.Errorf("the file %q: %v", file, err)
		}
	}
}
