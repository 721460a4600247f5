package sqltest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/engine"
	"kingdom/goals"
	"kingdom/memory"
	"kingdom/sql/sqltest"
	"kingdom/sql/table"
	"kingdom/sql/views"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/agora"
	"kingdom/world/mint"
	"kingdom/world/nexus"
	"kingdom/world/oracle"
)

// TestViews_EqualTheTypedState compares every column of every view with the state that its row was made of.
func TestViews_EqualTheTypedState(t *testing.T) {
	first, b := sqltest.Batch(0, 2), sqltest.Batch(1, 2)
	first.Minds, first.Events, first.Rows = nil, nil, slices.DeleteFunc(first.Rows, func(r world.Row) bool { return r.Table != "agents" })
	want := tell(b)
	pg, lite := empty(t)
	for name, s := range map[string]sqltest.Store{"PostgreSQL": pg, "SQLite": lite, "a schema": inSchema(t)} {
		for _, c := range []*engine.Batch{first, b} {
			if err := s.CommitCycle(t.Context(), c); err != nil {
				t.Fatal(err)
			}
		}
		for _, v := range views.All() {
			if len(want[v.Name]) == 0 {
				t.Errorf("the test knows no row of view %s", v.Name)
			}
			have := cellsOf(t, s, viewsOf[name], &v)
			for _, row := range want[v.Name] {
				if !slices.ContainsFunc(have, func(h cell) bool { return cmp.Equal(h, row) }) {
					t.Errorf("%s: view %s has no such row (-have +want):\n%s", name, v.Name, cmp.Diff(have, []cell{row}))
				}
			}
		}
	}
}

// cell holds a row by column, as text: empty for NULL, reals with four digits, JSON with sorted keys and without nulls.
type cell map[string]string

// viewsOf is how the names of views begin.
var viewsOf = map[string]string{"PostgreSQL": "v.", "SQLite": "v_", "a schema": "run_1.v_"}

func cellsOf(t *testing.T, s sqltest.Store, from string, v *views.View) (out []cell) {
	t.Helper()
	err := s.Query(t.Context(), "SELECT * FROM "+from+v.Name, nil, func(c table.Cursor) error {
		for c.Next() {
			cells, err := values(c)
			if err != nil {
				return err
			}
			row := cell{}
			for i := range v.Columns {
				row[v.Columns[i].Name] = show(cells[i])
				if v.Columns[i].Type == views.JSON && cells[i] != nil {
					row[v.Columns[i].Name] = sorted([]byte(show(cells[i])))
				}
			}
			out = append(out, row)
		}
		return c.Err()
	})
	if err != nil {
		t.Fatalf("view %s: %v", v.Name, err)
	}
	return out
}

func show(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float32:
		return fmt.Sprintf("%.4f", v)
	case float64:
		return fmt.Sprintf("%.4f", v)
	case *wire.Tick:
		if v == nil {
			return ""
		}
		return fmt.Sprint(*v)
	default:
		return fmt.Sprint(v)
	}
}

func sorted(text []byte) string {
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		return fmt.Sprintf("%q is no JSON: %v", text, err)
	}
	b, _ := json.Marshal(some(v))
	return string(b)
}

// some leaves out members that are null: the engine's JSON leaves them out, its MessagePack does not.
func some(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			if v[name] = some(x); x == nil {
				delete(v, name)
			}
		}
	case []any:
		for i := range v {
			v[i] = some(v[i])
		}
	}
	return v
}

// cycleOf is the cycle of a tick in the batches, whose cycle c ends with tick 256·c + 255.
func cycleOf(t wire.Tick) wire.Cycle { return wire.Cycle(t / 256) }

// row makes a cell of names and values in turn.
func row(pairs ...any) cell {
	out := cell{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i].(string)] = show(pairs[i+1])
	}
	return out
}

// records decodes the records of a table in a batch.
func records[T any](b *engine.Batch, system wire.System, name string) (out []T) {
	codec := codec.New[T]()
	for i := range b.Rows {
		if r := &b.Rows[i]; r.System == system && r.Table == name {
			var v T
			if err := codec.Decode(r.Body, &v); err != nil {
				panic(err)
			}
			out = append(out, v)
		}
	}
	return out
}

func jsonOf[T any](v *T) string { return sorted(codec.New[T]().AppendJSON(nil, v)) }

// tell fills the blobs of a batch as the engine does, and says how the views must show them.
func tell(b *engine.Batch) map[string][]cell {
	subject, envelope := wire.Hash{7}, wire.Hash{8}
	m := &b.Minds[0]
	who := m.Experiences[0].AgentID
	act := memory.Act{Action: "bounty_claim", Goal: &m.Goals[0].ID, GoalKind: "claim_bounty", Domain: "ECONOMY", Subject: &subject, SubjectKind: "bounty", Envelope: &envelope}
	goal := goals.Description{Kind: goals.KindClaimBounty, Text: `fix "it"`, Subject: &subject, Domain: action.DomainEconomy, Reward: 20, Beneficiary: &who}
	e, g, p, belief := &m.Experiences[0], &m.Goals[0], &m.Plans[0], &m.Beliefs[0]
	e.Action, e.Lesson, g.Description = memory.AppendAct(nil, &act), []byte("be first"), (&goals.Goal{Description: goal, Ended: goals.ReasonDeadline}).AppendDescription(nil)
	belief.Claim = codec.New[memory.Claim]().Append(nil, &memory.Claim{Subject: []byte("claims"), Predicate: "pay"})
	belief.Evidence = codec.New[[]wire.Hash]().Append(nil, &[]wire.Hash{subject})

	asked := records[wire.Message](b, wire.SystemAgora, "messages")[0]
	answer := asked
	answer.ID, answer.Author, answer.Kind, answer.References, answer.Tick = wire.Hash{9}, wire.SystemID(wire.SystemOracle), wire.MessageKindAnswer, []wire.Hash{subject, asked.ID}, asked.Tick+3
	answer.Channel = wire.ChannelID("help")
	number := []byte{0, 0, 0, 0, 0, 0, 0, 9}
	chained := sqltest.Record(wire.SystemAgora, "messages", number, codec.New[wire.Message](), &answer)
	chained.Chain = true
	b.Rows = append(b.Rows, chained)

	want := map[string][]cell{
		"acts": {row("id", e.ID, "tick", e.Tick, "cycle", cycleOf(e.Tick), "agent", who.Alias(), "action", act.Action, "outcome", memory.OutcomeSuccess, "goal_kind", act.GoalKind, "domain", act.Domain,
			"subject_kind", act.SubjectKind, "subject", subject, "goal", g.ID, "envelope", envelope, "lesson", "be first", "act", jsonOf(&act))},
		"beliefs": {row("id", belief.ID, "agent", who.Alias(), "subject", "claims", "predicate", "pay", "confidence", belief.Confidence, "formed_at", belief.FormedAt, "formed_cycle", cycleOf(belief.FormedAt),
			"last_tested", belief.LastTested, "evidence", fmt.Sprintf("[%q]", subject))},
		"goals": {row("id", g.ID, "agent", who.Alias(), "layer", goals.Layer(g.Layer+1), "source", goals.Source(g.Source+1), "status", goals.Status(g.Status+1), "priority", g.Priority, "kind", goal.Kind,
			"text", goal.Text, "domain", goal.Domain, "subject", subject, "ended", "deadline", "created_at", g.CreatedAt, "created_cycle", cycleOf(g.CreatedAt), "deadline", g.Deadline,
			"description", strings.Replace(jsonOf(&goal), `,"kind"`, `,"ended":"deadline","kind"`, 1))},
		"plans": {row("id", p.ID, "agent", who.Alias(), "goal", p.GoalID, "status", memory.PlanStatus(p.Status+1), "estimated_ticks", p.EstimatedTicks, "estimated_cost", int64(p.EstimatedCost),
			"risk_assessment", p.RiskAssessment, "steps", "[]", "dependencies", "[]")},
		"replies": {row("id", answer.ID, "tick", answer.Tick, "cycle", cycleOf(answer.Tick), "author", "ORACLE_0", "kind", answer.Kind, "to_author", asked.Author.Alias(), "to_kind", asked.Kind,
			"to_id", asked.ID, "ticks_after", 3)},
	}
	tellPrograms(b, want)
	for i := range b.Calls {
		c := &b.Calls[i]
		estimated := 0
		if c.Estimated {
			estimated = 1
		}
		want["calls"] = append(want["calls"], row("tick", c.Tick, "cycle", c.Cycle, "agent", c.Agent.Alias(), "purpose", c.Purpose, "try", c.Try, "number", c.Number, "tier", uint8(c.Tier),
			"model", c.Model, "failure", c.Failure, "latency_ms", c.LatencyMS, "prompt_tokens", c.PromptTokens, "cached_tokens", c.CachedTokens, "output_tokens", c.OutputTokens,
			"reasoning_tokens", c.ReasoningTokens, "cost_micro_usd", c.CostMicroUSD, "estimated", estimated))
	}
	channels := map[wire.Hash]string{asked.Channel: asked.Channel.String()[:8], answer.Channel: "help"}
	for _, m := range []wire.Message{asked, answer} {
		author := m.Author.Alias()
		if wire.IsSystem(m.Author) {
			author = "ORACLE_0"
		}
		want["messages"] = append(want["messages"], row("id", m.ID, "tick", m.Tick, "cycle", cycleOf(m.Tick), "channel", channels[m.Channel], "author", author, "kind", m.Kind, "text", "how?",
			"confidence", m.Confidence, "refs", len(m.References), "content", `{"text":"how?"}`))
	}
	for _, ev := range b.Events {
		parent, of := any(nil), any(nil)
		if ev.Parent != nil {
			parent, of = ev.Parent.Lamport, ev.Parent.Agent.Alias()
		}
		want["events"] = append(want["events"], row("lamport", ev.ID.Lamport, "tick", ev.Timestamp, "cycle", b.Cycle.Cycle, "daemon", ev.ID.Agent.Alias(), "origin", ev.Origin.Alias(), "system", ev.System,
			"kind", ev.Kind, "payload", sorted(wire.AppendPayloadJSON(nil, ev.Payload)), "parent_lamport", parent, "parent_daemon", of))
	}
	accounts := map[wire.AgentID]mint.Account{}
	for _, a := range records[mint.Account](b, wire.SystemMint, "accounts") {
		accounts[a.Owner] = a
		want["accounts"] = append(want["accounts"], row("owner", a.Owner.Alias(), "amount", a.Balance, "locked", a.Locked, "earned", a.TotalEarned, "spent", a.TotalSpent))
	}
	for _, a := range records[nexus.Agent](b, wire.SystemNexus, "agents") {
		money := accounts[a.ID]
		want["agents"] = append(want["agents"], row("agent", a.ID.Alias(), "id", a.ID, "name", b.NameOf(a.SpawnIndex), "spawn_index", a.SpawnIndex, "spawn_tick", a.SpawnTick, "spawn_cycle", 0, "parent", "NEXUS_0", "role", a.Role,
			"status", a.Status, "reputation", a.Reputation, "balance", money.Balance, "locked", money.Locked, "earned", money.TotalEarned, "spent", money.TotalSpent,
			"last_active_cycle", a.LastActiveCycle, "inactive_cycles", a.InactiveCycles, "dormant_since", a.DormantSince, "genome", jsonOf(&a.Genome)))
	}
	for _, y := range records[agora.Bounty](b, wire.SystemAgora, "bounties") {
		claimer := ""
		if y.Claimer != nil {
			claimer = y.Claimer.Alias()
		}
		title := string(y.Title)
		if title != "write it" {
			title = "fix \uFFFD it \uFFFD"
		}
		want["bounties"] = append(want["bounties"], row("id", y.ID, "creator", y.Creator.Alias(), "title", title, "reward", y.Reward, "difficulty", y.Difficulty, "status", y.Status, "deadline", y.Deadline,
			"deadline_cycle", cycleOf(y.Deadline), "claimer", claimer, "claimed_at", y.ClaimedAt, "tries", y.Tries))
	}
	for _, x := range records[oracle.Entry](b, wire.SystemOracle, "entries") {
		body := codec.New[[]wire.ContentBlock]().Append(nil, &[]wire.ContentBlock{{Paragraph: &wire.ParagraphBlock{Text: "tabs"}}})
		b.Bodies[x.Head.ID] = body
		want["entries"] = append(want["entries"], row("id", x.Head.ID, "kind", x.Head.Kind, "title", string(x.Head.Title), "version", x.Head.Version, "author", x.Head.Author.Alias(), "created_at", x.Head.CreatedAt,
			"created_cycle", cycleOf(x.Head.CreatedAt), "updated_at", x.Head.UpdatedAt, "published", 1, "accuracy", float64(x.Head.Accuracy), "completeness", float64(x.Head.Completeness),
			"freshness", float64(x.Head.Freshness), "citations", x.Head.Citations, "verified_by", len(x.Head.VerifiedBy), "body", `[{"PARAGRAPH":{"text":"tabs"}}]`))
	}
	for _, q := range records[nexus.Proposal](b, wire.SystemNexus, "proposals") {
		want["proposals"] = append(want["proposals"], row("id", q.ID, "author", q.Author.Alias(), "kind", q.Kind, "status", q.Status, "created", q.CreatedAt, "created_cycle", cycleOf(q.CreatedAt),
			"deadline", q.VoteDeadline, "votes_for", float64(q.For)/(1<<20), "votes_against", float64(q.Against)/(1<<20), "voters", q.Voters))
	}
	for i, x := range records[mint.Transaction](b, wire.SystemMint, "transactions") {
		want["transactions"] = append(want["transactions"], row("number", strconv.Itoa(i+1), "tick", x.Tick, "cycle", cycleOf(x.Tick), "payer", x.From.Alias(), "payee", x.To.Alias(), "kind", x.Kind,
			"amount", x.Amount, "tax", x.Tax, "reason", string(x.Reason), "id", x.ID))
	}
	return want
}
