//go:build !race

package house

import (
	"slices"
	"strings"
	"testing"
)

// rings says what each package may import of ours: everything named, and what
// those may import is not implied. The arrows only point inward
// (docs/ARCHITECTURE.md, the house).
var rings = map[string][]string{
	"": nil, // the tour

	// ring 0: words
	"det":          {},
	"wire/codec":   {},
	"wire":         {"wire/codec", "det"},
	"wire/action":  {"wire", "wire/codec"},
	"wire/traffic": {"wire", "wire/codec"},

	// ring 1: machines
	"goals":               {"wire", "wire/codec", "wire/action", "det"},
	"memory":              {"wire", "wire/codec", "wire/action", "det"},
	"agent":               {"wire", "wire/codec", "wire/action", "det", "goals", "memory"},
	"llm":                 {"wire", "wire/codec", "wire/action", "det"},
	"ooda":                {"wire", "wire/codec", "wire/action", "det", "agent", "goals", "memory", "llm"},
	"world":               {"wire", "wire/codec", "wire/action", "det"},
	"world/nexus":         {"wire", "wire/codec", "wire/action", "det", "world"},
	"world/agora":         {"wire", "wire/codec", "wire/action", "det", "world"},
	"world/oracle":        {"wire", "wire/codec", "wire/action", "det", "world"},
	"world/vault":         {"wire", "wire/codec", "wire/action", "det", "world"},
	"world/forge":         {"wire", "wire/codec", "wire/action", "det", "world", "world/forge/program"},
	"world/mint":          {"wire", "wire/codec", "wire/action", "det", "world"},
	"world/forge/program": {"wire", "det"},
	"world/portal":        {"wire", "wire/codec", "wire/action", "det", "world"},
	"world/realm":         {"wire", "wire/codec", "wire/action", "det", "world", "world/nexus", "world/agora", "world/oracle", "world/vault", "world/forge", "world/mint", "world/portal"},
	"world/worldtest":     {"wire", "wire/codec", "wire/action", "det", "world", "world/realm", "world/nexus", "world/agora", "world/oracle", "world/vault", "world/forge", "world/mint", "internal/golden", "world/portal"},
	"llm/scripted":        {"wire", "wire/codec", "wire/action", "det", "llm", "llm/scripted/source"},
	"llm/scripted/source": {"wire"},
	"llm/adversary":       {"wire", "wire/codec", "wire/action", "llm", "memory"},
	"llm/keyward":         {"engine/durable"},
	"llm/openai":          {"wire", "wire/codec", "wire/action", "llm", "llm/keyward", "llm/spend"},
	"llm/recorded":        {"wire", "wire/codec", "llm"},
	"llm/spend":           {"wire", "wire/codec", "llm"},
	"engine/durable":      {},
	"engine/journal":      {"wire", "wire/codec", "engine/durable"},
	"engine":              {"engine/durable", "engine/journal", "wire", "wire/codec", "wire/action", "det", "agent", "goals", "memory", "llm", "ooda", "world", "world/realm", "world/nexus", "world/agora", "world/oracle", "world/vault", "world/forge", "world/mint"},
	"fetch":               {"engine/durable", "wire", "wire/codec", "world", "world/portal"},
	"observe":             {"engine", "wire", "wire/codec", "wire/action", "goals", "agent", "llm", "ooda"},
	"sql/table":           {"engine", "wire", "wire/codec", "agent", "world", "world/nexus", "world/agora", "world/oracle", "world/mint", "llm"},
	"sql/views":           {"wire", "wire/codec", "goals", "memory", "world/agora", "sql/table"},
	"sql/postgres":        {"engine", "wire", "wire/codec", "agent", "world", "sql/migrations", "sql/table", "sql/views"},
	"sql/history":         {"wire", "agent", "sql/table"},
	"sql/sqlite":          {"engine", "wire", "wire/codec", "agent", "world", "sql/migrations", "sql/table", "sql/views", "sql/history"},
	"sql/migrations":      {},
	"sql/pgserver":        {},
	"sql/sqltest":         {"engine", "wire", "wire/codec", "agent", "goals", "memory", "world", "world/nexus", "world/agora", "world/oracle", "world/mint", "sql/table", "sql/views", "llm"},
	"scenarios":           {"wire", "wire/codec", "wire/action", "det", "goals", "world", "world/oracle", "llm", "llm/adversary", "llm/keyward"},
	"internal/golden":     {},
	"internal/fakellm":    {},
	"internal/house":      {},
	"internal/mutate":     {},
	"society":             {"wire", "wire/codec", "det", "goals", "memory", "sql/table", "world/oracle"},
	"report":              {"llm", "society"},
	"watch":               {"observe", "wire"},
	"mcp":                 {"watch", "wire"},
	"cmd/kingdom":         {"*"},
}

// pure lists the packages of the pure core: rings 0 and 1, and the minds that are programs.
var pure = []string{
	"det", "wire", "wire/codec", "wire/action", "wire/traffic", "goals", "memory", "agent", "llm", "ooda", "world",
	"world/nexus", "world/agora", "world/oracle", "world/vault", "world/forge", "world/mint", "world/portal", "world/forge/program", "world/realm", "llm/scripted", "llm/scripted/source", "llm/adversary",
}

func TestRings_ImportsPointInward(t *testing.T) {
	for _, p := range product(t) {
		path := short(p.PkgPath)
		allowed, known := rings[path]
		if !known {
			t.Errorf("package %s has no place in the house: give it a row in internal/house/rings_test.go and in docs/ARCHITECTURE.md", p.PkgPath)
			continue
		}
		if slices.Contains(allowed, "*") {
			continue
		}
		for imp := range p.Imports {
			if !strings.HasPrefix(imp, module+"/") {
				continue
			}
			if !slices.Contains(allowed, short(imp)) {
				t.Errorf("%s imports %s: imports only point inward, and a daemon never imports a sibling; declare an interface where it is called", p.PkgPath, imp)
			}
		}
	}
}

// banned packages of the core, with the reason a reader needs.
var banned = map[string]string{
	"os":              "the core does no I/O and reads no environment",
	"io/fs":           "the core does no I/O",
	"net":             "the core does no I/O",
	"net/http":        "the core does no I/O",
	"database/sql":    "SQL lives in sql/",
	"time":            "time is ticks; the wall clock differs from run to run",
	"math/rand":       "randomness is keyed: use det.NewStream",
	"math/rand/v2":    "randomness is keyed: use det.NewStream",
	"crypto/rand":     "randomness is keyed: use det.NewStream",
	"sync/atomic":     "the core has no goroutines, so it needs no atomics",
	"runtime":         "results must not depend on the machine",
	"unsafe":          "the core keeps to the language",
	"maps":            "map order is random: use det.SortedKeys",
	"hash/maphash":    "its seed differs from process to process",
	"log":             "the core returns what happened; the shell logs",
	"go.uber.org/zap": "the core returns what happened; the shell logs",
	"context":         "only the shell waits",
}

func TestCore_ImportsNothingImpure(t *testing.T) {
	exceptions := map[string][]string{
		"det":           {"math/rand/v2", "maps"}, // the one place keyed streams are made and keys sorted
		"llm/scripted":  {"context"},              // it meets the engine's Mind interface; it never waits
		"llm/adversary": {"context"},              // the same
	}
	for _, p := range product(t) {
		path := short(p.PkgPath)
		if !slices.Contains(pure, path) {
			continue
		}
		for imp := range p.Imports {
			why, bad := banned[imp]
			if bad && !slices.Contains(exceptions[path], imp) {
				t.Errorf("%s imports %s: %s (docs/DETERMINISM.md)", p.PkgPath, imp, why)
			}
		}
	}
}
