package worldtest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBlocks_DropOutputs(t *testing.T) {
	got := blocks("# why\nworld n=8\n----\nok\n\nagent 1 nop\nagent 2 nop\n----\nold output\nmore\n\n\n# only a comment\n")
	want := [][]string{{"# why", "world n=8"}, {"agent 1 nop", "agent 2 nop"}, {"# only a comment"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("blocks (-want +got):\n%s", diff)
	}
}

// A transcript with its outputs replays to itself; wrong outputs in it have no influence.
func TestReplay_OfItsOutputIsEqual(t *testing.T) {
	first := replay(t, "world n=3\nagents\n\ntogether\nagent 1 balance_query {\"agent_id\": \"$a2\"}\nagent 2 balance_query {\"agent_id\": \"#general\"}\n\nendcycle\nbalances\n")
	if !strings.Contains(first, "BALANCE_QUERY owner=$a2 balance=100") || !strings.Contains(first, "ERROR NOT_FOUND") {
		t.Errorf("the replies are missing:\n%s", first)
	}
	if diff := cmp.Diff(first, replay(t, first)); diff != "" {
		t.Errorf("a second replay differs:\n%s", diff)
	}
	forged := strings.Replace(first, "balance=100", "balance=1000", 1)
	if replay(t, forged) != first {
		t.Error("what stands in the output has an influence on what is replayed")
	}
}

func TestNames_ExpandToIDs(t *testing.T) {
	n := newNames()
	n.meet("b", [32]byte{1})
	n.meet("b", [32]byte{2})
	n.meet("b", [32]byte{1})
	if got := n.of([32]byte{2}); got != "$b2" {
		t.Errorf("the second bounty is %s, want $b2", got)
	}
	text := `{"id": "$b1", "price": "$b9 or #general"}`
	got := n.expand(text)
	if !strings.Contains(got, `"01000000`) || !strings.Contains(got, "$b9") || strings.Contains(got, "#general") {
		t.Errorf("expanded to %s", got)
	}
}
