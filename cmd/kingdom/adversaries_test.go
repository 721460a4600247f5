//go:build unix && !race

package main

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kingdom/llm/adversary"
	"kingdom/scenarios"
	"kingdom/wire"
)

var (
	advCycles = flag.Int("adversaries.cycles", 60, "cycles of the worlds with adversaries; from 500 on it is also checked what is nothing but chance in a short world")
	advOne    = flag.Bool("adversaries.quarter", false, "measure each strategy alone, too, as a quarter of the population")
	advOnly   = flag.String("adversaries.only", "", "play this strategy alone where each is played by itself")
	advSeeds  = flag.Int("adversaries.seeds", 1, "how many seeds")
)

// quarter is a world of sixteen: three honest agents of each of four roles, and one adversary of
// each. All adversaries stand together.
const quarter = `
name: quarter
gates: open
spawn: {cap: 24}
population:
  - {role: LIBRARIAN, count: 3}
  - {role: ARCHITECT, count: 3}
  - {role: EXPLORER, count: 3}
  - {role: GENERALIST, count: 3}
  - {role: LIBRARIAN, adversary: NAME, accomplices: all}
  - {role: ARCHITECT, adversary: NAME, accomplices: all}
  - {role: EXPLORER, adversary: NAME, accomplices: all}
  - {role: GENERALIST, adversary: NAME, accomplices: all}
`

// The bounds of the rules hold against all twelve strategies in one world.
func TestAdversaries_InOneWorld(t *testing.T) { adversariesIn(t, "adversaries", true) }

// The same bounds hold against the nine that play against Vault, Forge and reviews of code. Only how many bounties
// honest agents complete is not compared, since they set fewer (docs/ADVERSARIES.md says why), but what part of them.
func TestAdversaries_OfCode(t *testing.T) { adversariesIn(t, "adversaries-code", false) }

// The bounds hold, too, where both play at once.
func TestAdversaries_All(t *testing.T) { adversariesIn(t, "adversaries-all", true) }

func adversariesIn(t *testing.T, scenario string, bounties bool) {
	var seen allSeeds
	for seed := range *advSeeds {
		sc, err := scenarios.Load(scenario)
		if err != nil {
			t.Fatal(err)
		}
		override(t, sc, fmt.Sprintf("seed=%d", seed+1))
		where, base, p := fmt.Sprintf("seed %d", seed+1), baselinesOf(t, sc), play(t, sc, *advCycles)
		base.bounties = bounties
		base.check(t, where, p, true)
		seen.add(where, base, p)
	}
	seen.check(t)
}

// A quarter of the population follows one strategy. There honest agents are convinced more often, so
// what their word draws for the coalition comes on top of its bound.
func TestAdversaries_OneStrategy(t *testing.T) {
	if !*advOne {
		return
	}
	completed := map[string]*bountyCounts{}
	for seed := range *advSeeds {
		var base *baselines
		for _, name := range adversary.Names() {
			sc, err := scenarios.Parse("quarter.yaml", []byte(strings.ReplaceAll(quarter, "NAME", name)))
			if err != nil {
				t.Fatal(err)
			}
			override(t, sc, fmt.Sprintf("seed=%d", seed+1))
			if base == nil {
				base = baselinesOf(t, sc)
			}
			p := play(t, sc, *advCycles)
			base.check(t, fmt.Sprintf("%s, seed %d", name, seed+1), p, false)
			if completed[name] == nil {
				completed[name] = &bountyCounts{}
			}
			completed[name].add(base, p)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(completed)) {
		completed[name].check(t, name)
	}
}

func override(t *testing.T, sc *scenarios.Scenario, set ...string) {
	t.Helper()
	if err := sc.Override(set...); err != nil {
		t.Fatal(err)
	}
}

// baselines are the worlds that one with adversaries is compared with.
type baselines struct {
	honest playground // the adversaries think like everybody
	asleep playground // the adversaries sleep from the first cycle on

	bounties bool // honest agents must complete nearly as many beside adversaries as while these sleep, or else as large a part
	rewards  bool // and draw nearly as much from the treasury
}

func baselinesOf(t *testing.T, sc *scenarios.Scenario) *baselines {
	t.Helper()
	honest, asleep := *sc, *sc
	var tame, sleep []string
	index := uint64(1)
	for i := range sc.Population {
		g := &sc.Population[i]
		if g.Adversary != "" {
			tame = append(tame, fmt.Sprintf("population[%d].adversary=\"\"", i), fmt.Sprintf("population[%d].accomplices=\"\"", i))
			for n := range g.Count {
				sleep = append(sleep, fmt.Sprintf("{cycle: 1, agent: %d, do: sleep}", index+n))
			}
		}
		index += g.Count
	}
	override(t, &honest, tame...)
	override(t, &asleep, "inputs=["+strings.Join(sleep, ", ")+"]", "dormancy.wake_after_cycles=0")
	return &baselines{honest: play(t, &honest, *advCycles), asleep: play(t, &asleep, *advCycles), bounties: true}
}

// perRole is the most that an honest agent of a role drew from the treasury in a world.
func (p *playground) perRole(role wire.Role) (most uint64) {
	for _, id := range p.honest {
		if p.role[id] == role {
			most = max(most, p.drawn[id])
		}
	}
	return most
}

// check compares a world with the bounds of docs/ADVERSARIES.md. strict asks that a coalition
// draws no more than its own word may, whoever else it convinced.
func (b *baselines) check(t *testing.T, where string, p playground, strict bool) {
	t.Helper()
	cycles := uint64(*advCycles)
	long := cycles >= 500
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s", where, fmt.Sprintf(format, args...))
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(p.coalitions)) {
		members := p.coalitions[name]
		for id, of := range p.circle { //house:sorted sorted below
			if of == name && !slices.Contains(members, id) {
				members = append(members, id) // whom it sponsored
			}
		}
		slices.SortFunc(members, wire.AgentID.Compare)
		k := uint64(len(members))
		got, own, heard, bound := sum(p.drawn, members), sum(p.words.own, members), sum(p.words.heard, members), 11*k*(k-1)*((cycles+p.pairs-1)/p.pairs)
		lines = append(lines, fmt.Sprintf("coalition of %s: %d ⚡, %.2f a cycle, bound %.2f; due at most %d by its own word and %d by others'",
			name, got, float64(got)/float64(cycles), float64(11*k*(k-1))/float64(p.pairs), own, heard))
		if strict && got > bound || got > bound+heard {
			fail("the coalition of %s drew %d ⚡ in %d cycles, at most %d are allowed, and %d by others' words", name, got, cycles, bound, heard)
		}
		if own > bound {
			fail("the word of the coalition of %s made %d ⚡ due to it in %d cycles, at most %d are allowed", name, own, cycles, bound)
		}
	}
	start := p.treasury[0]
	least := slices.Min(p.treasury)
	if least*100 < start*36 {
		fail("the treasury fell from %d to %d ⚡", start, least)
	}
	if at := min(100, len(p.treasury)-1); p.treasury[at]*100 < start*80 {
		fail("the treasury had %d ⚡ of %d after %d cycles", p.treasury[at], start, at)
	}
	hold := p.longestHold()
	if hold > 4 {
		fail("a bounty was kept at %d of 20 cycle ends", hold)
	}
	if len(p.refused) > 0 {
		fail("queries of honest agents failed: %v", p.refused)
	}
	alone, beside := sum(b.asleep.completed, p.honest), sum(p.completed, p.honest)
	set, done := p.funnel.wanted()
	setAlone, doneAlone := b.asleep.funnel.wanted()
	if !b.bounties && long && done*100*setAlone < doneAlone*80*set { // in a short world there are a handful
		fail("honest agents completed %d of the %d bounties that are wanted, %d of %d without adversaries", done, set, doneAlone, setAlone)
	}
	for _, id := range p.honest {
		if p.dead[id] {
			fail("honest agent %s is dead", id.Alias())
		}
	}
	slower := p.cpu / float64(p.ticks) / (b.honest.cpu / float64(b.honest.ticks))
	drew, undisturbed := sum(p.drawn, p.honest), sum(b.asleep.drawn, p.honest)
	if b.rewards && drew*100 < undisturbed*80 {
		fail("honest agents drew %d ⚡ from the treasury, %d while the adversaries sleep", drew, undisturbed)
	}
	t.Logf("%s, %d cycles: %s; honest drew %d ⚡ (%d while the others sleep, all honest: %d of %d); treasury %d → %d (least %d); kept at most %d of 20; honest queries %d; honest completed %d (%d without adversaries), of what is wanted %d of %d (%d of %d); born %d; CPU × %.2f, %.0f µs an agent-tick",
		where, cycles, strings.Join(lines, "; "), drew, undisturbed, sum(b.honest.drawn, p.honest), b.honest.rewards, start, p.treasury[len(p.treasury)-1], least, hold, p.queries, beside, alone, done, set, doneAlone, setAlone, p.born, slower, 1e6*p.cpu/float64(p.ticks))
	if testing.Verbose() {
		logMembers(t, &b.honest, &p)
		t.Logf("bounties while the adversaries sleep:%v\nand beside them:%v", b.asleep.funnel, p.funnel)
	}
}

// Honest populations keep most of the rewards that are due to them, and leave the treasury what it must keep. Told beside it is
// what the first rules would have paid, 10 ⚡ for every entry that two others found accurate, whoever they were and whatever there
// was in the pool (reviews and votes are left out of that), and what there was to pay it from: docs/ADVERSARIES.md says what of
// both can hold together.
func TestAdversaries_HonestPopulationsKeepTheirRewards(t *testing.T) {
	const cycles = 100 // of which the bound of the treasury speaks
	for _, name := range []string{"epoch0", "village"} {
		if name == "village" && *advCycles < cycles {
			continue // a town of 64 takes its time
		}
		sc, err := scenarios.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		p := play(t, sc, cycles)
		start, end := p.treasury[0], p.treasury[len(p.treasury)-1]
		t.Logf("%s, %d agents, %d cycles: %d ⚡ of rewards and bounties from the treasury (%d of them by rewards, %d turned away by the pool), which had %d at first and %d in the end, so %d came in",
			name, p.agents, cycles, p.rewards, p.paid, p.forfeited, start, end, end-start+int64(p.rewards))
		t.Logf("%s: the first rules would have paid %d for entries; four fifths of that are %d, a fifth of the treasury is %d",
			name, p.words.first, 4*p.words.first/5, start/5)
		lost := 100 * p.forfeited / max(1, p.paid+p.forfeited)
		t.Logf("%s: the pool turned away %d %% of the rewards that were due", name, lost)
		if lost > 20 || p.paid == 0 {
			t.Errorf("%s: the pool turned away %d %% of the rewards that were due, at most 20 are allowed; %d ⚡ were paid", name, lost, p.paid)
		}
		if end*100 < start*80 {
			t.Errorf("%s: the treasury fell from %d to %d ⚡ in %d cycles, below four fifths", name, start, end, cycles)
		}
	}
}

// bountyCounts is how many bounties honest agents completed in the worlds of several seeds. How many agents set differs from one
// world to another of the same seed: one corrects a few entries, another dozens. So only the sum says something.
type bountyCounts struct {
	beside, apart int // beside adversaries, and while these slept
}

func (c *bountyCounts) add(b *baselines, p playground) {
	c.beside += sum(p.completed, p.honest)
	c.apart += sum(b.asleep.completed, p.honest)
}

func (c *bountyCounts) check(t *testing.T, where string) {
	t.Helper()
	t.Logf("%s: honest agents completed %d bounties, %d while the adversaries slept", where, c.beside, c.apart)
	share := 80
	if *advCycles < 500 {
		share = 50 // of a dozen
	}
	if c.beside*100 < c.apart*share {
		t.Errorf("%s: honest agents completed %d bounties, less than %d %% of the %d while the adversaries slept", where, c.beside, share, c.apart)
	}
}

// allSeeds is what is compared over the worlds of several seeds.
type allSeeds struct {
	bounties  bool // the completed ones are compared
	completed bountyCounts

	honest map[wire.Role][]uint64 // each honest agent's, in the honest worlds and beside adversaries
	alone  []uint64               // each agent's in the honest worlds
	others []memberDraw

	cpu, cpuHonest float64 // seconds an agent-tick took, summed over the worlds
}

type memberDraw struct {
	where string
	role  wire.Role
	id    wire.AgentID
	drawn uint64
}

func (s *allSeeds) add(where string, b *baselines, p playground) {
	if s.honest == nil {
		s.honest = map[wire.Role][]uint64{}
	}
	s.bounties = b.bounties
	s.completed.add(b, p)
	s.cpu += p.cpu / float64(p.ticks)
	s.cpuHonest += b.honest.cpu / float64(b.honest.ticks)
	for _, w := range []*playground{&b.honest, &p} {
		for _, id := range w.honest {
			s.honest[w.role[id]] = append(s.honest[w.role[id]], w.drawn[id])
			if w == &b.honest {
				s.alone = append(s.alone, w.drawn[id])
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.coalitions)) {
		for _, id := range p.coalitions[name] {
			s.others = append(s.others, memberDraw{where, p.role[id], id, p.drawn[id]})
		}
	}
}

// check: no member of a coalition drew more than the most that an honest agent of its role drew in
// any of the worlds, or than the mean of all honest agents among themselves. Roles earn differently,
// and what accomplices draw for each other does not ask for one: 5 · (k - 1) ⚡ in P cycles for each.
// One agent's luck differs from seed to seed, so only a long run and several seeds say something. So does what
// else a machine does beside one world from the CPU time of an agent-tick, which may be half as much again.
func (s *allSeeds) check(t *testing.T) {
	t.Helper()
	slower := s.cpu / s.cpuHonest
	t.Logf("an agent-tick takes %.2f times the CPU time of the honest worlds", slower)
	if *advCycles >= 500 && slower > 1.5 {
		t.Errorf("an agent-tick takes %.2f times the CPU time of worlds without adversaries", slower)
	}
	if s.bounties {
		s.completed.check(t, "all seeds")
	}
	var mean uint64
	for _, n := range s.alone {
		mean += n
	}
	mean /= uint64(len(s.alone))
	t.Logf("an honest agent among honest ones drew %d ⚡ in the mean", mean)
	for _, role := range slices.Sorted(maps.Keys(s.honest)) {
		t.Logf("honest %s drew %d to %d ⚡ (%d agents in all worlds)", role, slices.Min(s.honest[role]), slices.Max(s.honest[role]), len(s.honest[role]))
	}
	for _, m := range s.others {
		most := slices.Max(s.honest[m.role])
		if m.drawn > most {
			t.Logf("%s: %s %s drew %d ⚡, honest agents of its role at most %d", m.where, m.role, m.id.Alias(), m.drawn, most)
		}
		if *advCycles >= 500 && *advSeeds > 1 && m.drawn > max(most, mean) {
			t.Errorf("%s: %s %s drew %d ⚡, more than any honest agent of its role and than honest agents in the mean", m.where, m.role, m.id.Alias(), m.drawn)
		}
	}
}

// logMembers logs how much each member drew.
func logMembers(t *testing.T, honest, p *playground) {
	ids := slices.SortedFunc(maps.Keys(p.role), func(a, b wire.AgentID) int { return cmp.Compare(p.drawn[b], p.drawn[a]) })
	var out []string
	for _, id := range ids {
		who := "adversary"
		if slices.Contains(p.honest, id) {
			who = "honest"
		}
		if p.strategy[id] != "" {
			who = p.strategy[id]
		}
		d := p.drawnFor[id]
		out = append(out, fmt.Sprintf("%s %s %d (bounties %d, entries %d, reviews %d, bugs %d, votes %d; honest of its role: %d; due by accomplices %d, by others %d)",
			who, p.role[id], p.drawn[id], d.bounties, d.entries, d.reviews, d.bugs, d.votes, honest.perRole(p.role[id]), p.words.own[id], p.words.heard[id]))
	}
	t.Log(strings.Join(out, "\n"))
}

// processCPU is user plus system time of the process.
func processCPU(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
