package sqlite

import (
	"kingdom/sql/history"
	"kingdom/sql/table"
)

// Tables says when the plain tables of rows that never change again are filled: experiences, ended plans and goals,
// records of append-only tables, messages, transactions and events.
type Tables uint8

// Values of [Tables].
const (
	// Live writes them with each cycle, and nothing is compressed.
	Live Tables = iota + 1
	// Later writes them compressed, as the history that everything is restored from;
	// Store.MakeTables makes tables of it.
	Later
)

// bulk is a table whose rows are written to the history.
type bulk struct {
	table  *table.Table
	shape  history.Shape
	name   string
	agent  int // column of the agent whose row it is; -1: of none
	status int // column that says whether a row is final, so that it belongs to history; -1: all are
}

func newBulk(t *table.Table, ends, whole bool, by ...string) *bulk {
	b := &bulk{table: t, shape: history.NewShape(t, whole, by...), name: t.Schema + "." + t.Name, agent: -1, status: -1}
	if whole {
		b.agent = t.Column("agent_id")
	}
	if ends {
		b.status = t.Column("status")
	}
	return b
}

var (
	bulkExperiences = newBulk(table.Experiences.Table, false, true, "agent_id")
	bulkPlans       = newBulk(table.Plans.Table, true, true, "agent_id")
	bulkGoals       = newBulk(table.Goals.Table, true, true, "agent_id")
	bulkRecords     = newBulk(table.Records, false, false, "system", "tbl")
	bulkEvents      = newBulk(table.Events, false, false)
)

// eventKind is the column of an event's kind.
var eventKind = table.Events.Column("kind")

// bulkOf is how a table's rows go into the history; nil where they do not.
func bulkOf(t *table.Table) *bulk {
	for _, b := range []*bulk{bulkExperiences, bulkPlans, bulkGoals, bulkRecords, bulkEvents} {
		if b.table == t {
			return b
		}
	}
	return nil
}

// repeatsRecords reports whether the rows of a table only repeat records that the history holds.
func repeatsRecords(t *table.Table) bool { return t == table.Messages || t == table.Transactions }

// ended is the least status of a plan or goal that does not change any more.
const ended = 2

// isFinal reports whether a row does not change any more, so that it belongs to the history.
func (b *bulk) isFinal(v []any) bool { return b.status < 0 || v[b.status].(int64) >= ended }
