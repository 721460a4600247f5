package views_test

import (
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/vmihailenco/msgpack/v5"
	_ "modernc.org/sqlite" // registers the driver "sqlite"
	"pgregory.net/rapid"

	"kingdom/sql/pgserver"
	"kingdom/sql/views"
)

func TestMain(m *testing.M) { os.Exit(pgserver.Main(m)) }

// decoders ask a database to show MessagePack as JSON, through the view of a table of one column.
func decoders(t *testing.T) map[string]func(b []byte) *string {
	t.Helper()
	lite, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "views.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lite.Close() })
	pg, err := pgx.Connect(t.Context(), pgserver.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pg.Close(t.Context()) })
	for _, s := range views.Decoding(views.SQLite) {
		if _, err := lite.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range views.Decoding(views.Postgres) {
		if _, err := pg.Exec(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return map[string]func(b []byte) *string{
		"PostgreSQL": func(b []byte) (j *string) {
			check(pg.QueryRow(t.Context(), "SELECT "+views.JSONOf("x.b")(views.Postgres)+" FROM (SELECT $1::bytea AS b) x", b).Scan(&j))
			return j
		},
		"SQLite": func(b []byte) (j *string) {
			check(lite.QueryRowContext(t.Context(), "SELECT "+views.JSONOf("x.b")(views.SQLite)+" FROM (SELECT CAST(? AS BLOB) AS b) x", b).Scan(&j))
			return j
		},
	}
}

func TestJSON_ShowsMessagePack(t *testing.T) {
	id, signature := "c2"+fmt.Sprintf("%062d", 7), "c2"+strings.Repeat("a3e97f10b5d8", 10)+"a3e97f"
	cases := []struct{ in, want string }{
		{"00", "0"},
		{"7f", "127"},
		{"ff", "-1"},
		{"e0", "-32"},
		{"c0", "null"},
		{"c2", "false"},
		{"c3", "true"},
		{"cc80", "128"},
		{"cd0100", "256"},
		{"ce00010000", "65536"},
		{"cf0000000100000000", "4294967296"},
		{"d080", "-128"},
		{"d18000", "-32768"},
		{"d280000000", "-2147483648"},
		{"d3ffffffffffffff00", "-256"},
		{"d07f", "127"},
		{"ca3dcccccd", "0.1"},
		{"ca3eaaaaab", "0.33333334"},
		{"cabf800000", "-1"},
		{"ca00000000", "0"},
		{"ca7f800000", "null"},
		{"ca00000001", "1e-45"},
		{"ca9c800000", "-8.4703295e-22"}, // a power of two: the next number towards 0 is half as far as the one away from it
		{"cb3fb999999999999a", "0.1"},
		{"cbc024000000000000", "-10"},
		{"cb0000000000000000", "0"},
		{"a0", `""`},
		{"a2c3a9", `"é"`},
		{"a3612262", `"a\"b"`},
		{"d90161", `"a"`},
		{"da000161", `"a"`},
		{"db0000000161", `"a"`},
		{"c40161", `"a"`},
		{"c5000161", `"a"`},
		{"c600000001" + "61", `"a"`},
		{"c400", `""`},
		{"c420" + id, `"` + id + `"`},
		{"c40481a161c3", `{"a":true}`},
		{"c42082" + id[2:], `"82` + id[2:] + `"`}, // an id that begins like a map
		{"c42091" + id[2:], `"91` + id[2:] + `"`},
		{"c440" + signature, `"` + signature + `"`},
		{"c44085" + signature[2:], `"85` + signature[2:] + `"`},
		{"c420" + hex.EncodeToString([]byte("Set right: Starlark pattern: gcd")), `"Set right: Starlark pattern: gcd"`}, // 32 bytes
		{"c440" + hex.EncodeToString([]byte(strings.Repeat("é\n", 21)+"a")), `"` + strings.Repeat(`é\n`, 21) + `a"`},    // 64 bytes
		{"c42081a474657874ba" + hex.EncodeToString([]byte("26 letters make it 32 long")), `{"text":"26 letters make it 32 long"}`},
		{"c4209181a454455854b9" + hex.EncodeToString([]byte("25 letters make it 32 lon")), `[{"TEXT":"25 letters make it 32 lon"}]`},
		{"c403ff00aa", `"hex:ff00aa"`},
		{"c4026180", `"hex:6180"`},     // a byte that continues no character
		{"c40361e282", `"hex:61e282"`}, // a character that is cut off
		{"c406c2b0efbfbd61", `"°�a"`},
		{"80", "{}"},
		{"90", "[]"},
		{"93010203", "[1,2,3]"},
		{"82a161" + "01" + "a162" + "92" + "80" + "9101", `{"a":1,"b":[{},[1]]}`},
		{"dc000201" + "02", "[1,2]"},
		{"dd0000000101", "[1]"},
		{"de0001a16101", `{"a":1}`},
		{"df00000001a16101", `{"a":1}`},
	}
	for name, decode := range decoders(t) {
		for _, c := range cases {
			b, err := hex.DecodeString(c.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := decode(b); got == nil || !sameJSON(t, *got, c.want) {
				t.Errorf("%s: %s is shown as %v, want %s", name, c.in, text(got), c.want)
			}
		}
		for _, in := range []string{"", "c1", "81", "81a1", "92", "9201", "a2", "0000", "cd00", "c4"} {
			b, _ := hex.DecodeString(in)
			if got := decode(b); got != nil && in != "a2" && in != "cd00" && in != "c4" {
				t.Errorf("%s: %q, which is no MessagePack, is shown as %s", name, in, *got)
			}
		}
	}
}

// What the MessagePack library writes of any value is shown as encoding/json would write the value.
func TestJSON_EqualsEncodingJSONOfAnyValue(t *testing.T) {
	both := decoders(t)
	rapid.Check(t, func(rt *rapid.T) {
		v := value(rt, 2)
		b, err := msgpack.Marshal(v)
		if err != nil {
			rt.Fatal(err)
		}
		want, err := json.Marshal(v)
		if err != nil {
			rt.Fatal(err)
		}
		for name, decode := range both {
			if got := decode(b); got == nil || !sameJSON(t, *got, string(want)) {
				rt.Fatalf("%s: %x is shown as %v, want %s", name, b, text(got), want)
			}
		}
	})
}

// value draws a value as payloads hold them.
func value(t *rapid.T, depth int) any {
	kinds := 6
	if depth > 0 {
		kinds = 8
	}
	switch rapid.IntRange(1, kinds).Draw(t, "kind") {
	case 1:
		return nil
	case 2:
		return rapid.Bool().Draw(t, "flag")
	case 3:
		return rapid.Int64().Draw(t, "int")
	case 4:
		return rapid.Float32Range(-1e9, 1e9).Draw(t, "real")
	case 5:
		return float64(rapid.Int64Range(-1e15, 1e15).Draw(t, "double")) / 4096
	case 6:
		return rapid.StringMatching(`[a-zé"\\\n𝄞]{0,40}`).Draw(t, "text")
	case 7:
		out := make([]any, rapid.IntRange(0, 20).Draw(t, "length"))
		for i := range out {
			out[i] = value(t, depth-1)
		}
		return out
	default:
		out := map[string]any{}
		for range rapid.IntRange(0, 5).Draw(t, "members") {
			out[rapid.StringMatching(`[a-z_]{1,12}`).Draw(t, "name")] = value(t, depth-1)
		}
		return out
	}
}

// sameJSON compares values; reals to the digits that a 32-bit one has.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Errorf("%q is no JSON: %v", a, err)
		return false
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatal(err)
	}
	return cmp.Equal(x, y, cmp.Comparer(func(x, y float64) bool { return float32(x) == float32(y) || math.Abs(x-y) < 1e-30 }))
}

func text(s *string) string {
	if s == nil {
		return "NULL"
	}
	return *s
}
