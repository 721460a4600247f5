package worldtest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
)

// linesOf returns all lines of files.
func linesOf(t *testing.T, pattern string) (out []string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing matches %s (%v)", pattern, err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, strings.Split(string(raw), "\n")...)
	}
	return out
}

// matches collects the first group of what matches in lines.
func matches(lines []string, r *regexp.Regexp) map[string]bool {
	found := map[string]bool{}
	for _, line := range lines {
		if m := r.FindStringSubmatch(line); m != nil {
			found[m[1]] = true
		}
	}
	return found
}

// unshown are the events that no transcript shows, with the package and the test that provokes them; an empty one says
// that nothing emits the event in a world.
var unshown = map[string][2]string{
	"citation_removed":   {},
	"operator_grant":     {"world/mint", "TestOperatorGrant"},
	"sandbox_blocked":    {},
	"staleness_detected": {"world/oracle", "TestStaleness_EntryReferringToOutdatedTag"},
	"tick":               {"world/realm", "TestSubscribe_Filters"},
	// Bridge is reserved.
	"translation_completed": {}, "glossary_updated": {}, "budget_warning": {}, "language_detected": {},
}

// Each kind of event is in a transcript or in the golden events of the bootstrap, or listed with the test that covers
// it.
func TestEvents_EachKindIsInATranscript(t *testing.T) {
	shown := matches(linesOf(t, "../*/testdata/*.txt"), regexp.MustCompile(`^  ([a-z_]+) \[`))
	boot := matches(linesOf(t, "../realm/testdata/cycle0.golden"), regexp.MustCompile(`^event \S+ \S+ (\w+) `))
	for _, k := range wire.EventKinds() {
		name := k.String()
		by, listed := unshown[name]
		switch {
		case (shown[name] || boot[name]) && listed:
			t.Errorf("%s: a transcript shows it, so it need not stand in the list of others", name)
		case shown[name], boot[name]:
		case !listed:
			t.Errorf("%s: no transcript shows it", name)
		case by[0] != "" && !tested(t, "../../"+by[0], by[1]):
			t.Errorf("%s: %s has no test %s", name, by[0], by[1])
		}
	}
}

// Each action that is a message is served in a transcript of its daemon, and so are messages that come later than a
// reply. Unsubscribe belongs to the bus, whose tests are in world/realm.
func TestReplies_EachActionIsInATranscript(t *testing.T) {
	served := matches(linesOf(t, "../*/testdata/*.txt"), regexp.MustCompile(`^\$a\d+ (\w+): [A-DF-Z]`)) // not ERROR
	served2 := matches(linesOf(t, "../*/testdata/*.txt"), regexp.MustCompile(`^\$a\d+ (\w+): E[^R]`))
	for _, row := range action.ForMinds() {
		if row.Type != 0 && row.Name != "unsubscribe" && !served[row.Name] && !served2[row.Name] {
			t.Errorf("%s: no transcript shows a reply to it", row.Name)
		}
	}
	all := strings.Join(linesOf(t, "../*/testdata/*.txt"), "\n")
	for _, later := range []wire.MsgType{
		wire.TypeExecResult, wire.TypeProofResult, wire.TypeServiceResult, wire.TypeDependencyNotify, wire.TypeStakeResolve,
		wire.TypeProposalResult, wire.TypeAgentSpawnAck, wire.TypeWorldState, wire.TypeEconomyReport, wire.TypePortalReport,
	} {
		if !strings.Contains(all, later.String()) {
			t.Errorf("%v: no transcript shows it", later)
		}
	}
}

// protocol are the codes that any endpoint may answer with, as they are named in Go, and the package whose tests provoke
// each.
var protocol = map[string]string{
	"CodeBadHeader": "wire", "CodeBadBodyHash": "wire", "CodeBadSignature": "wire", "CodeReplayOrStale": "world/realm",
	"CodeTooLarge": "world/realm", "CodeUnknownType": "world/realm", "CodeBadBody": "world/realm", "CodeNotActive": "world/realm",
	"CodeNoTicks":     "ooda", // no daemon: a request that asks for more is not sealed
	"CodeEpochLocked": "world/realm", "CodeOwnerMismatch": "world/realm", "CodeSystemOnly": "world/realm",
}

// Each code of the seven daemons and of the protocol belongs to a refusal of the catalogue, or is known never to be
// sent.
func TestCodes_EachBelongsToARefusal(t *testing.T) {
	never := []uint32{
		0x01FF, 0x02FF, 0x03FF, 0x04FF, 0x0505, 0x06FF, 0x07FF, // INTERNAL: a daemon that is broken stops the run
		0x0705, // Portal has a code of its own for each thing that it forbids
	}
	sent := map[uint32]string{}
	for _, row := range action.ForMinds() {
		for i := range row.Refusals {
			sent[row.Refusals[i].Code(row)] = row.Name
		}
	}
	for _, s := range complete {
		for c := wire.CategoryNotFound; c <= wire.CategoryInternal; c++ {
			code := wire.ErrorCode(s, c)
			switch silent := slices.Contains(never, code); {
			case sent[code] != "" && silent:
				t.Errorf("0x%04X is sent for %s, so it need not stand in the list of those that never are", code, sent[code])
			case sent[code] == "" && !silent:
				t.Errorf("0x%04X (%v %v): no refusal of the catalogue has it", code, s, c)
			}
		}
	}
	for name, folder := range protocol {
		in := func(line string) bool { return strings.Contains(line, name) }
		if !slices.ContainsFunc(linesOf(t, "../../"+folder+"/*_test.go"), in) {
			t.Errorf("%s: no test of %s provokes it", name, folder)
		}
	}
	if declared := matches(linesOf(t, "../../wire/errorbody.go"), regexp.MustCompile(`^\t(Code\w+) +uint32 = 0x00`)); len(declared) != len(protocol) {
		t.Errorf("wire declares %d codes of the protocol, %d are listed here", len(declared), len(protocol))
	}
}

// tested says whether a package has a test function of this name.
func tested(t *testing.T, folder, test string) bool {
	return slices.ContainsFunc(linesOf(t, folder+"/*_test.go"), func(line string) bool {
		return strings.HasPrefix(line, fmt.Sprintf("func %s(", test))
	})
}
