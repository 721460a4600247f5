package llm

import "strconv"

// memory writes YOUR MEMORY. What changes slowly comes first, so that the next prompt has the same text up to the first
// change.
func (g *sectionWriter) memory(f *MemoryFacts) {
	g.part(500, len(f.Beliefs), func(dst []byte, i int) []byte { return appendBelief(dst, &f.Beliefs[i]) })
	g.part(600, len(f.Knowledge), func(dst []byte, i int) []byte { return appendKnowledge(dst, &f.Knowledge[i]) })
	g.part(400, len(f.Peers), func(dst []byte, i int) []byte { return appendPeer(dst, &f.Peers[i]) })
	g.part(150, len(f.Notes), func(dst []byte, i int) []byte {
		n := &f.Notes[i]
		return appendWords(append(appendWords(append(dst, "note "...), n.Key), " = "...), n.Value)
	})
	if n := len(f.Avoids) + len(f.Asked); n > 0 {
		g.part(60, n, func(dst []byte, i int) []byte {
			if i < len(f.Avoids) {
				return appendAvoid(dst, &f.Avoids[i])
			}
			q := &f.Asked[i-len(f.Avoids)]
			dst = appendThing(append(dst, "you asked"...), " ", q.Ref, q.Says)
			return AppendCount(append(dst, " and wait for answers, "...), q.Left, "tick")
		})
	}
	if len(f.Practice) > 0 {
		g.line(30, func(dst []byte) []byte { return appendPractice(dst, f.Practice) })
	}
	g.part(250, len(f.Goals), func(dst []byte, i int) []byte { return appendGoal(dst, &f.Goals[i], i == 0) })
	if p := f.Plan; p != nil {
		runs := stepRuns(p.Steps)
		g.part(100, len(runs), func(dst []byte, i int) []byte { return appendSteps(dst, p, runs[i]) })
	}
}

func appendBelief(dst []byte, b *BeliefFact) []byte {
	dst = append(append(dst, "belief: "...), b.Claim...)
	open := " ("
	if b.Pays > 0 { // an amount; the confidence stands for it on another scale
		dst = strconv.AppendFloat(append(dst, " about "...), b.Pays, 'f', 0, 64)
	} else {
		dst = appendShare(append(dst, open...), b.Confidence)
		open = ", "
	}
	if b.N > 0 {
		dst = strconv.AppendInt(append(append(dst, open...), "n "...), int64(b.N), 10)
		open = ", "
	}
	if b.Age > 0 {
		dst = append(AppendCount(append(dst, open...), b.Age, "cycle"), " old"...)
		open = ", "
	}
	if open == ", " {
		dst = append(dst, ')')
	}
	return dst
}

func appendAvoid(dst []byte, a *AvoidFact) []byte {
	dst = appendThing(append(append(dst, "you avoid "...), a.Action...), " ", a.About, a.Title)
	dst = AppendCount(append(dst, " for "...), a.Left, "tick")
	if a.Why != "" {
		dst = appendWords(append(dst, ": "...), a.Why)
	}
	return dst
}

func appendKnowledge(dst []byte, k *KnowledgeFact) []byte {
	dst = appendWords(append(append(append(dst, "known from "...), k.Source...), ": "...), k.Label)
	dst = appendShare(append(dst, " ("...), k.Confidence)
	dst = append(dst, ')')
	if k.Content.Words != "" {
		dst = k.Content.append(append(dst, ": "...))
	}
	return dst
}

// shownInterests is the number of a peer's newest tags that a prompt shows.
const shownInterests = 2

func appendPeer(dst []byte, p *PeerFact) []byte {
	dst = append(append(dst, "peer "...), p.Alias...)
	start := len(dst)
	if unlikeHalf(p.Competence) {
		dst = appendShare(append(dst, ", competence "...), p.Competence)
	}
	if unlikeHalf(p.Reliability) {
		dst = appendShare(append(dst, ", reliability "...), p.Reliability)
	}
	if p.Dealings > 0 {
		dst = appendShare(append(dst, ", trust "...), p.Trust)
		dst = strconv.AppendUint(append(dst, " (n "...), uint64(p.Dealings), 10)
		if !p.Well {
			dst = append(dst, ", bad"...)
		}
		dst = append(append(dst, ", "...), p.Last...)
		if p.Ago > 0 {
			dst = append(AppendCount(append(dst, ' '), p.Ago, "tick"), " ago"...)
		}
		dst = append(dst, ')')
	}
	if p.Reputation >= 0 {
		dst = appendShare(append(dst, ", reputation "...), p.Reputation)
	}
	for i, tag := range p.Interests[:min(len(p.Interests), shownInterests)] {
		if i == 0 {
			dst = append(dst, ", on "...)
		} else {
			dst = append(dst, ' ')
		}
		dst = appendWords(dst, tag)
	}
	if len(dst) > start {
		dst[start] = ':' // instead of the first comma
	}
	return dst
}

// unlikeHalf reports whether a share is shown as another number than 0.50, which means that nothing is known.
func unlikeHalf(v float64) bool { return v < 0.495 || v > 0.505 }

func appendGoal(dst []byte, g *GoalFact, top bool) []byte {
	if top {
		dst = append(dst, "your goal now: "...)
	} else {
		dst = append(dst, "goal "...)
	}
	dst = g.Text.append(append(append(dst, g.Kind...), ": "...))
	dst = appendThing(dst, " about ", g.About, g.Title)
	dst = appendShare(append(dst, " (priority "...), g.Priority)
	if g.Deadline != nil {
		dst = AppendCount(append(dst, ", deadline in "...), g.Left, "tick")
	}
	if g.Pays >= 0.5 {
		dst = append(strconv.AppendFloat(append(dst, ", pays about "...), g.Pays, 'f', 0, 64), " Spark"...)
	}
	dst = append(dst, ')')
	switch {
	case g.Wait == 0:
	case g.Kind == "vote":
		dst = append(AppendCount(append(dst, "; waits for more proposals to vote on, "...), g.Wait, "tick"), " at most"...)
	default:
		dst = appendWait(append(dst, ';'), g.Wait)
	}
	if g.Done != "" {
		dst = append(append(dst, "; "...), g.Done...)
	}
	if g.Plan != "" {
		dst = append(append(dst, "; "...), g.Plan...)
	}
	if g.Why != "" {
		dst = append(append(dst, "; why: "...), g.Why...)
	}
	return dst
}

func appendPractice(dst []byte, f []PracticeFact) []byte {
	dst = append(dst, "practice:"...)
	for i := range f {
		dst = appendShare(append(append(append(dst, ' '), f[i].Topic...), ' '), f[i].Share)
	}
	return dst
}

// stepRuns returns the first and last index of each run of equal steps. All steps that are done count as equal.
func stepRuns(steps []StepFact) (runs [][2]int) {
	for i := range steps {
		if n := len(runs) - 1; n >= 0 && (steps[i] == steps[i-1] || steps[i].State == "done" && steps[i-1].State == "done") {
			runs[n][1] = i
			continue
		}
		runs = append(runs, [2]int{i, i})
	}
	return runs
}

func appendSteps(dst []byte, p *PlanFact, run [2]int) []byte {
	s := &p.Steps[run[0]]
	if run[0] == 0 {
		dst = append(append(append(dst, "plan for "...), p.Goal...), ", "...)
	} else {
		dst = append(dst, "then "...)
	}
	dst = strconv.AppendInt(append(dst, "step "...), int64(run[0]+1), 10)
	if run[1] > run[0] {
		dst = strconv.AppendInt(append(dst, " to "...), int64(run[1]+1), 10)
	}
	if run[0] == 0 {
		dst = strconv.AppendInt(append(dst, " of "...), int64(len(p.Steps)), 10)
	}
	if s.State == "done" && run[1] > run[0] {
		return append(dst, ": done"...)
	}
	if dst = append(append(dst, ": "...), s.Action...); s.State != "later" { // that a step comes later is clear from its position
		dst = append(append(dst, ", "...), s.State...)
	}
	if s.State == "later" { // what it needs is told when it comes
		return dst
	}
	if s.Needs != "" && s.State != "done" {
		dst = append(append(dst, "; needs: "...), s.Needs...)
	}
	if s.Until != "" && s.State != "done" {
		dst = append(append(dst, "; done when: "...), s.Until...)
	}
	if s.Tries > 0 {
		dst = AppendCount(append(dst, "; failed "...), uint64(s.Tries), "time")
	}
	return dst
}

// appendThing names a thing by handle and title, nothing if it has neither.
func appendThing(dst []byte, word string, r Ref, title Words) []byte {
	if r == (Ref{}) {
		return dst
	}
	dst = r.Append(append(dst, word...))
	if title != "" {
		dst = appendWords(append(dst, ' '), title)
	}
	return dst
}

// appendShare writes a number with two decimals.
func appendShare(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'f', 2, 64) }
