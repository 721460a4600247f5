package goals

import (
	"cmp"
	"slices"

	"kingdom/det"
	"kingdom/wire"
)

// Numbers of how aspirations compare (docs/AGENT.md, aspirations).
const (
	// clearlyMore is the share of what work for the best aspiration brings below which another one is not worth it.
	clearlyMore = 0.9
	// triedTicks is for how long an agent keeps an aspiration at least: four cycles of the usual length.
	triedTicks = 4 * wire.DefaultTicksPerCycle
)

var aspirations = [...][]Kind{
	wire.RoleCompilerSmith: {KindBuildLibrary, KindTryNovel},
	wire.RoleLibrarian:     {KindRaiseCoverage, KindBuildLibrary},
	wire.RoleArchitect:     {KindDesignSystem, KindMentor},
	wire.RoleExplorer:      {KindTryNovel, KindExplore},
}

// generalist lists all aspirations; a generalist draws two.
var generalist = [...]Kind{
	KindBuildLibrary, KindTryNovel, KindRaiseCoverage, KindDesignSystem, KindMentor, KindExplore,
}

var aspirationTexts = map[Kind]string{
	KindBuildLibrary:  "Build a library that others use",
	KindTryNovel:      "Try three things never done before",
	KindRaiseCoverage: "Write three entries that others find accurate",
	KindDesignSystem:  "Write a specification that holds",
	KindMentor:        "Help three agents of lower reputation",
	KindExplore:       "Explore something unfamiliar",
}

// roleAspirations adds aspirations of the role if no aspiration is alive, which includes the first turn of an agent: those
// for which work brings most. A generalist draws two of the best of all.
func roleAspirations(dst []Goal, s *Situation) []Goal {
	if s.Stack.Count(LayerAspiration) > 0 {
		return dst
	}
	kinds := s.suitable()
	if s.Role == wire.RoleGeneralist {
		order := det.NewStream(s.WorldSeed, det.RoleAspirations, s.Agent, uint64(s.Tick)).Perm(len(kinds))
		drawn := make([]Kind, len(kinds))
		for i, k := range order {
			drawn[i] = kinds[k]
		}
		slices.SortStableFunc(drawn, func(a, b Kind) int { return cmp.Compare(s.workPays(b), s.workPays(a)) })
		kinds = drawn[:2]
	}
	best := s.bestWork(kinds)
	for _, k := range kinds {
		if s.workPays(k) >= float64(clearlyMore*best) {
			dst = append(dst, s.aspiration(k, SourceRole))
		}
	}
	return dst
}

// GivesWay reports whether the agent gives up an aspiration of its role: it has had it for some cycles, and believes that
// work for another one brings clearly more.
func (s *Situation) GivesWay(g *Goal) bool {
	if g.Layer != LayerAspiration || g.Source != SourceRole || s.WorkPays == nil || s.Tick < g.CreatedAt+triedTicks {
		return false
	}
	kinds := s.suitable()
	return slices.Contains(kinds, g.Kind()) && s.workPays(g.Kind()) < float64(clearlyMore*s.bestWork(kinds))
}

// Aspirations lists the kinds of goals that agents of a role aspire to; the caller must not change it.
func Aspirations(r wire.Role) []Kind {
	if r == wire.RoleGeneralist {
		return generalist[:]
	}
	return aspirations[r]
}

// suitable lists the aspirations of the role that the agent could take up: all but to mentor, as long as it knows nobody.
func (s *Situation) suitable() (out []Kind) {
	for _, k := range Aspirations(s.Role) {
		if k != KindMentor || s.acquainted() {
			out = append(out, k)
		}
	}
	return out
}

func (s *Situation) acquainted() bool { return s.Acquainted == nil || s.Acquainted() }

// workPays is what work for an aspiration brings; 1 without beliefs.
func (s *Situation) workPays(k Kind) float64 {
	if s.WorkPays == nil {
		return 1
	}
	return s.WorkPays(k.Domain())
}

func (s *Situation) bestWork(of []Kind) (best float64) {
	for _, k := range of {
		best = max(best, s.workPays(k))
	}
	return best
}

func (s *Situation) aspiration(k Kind, src Source) Goal {
	return s.goal(LayerAspiration, src, Description{Kind: k, Text: aspirationTexts[k]})
}
