package views

import (
	"crypto/sha256"
	_ "embed" // for msgpack.sql
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kingdom/sql/table"
	"kingdom/wire"
)

// msgpack.sql has the functions by which PostgreSQL reads MessagePack.
//
//go:embed msgpack.sql
var functions string

// places is how many references a message has at most.
const places = 64

// Statements returns the statements that drop and create all views and store their digest, in order. They must be
// executed in one transaction.
func Statements(d Dialect) []string {
	number := strconv.FormatUint(uint64(Digest(d)), 10)
	if d == Postgres {
		return append(statements(d), "COMMENT ON SCHEMA v IS '"+number+"'")
	}
	return append(statements(d), "PRAGMA user_version = "+number)
}

// placesOf is a view that every schema with views has; its comment is their digest.
const placesOf = ".v_places"

// StatementsIn is [Statements] for a PostgreSQL schema that has all tables. The views are created in the same schema,
// named as in SQLite. The name of the schema must not need quotes.
func StatementsIn(schema string) []string {
	within := table.Within(schema)
	out := []string{strings.ReplaceAll(dropAll, "SCHEMA", schema)}
	for _, s := range statements(Postgres) {
		if s != dropSchema && s != makeSchema {
			out = append(out, inSchemaV.ReplaceAllString(within(s), schema+".v_"))
		}
	}
	return append(out, "COMMENT ON VIEW "+schema+placesOf+" IS '"+strconv.FormatUint(uint64(Digest(Postgres)), 10)+"'")
}

// HaveIn is [Have] for one schema of a PostgreSQL database; the result is NULL if it has no views.
func HaveIn(schema string) string {
	return "SELECT CAST(obj_description(to_regclass('" + schema + placesOf + "'), 'pg_class') AS BIGINT)"
}

// inSchemaV is how names in the schema v begin.
var inSchemaV = regexp.MustCompile(`\bv\.`)

// dropAll drops the views and functions of a schema that holds all tables.
const dropAll = `DO $$
DECLARE
  it record;
BEGIN
  FOR it IN SELECT viewname AS name FROM pg_views WHERE schemaname = 'SCHEMA' AND viewname LIKE 'v\_%' LOOP
    EXECUTE format('DROP VIEW IF EXISTS SCHEMA.%I CASCADE', it.name);
  END LOOP;
  FOR it IN SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = 'SCHEMA' AND p.proname LIKE 'v\_%' LOOP
    EXECUTE format('DROP FUNCTION IF EXISTS %s CASCADE', it.name);
  END LOOP;
END $$`

// The schema of the views, dropped and made.
const (
	dropSchema = "DROP SCHEMA IF EXISTS v CASCADE"
	makeSchema = "CREATE SCHEMA v"
)

// Have returns the query for the digest of the views that a database has. Its result is no row or 0 if there are
// none.
func Have(d Dialect) string {
	if d == Postgres {
		return "SELECT CAST(obj_description(oid, 'pg_namespace') AS BIGINT) FROM pg_namespace WHERE nspname = 'v'"
	}
	return "SELECT user_version FROM pragma_user_version"
}

// madeOnce has the statements of each database: to put them together takes 10 ms.
var madeOnce = map[Dialect]func() []string{
	Postgres: sync.OnceValue(func() []string { return slices.Clip(makeStatements(Postgres)) }),
	SQLite:   sync.OnceValue(func() []string { return slices.Clip(makeStatements(SQLite)) }),
}

// statements returns the statements that drop and create all views. The caller must not change them.
func statements(d Dialect) []string { return madeOnce[d]() }

func makeStatements(d Dialect) []string {
	out := Decoding(d)
	add := func(view, create string) {
		if d == SQLite { // PostgreSQL drops the schema
			out = append(out, "DROP VIEW IF EXISTS v_"+view)
		}
		out = append(out, create)
	}
	makeCalendar := "CREATE VIEW v.calendar AS " + calendar
	if d == SQLite {
		add("calendar", flat(makeCalendar))
		for _, c := range []packed{actColumn, claimColumn, goalColumn} {
			add(c.view, c.create())
		}
	} else {
		add("calendar", makeCalendar)
	}
	for _, c := range []decoded{vaultRows, pageRows, forgeEvents} {
		add(c.name+"_json", c.create(d))
	}
	for i := range allUnpacked {
		add(allUnpacked[i].name+"_json", allUnpacked[i].create(d))
	}
	for i := range all {
		add(all[i].Name, all[i].create(d))
	}
	return out
}

// Decoding returns the statements that drop all views of PostgreSQL and the tables that the views of SQLite read, and
// create what all views need.
func Decoding(d Dialect) []string {
	out := []string{dropSchema, makeSchema, functions}
	if d == SQLite {
		out = []string{"DROP TABLE IF EXISTS v_msgpack", heads()}
	}
	for _, l := range []list{placeList(), systemList(d), kindList()} {
		out = append(out, l.create(d)...)
	}
	return out
}

// list is a table of fixed rows that views read. SQLite keeps it as a table, whose text is shorter than that of a view.
type list struct {
	name    string
	columns []string // the first one is the key
	types   []string // in SQLite
	rows    []string
}

func (l *list) create(d Dialect) []string {
	values := strings.Join(l.rows, ", ")
	if d == Postgres {
		return []string{"CREATE VIEW v." + l.name + " (" + strings.Join(l.columns, ", ") + ") AS VALUES " + values}
	}
	columns := make([]string, len(l.columns))
	for i, c := range l.columns {
		columns[i] = c + " " + l.types[i]
	}
	columns[0] += " PRIMARY KEY"
	return []string{
		"DROP TABLE IF EXISTS v_" + l.name,
		"CREATE TABLE v_" + l.name + " (" + strings.Join(columns, ", ") + ")",
		"INSERT INTO v_" + l.name + " VALUES " + values,
	}
}

// placeList numbers the references of a message and the bytes of a number.
func placeList() list {
	l := list{name: "places", columns: []string{"n"}, types: []string{"INTEGER"}}
	for i := range places {
		l.rows = append(l.rows, "("+strconv.Itoa(i)+")")
	}
	return l
}

// systemList names the ids of systems, as bytes and as hex.
func systemList(d Dialect) list {
	l := list{name: "systems", columns: []string{"id", "hex", "name"}, types: []string{"BLOB", "TEXT NOT NULL", "TEXT NOT NULL"}}
	row := func(id wire.AgentID, name string) {
		l.rows = append(l.rows, fmt.Sprintf("(%s, '%s', '%s')", literal(d, id[:]), id, name))
	}
	for i := range wire.System(0).EnumNames() {
		s := wire.System(i + 1)
		row(wire.SystemID(s), wire.SystemName(s))
	}
	row(wire.ReserveID, "RESERVE_0")
	return l
}

// kindList names the codes of event kinds.
func kindList() list {
	l := list{name: "kinds", columns: []string{"code", "name"}, types: []string{"INTEGER", "TEXT NOT NULL"}}
	for _, k := range wire.EventKinds() {
		l.rows = append(l.rows, fmt.Sprintf("(%d, '%s')", k, k))
	}
	return l
}

// flat turns a statement into SQLite's, which has no schemas.
func flat(sql string) string { return inSchemaV.ReplaceAllString(table.Flat(sql), "v_") }

// create is the statement that makes a view.
func (v *View) create(d Dialect) string {
	var b strings.Builder
	b.WriteString("SELECT")
	for i := range v.Columns {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n " + v.Columns[i].of(d) + " AS " + v.Columns[i].Name)
	}
	b.WriteString("\nFROM " + v.from)
	if d == SQLite {
		return flat("CREATE VIEW v." + v.Name + " AS " + b.String())
	}
	return "CREATE VIEW v." + v.Name + " AS " + b.String()
}

// Digest returns a number that changes when the views do. A database with another digest gets the views again. It is
// a positive number of 31 bits, so that it fits SQLite's user_version.
func Digest(d Dialect) uint32 {
	h := sha256.New()
	for _, s := range statements(d) {
		h.Write([]byte(s))
	}
	return max(binary.BigEndian.Uint32(h.Sum(nil))>>1, 1)
}
