package scenarios

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
	"kingdom/world"
)

func TestLoad(t *testing.T) {
	for _, l := range List() {
		s := must(Load(l.Name))(t)
		if s.Name != l.Name || s.Agents() != l.Agents || s.Cycles != l.Cycles || l.Description == "" {
			t.Errorf("listing %+v does not match its scenario", l)
		}
	}
	if n := len(List()); n != len(names()) {
		t.Errorf("%d of %d scenarios are listed", n, len(names()))
	}
	path := filepath.Join(t.TempDir(), "epoch0")
	if err := os.WriteFile(path, []byte(minimal), 0o666); err != nil {
		t.Fatal(err)
	}
	if s := must(Load(path))(t); s.Name != "x" {
		t.Errorf("a path gave the scenario %s that comes with the program", s.Name)
	}
	for arg, want := range map[string]string{
		"epoch1":     "epoch1: no such scenario; did you mean epoch0? want the path of a file, or one of adversaries, adversaries-all, adversaries-code, adversaries-market, epoch0, epoch0-llm, society, village, works",
		"nowhere":    "nowhere: no such scenario; want the path of a file, or one of adversaries, adversaries-all, adversaries-code, adversaries-market, epoch0, epoch0-llm, society, village, works",
		"./x/y.yaml": "./x/y.yaml: no such scenario; want the path of a file, or one of adversaries, adversaries-all, adversaries-code, adversaries-market, epoch0, epoch0-llm, society, village, works",
	} {
		if _, err := Load(arg); err == nil || err.Error() != want {
			t.Errorf("Load(%s) = %v, want %s", arg, err, want)
		}
	}
}

func TestOverride(t *testing.T) {
	for _, c := range []struct {
		set  string
		read func(s *Scenario) any
		want any
	}{
		{"time.base_budget=32", func(s *Scenario) any { return s.Time.BaseBudget }, uint64(32)},
		{"seed=7", func(s *Scenario) any { return s.Seed }, Seed("7")},
		{"seed=a=b", func(s *Scenario) any { return s.Seed }, Seed("a=b")},
		{"description=", func(s *Scenario) any { return s.Description }, ""},
		{"mint.initial_balance=25", func(s *Scenario) any { return s.Mint.InitialBalance }, uint64(25)},
		{"minds.scripted.failure_bursts={every_cycles: 4, length_slots: 12}", func(s *Scenario) any { return s.Minds.Scripted.FailureBursts }, FailureBursts{4, 12}},
		{"minds.scripted.failure_bursts.length_slots=3", func(s *Scenario) any { return s.Minds.Scripted.FailureBursts }, FailureBursts{0, 3}},
		{"minds.scripted.refuse_actions=[msg_post]", func(s *Scenario) any { return s.Minds.Scripted.RefuseActions[0] }, "msg_post"},
		{"population[2].count=5", func(s *Scenario) any { return s.Agents() }, uint64(12)},
		{"population.2.role=EXPLORER", func(s *Scenario) any { return s.Population[2].Role }, wire.RoleExplorer},
		{"population[0].traits.risk_tolerance.dist=uniform", func(s *Scenario) any { return s.Population[0].Traits.RiskTolerance.Dist }, DistUniform},
		{"population=[{role: EXPLORER}]", func(s *Scenario) any { return *s.AutoSpawn }, false},
		{"think.timeout=5s", func(s *Scenario) any { return s.Think.Timeout.String() }, "5s"},
	} {
		s := must(Load("epoch0"))(t)
		if err := s.Override(c.set); err != nil {
			t.Errorf("%s: %v", c.set, err)
		} else if d := cmp.Diff(c.want, c.read(s)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.set, d)
		}
	}
	s := must(Load("epoch0"))(t)
	if err := s.Override("time.ticks_per_cycle=92", "time.base_budget=92", "time.base_budget=80"); err != nil || s.Time.BaseBudget != 80 {
		t.Errorf("several overrides: %v, base budget %d", err, s.Time.BaseBudget)
	}
	if fresh := must(Load("epoch0"))(t); fresh.Time.BaseBudget != 64 {
		t.Error("an override changed the scenario that comes with the program")
	}
}

// The shell removes the quotes that a file needs around some seeds, so an override takes any text. Seeds that YAML reads as
// a number or as text, quoted or not, are what they would be in a file.
func TestOverride_SeedIsAnyText(t *testing.T) {
	inFile := func(seed string) *Scenario {
		return must(Parse("f.yaml", []byte("name: x\npopulation: [{role: EXPLORER}]\nseed: "+seed+"\n")))(t)
	}
	for given, written := range map[string]string{
		"7": "7", "blue": "blue", "0x12": "0x12", `"018"`: `"018"`, "it's": "it's", // as before
		"a # b": `"a # b"`,
		"018":   `"018"`, "1.8e1": `"1.8e1"`, "true": `"true"`, "null": `"null"`, "~": `"~"`, "99999999999999999999999999": `"99999999999999999999999999"`,
		"[a": `"[a"`, "{": `"{"`, "a: b": `"a: b"`,
	} {
		s := must(Load("epoch0"))(t)
		if err := s.Override("seed=" + given); err != nil {
			t.Errorf("seed=%s: %v", given, err)
			continue
		}
		if want := inFile(written); s.Seed != want.Seed || s.WorldSeed() != want.WorldSeed() {
			t.Errorf("seed=%s is %q, want what a file with seed: %s has, %q", given, s.Seed, written, want.Seed)
		}
		if again := must(Parse("f.yaml", s.Show()))(t); again.Seed != s.Seed {
			t.Errorf("seed=%s: the scenario of a run has the seed %q, want %q", given, again.Seed, s.Seed)
		}
	}
}

func TestOverride_Problems(t *testing.T) {
	for set, want := range map[string]string{
		"time.base_budget=x":          `--set time.base_budget=x: time.base_budget: is the text "x"; want a whole number from 1 to 65536`,
		"time.base_budget=":           `--set time.base_budget=: time.base_budget: is empty; want a whole number from 1 to 65536`,
		"time.base_budget=300":        "--set time.base_budget=300: time.base_budget: is 300; want at most time.ticks_per_cycle, 256",
		"time.bugdet=3":               "--set time.bugdet=3: time.bugdet: unknown key; the keys here are ticks_per_cycle, base_budget, max_extra",
		"tme.base_budget=3":           `--set tme.base_budget=3: tme: unknown key; did you mean time.base_budget?`,
		"time=3":                      "--set time=3: time: is 3; want a mapping with the keys ticks_per_cycle, base_budget, max_extra",
		"seed":                        "--set seed: has no =; want path=value, such as time.base_budget=32",
		"=3":                          "--set =3: unknown key; the keys here are",
		"seed=":                       "--set seed=: seed: is empty; want a number or text, such as 42 or blue",
		"minds.blind=[peers":          "--set minds.blind=[peers: minds.blind: has a value that is not YAML: did not find expected ',' or ']'; add the missing ] at its end; if it is text, put double quotes around it, inside the quotes that the shell removes",
		"population={":                "--set population={: population: has a value that is not YAML: did not find expected node content; add the missing } at its end; if it is text, put double quotes",
		"population=[{role: EXPLORER": "--set population=[{role: EXPLORER: population: has a value that is not YAML: did not find expected ',' or '}'; add the missing }] at its end; ",
		"description=a: b: c":         "--set description=a: b: c: description: has a value that is not YAML: mapping values are not allowed in this context; if it is text, put double quotes around it",
		"population[1].persona=Doubt all # not a comment": `--set population[1].persona=Doubt all # not a comment: population[1].persona: has "# not a comment" behind it, which YAML takes for a comment; if it is text, put double quotes around it, inside the quotes that the shell removes`,
		"cycles=7 # a week": `--set cycles=7 # a week: cycles: has "# a week" behind it, which YAML takes for a comment; if it is text`,
		"population[1].persona=You are a contrarian: you doubt": `--set population[1].persona=You are a contrarian: you doubt: population[1].persona: is a mapping; want text; if it is text, put double quotes around it, inside the quotes that the shell removes`,
		"population[1].persona=- dash":                          `--set population[1].persona=- dash: population[1].persona: is a list; want text; if it is text, put double quotes around it`,
		"population[1].persona=true":                            `--set population[1].persona=true: population[1].persona: is true; want text; if it is text, put double quotes around it`,
		"population[8].count=1":                                 "--set population[8].count=1: population: has no item 8; it has 8 items, counted from 0",
		"population.count=1":                                    `--set population.count=1: population: has no key named "count"; end the path here, or index a list as in population[0].count`,
		"population[0].count.x=1":                               `--set population[0].count.x=1: population[0].count: has no key named "x"; end the path here, or index a list as in population[0].count`,
		"population[0].traits.risk=0.5":                         `--set population[0].traits.risk=0.5: population[0].traits.risk: unknown key; did you mean population[0].traits.risk_tolerance?`,
		"mint.upkep=1":                                          "--set mint.upkep=1: mint.upkep: unknown key; did you mean mint.upkeep?",
		"population[-1].count=1":                                "--set population[-1].count=1: population: has no item -1; it has 8 items, counted from 0",
		"minds.models.3.model=x":                                `--set minds.models.3.model=x: minds.models: has no key named "3"; `,
		"minds.models.Big.model=x":                              `--set minds.models.Big.model=x: minds.models: has no key named "Big"; `,
		"minds.caps.model_usd.3=1":                              `--set minds.caps.model_usd.3=1: minds.caps.model_usd: has no key named "3"; `,
		"name=a\xffb":                                           "--set name=a\uFFFDb: has the byte 0xff, which is not UTF-8; give the argument as UTF-8; a shell",
		"na\xe4me=x":                                            "--set na\uFFFDme=x: has the byte 0xe4, which is not UTF-8; give the argument as UTF-8; a shell",
		"name=a\x01b":                                           "--set name=a\x01b: has the control character 0x01; remove it, or write it as an escape in double quotes",
		"minds.tiers.4=[big]":                                   "--set minds.tiers.4=[big]: minds.tiers.4: unknown key; a tier is 1 (strategic thoughts), 2 (standard thoughts) or 3 (reflexes)",
		"minds.tiers={fast: [big]}":                             "--set minds.tiers={fast: [big]}: minds.tiers.fast: unknown key; a tier is 1 (strategic thoughts), 2 (standard thoughts) or 3 (reflexes)",
		"minds.caps.tier_usd.0=1":                               "--set minds.caps.tier_usd.0=1: minds.caps.tier_usd.0: unknown key; a tier is 1 (strategic thoughts), 2 (standard thoughts) or 3 (reflexes)",
		"minds={scripted: {nop: 1}}":                            `--set minds={scripted: {nop: 1}}: minds.scripted.nop: unknown key; did you mean "nop_rate"?`,
	} {
		s := must(Load("epoch0"))(t)
		before := string(s.Show())
		err := s.Override("cycles=3", set)
		if bad := new(Error); !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Override(%s) =\n%v, want\n%s", set, err, want)
		}
		if string(s.Show()) != before {
			t.Errorf("Override(%s) failed and changed the scenario", set)
		}
	}
}

// A problem of several overrides names the one that wrote the wrong value, also when it was given earlier.
func TestOverride_ProblemsOfSeveral(t *testing.T) {
	for _, c := range []struct {
		before, sets []string
		want         string
	}{
		{[]string{"time.base_budget=200"}, []string{"time.ticks_per_cycle=100"}, "--set time.base_budget=200: time.base_budget: is 200; want at most time.ticks_per_cycle, 100"},
		{nil, []string{"population={role: EXPLORER}", "population[0].count=2"}, "--set population[0].count=2: population: has no item 0; "},
		{nil, []string{"minds.models=[]", "minds.models.m.model=x"}, `--set minds.models.m.model=x: minds.models: has no key named "m"; `},
		{nil, []string{"mint.upkep=1", "cycles=3", "seeed=3"}, "--set mint.upkep=1: mint.upkep: unknown key; did you mean mint.upkeep?\n--set seeed=3: seeed: unknown key; did you mean seed?"},
		{nil, []string{"time=3", "time.base_budget=3"}, "--set time=3: time: is 3; want a mapping with the keys "},
		{nil, []string{"minds.models.m.model=x", "minds.tiers.1=[m]"}, "--set minds.tiers.1=[m]: minds.tiers: lists models for some tiers only; "},
		{
			nil,
			[]string{"population[0].traits.risk_tolerance.dist=uniform", "population[0].traits.risk_tolerance.min=0.7", "population[0].traits.risk_tolerance.max=0.2"},
			"--set population[0].traits.risk_tolerance.dist=uniform: population[0].traits.risk_tolerance: has min 0.7 above max 0.2; ",
		},
	} {
		s := must(Load("epoch0"))(t)
		if err := s.Override(c.before...); err != nil {
			t.Fatal(err)
		}
		if err := s.Override(c.sets...); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, then %v:\n%v, want\n%s", c.before, c.sets, err, c.want)
		}
	}
}

// A key of a trait that is a mapping leaves its other keys as they are.
func TestOverride_KeepsOtherKeysOfATrait(t *testing.T) {
	s := must(Parse("f.yaml", []byte(trait("{dist: uniform, min: 0.2}"))))(t)
	if err := s.Override("population[0].traits.risk_tolerance.max=0.5"); err != nil {
		t.Fatal(err)
	}
	if got := s.Population[0].Traits.RiskTolerance; got.Dist != DistUniform || got.Min != 0.2 || got.Max != 0.5 {
		t.Errorf("got %+v", got)
	}
}

// Where a file writes two values as one, by an alias, an override of one of them leaves the other as it is.
func TestOverride_ChangesNoOtherPlaceOfAnAlias(t *testing.T) {
	const file = "name: x\npopulation: [&group {role: EXPLORER, count: 2, traits: {collaboration: 0.1}}, *group]\n"
	for i := range 2 {
		s := must(Parse("f.yaml", []byte(file)))(t)
		if err := s.Override(fmt.Sprintf("population[%d].count=5", i), fmt.Sprintf("population[%d].traits.collaboration=0.9", i)); err != nil {
			t.Fatal(err)
		}
		for k, g := range s.Population {
			count, collaboration := uint64(2), 0.1
			if k == i {
				count, collaboration = 5, 0.9
			}
			if g.Count != count || g.Traits.Collaboration.Value != collaboration {
				t.Errorf("after overrides of group %d, group %d has count %d and collaboration %g; want %d, %g", i, k, g.Count, g.Traits.Collaboration.Value, count, collaboration)
			}
		}
	}
}

// Values that an alias names can be overridden again, and a failed override does not remain in the scenario.
func TestOverride_OfAnAliasLeavesTheScenarioAlone(t *testing.T) {
	s := must(Parse("f.yaml", []byte("name: x\npopulation: [&group {role: EXPLORER, count: 2}, *group]\n")))(t)
	if err := s.Override("population[1].count=5", "cycles=0"); err == nil {
		t.Fatal("no cycles are accepted")
	}
	if err := s.Override("cycles=3"); err != nil || s.Agents() != 4 {
		t.Errorf("%v, %d agents after an override that failed, want 4", err, s.Agents())
	}
	if err := s.Override("population[1].count=5"); err != nil {
		t.Fatal(err)
	}
	if err := s.Override("cycles=4"); err != nil || s.Agents() != 7 {
		t.Errorf("%v, %d agents after a second override, want 7", err, s.Agents())
	}
}

func TestDigest(t *testing.T) {
	base := must(Load("epoch0"))(t).Digest()
	for set, same := range map[string]bool{
		"seed=43": true, "cycles=3": true, "time.base_budget=64": true, "population[0].traits.risk_tolerance={dist: fixed, value: 0.3}": true,
		"name=other": false, "time.base_budget=63": false, "mint.initial_balance=99": false, "population[7].role=EXPLORER": false,
		"population[0].traits.risk_tolerance=0.31": false, "minds.scripted.malformed_rate=1e-9": false, "auto_spawn=false": false,
		"minds.scripted.refuse_actions=[msg_post]": false, "minds.scripted.nop_rate=-0.0": true, "epoch=0": true, "epoch=3": false,
	} {
		s := must(Load("epoch0"))(t)
		if err := s.Override(set); err != nil {
			t.Fatal(err)
		}
		if (s.Digest() == base) != same {
			t.Errorf("%s: digest equal = %v, want %v", set, !same, same)
		}
	}
	// Runs hold digests: these change only with the scenario or the canonical form.
	for name, want := range map[string]string{
		"epoch0":  "455cd8c189895e840b4147bfbf0266a1faf49a50d861f697d75c404a3d588462",
		"village": "f28d20732961e39e7c051e001c4dcb471dcf4952b76b81c8173f9f9175e1ed1b",
	} {
		if got := must(Load(name))(t).Digest().String(); got != want {
			t.Errorf("digest of %s = %s, want %s", name, got, want)
		}
	}
}

func TestWorldRules(t *testing.T) {
	s := must(Load("epoch0"))(t)
	want := world.Rules{
		Seed: wire.WorldSeed("42"), Calendar: wire.Calendar{TicksPerCycle: 256}, Population: 8, Gates: 0, BaseBudget: 64, MaxExtra: 192,
		InitialBalance: 100, Upkeep: 1, WakeAfter: 8, AutoSpawn: true, ClaimLimit: 2, ClaimLease: 4, ClaimBar: 8, PairCycles: 16, AgoraText: 65_536, OracleText: 131_072, BudgetShare: 500, PopulationCap: 8, ChannelFee: 5,
		PortalAllow: world.DefaultAllow(), PortalBlock: world.DefaultBlock(),
	}
	if d := cmp.Diff(want, s.WorldRules()); d != "" {
		t.Errorf("rules of epoch 0 (-want +got):\n%s", d)
	}
	if err := s.Override("time.ticks_per_cycle=100", "gates=open", "epoch=3", "spawn.cap=20", "seed=0x"+strings.Repeat("ab", 32)); err != nil {
		t.Fatal(err)
	}
	r := s.WorldRules()
	if r.MaxExtra != 36 || r.Gates != 2 || r.Epoch != 3 || r.PopulationCap != 20 || r.Seed != wire.Hash([]byte(strings.Repeat("\xab", 32))) {
		t.Errorf("rules with overrides: %+v", r)
	}
}

// A file that is too long is not read to its end, which a device need not have.
func TestLoad_FileThatIsTooLong(t *testing.T) {
	long := filepath.Join(t.TempDir(), "long.yaml")
	if err := os.WriteFile(long, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(long, 1<<40); err != nil {
		t.Fatal(err)
	}
	_, err := Load(long)
	if want := long + ": has 1099511627776 bytes; want at most 1048576"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
	if _, err := os.Stat("/dev/zero"); err != nil {
		return // as on Windows
	}
	_, err = Load("/dev/zero")
	if want := "/dev/zero: has more than 1048576 bytes; want at most 1048576"; err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}
