package scenarios

import (
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
		{"output: json_object", "output: xml", "want one of json_schema, json_object, prompt"},
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
