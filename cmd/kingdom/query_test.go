package main

import (
	"strings"
	"testing"
)

func TestQuery(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--out", "r"))
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--seeds", "1..3", "--out", "s"))
	const first = "SELECT agent, spawn_index AS n, name, dormant_since FROM v.agents ORDER BY n LIMIT 2"
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"r", first}, "agent     n  name  dormant_since\ne4de742b  1        -\na85e8733  2        -\n"},
		{[]string{"r", first, "--csv"}, "agent,n,name,dormant_since\ne4de742b,1,,\na85e8733,2,,\n"},
		{[]string{"r", first, "--json"}, `{"agent":"e4de742b","n":1,"name":"","dormant_since":null}` + "\n" + `{"agent":"a85e8733","n":2,"name":"","dormant_since":null}` + "\n"},
		{[]string{"s", "SELECT count(*) AS agents, sum(balance) > 0 AS rich FROM v_agents"}, "seed  agents  rich\n1     8       1\n2     8       1\n3     8       1\n"},
		{[]string{"r", "SELECT 1 AS a, 2 AS b WHERE 1 = 0"}, "a  b\n(no rows)\n"},
		{[]string{"r", "SELECT 1 AS a, 2 AS b WHERE 1 = 0", "--csv"}, "a,b\n"},
		{[]string{"s", "SELECT 1 AS a WHERE 1 = 0", "--csv"}, "seed,a\n"},
		{[]string{"r", "SELECT 1 AS a WHERE 1 = 0", "--json"}, ""},
		{[]string{"r", "SELECT 'a' || char(9, 10, 27) || '[1m\"b\"<c>' AS text, x'00ff' AS bytes, 0.5 AS half, 1e999 AS much"}, "text         bytes  half  much\n" + `a [1m"b"<c>  00ff   0.5   +Inf` + "\n"},
		{[]string{"r", "SELECT 'a' || char(10) || '\"b\"<c>' AS text, x'00ff' AS bytes, 0.5 AS half, 1e999 AS much", "--json"}, `{"text":"a\n\"b\"<c>","bytes":"00ff","half":0.5,"much":null}` + "\n"},
	} {
		if r := must(t, in(t, append([]string{"query"}, tt.args...)...)); r.out != tt.want {
			t.Errorf("%q prints\n%s, want\n%s", tt.args, r.out, tt.want)
		}
	}
	if r := must(t, piped(t, "SELECT 1 AS one;\n-- that is all\n", "query", "r", "-")); r.out != "one\n1\n" {
		t.Errorf("a statement on standard input prints %q", r.out)
	}
	says(t, "query|r|DELETE FROM v.agents", exitInput, `the statement cannot be run: the statement begins with "DELETE"; want one SELECT`)
	says(t, "query|r|SELECT * FROM nowhere", exitInput, "the statement cannot be run: no such table: nowhere; want tables, views and columns of docs/STORE.md")
	says(t, "query|s|SELECT * FROM nowhere", exitInput, "seed 1: the statement cannot be run: no such table: nowhere")
	says(t, "query|r|SELECT 1|--csv|--json", exitInput, "--csv and --json are two forms of output; give one of them")
	says(t, "query|r", exitInput, "a run directory, or that of a sweep, and a SELECT statement in quotes")
	says(t, "query|nowhere|SELECT 1", exitInput, "nowhere")
}

// What is filled at the end of a run is refused before, and the rest can be asked while the run goes on.
func TestQuery_BeforeTablesAreFilled(t *testing.T) {
	t.Chdir(t.TempDir())
	must(t, in(t, "run", "epoch0", "--cycles", "2", "--set", "store.tables=demand", "--out", "r"))
	says(t, "query|r|SELECT count(*) FROM v.acts", exitFailure, "the tables of r are not filled yet; kingdom tables r fills them")
	if r := must(t, in(t, "query", "r", "SELECT count(*) AS n FROM v.agents")); r.out != "n\n8\n" {
		t.Errorf("agents: %s", r.out)
	}
	must(t, in(t, "tables", "r"))
	if r := must(t, in(t, "query", "r", "SELECT count(*) > 100 AS many FROM v.acts")); !strings.HasSuffix(r.out, "\n1\n") {
		t.Errorf("acts: %s", r.out)
	}
}
