package action

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/internal/golden"
	"kingdom/wire"
	"kingdom/wire/codec"
)

func row(t *testing.T, name string) *Row {
	t.Helper()
	r, ok := ByName(name)
	if !ok {
		t.Fatalf("no action %q", name)
	}
	return r
}

// The tick costs of docs/WORLD.md, messages, for every action whose daemon exists.
func TestCatalogue_TickCosts(t *testing.T) {
	want := map[string]uint64{
		"nop": 1, "rest": 1, "subscribe": 1, "unsubscribe": 1,
		"agent_status": 1, "proposal_submit": 1, "proposal_vote": 1,
		"repo_create": 1, "snap_create": 1, "snap_get": 1, "object_get": 1, "object_put": 1, "delta_compute": 2, "merge": 3,
		"chain_create": 1, "chain_advance": 1, "tag_create": 1, "registry_query": 1, "dependency_add": 1,
		"channel_create": 2, "msg_post": 1, "msg_query": 1, "signal_send": 1,
		"bounty_create": 2, "bounty_claim": 1, "bounty_submit": 1, "bounty_review": 2,
		"review_request": 2, "review_submit": 2,
		"entry_publish": 2, "entry_update": 1, "entry_query": 1, "entry_verify": 1, "entry_get": 1,
		"citation_add": 1, "citation_query": 1,
		"sandbox_create": 5, "sandbox_status": 1, "sandbox_kill": 1, "exec_start": 1, "proof_request": 2,
		"service_create": 1, "service_call": 1, "link_resolve": 2,
		"transfer": 1, "resource_buy": 1, "balance_query": 1, "escrow_create": 1,
		"escrow_release": 1, "escrow_refund": 1, "stake_create": 1,
		"web_request": 1,
	}
	got := map[string]uint64{}
	for _, r := range ForMinds() {
		got[r.Name] = r.Ticks
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// plain are parameters whose name and form say what they mean; what all queries have in common
// stands once in the rules of the prompt. Words about them would only make each prompt longer.
var plain = []string{
	"agent_id", "authors", "bounty_id", "channel", "channels", "comments", "data", "description", "entry_id", "escrow_id", "kind", "kinds",
	"limit", "method", "name", "new_body", "object_id", "offset", "proposal", "proposal_id", "repo", "repo_id", "sandbox_id", "service_id", "snap_id", "sort", "systems", "tags", "url", "verdict",
}

func TestCatalogue_RowsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for i := range All() {
		r := &All()[i]
		if seen[r.Name] || r.Summary == "" || r.Domain == 0 || r.Cost == "" {
			t.Errorf("row %q is double or incomplete: %+v", r.Name, r)
		}
		seen[r.Name] = true
		if r.LLM != (r.Ticks > 0) || r.LLM && r.SystemOnly {
			t.Errorf("%s: ticks %d, LLM %v, system only %v", r.Name, r.Ticks, r.LLM, r.SystemOnly)
		}
		if r.Name == "nop" != (r.New() == nil) || r.IsRest() != (r.Name == "rest") {
			t.Errorf("%s: payload %T", r.Name, r.New())
		}
		if s, ok := r.Type.System(); ok && s != r.System {
			t.Errorf("%s belongs to %s, not %s", r.Name, s, r.System)
		}
		for _, p := range r.Params {
			if r.LLM && p.Help == "" && !slices.Contains(plain, p.Name) {
				t.Errorf("%s.%s has no help: say what it means, or list its name as plain", r.Name, p.Name)
			}
		}
	}
	for key := range ownHelp {
		name, param, _ := strings.Cut(key, ".")
		found := false
		for _, p := range row(t, name).Params {
			found = found || p.Name == param
		}
		if !found {
			t.Errorf("help for %s, which is no parameter", key)
		}
	}
	if r, ok := ByType(wire.TypeTransfer); !ok || r.Name != "transfer" {
		t.Error("TRANSFER must yield transfer")
	}
	if _, ok := ByType(0); ok {
		t.Error("nop has no message type")
	}
	if _, ok := ByName("bounty_steal"); ok {
		t.Error("an unknown name is found")
	}
}

// The gate table of docs/WORLD.md, epochs.
func TestMinEpoch_Profiles(t *testing.T) {
	proposal := func(k wire.ProposalKind) any { return &wire.ProposalSubmit{Kind: k} }
	for _, c := range []struct {
		name    string
		payload any
		want    [3]uint32
	}{
		{"nop", nil, [3]uint32{0, 0, 0}},
		{"entry_publish", nil, [3]uint32{0, 0, 0}},
		{"citation_query", nil, [3]uint32{0, 0, 0}},
		{"balance_query", nil, [3]uint32{0, 0, 0}},
		{"msg_post", nil, [3]uint32{0, 2, 0}},
		{"signal_send", nil, [3]uint32{0, 2, 0}},
		{"review_submit", nil, [3]uint32{0, 2, 0}},
		{"bounty_claim", nil, [3]uint32{0, 2, 0}},
		{"bounty_create", nil, [3]uint32{2, 2, 0}},
		{"channel_create", nil, [3]uint32{2, 2, 0}},
		{"escrow_release", nil, [3]uint32{2, 2, 0}},
		{"stake_create", nil, [3]uint32{2, 2, 0}},
		{"web_request", nil, [3]uint32{3, 3, 3}},
		{"web_request", &wire.WebRequest{Method: wire.HTTPMethodHead}, [3]uint32{3, 3, 3}},
		{"web_request", &wire.WebRequest{Method: wire.HTTPMethodPost}, [3]uint32{4, 4, 4}},
		{"sandbox_create", nil, [3]uint32{0, 0, 0}},
		{"exec_start", nil, [3]uint32{0, 0, 0}},
		{"service_call", nil, [3]uint32{0, 0, 0}},
		{"proof_request", nil, [3]uint32{0, 1, 0}},
		{"link_resolve", nil, [3]uint32{0, 1, 0}},
		{"service_create", nil, [3]uint32{1, 1, 0}},
		{"resource_buy", &wire.Transfer{Kind: wire.TransferKindResourceBuy}, [3]uint32{0, 2, 0}},
		{"transfer", nil, [3]uint32{2, 2, 0}}, // it may buy resources before, for which there is a row of its own
		{"transfer", &wire.Transfer{Kind: wire.TransferKindDirect}, [3]uint32{2, 2, 0}},
		{"transfer", &wire.Transfer{Kind: wire.TransferKindResourceBuy}, [3]uint32{0, 2, 0}},
		{"proposal_submit", proposal(wire.ProposalKindCustom), [3]uint32{2, 2, 0}},
		{"proposal_submit", proposal(wire.ProposalKindSpawnAgent), [3]uint32{2, 2, 0}},
		{"proposal_submit", proposal(wire.ProposalKindChangeParam), [3]uint32{5, 5, 0}},
		{"proposal_submit", proposal(wire.ProposalKindEpochAdvance), [3]uint32{5, 5, 0}},
		{"proposal_vote", nil, [3]uint32{2, 5, 0}},
	} {
		for p := ProfileDefault; p <= ProfileOpen; p++ {
			if got := row(t, c.name).MinEpoch(p, c.payload); got != c.want[p] {
				t.Errorf("%s %+v, profile %d: epoch %d, want %d", c.name, c.payload, p, got, c.want[p])
			}
		}
	}
}

func TestFromJSON_ResourceBuy(t *testing.T) {
	r := row(t, "resource_buy")
	got, err := r.FromJSON([]byte(`{"resource":"ticks","amount":3}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &wire.Transfer{
		To: wire.SystemID(wire.SystemMint), Amount: 3, Kind: wire.TransferKindResourceBuy,
		Memo: []byte("\x81\xa8resource\xa5TICKS"),
	}
	if d := cmp.Diff(any(want), got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if shown := string(r.AppendJSON(nil, got)); shown != `{"resource":"TICKS","amount":3}` {
		t.Errorf("shown as %s", shown)
	}
	if _, err := r.FromJSON([]byte(`{"resource":"gold","amount":3}`), nil); err == nil || !strings.Contains(err.Error(), `"resource"`) {
		t.Errorf("unknown resource: %v", err)
	}
}

func TestFromJSON_Nop(t *testing.T) {
	r := row(t, "nop")
	for _, raw := range []string{"", "null", "{}", " { } "} {
		if p, err := r.FromJSON([]byte(raw), nil); p != nil || err != nil {
			t.Errorf("%q: %v, %v", raw, p, err)
		}
	}
	if _, err := r.FromJSON([]byte(`{"why":1}`), nil); !errors.Is(err, &codec.DecodeError{Kind: codec.DecodeKindUnknownField}) {
		t.Errorf("a parameter of nop: %v", err)
	}
	if got := string(r.AppendJSON(nil, nil)); got != "{}" {
		t.Errorf("shown as %s", got)
	}
}

func TestFromJSON_Message(t *testing.T) {
	r := row(t, "stake_create")
	raw := `{"proposal":"` + strings.Repeat("0a", 32) + `","amount":7,"direction":"AGAINST"}`
	p, err := r.FromJSON([]byte(raw), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := p.(*wire.StakeCreate); s.Amount != 7 || s.Direction != wire.StakeDirectionAgainst || !s.Agent.IsZero() {
		t.Errorf("payload %+v", s)
	}
	if got := string(r.AppendJSON(nil, p)); got != raw {
		t.Errorf("shown as %s", got)
	}
}

// The page that says what every action is.
func TestReference(t *testing.T) {
	page := reference()
	golden.File(t, "../../docs/ACTIONS.md", page)
	for i := range All() {
		if !strings.Contains(page, "| `"+All()[i].Name+"` |") {
			t.Errorf("%s is not in the table", All()[i].Name)
		}
	}
	if !strings.Contains(page, "| `bounty_claim` | 0x0311 | AGORA | ECONOMY | 1 | 0 | 0 / 2 / 0 | ACK |") {
		t.Error("the row of bounty_claim is not as documented")
	}
}

func ExampleRow_FromJSON() {
	r, _ := ByName("balance_query")
	p, err := r.FromJSON([]byte(`{"agent_id":"ab22"}`), nil)
	fmt.Println(p, err)
	// Output: <nil> read parameters of BALANCE_QUERY: field "agent_id": bad length at byte 12, want an agent id of 64 hex digits or its 8-digit alias
}
