package worldtest

import (
	"fmt"
	"slices"

	"kingdom/wire"
)

func (s *session) view(a wire.AgentID) {
	var v wire.View
	s.realm.View(a, nil, &v)
	s.printf("tick %d epoch %d status %s balance %d locked %d earned %d reputation %.4g",
		v.Tick, v.Epoch, v.Status, v.Balance, v.Locked, v.Earned, v.Reputation)
	s.printf("events:")
	for _, e := range v.Events {
		s.printf("%s", s.event(e))
	}
	s.printf("deliveries:")
	for _, d := range v.Deliveries {
		if d.Type == wire.TypeWorldState || d.Type == wire.TypeEconomyReport || d.Type == wire.TypePortalReport {
			s.printf("  %s", d.Type)
			continue
		}
		s.printf("  %s", s.reply(d))
	}
	s.bounties(&v)
	for _, b := range v.Claims {
		s.printf("claim %s %s", s.names.of(b.ID), b.Status)
	}
	for _, r := range v.Reviews {
		s.printf("review %s of %s", s.names.of(r.ID), s.names.of(r.Author))
	}
	for _, p := range v.Proposals {
		s.printf("proposal %s %s by %s until %d", s.names.of(p.ID), p.Kind, s.names.of(p.Author), p.Deadline)
	}
}

// board shows the bounties that an agent sees, and nothing else.
func (s *session) board(a wire.AgentID) {
	var v wire.View
	s.realm.View(a, nil, &v)
	s.bounties(&v)
}

func (s *session) bounties(v *wire.View) {
	for _, b := range v.Bounties {
		s.printf("bounty %s reward %d barred %t", s.names.of(b.ID), b.Reward, b.Barred)
	}
}

// subjects shows what became of things as an agent sees it; open ones are told too.
func (s *session) subjects(a wire.AgentID, asked []wire.Subject) {
	closed := s.realm.AppendSubjects(nil, a, asked, s.tick)
	for _, q := range asked {
		id := q.ID
		i := slices.IndexFunc(closed, func(v wire.SubjectView) bool { return v.ID == id })
		switch {
		case i < 0:
			s.printf("%s open", s.names.of(id))
		case closed[i].By.IsZero():
			s.printf("%s: %s %s", s.names.of(id), closed[i].Kind, closed[i].Status)
		default:
			s.printf("%s: %s %s by %s", s.names.of(id), closed[i].Kind, closed[i].Status, s.names.of(closed[i].By))
		}
	}
}

func (s *session) agents() {
	for _, a := range s.realm.Agents() {
		s.names.meet("a", a)
	}
	for i := uint64(1); ; i++ {
		id, ok := s.names.byName[fmt.Sprintf("$a%d", i)]
		if !ok {
			return
		}
		a, _ := wire.ParseAgentID(id)
		r := s.realm.Agent(a)
		s.printf("$a%d %s %s reputation %.4g inactive %d", i, r.Role, r.Status, r.Reputation, r.InactiveCycles)
	}
}

func (s *session) balances() {
	for _, name := range []string{"$mint", "$reserve"} {
		s.balance(name)
	}
	for i := 1; s.names.byName[fmt.Sprintf("$a%d", i)] != ""; i++ {
		s.balance(fmt.Sprintf("$a%d", i))
	}
}

func (s *session) balance(name string) {
	id, _ := wire.ParseAgentID(s.names.byName[name])
	balance, locked := s.realm.Balance(id)
	s.printf("%s %d locked %d", name, balance, locked)
}
