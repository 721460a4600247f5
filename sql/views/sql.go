package views

import (
	"crypto/sha256"
	_ "embed" // for msgpack.sql
	"encoding/binary"
	"strconv"
	"strings"

	"kingdom/sql/table"
)

// msgpack.sql has the functions by which PostgreSQL reads MessagePack.
//
//go:embed msgpack.sql
var functions string

// places numbers the references of a message; a message has at most so many.
const places = 64

// Statements drop and make all views and note their digest, in order. To be carried out in one transaction.
func Statements(d Dialect) []string {
	number := strconv.FormatUint(uint64(Digest(d)), 10)
	if d == Postgres {
		return append(statements(d), "COMMENT ON SCHEMA v IS '"+number+"'")
	}
	return append(statements(d), "PRAGMA user_version = "+number)
}

// Have asks a database for the digest of the views it has; no row or 0 if it has none.
func Have(d Dialect) string {
	if d == Postgres {
		return "SELECT CAST(obj_description(oid, 'pg_namespace') AS BIGINT) FROM pg_namespace WHERE nspname = 'v'"
	}
	return "SELECT user_version FROM pragma_user_version"
}

func statements(d Dialect) []string {
	var numbers []string
	for i := range places {
		numbers = append(numbers, "("+strconv.Itoa(i)+")")
	}
	list := strings.Join(numbers, ", ")
	if d == Postgres {
		out := append(Decoding(d), "CREATE VIEW v.places (n) AS VALUES "+list)
		for i := range all {
			out = append(out, all[i].create(d))
		}
		return out
	}
	out := append(Decoding(d), "DROP TABLE IF EXISTS v_places", "CREATE TABLE v_places (n INTEGER PRIMARY KEY)", "INSERT INTO v_places VALUES "+list)
	for _, c := range []packed{actColumn, claimColumn, goalColumn} {
		out = append(out, "DROP VIEW IF EXISTS v_"+c.view, c.create())
	}
	for i := range all {
		out = append(out, "DROP VIEW IF EXISTS v_"+all[i].Name, all[i].create(d))
	}
	return out
}

// Decoding drops all and makes what [JSONOf] needs.
func Decoding(d Dialect) []string {
	if d == Postgres {
		return []string{"DROP SCHEMA IF EXISTS v CASCADE", "CREATE SCHEMA v", functions}
	}
	return []string{"DROP TABLE IF EXISTS v_msgpack", heads()}
}

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
		return "CREATE VIEW v_" + v.Name + " AS " + strings.ReplaceAll(table.Flat(b.String()), "v.places", "v_places")
	}
	return "CREATE VIEW v." + v.Name + " AS " + b.String()
}

// Digest changes when the views do: a database whose digest is another gets them anew. It fits
// SQLite's user_version, a positive number of 31 bits.
func Digest(d Dialect) uint32 {
	h := sha256.New()
	for _, s := range statements(d) {
		h.Write([]byte(s))
	}
	return max(binary.BigEndian.Uint32(h.Sum(nil))>>1, 1)
}
