package views

import (
	"regexp"
	"slices"
	"strings"

	"kingdom/goals"
	"kingdom/memory"
	"kingdom/wire"
)

// View is a readable form of a table.
type View struct {
	Name    string   // v.<Name>, in SQLite v_<Name>
	Row     string   // what a row is
	from    string   // tables, in PostgreSQL's naming
	Columns []Column // in order
}

// Type is what a column holds, in the words of docs/STORE.md.
type Type string

// Types of columns.
const (
	Integer Type = "integer"
	Real    Type = "real"
	Text    Type = "text"
	JSON    Type = "JSON" // as text; NULL where the bytes are no MessagePack
)

// Column is a column of a view.
type Column struct {
	Name string
	Type Type
	Is   string // what it means, where the name does not say
	of   Expr
}

func col(name string, t Type, is string, of Expr) Column { return Column{name, t, is, of} }

// same is a column as it stands in the table.
func same(name string, t Type, from string) Column { return Column{name, t, "", plain(from)} }

// All returns the views by name.
func All() []View { return all }

var all = slices.SortedFunc(slices.Values(append(tables, programs...)), func(a, b View) int { return strings.Compare(a.Name, b.Name) })

// tables are the views that show one table each.
var tables = []View{
	{
		Name: "accounts", Row: "an account", from: "mint.accounts m",
		Columns: []Column{
			col("owner", Text, "alias of an agent, or a system", nameOf("m.owner")),
			same("amount", Integer, "m.amount"), same("locked", Integer, "m.locked"), same("earned", Integer, "m.earned"), same("spent", Integer, "m.spent"),
		},
	},
	{
		Name: "acts", Row: "something an agent did", from: "agent.experiences e",
		Columns: []Column{
			same("id", Integer, "e.id"), same("tick", Integer, "e.tick"), col("cycle", Integer, "", cycleOf("e.tick")),
			col("agent", Text, "alias", nameOf("e.agent_id")),
			col("action", Text, "name in the catalogue", wordOf("e.action", "action")),
			col("outcome", Text, "", enumOf[memory.Outcome]("e.outcome")),
			col("goal_kind", Text, "kind of the goal it was for", actColumn.field("goal_kind")),
			col("domain", Text, "", actColumn.field("domain")),
			col("subject_kind", Text, "", actColumn.field("subject_kind")),
			col("subject", Text, "id of what it was about", actColumn.field("subject")),
			col("goal", Text, "id", actColumn.field("goal")),
			col("envelope", Text, "id of the request", actColumn.field("envelope")),
			col("lesson", Text, "", textOf("e.lesson")),
			col("act", JSON, "all that is stored of it", actColumn.json()),
		},
	},
	{
		Name: "agents", Row: "an agent", from: "nexus.agents a LEFT JOIN mint.accounts m ON m.owner = a.id",
		Columns: []Column{
			col("agent", Text, "alias", nameOf("a.id")), col("id", Text, "", hexOf("a.id")), col("name", Text, "in the scenario; empty if it gives none", plain("a.name")),
			same("spawn_index", Integer, "a.spawn_index"), same("spawn_tick", Integer, "a.spawn_tick"), col("spawn_cycle", Integer, "", cycleOf("a.spawn_tick")),
			col("parent", Text, "alias, or NEXUS_0", nameOf("a.parent_id")),
			col("role", Text, "", enumOf[wire.Role]("a.role")), col("status", Text, "", enumOf[wire.AgentStatus]("a.status")),
			same("reputation", Real, "a.reputation"),
			same("balance", Integer, "m.amount"), same("locked", Integer, "m.locked"), same("earned", Integer, "m.earned"), same("spent", Integer, "m.spent"),
			same("last_active_cycle", Integer, "a.last_active_cycle"), same("inactive_cycles", Integer, "a.inactive_cycles"),
			col("dormant_since", Integer, "tick; the event agent_status_change of that tick has the reason", plain("a.dormant_since")),
			col("genome", JSON, "", JSONOf("a.genome")),
		},
	},
	{
		Name: "beliefs", Row: "something an agent holds true", from: "agent.beliefs b",
		Columns: []Column{
			same("id", Integer, "b.id"), col("agent", Text, "alias", nameOf("b.agent_id")),
			col("subject", Text, "words, or an id in hex", claimColumn.field("subject")), col("predicate", Text, "", claimColumn.field("predicate")),
			same("confidence", Real, "b.confidence"),
			same("formed_at", Integer, "b.formed_at"), col("formed_cycle", Integer, "", cycleOf("b.formed_at")), same("last_tested", Integer, "b.last_tested"),
			col("evidence", JSON, "hashes, newest last", JSONOf("b.evidence")),
		},
	},
	{
		Name: "bounties", Row: "a bounty", from: "agora.bounties b",
		Columns: []Column{
			col("id", Text, "", hexOf("b.id")), col("creator", Text, "alias, or a system", nameOf("b.creator")), same("title", Text, "b.title"),
			same("reward", Integer, "b.reward"), col("difficulty", Text, "", enumOf[wire.Difficulty]("b.difficulty")), col("status", Text, "", enumOf[wire.BountyStatus]("b.status")),
			same("deadline", Integer, "b.deadline"), col("deadline_cycle", Integer, "", cycleOf("b.deadline")),
			col("claimer", Text, "alias", nameOf("b.claimer")), same("claimed_at", Integer, "b.claimed_at"), same("tries", Integer, "b.tries"),
		},
	},
	{
		Name: "calls", Row: "a request to a language model", from: "agent.calls c",
		Columns: []Column{
			same("tick", Integer, "c.tick"), same("cycle", Integer, "c.cycle"), col("agent", Text, "alias", nameOf("c.agent_id")),
			same("purpose", Text, "c.purpose"), same("try", Integer, "c.try"), same("number", Integer, "c.number"),
			col("tier", Integer, "1, 2 or 3", plain("c.tier + 1")), same("model", Text, "c.model"), col("failure", Text, "empty if it was answered", plain("c.failure")),
			same("latency_ms", Integer, "c.latency_ms"), same("prompt_tokens", Integer, "c.prompt_tokens"), same("cached_tokens", Integer, "c.cached_tokens"),
			same("output_tokens", Integer, "c.output_tokens"), same("reasoning_tokens", Integer, "c.reasoning_tokens"),
			same("cost_micro_usd", Integer, "c.cost_micro_usd"), col("estimated", Integer, "1 or 0", plain("CASE WHEN c.estimated THEN 1 ELSE 0 END")),
		},
	},
	{
		Name: "entries", Row: "an entry of the library", from: "oracle.entries e",
		Columns: []Column{
			col("id", Text, "", hexOf("e.id")), col("kind", Text, "", enumOf[wire.EntryKind]("e.kind")), same("title", Text, "e.title"), same("version", Integer, "e.version"),
			col("author", Text, "alias, or a system", nameOf("e.author")),
			same("created_at", Integer, "e.created_at"), col("created_cycle", Integer, "", cycleOf("e.created_at")), same("updated_at", Integer, "e.updated_at"),
			col("published", Integer, "1 or 0", plain("CASE WHEN e.published THEN 1 ELSE 0 END")),
			same("accuracy", Real, "e.accuracy"), same("completeness", Real, "e.completeness"), same("freshness", Real, "e.freshness"),
			same("citations", Integer, "e.citations"), same("verified_by", Integer, "e.verified_by"),
			col("body", JSON, "", JSONOf("e.body")),
		},
	},
	{
		Name: "events", Row: "an event", from: "observer.events e",
		Columns: []Column{
			same("lamport", Integer, "e.lamport"), same("tick", Integer, "e.tick"), same("cycle", Integer, "e.cycle"),
			col("daemon", Text, "who tells of it", nameOf("e.agent")), col("origin", Text, "who caused it: alias, or a system", nameOf("e.origin")),
			col("system", Text, "", enumOf[wire.System]("e.system")), col("kind", Text, "", eventOf("e.kind")),
			col("payload", JSON, "", JSONOf("e.payload")),
			col("parent_lamport", Integer, "of the event before it in a cause", plain("e.parent_lamport")), col("parent_daemon", Text, "", nameOf("e.parent_agent")),
		},
	},
	{
		Name: "goals", Row: "a goal", from: "agent.goals g",
		Columns: []Column{
			col("id", Text, "", hexOf("g.id")), col("agent", Text, "alias", nameOf("g.agent_id")),
			col("layer", Text, "", enumOf[goals.Layer]("g.layer")), col("source", Text, "", enumOf[goals.Source]("g.source")), col("status", Text, "", enumOf[goals.Status]("g.status")),
			same("priority", Real, "g.priority"),
			col("kind", Text, "", goalColumn.field("kind")), col("text", Text, "", goalColumn.field("text")), col("domain", Text, "", goalColumn.field("domain")),
			col("subject", Text, "id", goalColumn.field("subject")), col("ended", Text, "why it was given up, as deadline or subject_expired", goalColumn.field("ended")),
			same("created_at", Integer, "g.created_at"), col("created_cycle", Integer, "", cycleOf("g.created_at")), same("deadline", Integer, "g.deadline"),
			col("description", JSON, "", goalColumn.json()),
		},
	},
	{
		Name: "messages", Row: "a message", from: "agora.messages m",
		Columns: []Column{
			col("id", Text, "", hexOf("m.id")), same("tick", Integer, "m.tick"), col("cycle", Integer, "", cycleOf("m.tick")),
			col("channel", Text, "name of a system channel, else the start of its id", channelOf("m.channel")),
			col("author", Text, "alias, or a system", nameOf("m.author")), col("kind", Text, "", enumOf[wire.MessageKind]("m.kind")),
			same("text", Text, "m.text"), same("confidence", Real, "m.confidence"),
			col("refs", Integer, "how many ids it refers to", plain("length(m.refs) / 32")),
			col("content", JSON, "", JSONOf("m.content")),
		},
	},
	{
		Name: "plans", Row: "a plan", from: "agent.plans p",
		Columns: []Column{
			same("id", Integer, "p.id"), col("agent", Text, "alias", nameOf("p.agent_id")), col("goal", Text, "id", hexOf("p.goal_id")), col("status", Text, "", enumOf[memory.PlanStatus]("p.status")),
			same("estimated_ticks", Integer, "p.estimated_ticks"), same("estimated_cost", Integer, "p.estimated_cost"), same("risk_assessment", Real, "p.risk_assessment"),
			col("steps", JSON, "", JSONOf("p.steps")), col("dependencies", JSON, "", JSONOf("p.dependencies")),
		},
	},
	{
		Name: "proposals", Row: "a proposal", from: "nexus.proposals p",
		Columns: []Column{
			col("id", Text, "", hexOf("p.id")), col("author", Text, "alias, or a system", nameOf("p.author")),
			col("kind", Text, "", enumOf[wire.ProposalKind]("p.kind")), col("status", Text, "", enumOf[wire.ProposalStatus]("p.status")),
			same("created", Integer, "p.created"), col("created_cycle", Integer, "", cycleOf("p.created")), same("deadline", Integer, "p.deadline"),
			same("votes_for", Real, "p.votes_for"), same("votes_against", Real, "p.votes_against"), same("voters", Integer, "p.voters"),
		},
	},
	{
		Name: "replies", Row: "a message that refers to another", from: "agora.messages m JOIN v.places n ON n.n < length(m.refs) / 32 JOIN agora.messages o ON o.id = substr(m.refs, 32 * n.n + 1, 32)",
		Columns: []Column{
			col("id", Text, "", hexOf("m.id")), same("tick", Integer, "m.tick"), col("cycle", Integer, "", cycleOf("m.tick")),
			col("author", Text, "alias, or a system", nameOf("m.author")), col("kind", Text, "", enumOf[wire.MessageKind]("m.kind")),
			col("to_author", Text, "", nameOf("o.author")), col("to_kind", Text, "", enumOf[wire.MessageKind]("o.kind")), col("to_id", Text, "", hexOf("o.id")),
			col("ticks_after", Integer, "from the other message to this one", plain("m.tick - o.tick")),
		},
	},
	{
		Name: "transactions", Row: "a movement of money", from: "mint.transactions t",
		Columns: []Column{
			same("number", Integer, "t.number"), same("tick", Integer, "t.tick"), col("cycle", Integer, "", cycleOf("t.tick")),
			col("payer", Text, "alias, or a system", nameOf("t.from_id")), col("payee", Text, "alias, or a system", nameOf("t.to_id")),
			col("kind", Text, "", enumOf[wire.TransferKind]("t.kind")), same("amount", Integer, "t.amount"), same("tax", Integer, "t.tax"),
			col("reason", Text, "what Mint moved it for where the kind does not say, as royalty or spawn", plain("t.reason")),
			col("id", Text, "", hexOf("t.id")),
		},
	},
}

// Rename gives views in a statement the name that they have in a database: v.acts and v_acts become the prefix and acts.
func Rename(code, prefix string) string { return viewName.ReplaceAllString(code, "${1}"+prefix+"$2") }

// viewName matches the name of a view. Columns of something else that is called v have other names.
var viewName = func() *regexp.Regexp {
	var names []string
	for i := range all {
		names = append(names, all[i].Name)
	}
	return regexp.MustCompile(`(^|[^.\w])v[._](` + strings.Join(names, "|") + `)\b`)
}()
