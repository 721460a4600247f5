package migrations

import (
	"regexp"
	"strings"
)

// The statements of the migrations that make and drop schemas, and what the schemas are named.
var (
	schemaLine   = regexp.MustCompile(`(?m)^(CREATE|DROP) SCHEMA .*$`)
	createSchema = regexp.MustCompile(`(?m)^CREATE SCHEMA IF NOT EXISTS (\w+);`)
)

// inOneSchema rewrites PostgreSQL's migrations so that all tables are in the schema into: schema.table becomes
// schema_table, as in SQLite.
func inOneSchema(steps []step, into string) {
	var made []string
	for _, s := range steps {
		for _, m := range createSchema.FindAllStringSubmatch(s.up, -1) {
			made = append(made, m[1])
		}
	}
	inSchema := regexp.MustCompile(`\b(` + strings.Join(made, "|") + `)\.(\w+)`)
	flat := func(sql string) string {
		return inSchema.ReplaceAllStringFunc(schemaLine.ReplaceAllString(sql, ""), func(s string) string {
			schema, table, _ := strings.Cut(s, ".")
			if strings.HasPrefix(table, "idx_") { // the name of an index tells its table
				return into + "." + table
			}
			return into + "." + schema + "_" + table
		})
	}
	for i := range steps {
		steps[i].up, steps[i].down = flat(steps[i].up), flat(steps[i].down)
	}
}
