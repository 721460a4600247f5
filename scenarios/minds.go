package scenarios

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"kingdom/llm"
	"kingdom/llm/keyward"
)

// MindScripted is the name of the offline mind in population[].mind.
const MindScripted = "scripted"

// DefaultModel is the name of the model whose endpoint and model name may come from
// the environment.
const DefaultModel = "default"

// Output is how the form of an answer is asked for.
type Output uint8

// Values of [Output].
const (
	OutputSchema    Output = iota + 1
	OutputSmall            // a schema in which parameters are text
	OutputAnyObject        // a schema that admits any object
	OutputObject
	OutputPrompt
)

func (Output) EnumNames() []string {
	return []string{"json_schema", "small_schema", "any_object", "json_object", "prompt"}
}
func (v Output) String() string { return v.EnumNames()[v-1] }

// Proxy is how an endpoint is connected to.
type Proxy uint8

// Values of [Proxy].
const (
	ProxyNone Proxy = iota + 1
	ProxyEnvironment
)

func (Proxy) EnumNames() []string { return []string{"none", "environment"} }
func (v Proxy) String() string    { return v.EnumNames()[v-1] }

// TierModels are the names of the models that think for some agents, by tier; empty if another mind does.
type TierModels [3][]string

// Any reports whether models think for the agents.
func (m TierModels) Any() bool { return len(m[0]) > 0 }

// ModelsOf returns the models that think for a group; none if the scripted mind or an adversary thinks for it.
func (s *Scenario) ModelsOf(g *Group) TierModels {
	switch {
	case g.Adversary != "" || g.Mind == MindScripted:
		return TierModels{}
	case g.Mind == "":
		return s.Minds.Tiers.All()
	}
	one := []string{g.Mind}
	return TierModels{one, one, one}
}

// AllModels returns the models that think for each group, then those that think for agents that are spawned later (those of
// minds.tiers), and last those of the agents of each input that spawns some.
func (s *Scenario) AllModels() []TierModels {
	out := make([]TierModels, 0, len(s.Population)+1)
	for i := range s.Population {
		out = append(out, s.ModelsOf(&s.Population[i]))
	}
	out = append(out, s.Minds.Tiers.All())
	for i := range s.Inputs {
		if in := &s.Inputs[i]; in.Do == DoSpawn {
			out = append(out, s.ModelsOf(in.Newcomers()))
		}
	}
	return out
}

// Model returns the model of a name, nil if there is none.
func (s *Scenario) Model(name string) *Model {
	for i := range s.Minds.Models {
		if s.Minds.Models[i].Name == name {
			return &s.Minds.Models[i]
		}
	}
	return nil
}

// named decodes a mapping from names to mappings, sorted by name.
func (d *decoder) named(n *yaml.Node, v reflect.Value, f field, path string) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "is "+describe(n), f.want())
		return
	}
	if top, _ := strconv.Atoi(f.top); len(n.Content)/2 > top {
		d.fail(n, path, fmt.Sprintf("has %d items", len(n.Content)/2), "want at most "+f.top)
		return
	}
	d.nodes[path] = n
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(n.Content[i+1])
		at := join(path, key.Value)
		switch {
		case !isName(key.Value):
			d.fail(key, path, fmt.Sprintf("has the name %q", key.Value), "want lower-case letters, digits, '-' and '_', a letter first")
		case seen[key.Value]:
			d.fail(key, at, "is written twice", "keep one")
		case value.Kind != yaml.MappingNode:
			d.fail(value, at, "is "+describe(value), "want a mapping with the keys "+keyList(f.typ.Elem()))
		default:
			seen[key.Value] = true
			item := reflect.New(f.typ.Elem()).Elem()
			item.FieldByName("Name").SetString(key.Value)
			d.nodes[at] = value
			d.mapping(value, item, at)
			v.Set(reflect.Append(v, item))
		}
	}
	slices.SortFunc(v.Interface().([]Model), func(a, b Model) int { return bytes.Compare([]byte(a.Name), []byte(b.Name)) })
}

// amounts decodes a mapping from names to numbers, sorted by name.
func (d *decoder) amounts(n *yaml.Node, v reflect.Value, f field, path string) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "is "+describe(n), f.want())
		return
	}
	if top, _ := strconv.Atoi(f.top); len(n.Content)/2 > top {
		d.fail(n, path, fmt.Sprintf("has %d items", len(n.Content)/2), "want at most "+f.top)
		return
	}
	d.nodes[path] = n
	out := []Amount{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], resolve(n.Content[i+1])
		at := join(path, key.Value)
		item := reflect.New(f.typ.Elem()).Elem()
		item.FieldByName("Name").SetString(key.Value)
		d.nodes[at] = key
		if slices.ContainsFunc(out, func(a Amount) bool { return a.Name == key.Value }) {
			d.fail(key, at, "is written twice", "keep one")
		} else if number := amountOf(f); value.Kind != yaml.ScalarNode {
			d.fail(value, at, "is "+describe(value), number.want())
		} else {
			d.scalar(value, item.Field(number.index), number, at)
		}
		out = append(out, item.Interface().(Amount))
	}
	slices.SortFunc(out, func(a, b Amount) int { return cmp.Compare(a.Name, b.Name) })
	v.Set(reflect.ValueOf(out))
}

// isName reports whether a text can be a name in a scenario.
func isName(s string) bool {
	for i, c := range s {
		switch {
		case c >= 'a' && c <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '-' || c == '_'):
		default:
			return false
		}
	}
	return s != "" && len(s) <= 64
}

// free decodes a mapping without a schema and keeps it as JSON.
func (d *decoder) free(n *yaml.Node, v reflect.Value, f field, path string) {
	if n.Kind != yaml.MappingNode {
		d.fail(n, path, "is "+describe(n), f.want())
		return
	}
	var value map[string]any
	raw, err := []byte(nil), n.Decode(&value)
	if err == nil {
		raw, err = json.Marshal(value)
	}
	if err != nil {
		d.fail(n, path, "cannot be written as JSON", "want text keys, and values that are text, numbers, true, false, lists or mappings")
		return
	}
	if len(value) > 0 {
		v.SetString(string(raw))
	}
}

// freeNode is the YAML of a free mapping; JSON is YAML.
func freeNode(text Free) *yaml.Node {
	if text == "" {
		return &yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	}
	n, err := parseValue(string(text))
	if err != nil {
		panic("scenarios: a mapping that was read cannot be written: " + err.Error())
	}
	return n
}

// envName matches the names of environment variables that shells can set.
var envName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkKey checks that a model names at most one source of its key, and does not contain the key itself. Messages do not
// repeat the value, because it may be a secret.
func (d *checker) checkKey(m *Model) {
	at, before := join("minds.models", m.Name), len(d.problems)
	defer func() { hideValues(d.problems[before:]) }()
	if m.Key != "" && (!isName(m.Key) || strings.HasPrefix(m.Key, "sk-")) {
		d.fail(d.at(at+".key"), at+".key", "is not the name of a key", "want the NAME given to kingdom key set; never write the key itself into a scenario")
	}
	if m.KeyEnv != "" && !envName.MatchString(m.KeyEnv) {
		d.fail(d.at(at+".key_env"), at+".key_env", "is not the name of an environment variable", "want letters, digits and _, such as OPENAI_API_KEY; never write the key itself into a scenario")
	}
	if extra := at + ".extra"; d.valid(extra) && holdsKey(m.Extra) {
		d.fail(d.at(extra), extra, "holds what looks like a key, which would be written into the files of a run", "remove it there, and name where the key is with key_env, key_file or key of the model")
	}
	given := 0
	for _, from := range []string{m.KeyEnv, m.KeyFile, m.Key} {
		if from != "" {
			given++
		}
	}
	if given > 1 {
		d.fail(d.at(at), at, "names more than one place for its key", "keep one of key_env, key_file and key")
	}
}

// hideValues leaves out of problems the values that --set gave.
func hideValues(problems []Problem) {
	for i := range problems {
		if set, _, ok := strings.Cut(problems[i].File, "="); ok && strings.HasPrefix(set, "--set ") {
			problems[i].File = set
		}
	}
}

// holdsKey reports whether something in a mapping is a key by its name or its form.
func holdsKey(extra Free) bool {
	var value any
	if extra == "" || json.Unmarshal([]byte(extra), &value) != nil {
		return false
	}
	var in func(v any) bool
	in = func(v any) bool {
		switch v := v.(type) {
		case string:
			return keyward.LooksLikeKey(v)
		case []any:
			return slices.ContainsFunc(v, in)
		case map[string]any:
			for name, one := range v {
				text, isText := one.(string)
				if isText && text != "" && keyward.NamesKey(name) || keyward.LooksLikeKey(name) || in(one) {
					return true
				}
			}
		}
		return false
	}
	return in(value)
}

// checkMinds checks that minds name models that exist and can be called.
func (d *checker) checkMinds() {
	s := d.s
	var names []string
	for i := range s.Minds.Models {
		names = append(names, s.Minds.Models[i].Name)
	}
	check := func(name, path string) {
		if !d.modelsNamed() {
			d.skipped = true
			return
		}
		if !d.valid(path) {
			return
		}
		if !slices.Contains(names, name) {
			right := "name one of minds.models, or add it there"
			if near := Nearest(name, names); near != "" {
				right = fmt.Sprintf("did you mean %s? %s", near, right)
			}
			d.fail(d.at(path), path, fmt.Sprintf("names the model %q, which does not exist", name), right)
		}
	}
	for i := range s.Minds.Models {
		if m := &s.Minds.Models[i]; d.valid(join("minds.models", m.Name)) {
			d.checkKey(m)
			if m.Name == MindScripted {
				d.fail(d.at("minds.models."+m.Name), "minds.models."+m.Name, "has the name of the offline mind", "choose another: mind: scripted, and commands that compare minds, mean that one")
			}
		}
	}
	for _, a := range s.Minds.Caps.Model {
		check(a.Name, "minds.caps.model_usd."+a.Name)
	}
	if d.valid("minds.blind") {
		d.checkBlind(s.Minds.Blind)
	}
	tiers := s.Minds.Tiers.All()
	given := 0
	for i, tier := range tiers {
		if len(tier) > 0 {
			given++
		}
		for j, name := range tier {
			check(name, fmt.Sprintf("minds.tiers.%d[%d]", i+1, j))
		}
	}
	if given != 0 && given != len(tiers) && d.valid("minds.tiers") {
		d.fail(d.at("minds.tiers"), "minds.tiers", "lists models for some tiers only", "list at least one model for each of the tiers 1, 2 and 3, or none for all of them")
	}
	for i := range s.Population {
		if m := s.Population[i].Mind; m != "" && m != MindScripted {
			check(m, fmt.Sprintf("population[%d].mind", i))
		}
	}
	for i := range s.Inputs {
		if m := s.Inputs[i].Mind; m != "" && m != MindScripted {
			check(m, fmt.Sprintf("inputs[%d].mind", i))
		}
	}
}

// modelsNamed reports whether the names of all models are known, also if values of models are wrong.
func (d *checker) modelsNamed() bool {
	const models = "minds.models"
	return !slices.ContainsFunc(d.problems[:d.localProblems], func(p Problem) bool {
		name, below := strings.CutPrefix(p.Field, models+".")
		return within(models, p.Field) || below && !strings.Contains(name, ".")
	})
}

// checkBlind checks the names of the layers that are blinded.
func (d *checker) checkBlind(list []string) {
	for i, name := range list {
		at := fmt.Sprintf("minds.blind[%d]", i)
		if !slices.Contains(llm.LayerNames(), name) {
			right := "the layers are " + strings.Join(llm.LayerNames(), ", ")
			if near := Nearest(name, llm.LayerNames()); near != "" {
				right = fmt.Sprintf("did you mean %s? %s", near, right)
			}
			d.fail(d.at(at), at, fmt.Sprintf("is %q, which is not a layer of memory", name), right)
		}
	}
	d.checkOnce(list, "minds.blind")
}

// checkOnce refuses what a list of texts at a path names more than once: whoever wrote it meant something else. Of a text that is
// known to be wrong it says nothing.
func (d *checker) checkOnce(list []string, path string) {
	for i, text := range list {
		at := fmt.Sprintf("%s[%d]", path, i)
		if slices.Contains(list[:i], text) && !slices.ContainsFunc(d.problems, func(p Problem) bool { return p.Field == at }) {
			d.fail(d.at(at), at, fmt.Sprintf("names %s again", text), "name it once")
		}
	}
}
