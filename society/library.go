package society

import "kingdom/wire"

const noEntry = "no agent published an entry"

// agentEntries returns the entries written by agents.
func (r *Run) agentEntries() (out []*Entry) {
	for i := range r.Entries {
		if r.Entries[i].Author >= 0 {
			out = append(out, &r.Entries[i])
		}
	}
	return out
}

func titlesDistinct(r *Run) figure {
	all, c := r.agentEntries(), newCounter()
	for _, e := range all {
		c.add(e.Title)
	}
	if len(all) == 0 {
		return none(noEntry)
	}
	return value(float64(len(c.words))/c.total, len(all))
}

func titlesNewLate(r *Run) figure {
	seen := map[string]bool{}
	early, late := 0, 0
	for _, e := range r.agentEntries() {
		if seen[e.Title] {
			continue
		}
		seen[e.Title] = true
		if e.Tick < r.midpoint() {
			early++
		} else {
			late++
		}
	}
	if early == 0 {
		return none("no title is of the first half of the run")
	}
	return value(float64(late)/float64(early), early+late)
}

// perEntry returns how often something happened to an entry of an agent, on average.
func (r *Run) perEntry(about func(payload any) (entry wire.Hash, ok bool)) figure {
	mine, n := map[wire.Hash]bool{}, 0
	for _, e := range r.agentEntries() {
		mine[e.ID] = true
	}
	for i := range r.Events {
		if id, ok := about(r.Events[i].Payload); ok && mine[id] {
			n++
		}
	}
	if len(mine) == 0 {
		return none(noEntry)
	}
	return value(float64(n)/float64(len(mine)), len(mine))
}

func updatesPerEntry(r *Run) figure {
	return r.perEntry(func(p any) (id wire.Hash, ok bool) {
		if u, is := p.(*wire.EntryUpdatedEvent); is {
			return u.EntryID, true
		}
		return id, false
	})
}

func citationsPerEntry(r *Run) figure {
	return r.perEntry(func(p any) (id wire.Hash, ok bool) {
		if c, is := p.(*wire.CitationAddedEvent); is {
			return c.Target, true
		}
		return id, false
	})
}

func verdictsPerEntry(r *Run) figure {
	return r.perEntry(func(p any) (id wire.Hash, ok bool) {
		if v, is := p.(*wire.EntryVerifiedEvent); is {
			return v.EntryID, true
		}
		return id, false
	})
}

func entriesContested(r *Run) figure {
	type judged struct {
		first   wire.Verdict
		n       int
		differs bool
	}
	of := map[wire.Hash]*judged{}
	judgedTwice, contested := 0, 0
	for i := range r.Events {
		v, ok := r.Events[i].Payload.(*wire.EntryVerifiedEvent)
		if !ok {
			continue
		}
		j := of[v.EntryID]
		if j == nil {
			j = &judged{first: v.Verdict}
			of[v.EntryID] = j
		}
		if j.n++; j.n == 2 {
			judgedTwice++
		}
		if v.Verdict != j.first && !j.differs {
			j.differs = true
			contested++
		}
	}
	if judgedTwice == 0 {
		return none("no entry has two verdicts")
	}
	return value(float64(contested)/float64(judgedTwice), judgedTwice)
}
