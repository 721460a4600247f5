package scenarios

import (
	"slices"
	"strings"

	"kingdom/det"
	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/oracle"
)

// traitKeys are the keys of Traits in the order of Traits.all.
var traitKeys = [4]string{"risk_tolerance", "collaboration", "depth_vs_breadth", "quality_vs_speed"}

func (t *Traits) all() [4]*Trait {
	return [4]*Trait{&t.RiskTolerance, &t.Collaboration, &t.DepthVsBreadth, &t.QualityVsSpeed}
}

// uses reports whether the distribution depends on a key.
func (t *Trait) uses(key string) bool {
	switch t.Dist {
	case DistFixed:
		return key == "value"
	case DistUniform:
		return key == "min" || key == "max"
	case DistNormal:
		return key == "mean" || key == "sd" || key == "min" || key == "max"
	case DistBeta:
		return key == "alpha" || key == "beta" || key == "min" || key == "max"
	}
	return false
}

// draw draws a value of the distribution from its own stream. Drawn values
// are quantised to k/2^20, which a float32 holds exactly; a fixed value is the
// nearest float32 to what is written.
func (t *Trait) draw(s *det.Stream) float32 {
	width := t.Max - t.Min
	var x float64
	switch t.Dist {
	case DistFixed:
		return float32(t.Value)
	case DistUniform:
		x = t.Min + float64(width*s.Float64())
	case DistNormal:
		x = t.Mean + float64(t.SD*s.Norm())
	case DistBeta:
		x = t.Min + float64(width*drawBeta(s, t.Alpha, t.Beta))
	}
	return float32(det.Quantise(min(max(x, t.Min), t.Max)))
}

// drawBeta draws from Beta(a, b) with whole shapes: the a-th smallest of a+b−1
// uniform numbers has exactly that distribution, and it takes no logarithm
// (Devroye, "Non-Uniform Random Variate Generation", 1986, IX.3).
func drawBeta(s *det.Stream, a, b uint64) float64 {
	u := make([]float64, a+b-1)
	for i := range u {
		u[i] = s.Float64()
	}
	slices.Sort(u)
	return u[a-1]
}

// Agents returns the size of the initial population.
func (s *Scenario) Agents() uint64 {
	var n uint64
	for i := range s.Population {
		n += s.Population[i].Count
	}
	return n
}

// Genomes returns the genomes of the initial population in spawn order, without
// knowledge seeds: the entry they name exists only once the bootstrap made it.
// Trait k (from 0) of spawn index i has the stream (seed, scenario.genome, 32
// zero bytes, 4·i + k), so the draws of one trait do not change those of another.
func (s *Scenario) Genomes(seed wire.Hash) []wire.Genome {
	out := make([]wire.Genome, 0, s.Agents())
	for g := range s.Population {
		group := &s.Population[g]
		for range group.Count {
			out = append(out, group.Traits.genome(seed, group.Role, [32]byte{}, uint64(len(out))+1))
		}
	}
	return out
}

// Newcomers returns the genomes of the agents that inputs spawn, by input. The n-th of all (from 1, in file order) has the
// streams of spawn index n, but with 1 as the first of the 32 bytes.
func (s *Scenario) Newcomers(seed wire.Hash) [][]wire.Genome {
	out, n := make([][]wire.Genome, len(s.Inputs)), uint64(0)
	for i := range s.Inputs {
		in := &s.Inputs[i]
		if in.Do != DoSpawn {
			continue
		}
		for range in.Count {
			n++
			out[i] = append(out[i], in.Traits.genome(seed, in.Role, [32]byte{1}, n))
		}
	}
	return out
}

// genome draws a genome from the streams of an index.
func (t *Traits) genome(seed wire.Hash, role wire.Role, whose [32]byte, index uint64) wire.Genome {
	var v [4]float32
	for k, trait := range t.all() {
		v[k] = trait.draw(det.NewStream(seed, det.ScenarioGenome, whose, 4*index+uint64(k)))
	}
	return wire.Genome{Role: role, Traits: wire.Traits{
		RiskTolerance: v[0], Collaboration: v[1], DepthVsBreadth: v[2], QualityVsSpeed: v[3],
	}, KnowledgeSeeds: []wire.Hash{oracle.EntryZero}}
}

// WorldSeed returns the world seed: the 32 bytes of a seed written as 0x and 64 hex digits, else the hash of its
// text.
func (s *Scenario) WorldSeed() wire.Hash {
	if hex, ok := strings.CutPrefix(string(s.Seed), "0x"); ok {
		if h, err := wire.ParseHash(hex); err == nil {
			return h
		}
	}
	return wire.WorldSeed(string(s.Seed))
}

// WorldRules returns the values that the world's daemons use.
func (s *Scenario) WorldRules() world.Rules {
	n := s.Agents()
	limit := s.Spawn.Cap
	if limit == 0 {
		limit = n
	}
	pairs := s.Mint.PairCycles
	if pairs == 0 {
		pairs = world.DefaultPairCycles(n)
	}
	allow, block := s.Portal.domains()
	return world.Rules{
		PortalAllow:    allow,
		PortalBlock:    block,
		PortalUnlisted: s.Portal.Unlisted == UnlistedAllow,
		Seed:           s.WorldSeed(),
		Calendar:       wire.Calendar{TicksPerCycle: s.Time.TicksPerCycle},
		Population:     n,
		Gates:          uint8(s.Gates - 1),
		Epoch:          uint32(s.Epoch),
		BaseBudget:     s.Time.BaseBudget,
		MaxExtra:       min(s.Time.MaxExtra, s.Time.TicksPerCycle-s.Time.BaseBudget),
		InitialBalance: s.Mint.InitialBalance,
		Balances:       s.Balances(),
		WakeAfter:      s.Dormancy.WakeAfter,
		AutoSpawn:      *s.AutoSpawn,
		ClaimLimit:     s.Agora.ClaimLimit,
		ClaimLease:     s.Agora.ClaimLease,
		ClaimBar:       s.Agora.ClaimBar,
		AgoraText:      s.Agora.TextQuota,
		OracleText:     s.Oracle.TextQuota,
		PairCycles:     pairs,
		BudgetShare:    s.Mint.BudgetShare,
		Upkeep:         s.Mint.Upkeep,
		PopulationCap:  limit,
		ChannelFee:     s.Agora.ChannelFee,

		UpkeepWithinRewards: s.Mint.UpkeepWithinRewards != nil && *s.Mint.UpkeepWithinRewards,
	}
}
