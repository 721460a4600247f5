package llm

import "strconv"

// history writes RECENT ACTIONS.
func (g *sectionWriter) history(f *HistoryFacts) {
	word := "last: "
	if f.Rest != nil {
		g.line(40, func(dst []byte) []byte { return appendRest(dst, f.Rest) })
		g.thought(f)
		word = "before: "
	}
	if a := f.Last; a != nil {
		g.line(120, func(dst []byte) []byte { return appendAct(append(dst, word...), a) })
		g.part(480, len(a.Shown), func(dst []byte, i int) []byte { return appendShown(append(dst, "  it showed: "...), &a.Shown[i]) })
	} else if len(f.Before) == 0 && f.Rest == nil {
		g.line(120, func(dst []byte) []byte { return append(dst, "none yet"...) })
	}
	if f.Rest == nil {
		g.thought(f)
	}
	g.part(120, len(f.Failures), func(dst []byte, i int) []byte { return appendAct(append(dst, "failed lately: "...), &f.Failures[i]) })
	g.part(400, len(f.Before), func(dst []byte, i int) []byte { return appendAct(append(dst, "before: "...), &f.Before[i]) })
}

// thought writes the last thought below what it was about.
func (g *sectionWriter) thought(f *HistoryFacts) {
	if f.Reasoning != "" {
		g.line(130, func(dst []byte) []byte { return appendWords(append(dst, "your last thought: "...), f.Reasoning) })
	}
}

func appendRest(dst []byte, r *RestFact) []byte {
	dst = strconv.AppendUint(append(dst, "last: tick "...), uint64(r.Tick), 10)
	dst = append(dst, " rest"...)
	if r.Slots > 0 {
		dst = strconv.AppendUint(append(dst, ", "...), r.Passed, 10)
		dst = append(strconv.AppendUint(append(dst, " of "...), r.Slots, 10), " slots passed"...)
	}
	if r.Why != "" {
		dst = append(append(dst, "; "...), r.Why...)
	}
	return dst
}

func appendAct(dst []byte, a *ActFact) []byte {
	dst = strconv.AppendUint(append(dst, "tick "...), uint64(a.Tick), 10)
	dst = append(dst, ' ')
	if a.Times > 1 {
		dst = append(strconv.AppendInt(dst, int64(a.Times), 10), " × "...)
	}
	dst = append(dst, a.Action...)
	dst = appendThing(dst, " ", a.On, a.Title)
	if a.Goal != "" {
		dst = append(append(dst, " for "...), a.Goal...)
	}
	dst = append(append(dst, ": "...), a.Outcome...)
	if a.Effect != "" {
		dst = append(append(dst, ", "...), a.Effect...)
	}
	if a.Lesson != "" {
		dst = appendWords(append(dst, "; learned: "...), a.Lesson)
	}
	if a.Thought != "" {
		dst = appendWords(append(dst, "; you thought: "...), a.Thought)
	}
	return dst
}

func appendShown(dst []byte, s *ShownFact) []byte {
	dst = append(dst, s.What...)
	dst = appendThing(dst, " ", s.Ref, s.Title)
	dst = appendThing(dst, " about ", s.About, "")
	if s.Counts != "" {
		dst = append(append(append(dst, " ("...), s.Counts...), ')')
	}
	switch {
	case s.Quote.Words != "":
		dst = s.Quote.append(append(dst, "; "...))
	case s.Quote.Author != "":
		dst = append(append(dst, " by "...), s.Quote.Author...)
	}
	return dst
}

// state writes CURRENT STATE.
func (g *sectionWriter) state(f *StateFacts) {
	g.line(80, func(dst []byte) []byte { return appendClock(dst, f) })
	g.part(50, len(f.Over), func(dst []byte, i int) []byte { return appendOver(dst, &f.Over[i]) })
	if len(f.Ended) > 0 {
		g.line(80, func(dst []byte) []byte { return appendEnded(dst, f.Ended) })
	}
	if len(f.Works) > 0 {
		g.line(90, func(dst []byte) []byte { return appendWorks(dst, f.Works) })
	}
	if len(f.Owns) > 0 {
		g.line(50, func(dst []byte) []byte { return appendOwns(dst, f.Owns) })
	}
	g.part(420, len(f.Claims)+len(f.Reviews)+len(f.Proposals), func(dst []byte, i int) []byte {
		if i < len(f.Claims) {
			return appendBounty(append(dst, "yours: bounty "...), &f.Claims[i])
		}
		if i -= len(f.Claims); i < len(f.Reviews) {
			return appendReview(dst, &f.Reviews[i])
		}
		return appendProposal(dst, &f.Proposals[i-len(f.Reviews)])
	})
	g.part(250, len(f.Asks), func(dst []byte, i int) []byte { return appendAsk(dst, &f.Asks[i]) })
	g.part(350, len(f.Bounties), func(dst []byte, i int) []byte { return appendBounty(append(dst, "open bounty "...), &f.Bounties[i]) })
	if f.Barred > 0 {
		g.line(20, func(dst []byte) []byte {
			return strconv.AppendUint(append(dst, "open bounties that you may not claim: "...), uint64(f.Barred), 10)
		})
	}
	g.part(50, len(f.Prices), func(dst []byte, i int) []byte {
		p := &f.Prices[i]
		dst = strconv.AppendInt(append(append(append(dst, "market: "...), p.Difficulty...), ' '), int64(p.Open), 10)
		dst = strconv.AppendUint(append(dst, " open, mean reward "...), p.Mean, 10)
		return append(dst, " Spark"...)
	})
	g.part(300, len(f.News), func(dst []byte, i int) []byte { return appendNews(dst, &f.News[i]) })
}

func appendClock(dst []byte, f *StateFacts) []byte {
	dst = strconv.AppendUint(append(dst, "tick "...), uint64(f.Tick), 10)
	dst = strconv.AppendUint(append(dst, " of cycle "...), uint64(f.Cycle), 10)
	dst = strconv.AppendUint(append(dst, ", epoch "...), uint64(f.Epoch), 10)
	dst = AppendCount(append(dst, "; "...), f.TicksLeft, "tick")
	dst = AppendCount(append(dst, " and "...), f.Slots, "own slot")
	dst = append(dst, " left in the cycle"...)
	if !f.NoMoney {
		dst = appendFunds(dst, f)
	}
	if f.Reputation >= 0 {
		dst = appendShare(append(dst, "; reputation "...), f.Reputation)
	}
	dst = append(AppendCount(append(dst, "; "...), uint64(f.PostsLeft), "post"), " left"...)
	return dst
}

func appendFunds(dst []byte, f *StateFacts) []byte {
	dst = strconv.AppendInt(append(dst, "; balance "...), f.Balance, 10)
	dst = append(dst, " Spark"...)
	if f.Locked > 0 {
		dst = append(strconv.AppendUint(append(dst, ", "...), f.Locked, 10), " of it locked"...)
	}
	if f.Earmarked > 0 {
		dst = append(strconv.AppendUint(append(dst, ", "...), f.Earmarked, 10), " of it for resources and fees only"...)
	}
	return dst
}

func appendBounty(dst []byte, b *BountyFact) []byte {
	dst = b.Title.append(append(b.Ref.Append(dst), ' '))
	dst = append(dst, ": "...)
	if b.Status != "OPEN" || b.Created { // the others are called open already
		dst = append(append(dst, b.Status...), ", "...)
	}
	dst = append(strconv.AppendUint(dst, b.Reward, 10), " Spark, "...)
	dst = append(append(dst, b.Difficulty...), ", "...)
	held := b.Mine && b.Deliver > 0 // then the claim lapses long before the bounty
	if !held {
		dst = append(AppendCount(dst, b.Left, "tick"), " left"...)
	}
	switch {
	case held:
		dst = AppendCount(append(dst, "you hold it, deliver within "...), b.Deliver, "tick")
	case b.Mine:
		dst = append(dst, ", you hold it"...)
	case b.Claimer != "":
		dst = append(append(dst, ", held by "...), b.Claimer...)
	}
	if b.Barred {
		dst = append(dst, ", you may not claim it"...)
	}
	if b.Wait > 0 {
		dst = appendWait(append(dst, ','), b.Wait)
	}
	for i, n := range b.Needs {
		if i == 0 {
			dst = append(dst, "; requires "...)
		} else {
			dst = append(dst, " and "...)
		}
		dst = append(dst, n...)
	}
	if b.Asks != "" {
		dst = appendWords(append(dst, "; asks: "...), b.Asks)
	}
	return dst
}

func appendAsk(dst []byte, a *AskFact) []byte {
	dst = a.Says.append(append(a.Ref.Append(dst), " asks: "...))
	if a.More > 0 {
		dst = append(AppendCount(append(dst, ", "...), uint64(a.More), "more byte"), " not shown"...)
	}
	return dst
}

func appendReview(dst []byte, r *ReviewFact) []byte {
	dst = r.Ref.Append(append(dst, "review asked of you: "...))
	if r.Title.Words != "" {
		dst = r.Title.append(append(dst, ' '))
	}
	if r.Bounty {
		dst = append(dst, ", delivery of a bounty by "...)
	} else {
		dst = append(dst, ", change by "...)
	}
	dst = append(dst, r.Author...)
	if base := r.Base.String(); base != "" {
		dst = r.Snap.Append(append(append(append(dst, " from "...), base...), " to "...))
	}
	dst = strconv.AppendUint(append(dst, ", since tick "...), uint64(r.Since), 10)
	dst = AppendCount(append(dst, ", "...), uint64(r.Verdicts), "verdict")
	if r.Wait > 0 {
		dst = appendWait(append(dst, ','), r.Wait)
	}
	return dst
}

// appendWait writes for how long an agent leaves a thing to others, or until it pays more. The rules say that it may act sooner.
func appendWait(dst []byte, ticks uint64) []byte {
	return append(AppendCount(append(dst, " you wait "...), ticks, "tick"), " for others"...)
}

func appendProposal(dst []byte, p *ProposalFact) []byte {
	dst = append(append(p.Ref.Append(append(dst, "open proposal "...)), ' '), p.Kind...)
	dst = append(append(dst, " by "...), p.Author...)
	dst = append(AppendCount(append(dst, ", "...), p.Left, "tick"), " left to vote, "...)
	dst = append(AppendCount(dst, uint64(p.Voters), "agent"), " voted"...)
	if p.Voters > 0 {
		dst = append(appendShare(append(dst, ", "...), p.For), " of the weight for it"...)
	}
	if p.Says != "" {
		dst = appendWords(append(append(append(dst, "; "...), p.Author...), " wrote "...), p.Says)
	}
	return dst
}

func appendOver(dst []byte, o *OverFact) []byte {
	dst = appendThing(append(append(dst, "over: "...), o.Kind...), " ", o.Ref, o.Title)
	dst = append(append(dst, ", "...), o.Status...)
	if o.By != "" {
		dst = append(append(dst, " by "...), o.By...)
	}
	return dst
}

func appendWorks(dst []byte, list []WorkFact) []byte {
	word := "your entries: "
	for i := range list {
		w := &list[i]
		dst = appendWords(append(w.Ref.Append(append(dst, word...)), ' '), w.Title)
		dst = append(append(append(dst, ' '), w.Kind...), ", "...)
		if dst = AppendCount(dst, uint64(w.Verdicts), "verdict"); w.Verdicts > 0 {
			dst = append(strconv.AppendUint(append(dst, ", "...), uint64(w.Accurate), 10), " ACCURATE"...)
		}
		if w.Update > 0 {
			dst = append(strconv.AppendUint(append(dst, ", version "...), uint64(w.Update), 10), " waits for your veto"...)
		}
		word = "; "
	}
	return dst
}

// ownsRoom is how many bytes the line of what an agent owns may have, without the count of what is left out.
const ownsRoom = 190

// appendOwns writes one line. Of what does not fit it says how much that is.
func appendOwns(dst []byte, list []OwnFact) []byte {
	start, word := len(dst), "you own: "
	for i := range list {
		o, end := &list[i], len(dst)
		dst = appendThing(append(append(dst, word...), o.What...), " ", o.Ref, o.Name)
		if o.Says != "" {
			dst = append(append(append(dst, " ("...), o.Says...), ')')
		}
		if i > 0 && len(dst)-start > ownsRoom {
			return append(strconv.AppendInt(append(dst[:end], "; "...), int64(len(list)-i), 10), " more"...)
		}
		word = "; "
	}
	return dst
}

func appendEnded(dst []byte, list []EndedFact) []byte {
	word := "ended: "
	for i := range list {
		e := &list[i]
		dst = append(append(dst, word...), e.Kind...)
		dst = appendThing(dst, " ", e.About, e.Title)
		if e.Text != "" {
			dst = appendWords(append(dst, ' '), e.Text)
		}
		dst = append(append(dst, ' '), e.How...)
		word = "; "
	}
	return dst
}

func appendNews(dst []byte, n *NewsFact) []byte {
	if n.Mine {
		dst = append(dst, "news about you, tick "...)
	} else {
		dst = append(dst, "news, tick "...)
	}
	dst = append(strconv.AppendUint(dst, uint64(n.Tick), 10), ": "...)
	return append(dst, n.Text...)
}
