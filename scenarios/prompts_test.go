package scenarios

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kingdom/llm"
)

const small = "name: own\npopulation: [{role: EXPLORER}]\n"

// write puts files into a directory and returns the path of the first, a scenario.
func write(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, files[0])
}

func TestPrompts_AreReadRelativeToScenarioFile(t *testing.T) {
	path := write(t, "own.yaml", small+"prompts: {identity: who.tmpl}\n", "who.tmpl", "You, {{.Me.Alias}}, are a {{.Me.Role}}.")
	s, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &llm.Prompt{Identity: llm.Identity{Alias: "a1b2c3d4"}, Templates: s.Templates()}
	if text := string(p.Render(nil)); !strings.Contains(text, "## YOUR IDENTITY\nYou, a1b2c3d4, are a ") {
		t.Errorf("the template is not used: %s", text)
	}

	// The resolved scenario holds the text: it is the same one wherever it is read.
	again, err := Parse("elsewhere.yaml", s.Show())
	if err != nil {
		t.Fatalf("%v in\n%s", err, s.Show())
	}
	if again.Digest() != s.Digest() || again.Prompts != s.Prompts {
		t.Errorf("shown and read again it is another scenario:\n%s", s.Show())
	}
	plain, err := Parse("own.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if plain.Digest() == s.Digest() || plain.Templates() != nil {
		t.Error("a template is no part of the digest")
	}

	// A changed template is another scenario.
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "who.tmpl"), []byte("You are {{.Me.Alias}}."), 0o644); err != nil {
		t.Fatal(err)
	}
	changed, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if changed.Digest() == s.Digest() {
		t.Error("a changed template has the same digest")
	}
}

func TestPrompts_Problems(t *testing.T) {
	for name, c := range map[string]struct{ prompts, file, want string }{
		"no such file":               {"{rules: none.tmpl}", "", "own.yaml:3:18: prompts.rules: names none.tmpl, which does not exist; want the path of a template beside the scenario"},
		"no such section":            {"{laws: a.tmpl}", "", "own.yaml:3:11: prompts.laws: unknown key"},
		"no such field":              {"{memory: a.tmpl}", "Goals:\n{{range .Memory.Goals}}{{.Kindness}}{{end}}", "a.tmpl:2:26: prompts.memory: there is no field Kindness; want one of Kind, Text,"},
		"field of a list":            {"{memory: a.tmpl}", "{{.Memory.Goals.Kind}}", "a.tmpl:1:3: prompts.memory: a list has no field Kind; go through it with range"},
		"in another branch":          {"{state: a.tmpl}", "{{if gt .State.Balance 1000000}}\n{{.State.Gold}}\n{{end}}", "a.tmpl:2:3: prompts.state: there is no field Gold; want one of Tick,"},
		"variable":                   {"{state: a.tmpl}", "{{range $i, $b := .State.Bounties}}{{$b.Price}}{{end}}", "there is no field Price"},
		"a list":                     {"{memory: a.tmpl}", "one\n{{.Memory.Goals}}", "a.tmpl:2:3: prompts.memory: .Memory.Goals is a list; go through it with range"},
		"a group":                    {"{state: a.tmpl}", "{{range .State.Bounties}}{{.}}{{end}}", "a.tmpl:1:28: prompts.state: . is a group of fields; write the fields that are meant; kingdom prompt fields"},
		"not for this":               {"{rules: a.tmpl}", "{{.Me.Alias}}", "a.tmpl:1:3: prompts.rules: there is no field Me; rules, actions and format are equal for all agents"},
		"no template":                {"{identity: a.tmpl}", "one\n{{if}}", "a.tmpl:2:1: prompts.identity: missing value for if; want a text/template of Go"},
		"a list as a number":         {"{identity: a.tmpl}", "{{index .Memory.Goals 5}}", "a.tmpl:1:3: prompts.identity: <index .Memory.Goals 5>: error calling index: "},
		"directory":                  {"{rules: .}", "", "own.yaml:3:18: prompts.rules: names ., which is not a file; want the path of a template"},
		"file too long":              {"{rules: a.tmpl}", strings.Repeat("a", 65537), "own.yaml:3:18: prompts.rules: names a.tmpl, which has 65537 bytes; want at most 65536"},
		"no text":                    {"{rules: a.tmpl}", "a\x00b", "own.yaml:3:18: prompts.rules: names a.tmpl, which is not a text file; want UTF-8"},
		"not UTF-8":                  {"{rules: a.tmpl}", "a\xffb", "own.yaml:3:18: prompts.rules: names a.tmpl, which is not a text file; want UTF-8"},
		"one byte too long":          {"{rules: a.tmpl}", strings.Repeat("a", 65536), "own.yaml:3:18: prompts.rules: has 65537 bytes, with a line break at its end; want at most 65536"},
		"inline, too long":           {`{rules: "{{1}}` + strings.Repeat("a", 65531) + `"}`, "", "own.yaml:3:18: prompts.rules: has 65537 bytes, with a line break at its end; want at most 65536"},
		"inline":                     {"{identity: \"{{.Me.Nome}}\"}", "", "own.yaml:3:24: prompts.identity: there is no field Nome"},
		"inline, in its second line": {"{identity: \"one\\n{{.Me.Nome}}\"}", "", "own.yaml:3:21: prompts.identity: there is no field Nome"},
		"in a folded block":          {"\n  identity: >\n    one\n\n    {{.Me.Nome}}\n", "", "own.yaml:4:13: prompts.identity: there is no field Nome"},
		"in a block":                 {"\n  identity: |\n    one\n    {{.Me.Nome}}\n", "", "own.yaml:6:3: prompts.identity: there is no field Nome"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, "own.yaml", small+"prompts: "+c.prompts+"\n", "a.tmpl", c.file)
			t.Chdir(filepath.Dir(dir))
			_, err := Load("own.yaml")
			var e *Error
			if !errors.As(err, &e) || len(e.Problems) != 1 || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

// The longest template that is accepted can be read again from the scenario that holds its text.
func TestPrompts_LongestTemplate(t *testing.T) {
	s, err := Load(write(t, "own.yaml", small+"prompts: {rules: a.tmpl}\n", "a.tmpl", strings.Repeat("a", 65535)))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse("again.yaml", s.Show())
	if err != nil || again.Prompts != s.Prompts || len(s.Prompts.Rules) != 65536 {
		t.Errorf("%v, %d bytes", err, len(s.Prompts.Rules))
	}
}

func TestPrompts_Override(t *testing.T) {
	s, err := Parse("own.yaml", []byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Override(`population[0].persona="You love prime numbers."`, `prompts.identity="{{.Me.Persona}}"`); err != nil {
		t.Fatal(err)
	}
	if s.Templates() == nil || s.Population[0].Persona == "" {
		t.Error("an override is lost")
	}
	for set, want := range map[string]string{
		"prompts.identity=none.tmpl":        "--set prompts.identity=none.tmpl: prompts.identity: names none.tmpl, which does not exist; want the path of a template in the working directory",
		`prompts.identity="a {{.Me.Nome}}"`: `--set prompts.identity="a {{.Me.Nome}}":1:5: prompts.identity: there is no field Nome`,
	} {
		if err := s.Override(set); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}
