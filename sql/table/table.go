package table

import (
	"strconv"
	"strings"

	"kingdom/engine"
)

// Kind is the type of a column. Values of the kinds travel as int64, []byte,
// string, float64 and bool; nil stands for NULL.
type Kind uint8

// Kinds.
const (
	Int    Kind = iota + 1 // BIGINT
	Small                  // SMALLINT
	Bytes                  // BYTEA
	Text                   // TEXT
	Real                   // REAL
	Double                 // DOUBLE PRECISION
	Bool                   // BOOLEAN
)

// Column is one column that the engine fills.
type Column struct {
	Name string
	Kind Kind
	Null bool // may be NULL
}

// Table is one table of the store and the rows a batch puts into it.
type Table struct {
	Schema, Name string
	Key          int // the first Key columns are the primary key
	Columns      []Column
	// Append: rows are written once; a second row of the same key is an error.
	Append bool
	// Fresh: nearly all rows are new ones; a store may try without the upsert first.
	Fresh bool
	// Stamped: the wall-clock column updated_at follows every change.
	Stamped bool
	// Owned: a row belongs to the agent of its column agent_id for good. An upsert leaves that column
	// alone, for SQLite looks for the agent and writes every index again whose columns are set.
	Owned bool
	// Lent: Rows uses the bytes of a row again for the next one.
	Lent bool
	// Rows calls put for every row of the batch, values in column order. put
	// does not keep the slice, nor, where the rows are lent, the bytes in it.
	Rows func(b *engine.Batch, put func(v ...any))
	// Gone calls put with the key of every row that the batch deletes; nil if
	// rows are never deleted.
	Gone func(b *engine.Batch, put func(v ...any))
}

// Upsert returns the end of an INSERT statement that replaces an existing row. now is the database's expression for
// the wall clock.
func (t *Table) Upsert(now string) string {
	if t.Append {
		return ""
	}
	sets := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns[t.Key:] {
		if t.Owned && c.Name == "agent_id" {
			continue
		}
		sets = append(sets, c.Name+" = excluded."+c.Name)
	}
	if t.Stamped {
		sets = append(sets, "updated_at = "+now)
	}
	return " ON CONFLICT (" + t.keyNames() + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

// Names returns the list of columns for an INSERT.
func (t *Table) Names() string { return list(t.Columns) }

// Column returns the index of a column, which must exist.
func (t *Table) Column(name string) int {
	for i, c := range t.Columns {
		if c.Name == name {
			return i
		}
	}
	panic("table: " + t.Schema + "." + t.Name + " has no column " + name)
}

func (t *Table) keyNames() string { return list(t.Columns[:t.Key]) }

func list(cs []Column) string {
	names := make([]string, len(cs))
	for i, c := range cs {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// Flat turns a statement with schema.table names and $n parameters into SQLite's,
// which has neither: schema_table and ?n.
func Flat(sql string) string { return flat.Replace(sql) }

var flat = strings.NewReplacer(flatWords()...)

// Within returns a function that rewrites a statement with schema.table names for a PostgreSQL schema that has all
// tables under their SQLite names. The name of the schema must not need quotes.
func Within(schema string) func(sql string) string {
	return strings.NewReplacer(flatNames(schema + ".")...).Replace
}

// flatNames are the names of tables, each with its flat name behind a prefix.
func flatNames(prefix string) []string {
	words := []string{"world.run", prefix + "world_run"}
	for _, t := range All() {
		words = append(words, t.Schema+"."+t.Name, prefix+t.Schema+"_"+t.Name)
	}
	return words
}

func flatWords() []string {
	words := flatNames("")
	for i := range 9 {
		words = append(words, "$"+strconv.Itoa(i+1), "?"+strconv.Itoa(i+1))
	}
	return words
}

// column is one column and how its value is read off a row of type R.
type column[R any] struct {
	Column
	of func(r *R) any
}

// define makes a table out of its columns and the part of a batch that fills it.
func define[R any](schema, name string, key int, from func(b *engine.Batch) []R, cols ...column[R]) *Table {
	t := &Table{Schema: schema, Name: name, Key: key}
	for _, c := range cols {
		t.Columns = append(t.Columns, c.Column)
	}
	t.Rows = func(b *engine.Batch, put func(v ...any)) {
		vals := make([]any, len(cols))
		rows := from(b)
		for i := range rows {
			for j := range cols {
				vals[j] = cols[j].of(&rows[i])
			}
			put(vals...)
		}
	}
	return t
}

// appended marks a table whose rows are written once.
func (t *Table) appended() *Table { t.Append = true; return t }

// without adds the rows that a batch deletes.
func (t *Table) without(gone func(b *engine.Batch, put func(v ...any))) *Table {
	t.Gone = gone
	return t
}
