package views

import (
	"fmt"
	"strings"

	"kingdom/sql/table"
	"kingdom/wire"
)

// unpacked is a view of records or events decoded: column key names the thing, j is all of it as JSON.
// Views about programs and pages read from these.
type unpacked struct {
	name  string // v.<name>_json
	more  string // further columns, each after a comma
	of    *decoded
	where string // which rows of it
}

// decoded is a table, or a part of it, of which several unpacked views show different rows. SQLite decodes it in a view of
// its own, so that the text of the decoder stands once.
type decoded struct {
	name, key, body string // v.<name>_json
	more            string // further columns, each after a comma
	from            string
}

var (
	vaultRows = decoded{"vault", "t.key", "t.body", ", t.tbl", fmt.Sprintf("world.rows t WHERE t.system = %d AND t.tbl IN ('%s')", wire.SystemVault-1, strings.Join(table.ViewedRows[:], "', '"))}
	pageRows  = decoded{"pages", "t.number", "t.body", "", fmt.Sprintf("world.records t WHERE t.system = %d AND t.tbl = 'requests'", wire.SystemPortal-1)}
	// forgeEvents are keyed by the first field of their payload, an id whose field has a name of ten letters: sandbox_id, service_id.
	forgeEvents = decoded{"forge", "substr(t.payload, 15, 32)", "t.payload", ", t.tick, t.cycle, t.origin, t.kind", "observer.events t WHERE t.kind IN (" +
		kinds(wire.KindSandboxCreated, wire.KindSandboxHalted, wire.KindSandboxFaulted, wire.KindServiceCreated, wire.KindServiceCompleted) + ")"}
)

// kinds lists codes of event kinds.
func kinds(list ...wire.EventKind) string {
	return strings.Trim(strings.Join(strings.Fields(fmt.Sprintf("%d", list)), ", "), "[]")
}

// rowsOf shows the i-th of the tables of Vault that views decode.
func rowsOf(i int) unpacked {
	tbl := table.ViewedRows[i]
	return unpacked{tbl, "", &vaultRows, "t.tbl = '" + tbl + "'"}
}

func eventsOf(name string, of ...wire.EventKind) unpacked {
	return unpacked{name, ", t.tick, t.cycle, t.origin, t.kind", &forgeEvents, "t.kind IN (" + kinds(of...) + ")"}
}

// allUnpacked are the decoded views, before those that read from them.
var allUnpacked = []unpacked{
	rowsOf(0), rowsOf(1), rowsOf(2),
	eventsOf("boxes", wire.KindSandboxCreated),
	eventsOf("runs", wire.KindSandboxHalted, wire.KindSandboxFaulted),
	eventsOf("services", wire.KindServiceCreated),
	eventsOf("served", wire.KindServiceCompleted),
}

// create makes the view that decodes.
func (c *decoded) create(d Dialect) string {
	sql := "CREATE VIEW v." + c.name + "_json AS SELECT " + c.key + " AS key, " + JSONOf(c.body)(d) + " AS j" + c.more + " FROM " + c.from
	if d == SQLite {
		return flat(sql)
	}
	return strings.Replace(sql, " AS j", "::json AS j", 1)
}

// create makes the view. DISTINCT has SQLite work it out once for a join, with an index.
func (u *unpacked) create(d Dialect) string {
	sql := " t.key, t.j" + u.more + " FROM v." + u.of.name + "_json t WHERE " + u.where
	if d == SQLite {
		return flat("CREATE VIEW v." + u.name + "_json AS SELECT DISTINCT" + sql)
	}
	return "CREATE VIEW v." + u.name + "_json AS SELECT" + sql
}

// member is a member of a decoded record as text.
func member(alias, name string) Expr {
	return either(alias+".j ->> '"+name+"'", "json_extract("+alias+".j, '$."+name+"')")
}

// number is a member that is a whole number.
func number(alias, name string) Expr {
	return either("CAST("+alias+".j ->> '"+name+"' AS BIGINT)", "json_extract("+alias+".j, '$."+name+"')")
}

// flag is a member that is true or false, as 1 or 0.
func flag(alias, name string) Expr {
	return either("CASE "+alias+".j ->> '"+name+"' WHEN 'true' THEN 1 ELSE 0 END", "json_extract("+alias+".j, '$."+name+"')")
}

// who is a member that is the id of an agent or a system, by its name.
func who(alias, name string) Expr {
	hex := member(alias, name)
	return func(d Dialect) string {
		return "COALESCE((SELECT named.name FROM v.systems named WHERE named.hex = " + hex(d) + "), substr(" + hex(d) + ", 1, 8))"
	}
}

// cycleIn is the cycle of a tick that is a member.
func cycleIn(alias, name string) Expr {
	tick := number(alias, name)
	return func(d Dialect) string { return cycleOf(tick(d))(d) }
}

// programs are the views of Vault, Forge and Portal.
var programs = []View{
	{
		Name: "dependencies", Row: "a repo that depends on another", from: "v.deps_json d LEFT JOIN v.repos_json f ON f.key = substr(d.key, 1, 32) LEFT JOIN v.repos_json t ON t.key = substr(d.key, 65, 32)",
		Columns: []Column{
			col("from_repo", Text, "id", member("d", "from_repo")), col("from_name", Text, "", member("f", "name")), col("from_owner", Text, "alias, or a system", who("f", "owner")),
			col("to_repo", Text, "id", member("d", "to_repo")), col("to_name", Text, "", member("t", "name")), col("to_owner", Text, "alias, or a system", who("t", "owner")),
			col("to_tag", Text, "id", member("d", "to_tag")), col("required", Integer, "1 or 0", flag("d", "required")),
			col("tick", Integer, "", number("d", "tick")), col("cycle", Integer, "", cycleIn("d", "tick")),
		},
	},
	{
		Name: "pages", Row: "a page that an agent asked Portal for", from: "v.pages_json p",
		Columns: []Column{
			col("number", Integer, "", plain("p.key")), col("tick", Integer, "", number("p", "tick")), col("cycle", Integer, "", cycleIn("p", "tick")),
			col("agent", Text, "alias", who("p", "agent")), col("method", Text, "", member("p", "method")), col("url", Text, "", member("p", "url")), col("purpose", Text, "", member("p", "purpose")),
			col("status", Integer, "of HTTP; 0 if nothing came", number("p", "status")), col("failed", Text, "why nothing came, else empty", member("p", "failed")),
			col("cached", Integer, "1 or 0", flag("p", "cached")), col("ticks", Integer, "", number("p", "ticks")), col("cost", Integer, "", number("p", "cost")),
		},
	},
	{
		Name: "repos", Row: "a repository", from: "v.repos_json r LEFT JOIN v.registry_json l ON l.key = r.key",
		Columns: []Column{
			col("id", Text, "", hexOf("r.key")), col("name", Text, "", member("r", "name")), col("owner", Text, "alias, or a system", who("r", "owner")),
			col("fork_of", Text, "id", member("r", "fork_of")), col("created_at", Integer, "", number("r", "tick")), col("created_cycle", Integer, "", cycleIn("r", "tick")),
			col("snaps", Integer, "", number("r", "snaps")), col("proven", Integer, "snaps with a proof", number("r", "proven")),
			col("published_at", Integer, "tick; NULL if it is not in the registry", number("l", "tick")), col("description", Text, "in the registry", member("l", "description")),
		},
	},
	{
		Name: "runs", Row: "a run of a program", from: "v.runs_json r LEFT JOIN v.boxes_json b ON b.key = r.key",
		Columns: []Column{
			same("tick", Integer, "r.tick"), same("cycle", Integer, "r.cycle"), col("owner", Text, "alias, or a system", nameOf("r.origin")),
			col("sandbox", Text, "id", hexOf("r.key")), col("program", Text, "id", member("b", "code")),
			col("state", Text, "HALTED or FAULTED", plain(fmt.Sprintf("CASE r.kind WHEN %d THEN 'HALTED' ELSE 'FAULTED' END", wire.KindSandboxHalted))),
			col("fault", Text, "", member("r", "fault")), col("line", Integer, "of the fault", number("r", "pc")), col("forge_ticks", Integer, "", number("r", "ticks_used")),
		},
	},
	{
		Name: "service_calls", Row: "a call of a service", from: fmt.Sprintf("v.served_json c LEFT JOIN v.services_json s ON s.key = c.key"+
			" LEFT JOIN mint.transactions t ON t.from_id = c.origin AND t.tick = c.tick AND t.kind = %d", wire.TransferKindServiceFee-1),
		Columns: []Column{
			same("tick", Integer, "c.tick"), same("cycle", Integer, "c.cycle"), col("caller", Text, "alias", nameOf("c.origin")), col("service", Text, "id", hexOf("c.key")),
			col("name", Text, "", member("s", "name")), col("owner", Text, "alias, or a system", who("s", "owner")), col("endpoint", Text, "", member("c", "endpoint")),
			col("forge_ticks", Integer, "", number("c", "ticks_used")), col("fee", Integer, "NULL if none was paid", plain("t.amount")),
		},
	},
}
