package scenarios

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

const withModels = `name: two-minds
population:
  - role: GENERALIST
    count: 2
  - role: EXPLORER
    mind: scripted
  - role: LIBRARIAN
    mind: big
minds:
  models:
    small: {endpoint: "http://127.0.0.1:1/v1", model: s, extra: {top_k: 5, nested: {a: [1, true, "x"]}}}
    big: {endpoint: "https://h/v1", model: b, price_input: 2.5, output: json_object}
  tiers:
    1: [big, small]
    2: [small]
    3: [small]
  caps: {run_usd: 5, model_usd: {small: 0.5, big: 2}, tier_usd: {1: 0}}
`

func TestModels(t *testing.T) {
	s, err := Parse("f.yaml", []byte(withModels))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.ModelsOf(&s.Population[0]); len(got[0]) != 2 || got[0][0] != "big" || got[2][0] != "small" {
		t.Errorf("tiers of the first group: %v", got)
	}
	if got := s.ModelsOf(&s.Population[1]); len(got[0]) != 0 {
		t.Errorf("a scripted group has models: %v", got)
	}
	if got := s.ModelsOf(&s.Population[2]); got[2][0] != "big" {
		t.Errorf("a group with a model of its own: %v", got)
	}
	if m := s.Model("small"); m.Extra != `{"nested":{"a":[1,true,"x"]},"top_k":5}` || m.Output != OutputSchema || m.Temperature != -1 {
		t.Errorf("got %+v", m)
	}
	if c := s.Minds.Caps; c.Run != 5 || c.Agent != -1 || len(c.Model) != 2 || c.Model[1] != (Amount{"small", 0.5}) || c.Tier.All() != [3]float64{0, -1, -1} {
		t.Errorf("caps: %+v", c)
	}
	again, err := Parse("shown.yaml", s.Show())
	if err != nil {
		t.Fatalf("what Show writes cannot be read: %v\n%s", err, s.Show())
	}
	if again.Digest() != s.Digest() || !reflect.DeepEqual(again.Minds.Caps, s.Minds.Caps) {
		t.Errorf("shown and read again it has another digest:\n%s", s.Show())
	}
	before := s.Digest()
	if err := s.Override("minds.caps.model_usd.big=7", "minds.caps.run_usd=0.01", "minds.caps.tier_usd.3=1"); err != nil {
		t.Fatal(err)
	}
	if c := s.Minds.Caps; c.Model[0].USD != 7 || c.Run != 0.01 || c.Tier.Tier3 != 1 || s.Digest() != before {
		t.Errorf("after --set: %+v, digest %v, was %v", c, s.Digest(), before)
	}
	if err := s.Override("minds.models.small.model=t", "minds.models.new.endpoint=http://localhost/v1"); err != nil {
		t.Fatal(err)
	}
	if s.Model("small").Model != "t" || s.Model("new") == nil || s.Digest() == before {
		t.Errorf("after --set: %+v", s.Minds.Models)
	}
}

func TestModels_Problems(t *testing.T) {
	tests := []struct{ old, new, says string }{
		{"2: [small]", "2: [smal]", `f.yaml:15:9: minds.tiers.2[0]: names the model "smal", which does not exist; did you mean small?`},
		{"    2: [small]\n", "", "minds.tiers: lists models for some tiers only"},
		{"mind: big", "mind: bigger", `population[2].mind: names the model "bigger"`},
		{"big: {", "Big: {", `minds.models: has the name "Big"`},
		{"extra: {top_k: 5, nested: {a: [1, true, \"x\"]}}", "extra: 5", "minds.models.small.extra: is 5; want a mapping"},
		{"price_input: 2.5", "prices: 2.5", "minds.models.big.prices: unknown key"},
		{"small: 0.5", "smal: 0.5", `f.yaml:17:34: minds.caps.model_usd.smal: names the model "smal", which does not exist; did you mean small?`},
		{"small: 0.5", "small: -1", "minds.caps.model_usd.small: is -1; want a number from 0 to 1000000"},
		{"small: 0.5", "small: {}", "minds.caps.model_usd.small: is a mapping; want a number"},
		{"small: 0.5", "big: 0.5", "minds.caps.model_usd.big: is written twice"},
		{"model_usd: {small: 0.5, big: 2}", "model_usd: 5", "minds.caps.model_usd: is 5; want a mapping from names to a number from 0 to 1000000"},
		{"model: s,", "model: s, key: Mine,", "minds.models.small.key: is not the name of a key; want the NAME given to kingdom key set"},
		{"model: s,", "model: s, key: sk-abc,", "minds.models.small.key: is not the name of a key; want the NAME given to kingdom key set"},
		{"model: s,", "model: s, key_env: sk-abc,", "minds.models.small.key_env: is not the name of an environment variable; want letters, digits and _"},
		{"model: s,", "model: s, key: mine, key_env: MINE,", "f.yaml:11:12: minds.models.small: names more than one place for its key; keep one of key_env, key_file and key"},
		{"    big:", "    small:", "f.yaml:12:5: minds.models.small: is written twice; keep one"},
		{"big: {endpoint: \"https://h/v1\", model: b, price_input: 2.5, output: json_object}", "big: 5", "f.yaml:12:10: minds.models.big: is 5; want a mapping with the keys endpoint, model,"},
		{"top_k: 5", "top_k: .nan", "f.yaml:11:65: minds.models.small.extra: cannot be written as JSON; want text keys, and values that are text,"},
		{"top_k: 5", "headers: {X-Api-Key: abcdefgh}", "f.yaml:11:65: minds.models.small.extra: holds what looks like a key, which would be written into the files of a run; remove it there, and name where the key is with key_env, key_file or key of the model"},
		{"top_k: 5", "authorization: none of your business", "minds.models.small.extra: holds what looks like a key"},
		{"top_k: 5", "note: [my key is sk-0123456789abcdef]", "minds.models.small.extra: holds what looks like a key"},
		{"output: json_object", "output: xml", "want one of json_schema, small_schema, any_object, json_object, prompt"},
	}
	for _, tt := range tests {
		text := strings.Replace(withModels, tt.old, tt.new, 1)
		if text == withModels {
			t.Fatalf("%q is not in the scenario", tt.old)
		}
		_, err := Parse("f.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: got %v\nwant %q", tt.new, err, tt.says)
		}
	}
}

// A message about a key does not repeat the value, which may be the key itself.
func TestModels_ProblemOfAKeyDoesNotShowIt(t *testing.T) {
	_, err := Parse("f.yaml", []byte(strings.Replace(withModels, "model: s,", "model: s, key: sk-abc123,", 1)))
	if err == nil || strings.Contains(err.Error(), "abc123") {
		t.Errorf("got %v, want an error without the key", err)
	}
	s, err := Parse("f.yaml", []byte(withModels))
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range []string{"key=sk-abc123", "key_env=sk-abc123", "extra={x: sk-0123456abc123}"} {
		if err := s.Override("minds.models.small." + set); err == nil || strings.Contains(err.Error(), "abc123") {
			t.Errorf("--set %s: got %v, want an error without the key", set, err)
		}
	}
}

// What only sounds like a key may be in extra.
func TestModels_ExtraWithoutKey(t *testing.T) {
	for _, extra := range []string{`prompt_cache_key: "village"`, `user: task-prioritization`, `api_key: ""`, `metadata: {key: blue}`} {
		if _, err := Parse("f.yaml", []byte(strings.Replace(withModels, "top_k: 5", extra, 1))); err != nil {
			t.Errorf("%s: %v", extra, err)
		}
	}
}

func TestModels_MayHaveOneKey(t *testing.T) {
	for _, key := range []string{"key: mine", "key_env: MINE", "key_file: /etc/mine"} {
		if _, err := Parse("f.yaml", []byte(strings.Replace(withModels, "model: s,", "model: s, "+key+",", 1))); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
}

func TestModels_OrderInTheFileDoesNotMatter(t *testing.T) {
	models := []string{"{a: {model: x}, b: {model: y}}", "{b: {model: y}, a: {model: x}}"}
	one := must(Parse("f.yaml", []byte(minimal+"minds: {models: "+models[0]+"}\n")))(t)
	other := must(Parse("f.yaml", []byte(minimal+"minds: {models: "+models[1]+"}\n")))(t)
	if one.Digest() != other.Digest() {
		t.Errorf("models in another order are another scenario:\n%s\n%s", one.Show(), other.Show())
	}
}

// At most 64 models, and caps of as many models, may be given.
func TestModels_LimitOfTheirNumber(t *testing.T) {
	parse := func(n int) error {
		var models, caps strings.Builder
		for i := range n {
			fmt.Fprintf(&models, "    m%d: {}\n", i)
			fmt.Fprintf(&caps, "      m%d: 1\n", i)
		}
		_, err := Parse("f.yaml", []byte(minimal+"minds:\n  models:\n"+models.String()+"  caps:\n    model_usd:\n"+caps.String()))
		return err
	}
	if err := parse(64); err != nil {
		t.Errorf("64 models: %v", err)
	}
	const want = "f.yaml:5:5: minds.models: has 65 items; want at most 64\nf.yaml:72:7: minds.caps.model_usd: has 65 items; want at most 64"
	if err := parse(65); err == nil || err.Error() != want {
		t.Errorf("65 models: %v\nwant %s", err, want)
	}
}

func TestModels_Names(t *testing.T) {
	for _, c := range []struct {
		name string
		ok   bool
	}{
		{"a", true},
		{"z", true},
		{"az", true},
		{"a0", true},
		{"a9", true},
		{"a-b", true},
		{"a_b", true},
		{strings.Repeat("x", 64), true},
		{"", false},
		{"0a", false},
		{"9", false},
		{"-a", false},
		{"_a", false},
		{"A", false},
		{"a/b", false},
		{"a:b", false},
		{"a{b", false},
		{"a`b", false},
		{"ä", false},
		{strings.Repeat("x", 65), false},
	} {
		_, err := Parse("f.yaml", fmt.Appendf(nil, "%sminds: {models: {%q: {model: x}}}\n", minimal, c.name))
		if (err == nil) != c.ok {
			t.Errorf("the name %q: %v, want accepted %t", c.name, err, c.ok)
		}
	}
}

// A tier whose list cannot be read does not count as a tier without models.
func TestModels_OneProblemForAWrongTier(t *testing.T) {
	_, err := Parse("f.yaml", []byte(strings.Replace(withModels, "2: [small]", "2: 5", 1)))
	if want := "f.yaml:15:8: minds.tiers.2: is 5; want a list of names"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestBlind_LayersAreParsedAndChangeTheDigest(t *testing.T) {
	s, err := Parse("f.yaml", []byte("name: b\npopulation:\n  - role: EXPLORER\nminds:\n  blind: [beliefs, money]\n"))
	if err != nil || len(s.Minds.Blind) != 2 {
		t.Fatalf("%v, %v", s, err)
	}
	plain, err := Parse("f.yaml", []byte("name: b\npopulation:\n  - role: EXPLORER\n"))
	if err != nil || plain.Digest() == s.Digest() {
		t.Errorf("a blinded scenario has the digest of the sighted one, %v", err)
	}
	for _, c := range []struct{ list, want string }{
		{"[belief]", "did you mean beliefs?"},
		{"[dreams]", "the layers are beliefs, knowledge,"},
		{"[money, money]", "names money again"},
	} {
		_, err := Parse("f.yaml", []byte("name: b\npopulation:\n  - role: EXPLORER\nminds:\n  blind: "+c.list+"\n"))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "f.yaml:5") {
			t.Errorf("%s: %v; want %q and the line", c.list, err, c.want)
		}
	}
}
