package goals

import (
	"strings"
	"testing"

	"kingdom/wire"
)

func TestRefill_ByRole(t *testing.T) {
	want := map[wire.Role]string{
		wire.RoleCompilerSmith: "ROLE ASPIRATION build_library\nROLE ASPIRATION try_novel",
		wire.RoleLibrarian:     "ROLE ASPIRATION raise_coverage\nROLE ASPIRATION build_library",
		wire.RoleArchitect:     "ROLE ASPIRATION design_system\nROLE ASPIRATION mentor",
		wire.RoleExplorer:      "ROLE ASPIRATION try_novel\nROLE ASPIRATION explore",
	}
	for role, w := range want {
		s := situation()
		s.Role = role
		got := roleAspirations(nil, s)
		if show(got) != w {
			t.Errorf("%s: %s", role, show(got))
		}
		s.addAll(t, got[:1])
		if got := show(roleAspirations(nil, s)); got != "" {
			t.Errorf("%s while one is left: %s", role, got)
		}
	}
}

func TestRefill_GeneralistDrawsTwoByStream(t *testing.T) {
	s := situation()
	drawn := map[string]bool{}
	for tick := range wire.Tick(200) {
		s.Tick = tick
		got := roleAspirations(nil, s)
		if len(got) != 2 || got[0].Kind() == got[1].Kind() || show(got) != show(roleAspirations(nil, s)) {
			t.Fatalf("tick %d: %s", tick, show(got))
		}
		for _, g := range got {
			drawn[g.Kind().String()] = true
		}
	}
	if len(drawn) != len(generalist) {
		t.Errorf("only %d of %d aspirations are ever drawn", len(drawn), len(generalist))
	}
}

// paying makes work for the aspirations pay as given, and that for others as much as any act.
func (s *Situation) paying(pays map[Kind]float64) {
	s.WorkPays = func(d domain) float64 {
		for k, v := range pays {
			if k.Domain() == d {
				return v
			}
		}
		return 1
	}
}

func TestRefill_TakesUpTheAspirationForWhichWorkBringsMost(t *testing.T) {
	for _, tt := range []struct {
		role wire.Role
		pays map[Kind]float64
		want string
	}{
		{wire.RoleLibrarian, nil, "raise_coverage build_library"},
		{wire.RoleLibrarian, map[Kind]float64{KindRaiseCoverage: 1.2}, "raise_coverage"},
		{wire.RoleLibrarian, map[Kind]float64{KindRaiseCoverage: 0.8}, "build_library"},
		{wire.RoleLibrarian, map[Kind]float64{KindRaiseCoverage: 0.9}, "raise_coverage build_library"}, // not clearly less
		{wire.RoleArchitect, map[Kind]float64{KindMentor: 1.5}, "mentor"},
		{wire.RoleGeneralist, map[Kind]float64{KindDesignSystem: 1.5, KindBuildLibrary: 1.4}, "design_system build_library"},
		{wire.RoleGeneralist, map[Kind]float64{KindDesignSystem: 1.5, KindBuildLibrary: 1.3}, "design_system"},
	} {
		s := situation()
		s.Role = tt.role
		if s.paying(tt.pays); tt.pays == nil {
			s.WorkPays = nil
		}
		if got := kindsOfGoals(roleAspirations(nil, s)); got != tt.want {
			t.Errorf("%s, %v: %s, want %s", tt.role, tt.pays, got, tt.want)
		}
	}
}

func kindsOfGoals(list []Goal) string {
	var names []string
	for i := range list {
		names = append(names, list[i].Kind().String())
	}
	return strings.Join(names, " ")
}

func TestGivesWay_OldAspirationOfTheRoleWhoseWorkBringsClearlyLess(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*Situation, *Goal)
		want   bool
	}{
		"another one brings more":   {func(*Situation, *Goal) {}, true},
		"not clearly":               {func(s *Situation, _ *Goal) { s.paying(map[Kind]float64{KindBuildLibrary: 0.9}) }, false},
		"it is young":               {func(_ *Situation, g *Goal) { g.CreatedAt++ }, false},
		"no beliefs":                {func(s *Situation, _ *Goal) { s.WorkPays = nil }, false},
		"it was set by an operator": {func(_ *Situation, g *Goal) { g.Source = SourceSocial }, false},
		"it is no aspiration":       {func(_ *Situation, g *Goal) { g.Layer = LayerObjective }, false},
		"it is not one of the role": {func(_ *Situation, g *Goal) { g.Description.Kind = KindOwn }, false},
		"nobody is known for the other": {func(s *Situation, g *Goal) {
			s.Role, g.Description.Kind = wire.RoleArchitect, KindDesignSystem
			s.paying(map[Kind]float64{KindDesignSystem: 0.5})
			s.Acquainted = func() bool { return false }
		}, false},
	} {
		s := situation()
		s.Role = wire.RoleLibrarian
		s.paying(map[Kind]float64{KindBuildLibrary: 0.89})
		g := s.aspiration(KindBuildLibrary, SourceRole)
		s.Tick = g.CreatedAt + 4*256
		tt.change(s, &g)
		if got := s.GivesWay(&g); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
