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

// shown is a refusal as a transcript of a daemon shows it.
var shown = regexp.MustCompile(`^(?:\$a\d+|operator) (\w+): ERROR (\w+) (\w+) \(0x(\w+)\)(.*)$`)

// provoked collects the refusals in all transcripts: "bounty_claim CONFLICT barred" with the places where it stands, and
// complains about those whose context is not that of the catalogue, or that it does not have.
func provoked(t *testing.T) map[string][]string {
	files, err := filepath.Glob("../*/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts (%v)", err)
	}
	found := map[string][]string{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(raw), "\n") {
			m := shown.FindStringSubmatch(line)
			if m == nil || strings.HasPrefix(m[4], "00") { // codes of the protocol are anybody's
				continue
			}
			if m[1] == "nops" {
				m[1] = "agent_status"
			}
			at := fmt.Sprintf("%s:%d", file, i+1)
			key := m[1] + " " + m[2] + " " + m[3]
			found[key] = append(found[key], at)
			agrees(t, at, m)
		}
	}
	return found
}

// agrees compares a line of a transcript with the catalogue.
func agrees(t *testing.T, at string, m []string) {
	row, ok := action.ByName(m[1])
	if !ok {
		t.Fatalf("%s: no action %q", at, m[1])
	}
	i := slices.IndexFunc(row.Refusals, func(r action.Refusal) bool { return r.Category.String() == m[2] && r.Reason == m[3] })
	if i < 0 {
		t.Errorf("%s: %s is refused with %s %s, which wire/action/refusals_%s.go does not list", at, m[1], m[2], m[3], lower(row.System.String()))
		return
	}
	r := &row.Refusals[i]
	if code := fmt.Sprintf("%04X", r.Code(row)); code != m[4] {
		t.Errorf("%s: code 0x%s, the catalogue says 0x%s", at, m[4], code)
	}
	keys := strings.Fields(r.Context)
	var have []string
	for _, word := range strings.Fields(m[5]) {
		if key, _, ok := strings.Cut(word, "="); ok { // else a further word of a value
			have = append(have, key)
		}
	}
	for _, key := range keys {
		if !strings.HasSuffix(key, "?") && !slices.Contains(have, key) {
			t.Errorf("%s: no %q in the context, which the catalogue says is always there", at, key)
		}
	}
	for _, key := range have {
		if !slices.Contains(keys, key) && !slices.Contains(keys, key+"?") {
			t.Errorf("%s: %q in the context, which the catalogue does not have", at, key)
		}
	}
}

// Each refusal that daemons give is in the catalogue, and each refusal of the catalogue is provoked by a transcript of
// its daemon. That a refusal changes no state is checked where transcripts run.
func TestRefusals(t *testing.T) {
	found := provoked(t)
	spawn, _ := action.ByType(wire.TypeAgentSpawnReq) // of operators
	for _, row := range append(action.ForMinds(), spawn) {
		if !slices.Contains(complete, row.System) {
			continue
		}
		for i := range row.Refusals {
			r := &row.Refusals[i]
			key := row.Name + " " + r.Category.String() + " " + r.Reason
			by := func(at string) bool { return strings.HasPrefix(at, "../"+folder(row.System)+"/") }
			switch test, other := elsewhere[key]; {
			case slices.ContainsFunc(found[key], by) && other:
				t.Errorf("%s: a transcript provokes it, so it need not stand in the list of others", key)
			case slices.ContainsFunc(found[key], by):
			case !other:
				t.Errorf("%s: no transcript in world/%s/testdata provokes it", key, folder(row.System))
			case !exists(t, row.System, test):
				t.Errorf("%s: world/%s has no test %s that provokes it", key, folder(row.System), test)
			}
		}
	}
	for key := range elsewhere {
		name, _, _ := strings.Cut(key, " ")
		row, ok := action.ByName(name)
		if !ok || !slices.ContainsFunc(row.Refusals, func(r action.Refusal) bool {
			return key == name+" "+r.Category.String()+" "+r.Reason
		}) {
			t.Errorf("%s: the catalogue has no such refusal", key)
		}
	}
}

// elsewhere are the refusals that no line of a transcript can provoke, with the test that does: what needs a million
// things, and what no honest runtime sends.
var elsewhere = map[string]string{
	"agent_status UNAUTHORIZED not_self":       "TestStatus_ReportOnOtherAgentIsRefused",
	"repo_create INVALID_REQUEST signature":    "TestRefusals_OfSignaturesAndTimestamps",
	"snap_create INVALID_REQUEST signature":    "TestRefusals_OfSignaturesAndTimestamps",
	"tag_create INVALID_REQUEST signature":     "TestRefusals_OfSignaturesAndTimestamps",
	"msg_post INVALID_REQUEST confidence":      "TestPost_Refusals",
	"msg_post QUOTA_EXCEEDED channel_full":     "TestPost_Refusals",
	"bounty_create INVALID_REQUEST no_forge":   "TestBountyCreate_Refusals",
	"web_request UNAUTHORIZED portal_closed":   "TestRequest_MethodsByEpoch",
	"web_request UNAUTHORIZED read_only":       "TestRequest_MethodsByEpoch",
	"service_call CONFLICT busy":               "TestCalls_ReadingUnpreparedContentAreBusy",
	"entry_publish INVALID_REQUEST body":       "TestPublish_Refusals",
	"entry_publish CONFLICT exists":            "TestPublish_Refusals",
	"entry_publish QUOTA_EXCEEDED too_many":    "TestPublish_LibraryIsFull",
	"entry_update INVALID_REQUEST new_body":    "TestUpdate_Refusals",
	"citation_add QUOTA_EXCEEDED too_many":     "TestCitation_LibraryIsFull",
	"escrow_create INVALID_REQUEST conditions": "TestEscrow_Refusals",
}

// complete are the daemons whose every row must be provoked. A daemon joins when its transcripts do so.
var complete = []wire.System{wire.SystemNexus, wire.SystemVault, wire.SystemAgora, wire.SystemOracle, wire.SystemForge, wire.SystemMint, wire.SystemPortal}

func folder(s wire.System) string { return lower(s.String()) }

// exists says whether the package of a daemon has a test function.
func exists(t *testing.T, s wire.System, test string) bool {
	files, err := filepath.Glob("../" + folder(s) + "/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		raw, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(raw), "func "+test+"(")
	})
}
