package scenarios

import (
	"fmt"
	"slices"
	"testing"

	"kingdom/world"
)

// Domains of the scenario replace those that are allowed by default, and are added to those that are always blocked.
func TestWorldRules_Domains(t *testing.T) {
	s := must(Parse("f.yaml", []byte(minimal+"portal: {allow: [a.example, b.example], block: [c.example], unlisted: allow}\n")))(t)
	r := s.WorldRules()
	if want := []world.DomainRule{{Pattern: "a.example", Category: "scenario"}, {Pattern: "b.example", Category: "scenario"}}; !slices.Equal(r.PortalAllow, want) {
		t.Errorf("allowed: %v, want %v", r.PortalAllow, want)
	}
	if want := append(world.DefaultBlock(), world.DomainRule{Pattern: "c.example", Category: "scenario"}); !slices.Equal(r.PortalBlock, want) {
		t.Errorf("blocked: %v, want %v", r.PortalBlock, want)
	}
	if !r.PortalUnlisted {
		t.Error("domains of neither list are blocked")
	}
}

// A prefix is returned without the bits behind it.
func TestPrivateAddresses(t *testing.T) {
	s := must(Parse("f.yaml", []byte(minimal+"portal: {private: [127.0.0.1/8, 'fd00::/8']}\n")))(t)
	if got := fmt.Sprint(s.PrivateAddresses()); got != "[127.0.0.0/8 fd00::/8]" {
		t.Errorf("got %s", got)
	}
	if got := must(Parse("f.yaml", []byte(minimal)))(t).PrivateAddresses(); len(got) > 0 {
		t.Errorf("by default %v", got)
	}
}
