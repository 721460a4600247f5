package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kingdom/internal/fakellm"
	"kingdom/sql/pgserver"
)

// piped executes a command with something on standard input.
func piped(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var out, errw bytes.Buffer
	root := newRoot(&out, &errw)
	root.SetIn(strings.NewReader(stdin))
	code := executeRoot(context.Background(), root, args, &errw)
	return result{out.String(), errw.String(), code}
}

// Each place a key can come from serves a run; the server accepts no other key.
func TestKeys_EverySource(t *testing.T) {
	server := &fakellm.Server{Key: plantedKey}
	withServer(t, server)
	t.Setenv(envKey, "")
	home := t.TempDir()
	t.Setenv(envKeys, filepath.Join(home, "sealed"))
	t.Setenv(envPassphrase, "a passphrase")
	t.Setenv("OTHER_KEY", plantedKey)
	file := filepath.Join(home, "key")
	if err := os.WriteFile(file, []byte(plantedKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, piped(t, plantedKey+"\n", "key", "set", "mine"))
	for _, tt := range []struct {
		stdin string
		more  []string
	}{
		{"", []string{"--set", "minds.models.default.key_env=OTHER_KEY"}},
		{"", []string{"--set", "minds.models.default.key_file=" + file}},
		{"", []string{"--set", "minds.models.default.key=mine"}},
		{plantedKey + "\n", []string{"--key-stdin"}},
		{plantedKey, []string{"--key-stdin", "--set", "minds.models.default.key_env=NOT_SET"}},
	} {
		before := server.Counts().Requests
		dir := filepath.Join(t.TempDir(), "run")
		args := append([]string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=1", "--out", dir}, tt.more...)
		if r := piped(t, tt.stdin, args...); r.code != exitOK || server.Counts().Requests == before {
			t.Errorf("%v: exit %d: %s", tt.more, r.code, r.err)
		}
		leavesNoTrace(t, dir)
	}
}

func TestKeys_InputErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv(envEndpoint, "http://127.0.0.1:1/v1")
	t.Setenv(envModel, "fake")
	t.Setenv(envKey, "")
	t.Setenv(envKeys, "sealed")
	t.Setenv(envPassphrase, "a passphrase")
	if err := os.WriteFile("open.key", []byte(plantedKey), 0o644); err != nil {
		t.Fatal(err)
	}
	const run = "run epoch0-llm --set minds.models.default."
	check := func(stdin, line, says string) {
		t.Helper()
		r := piped(t, stdin, strings.Fields(line)...)
		if r.code != exitInput || !strings.Contains(r.err, says) || strings.Contains(r.out+r.err, plantedKey[:10]) {
			t.Errorf("%s: exit %d: %s\nwant %q", line, r.code, r.err, says)
		}
		if _, err := os.Stat("runs"); err == nil {
			t.Errorf("%s made a run directory", line)
		}
	}
	check("", run+"key=mine", "there is none yet; kingdom key set NAME makes it")
	check("", "key list", "there is none yet")
	check("", "key remove mine", "there is none yet")
	must(t, piped(t, plantedKey+"\n", "key", "set", "mine"))
	check("", run+"key=yours", "run kingdom key set yours")
	if err := os.WriteFile("pasted.yaml", []byte("name: x\npopulation: [{role: GENERALIST}]\nminds:\n  models:\n    default:\n      key: "+plantedKey+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	check("", "run pasted.yaml", "pasted.yaml:6:12: minds.models.default.key: is not the name of a key")
	check("", run+"key="+plantedKey, "minds.models.default.key: is not the name of a key")
	check("", run+"key_env="+plantedKey, "minds.models.default.key_env: is not the name of an environment variable")
	check("", run+"api_key="+plantedKey, "minds.models.default.api_key: unknown key")
	check("", run+"key_file=open.key", "chmod 600 open.key")
	check("", run+"key_file=none.key", "no such file")
	check("", `run epoch0-llm --set minds.models.default={"key":"mine","key_env":"X"}`, "names more than one place for its key")
	check("", "run epoch0-llm --key-stdin", "no key on standard input")
	check("two words", "run epoch0-llm --key-stdin", "a space")
	check(plantedKey, "run epoch0 --key-stdin", "no language model thinks")
	check(plantedKey, `run epoch0-llm --key-stdin --set minds.models.other={"endpoint":"http://127.0.0.1:2/v1","model":"x"} --set population[2].mind=other`, "ask 2 endpoints")
	check("", "key set", "takes one name")
	check("", "key set mine "+plantedKey, "never given on the command line")
	check("", "key set "+plantedKey, "the key itself is asked for")
	check("", "key set "+strings.ToUpper(plantedKey), "the key itself is asked for")
	check("", "key set mine", "it is empty")
	check("", "key remove yours", "there are: mine")
	t.Setenv(envPassphrase, "another")
	check("", "key list", "the passphrase does not open it")
	check(plantedKey, "key set more", "the passphrase does not open it")
	raw, err := os.ReadFile("sealed")
	if err != nil {
		t.Fatal(err)
	}
	raw[70] ^= 1
	if err := os.WriteFile("sealed", raw, 0o600); err != nil {
		t.Fatal(err)
	}
	check("", "key list", "damaged: its checksum differs")
}

func TestKey_SetListRemove(t *testing.T) {
	t.Setenv(envKeys, filepath.Join(t.TempDir(), "deep", "sealed"))
	t.Setenv(envPassphrase, "a passphrase")
	must(t, piped(t, plantedKey+"\n", "key", "set", "mine"))
	must(t, piped(t, "none\n", "key", "set", "local"))
	must(t, piped(t, plantedKey+"2\n", "key", "set", "mine"))
	r := must(t, in(t, "key", "list"))
	if lines := strings.Split(strings.TrimSpace(r.out), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], "local ") || !strings.HasPrefix(lines[2], "mine ") {
		t.Errorf("list:\n%s", r.out)
	}
	must(t, in(t, "key", "remove", "mine"))
	if r := must(t, in(t, "key", "list", "--json")); strings.Contains(r.out, "mine") || !strings.Contains(r.out, `"name":"local"`) {
		t.Errorf("list after remove:\n%s", r.out)
	}
}

// Commands that set keys at the same time lose none.
func TestKey_SetAtTheSameTime(t *testing.T) {
	t.Setenv(envKeys, filepath.Join(t.TempDir(), "sealed"))
	t.Setenv(envPassphrase, "a passphrase")
	var all sync.WaitGroup
	for i := range 5 {
		all.Go(func() {
			if r := piped(t, plantedKey+"\n", "key", "set", fmt.Sprintf("k%d", i)); r.code != exitOK {
				t.Errorf("key set: exit %d: %s", r.code, r.err)
			}
		})
	}
	all.Wait()
	if r := must(t, in(t, "key", "list", "--json")); strings.Count(r.out, "\n") != 5 {
		t.Errorf("of 5 keys these are left:\n%s", r.out)
	}
}

// leavesNoTrace searches a directory for the planted key in any form.
func leavesNoTrace(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if form := traceOf(raw); form != "" {
			t.Errorf("%s holds %q, which is of the key", path, form)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// traceOf finds a form of the planted key, also a part of one.
func traceOf(b []byte) string {
	for _, form := range keyForms() {
		if bytes.Contains(b, []byte(form)) {
			return form
		}
	}
	return ""
}

// keyForms are parts of the forms in which a key may be written, the beginning and the
// end of the key itself among them.
func keyForms() []string {
	forms := []string{plantedKey[:11], plantedKey[len(plantedKey)-11:], url.QueryEscape(plantedKey), hex.EncodeToString([]byte(plantedKey))[:16]}
	for shift := range 3 {
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
			coded := enc.EncodeToString([]byte("xx"[:shift] + plantedKey))
			forms = append(forms, coded[4:16])
		}
	}
	return forms
}

// echoes are replies of endpoints that repeat the key in every form, as errors and as answers.
func echoes(t *testing.T) map[string]fakellm.Act {
	coded := base64.StdEncoding.EncodeToString([]byte("Bearer " + plantedKey))
	echo := "key " + plantedKey + " query " + url.QueryEscape(plantedKey) + " base64 " + base64.StdEncoding.EncodeToString([]byte(plantedKey)) +
		" header " + coded + " hex " + hex.EncodeToString([]byte(plantedKey))
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect was followed: %v", r.Header)
	}))
	t.Cleanup(elsewhere.Close)
	return map[string]fakellm.Act{
		"good":       nil,
		"refused":    fakellm.Status(401, `{"error":{"message":"`+echo+`","code":"invalid_api_key"}}`),
		"broken":     fakellm.Status(500, echo),
		"quota":      fakellm.Status(429, `{"error":{"message":"`+echo+`","code":"insufficient_quota"}}`),
		"model":      fakellm.Status(404, `{"error":{"message":"`+echo+`","code":"model_not_found"}}`),
		"long":       fakellm.Status(500, strings.Repeat("x", 4*300-15)+echo),
		"in 200":     fakellm.Status(200, `{"error":{"message":"`+echo+`","code":502}}`),
		"garbled":    fakellm.Status(200, echo),
		"answer":     fakellm.Content(echo, "stop"),
		"reasoning":  fakellm.Content(`{"action":"msg_post","params":{"channel":"general","content":"`+plantedKey+`"},"reasoning":"`+echo+`"}`, "stop"),
		"refusal":    fakellm.Message(map[string]any{"role": "assistant", "refusal": echo}, "stop"),
		"redirected": fakellm.Status(307, echo, "Location", elsewhere.URL+"/?key="+plantedKey),
	}
}

// echoed runs a scenario whose endpoint replies so, and finds nothing of the key in the run
// directory, the database in it, or the output.
func echoed(t *testing.T, act fakellm.Act, more ...string) {
	t.Helper()
	s := &fakellm.Server{}
	if act != nil {
		s.Script = fakellm.Always(act)
	}
	withServer(t, s)
	dir := filepath.Join(t.TempDir(), "run")
	r := in(t, append([]string{"run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=1", "--set", "think.timeout=1s", "--out", dir}, more...)...)
	if r.code != exitOK && r.code != exitOutage {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	if form := traceOf([]byte(r.out + r.err)); form != "" {
		t.Errorf("the output holds %q: %s", form, r.err)
	}
	if s.Counts().Requests == 0 {
		t.Error("the endpoint was never asked")
	}
	leavesNoTrace(t, dir)
}

func TestKeys_LeaveNoTrace(t *testing.T) {
	for name, act := range echoes(t) {
		t.Run(name, func(t *testing.T) { echoed(t, act) })
	}
}

// The same in PostgreSQL: no value of any table holds anything of the key, nor does any view.
func TestKeys_LeaveNoTraceInPostgreSQL(t *testing.T) {
	at := pgserver.Database(t)
	db, err := pgx.Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close(t.Context())
	for name, act := range echoes(t) {
		t.Run(name, func(t *testing.T) {
			schema := "run_" + schemaNameFrom(name)
			echoed(t, act, "--store", at+"&schema="+schema)
			cells := 0
			for _, table := range tablesOf(t, db, schema) {
				rows, err := db.Query(t.Context(), "SELECT * FROM "+table)
				if err != nil {
					t.Fatal(err)
				}
				for rows.Next() {
					values, err := rows.Values()
					if err != nil {
						t.Fatal(err)
					}
					for _, v := range values {
						cells++
						b, isBytes := v.([]byte)
						if !isBytes {
							b = fmt.Append(nil, v)
						}
						if form := traceOf(b); form != "" {
							t.Errorf("%s holds %q, which is of the key", table, form)
						}
					}
				}
				if rows.Err() != nil {
					t.Fatal(rows.Err())
				}
			}
			if cells < 1000 {
				t.Errorf("only %d values were searched", cells)
			}
		})
	}
}

// tablesOf are the tables and views of a schema.
func tablesOf(t *testing.T, db *pgx.Conn, schema string) []string {
	t.Helper()
	rows, err := db.Query(t.Context(), "SELECT table_schema || '.' || table_name FROM information_schema.tables WHERE table_schema = $1", schema)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(names) < 20 {
		t.Fatalf("tables %v, %v", names, err)
	}
	return names
}

// What a process that is made to dump its goroutines in the middle of a call says, and what it leaves behind, holds nothing of the
// key, also not in the words of the arguments that a dump lists.
func TestKeys_CrashLeavesNoTrace(t *testing.T) {
	asked := make(chan struct{}, 1)
	withServer(t, &fakellm.Server{Script: func(int, *fakellm.Request) fakellm.Act {
		select {
		case asked <- struct{}{}:
		default:
		}
		return fakellm.Hang()
	}})
	dir := filepath.Join(t.TempDir(), "run")
	cmd := exec.Command(plainBinary(t), "run", "epoch0-llm", "--cycles", "1", "--out", dir)
	cmd.Env = append(os.Environ(), "GOTRACEBACK=system")
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-asked:
	case <-time.After(20 * time.Second):
		t.Error("the endpoint was never asked")
	}
	if err := cmd.Process.Signal(syscall.SIGQUIT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it crashes
	dump := said.Bytes()
	if !bytes.Contains(dump, []byte("SIGQUIT")) || !bytes.Contains(dump, []byte("llm/openai.(*transport).Do")) {
		t.Fatalf("no dump of a call:\n%.2000s", dump)
	}
	if form := traceOf(dump); form != "" {
		t.Errorf("the dump holds %q, which is of the key", form)
	}
	for at := range len(plantedKey) - 7 {
		word := fmt.Sprintf("%x", binary.LittleEndian.Uint64([]byte(plantedKey[at:])))
		if bytes.Contains(dump, []byte(word)) {
			t.Errorf("the dump holds %s, eight bytes of the key", word)
		}
	}
	leavesNoTrace(t, dir)
}

// A resume without the key that the run had from standard input says so before it asks a model.
func TestResume_WithoutTheKeyOfStandardInput(t *testing.T) {
	server := &fakellm.Server{Key: plantedKey}
	withServer(t, server)
	dir := filepath.Join(t.TempDir(), "run")
	must(t, in(t, "run", "epoch0-llm", "--cycles", "1", "--set", "time.base_budget=2", "--out", dir))
	t.Setenv(envKey, "")
	asked := server.Counts().Requests
	r := in(t, "resume", dir, "--cycles", "2")
	if r.code != exitInput || !strings.Contains(r.err, `no key was given for the model "default": the endpoint wants a key`) || !strings.Contains(r.err, "--key-stdin reads one") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
	if n := server.Counts().Requests - asked; n != 0 {
		t.Errorf("%d calls without a key", n)
	}
}
