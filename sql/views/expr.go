package views

import (
	"fmt"
	"strings"

	"kingdom/sql/table"
	"kingdom/wire"
	"kingdom/wire/codec"
	"kingdom/world/agora"
)

// Dialect is the SQL of a database.
type Dialect uint8

// The databases.
const (
	Postgres Dialect = iota + 1
	SQLite
)

// Expr returns an expression in the SQL of a database.
type Expr func(d Dialect) string

// plain is SQL that both databases understand.
func plain(sql string) Expr { return func(Dialect) string { return sql } }

// either is SQL that the databases write differently.
func either(postgres, sqlite string) Expr {
	return func(d Dialect) string {
		if d == SQLite {
			return sqlite
		}
		return postgres
	}
}

// hexOf shows an id or a hash as lower-case hex.
func hexOf(col string) Expr {
	return either("encode("+col+", 'hex')", "CASE WHEN "+col+" IS NULL THEN NULL ELSE lower(hex("+col+")) END")
}

// literal is a constant of bytes.
func literal(d Dialect, b []byte) string {
	if d == SQLite {
		return fmt.Sprintf("X'%X'", b)
	}
	return fmt.Sprintf("'\\x%x'::bytea", b)
}

// nameOf shows who an id is: the name of a system, else the alias of an agent.
func nameOf(col string) Expr {
	return either(
		"COALESCE((SELECT named.name FROM v.systems named WHERE named.id = "+col+"), left(encode("+col+", 'hex'), 8))",
		"COALESCE((SELECT named.name FROM v_systems named WHERE named.id = "+col+"), nullif(substr(lower(hex("+col+")), 1, 8), ''))",
	)
}

// channelOf shows the name of a system channel, else the start of the channel's id.
func channelOf(col string) Expr {
	return func(d Dialect) string {
		var b strings.Builder
		b.WriteString("CASE")
		for _, name := range agora.SystemChannels() {
			id := wire.ChannelID(name)
			fmt.Fprintf(&b, " WHEN %s = %s THEN '%s'", col, literal(d, id[:]), name)
		}
		short := either("left(encode("+col+", 'hex'), 8)", "substr(lower(hex("+col+")), 1, 8)")
		b.WriteString(" ELSE " + short(d) + " END")
		return b.String()
	}
}

// enumOf shows an ordinal as the name of its enum.
func enumOf[E codec.Enum](col string) Expr {
	var none E
	var b strings.Builder
	b.WriteString("CASE " + col)
	for i, name := range none.EnumNames() {
		fmt.Fprintf(&b, " WHEN %d THEN '%s'", i, name)
	}
	return plain(b.String() + " END")
}

// eventOf shows the code of an event kind by its name.
func eventOf(col string) Expr {
	return either(
		"COALESCE((SELECT named.name FROM v.kinds named WHERE named.code = "+col+"), to_hex("+col+"))",
		"COALESCE((SELECT named.name FROM v_kinds named WHERE named.code = "+col+"), printf('%x', "+col+"))",
	)
}

// cycleOf is the cycle of a tick.
func cycleOf(tick string) Expr {
	return plain("(SELECT CASE WHEN " + tick + " <= c.begins THEN 0 ELSE (" + tick + " - c.begins - 1) / c.ticks + 1 END FROM v.calendar c)")
}

// calendar is the view that [cycleOf] reads: cycle 0 ends with the bootstrap, at the tick begins, and each later cycle takes
// as many ticks.
const calendar = `SELECT z.tick AS begins, COALESCE((SELECT o.tick FROM world.cycles o WHERE o.cycle = 1) - z.tick, 1000000000000) AS ticks
FROM world.cycles z WHERE z.cycle = 0`

// JSONOf returns an expression that shows canonical MessagePack as JSON, and NULL for other bytes.
func JSONOf(col string) Expr { return either("v.msgpack_json("+col+")", decoder(col)) }

// packed is a column of MessagePack of which views show members. SQLite decodes it in a view of its
// own, so that the text of the decoder stands once.
type packed struct {
	view  string // v_<view>
	table string
	key   string // of the table
	alias string // of the table in views
	col   string
}

var (
	actColumn   = packed{"acts_json", "agent.experiences", "id", "e", "action"}
	claimColumn = packed{"beliefs_json", "agent.beliefs", "id", "b", "claim"}
	goalColumn  = packed{"goals_json", "agent.goals", "id", "g", "description"}
)

// create makes the view, in SQLite.
func (c packed) create() string {
	return "CREATE VIEW v_" + c.view + " AS SELECT t." + c.key + "," + decoder("t."+c.col) + " AS j FROM " + table.Flat(c.table) + " t"
}

func (c packed) sqlite() string {
	return "(SELECT x.j FROM v_" + c.view + " x WHERE x." + c.key + "=" + c.alias + "." + c.key + ")"
}

// json is the whole column as JSON.
func (c packed) json() Expr { return either("v.msgpack_json("+c.alias+"."+c.col+")", c.sqlite()) }

// field is a member of the map, as text; NULL if there is none.
func (c packed) field(name string) Expr {
	return either("v.msgpack_json("+c.alias+"."+c.col+")::json ->> '"+name+"'", "json_extract("+c.sqlite()+", '$."+name+"')")
}

// wordOf is the value of the first member of a map, a text of at most 31 bytes: read without
// decoding the rest.
func wordOf(col, key string) Expr {
	at := len(key) + 3 // 1 byte of the map, 1 of the key, then the key
	return either(
		"v.msgpack_json("+col+")::json ->> '"+key+"'",
		fmt.Sprintf("CASE WHEN substr(%[1]s, 3, %[2]d) = CAST('%[3]s' AS BLOB) THEN CAST(substr(%[1]s, %[4]d, (SELECT c.size FROM v_msgpack c WHERE c.byte = substr(%[1]s, %[5]d, 1))) AS TEXT) END",
			col, len(key), key, at+1, at),
	)
}

// textOf shows bytes as text.
func textOf(col string) Expr { return either("v.text_of("+col+")", "CAST("+col+" AS TEXT)") }
