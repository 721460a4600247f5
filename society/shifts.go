package society

import (
	"slices"

	"kingdom/goals"
	"kingdom/wire"
)

// Blinded returns the expected effects of blinding each layer of memory.
func Blinded() []Shift { return blinded }

// Genome returns the expected effects of each trait, when it is 0.7 in all agents instead of 0.3.
func Genome() []Shift { return genome }

var blinded = []Shift{
	{"beliefs", "best_paid_work", "share of the acts for aspirations of the agents' roles, in the second half of the run, that are for the one for which work brings most, as the agent has come to believe", "falls by 50 %", bestPaidWork, falls(.5)},
	{"knowledge", "answers_per_question", "answers that refer to a question, per question", "grows by 50 %", answersPerQuestion, grows(.5)},
	{"notes", "goal_changes", "share of acts that serve another goal than the agent's act before them", "grows by 50 %", goalChanges, grows(.5)},
	{"peers", "reads_of_best", "share of reads of entries that are by the third of authors whose entries end most accurate", "falls by 20 %", readsOfBest, falls(.2)},
	{"peers", "claims_failed", "share of claims of bounties that did not end in payment", "grows by 25 %", claimsFailed, grows(.25)},
	{"peers", "first_answer_ticks", "median ticks from a question to its first answer", "grows by 25 %", firstAnswer, grows(.25)},
	{"experiences", "failures_repeated", "share of failed acts after which the agent failed at the same again, about the same thing if it is about one, within two cycles", "doubles", failuresRepeated, grows(1)},
	{"plans", "long_goals_completed", "completed goals that take more than one step, per agent-cycle", "falls by 50 %", longGoals, falls(.5)},
	{"reputation", "gini_answers", "Gini coefficient of answers per agent", "falls by 0.1", giniAnswers, fallsBy(.1)},
	{"money", "claims_below_wage", "share of claims of bounties that pay less than their claimer earns elsewhere in the slots that a delivery takes", "doubles", claimsBelowWage, grows(1)},
	{"money", "paid_work_of_poor", "share of paid work among the acts of agents that have less than 20 ⚡, divided by its share among all other acts", "falls by 50 %", paidWorkOfPoor, falls(.5)},
}

var genome = []Shift{
	{"risk_tolerance", "claims_difficulty", "mean difficulty of claimed bounties, 1 TRIVIAL to 5 LEGENDARY", "grows by 25 %, in 10 of 12 pairs", claimsDifficulty, inMostPairs(grows(.25))},
	{"collaboration", "acts_for_peers", "payments to a peer and messages that name one, per productive act", "grows by 25 %, in 10 of 12 pairs", actsForPeers, inMostPairs(grows(.25))},
	{"depth_vs_breadth", "specialised_agents", "mutual information of the agent and the domain and topic of a productive act, as a share of the entropy of domain and topic", "falls by 25 %, in 10 of 12 pairs", specialisedAgents, inMostPairs(falls(.25))},
	{"quality_vs_speed", "own_accuracy", "mean accuracy at the end of the entries that were judged", "falls by 25 %, in 10 of 12 pairs", ownAccuracy, inMostPairs(falls(.25))},
}

func readsOfBest(r *Run) figure {
	sum, n := make([]float64, len(r.Agents)), make([]float64, len(r.Agents))
	author := map[wire.Hash]int{}
	for _, e := range r.agentEntries() {
		author[e.ID] = e.Author
		sum[e.Author] += e.Accuracy
		n[e.Author]++
	}
	var authors []int
	var accuracy []float64 // of each of authors
	for a := range sum {
		if n[a] > 0 {
			authors, accuracy = append(authors, a), append(accuracy, sum[a]/n[a])
		}
	}
	best := map[int]bool{}
	for i, rank := range ranks(accuracy) {
		best[authors[i]] = rank > float64(2*len(authors))/3
	}
	reads, ofBest := 0, 0
	for i := range r.Acts {
		a := &r.Acts[i]
		by, known := author[a.Subject]
		if a.Action != "entry_get" || !known {
			continue
		}
		if reads++; best[by] {
			ofBest++
		}
	}
	if reads == 0 {
		return none("nobody read an entry of an agent")
	}
	return value(float64(ofBest)/float64(reads), reads)
}

// bestPaidWork looks only at agents that have such a belief of two or more aspirations of their role.
func bestPaidWork(r *Run) figure {
	best := make([]string, len(r.Agents)) // kind of goal
	for i := range r.Agents {
		a, most, known := &r.Agents[i], -1.0, 0
		for _, k := range goals.Aspirations(a.Role) {
			if pays, ok := a.WorkPays[k.Domain().String()]; ok {
				if known++; pays > most {
					best[i], most = k.String(), pays
				}
			}
		}
		if known < 2 {
			best[i] = ""
		}
	}
	all, paid := 0, 0
	for i := range r.Acts {
		a := &r.Acts[i]
		if a.Tick < r.midpoint() || best[a.Agent] == "" || !aspiration(r.Agents[a.Agent].Role, a.Kind) {
			continue
		}
		if all++; a.Kind == best[a.Agent] {
			paid++
		}
	}
	if all == 0 {
		return none("nobody knows what work for two aspirations pays")
	}
	return value(float64(paid)/float64(all), all)
}

// aspiration reports whether agents of a role aspire to goals of a kind.
func aspiration(r wire.Role, kind string) bool {
	return slices.ContainsFunc(goals.Aspirations(r), func(k goals.Kind) bool { return k.String() == kind })
}

func claimsFailed(r *Run) figure {
	claims, paid := 0, 0
	for i := range r.Events {
		switch r.Events[i].Payload.(type) {
		case *wire.BountyClaimedEvent:
			claims++
		case *wire.BountyCompletedEvent:
			paid++
		}
	}
	if claims == 0 {
		return none(noClaim)
	}
	return value(1-min(float64(paid)/float64(claims), 1), claims)
}

const noClaim = "nobody claimed a bounty"

func failuresRepeated(r *Run) figure {
	fell, again := 0, 0
	for i := range r.Acts {
		a := &r.Acts[i]
		if !a.Failed {
			continue
		}
		fell++
		for j := i + 1; j < len(r.Acts); j++ {
			b := &r.Acts[j]
			if b.Agent != a.Agent || r.cycle(b.Tick) > r.cycle(a.Tick)+2 {
				break
			}
			if b.Failed && b.Action == a.Action && b.Subject == a.Subject {
				again++
				break
			}
		}
	}
	if fell == 0 {
		return none("no act failed")
	}
	return value(float64(again)/float64(fell), fell)
}

// multiStepKinds lists the kinds of goals whose plans change the world in more than one step. Those of answers and of operators' goals
// only look before they act.
var multiStepKinds = map[string]bool{
	"earn": true, "claim_bounty": true, "improve_reputation": true, "build_library": true, "raise_coverage": true, "design_system": true,
}

func longGoals(r *Run) figure {
	n := 0
	for i := range r.Goals {
		if r.Goals[i].Completed && multiStepKinds[r.Goals[i].Kind] {
			n++
		}
	}
	return value(share(float64(n), float64(r.AgentCycles)), n)
}

// eachClaim calls f for each claim of a bounty that was set after the beginning, with its claimer.
func (r *Run) eachClaim(f func(claimer int, b *wire.BountyCreatedEvent)) {
	created := map[wire.Hash]*wire.BountyCreatedEvent{}
	for i := range r.Events {
		switch e := r.Events[i].Payload.(type) {
		case *wire.BountyCreatedEvent:
			created[e.BountyID] = e
		case *wire.BountyClaimedEvent:
			if b, a := created[e.BountyID], r.agentIndex(e.Claimer); b != nil && a >= 0 {
				f(a, b)
			}
		}
	}
}

// deliveryShare is the part of a cycle's slots that a delivery takes.
const deliveryShare = 8.0 / 64

func claimsBelowWage(r *Run) figure {
	income := make([]float64, len(r.Agents))
	for i := range r.Transactions {
		if t := &r.Transactions[i]; t.To >= 0 && r.cycle(t.Tick) > 0 {
			income[t.To] += float64(t.Amount)
		}
	}
	claims, below := 0, 0
	r.eachClaim(func(a int, b *wire.BountyCreatedEvent) {
		claims++
		if float64(b.Reward) < float64(income[a]/float64(r.Last)*deliveryShare) {
			below++
		}
	})
	if claims == 0 {
		return none(noClaim)
	}
	return value(float64(below)/float64(claims), claims)
}

// paidFor reports whether an act is work for which the world or other agents pay.
func (a *Act) paidFor() bool {
	switch a.Kind {
	case "earn", "claim_bounty", "do_review":
		return true
	}
	return a.Action == "entry_publish" || a.Action == "proposal_vote"
}

func paidWorkOfPoor(r *Run) figure {
	type since struct {
		tick uint64
		poor bool
	}
	changes := make([][]since, len(r.Agents))
	if !r.all().followBalances(func(tick uint64, a int, balance int64) {
		poor, n := balance < povertyLine, len(changes[a])
		if n == 0 || changes[a][n-1].poor != poor {
			changes[a] = append(changes[a], since{tick, poor})
		}
	}) {
		return none(notAddingUp)
	}
	var acts, paid [2]float64 // of all others, and of the poor
	for i := range r.Acts {
		a, who := &r.Acts[i], 0
		for _, c := range changes[a.Agent] {
			if c.tick >= a.Tick { // an act is decided by what the agent had before its tick
				break
			}
			who = 0
			if c.poor {
				who = 1
			}
		}
		acts[who]++
		if a.paidFor() {
			paid[who]++
		}
	}
	switch {
	case acts[1] == 0:
		return none("no agent that acted was poor")
	case paid[0] == 0:
		return none("nobody else did paid work")
	}
	return value(float64(paid[1]/acts[1])/float64(paid[0]/acts[0]), int(acts[1]))
}

func claimsDifficulty(r *Run) figure {
	claims, sum := 0, 0.0
	r.eachClaim(func(_ int, b *wire.BountyCreatedEvent) {
		claims++
		sum += float64(b.Difficulty)
	})
	if claims == 0 {
		return none(noClaim)
	}
	return value(sum/float64(claims), claims)
}

func actsForPeers(r *Run) figure {
	n, done := 0, len(r.productiveActs())
	for i := range r.Acts {
		switch r.Acts[i].Action {
		case "transfer", "escrow_create", "escrow_release":
			n++
		}
	}
	for i := range r.Messages {
		m := &r.Messages[i]
		for _, ref := range m.Refs {
			if m.Author >= 0 && r.agentIndex(wire.AgentID(ref)) >= 0 {
				n++
				break
			}
		}
	}
	if done == 0 {
		return none(noProductive)
	}
	return value(float64(n)/float64(done), done)
}

func ownAccuracy(r *Run) figure {
	judged := map[wire.Hash]bool{}
	for i := range r.Events {
		if v, ok := r.Events[i].Payload.(*wire.EntryVerifiedEvent); ok {
			judged[v.EntryID] = true
		}
	}
	sum, n := 0.0, 0
	for _, e := range r.agentEntries() {
		if judged[e.ID] {
			sum += e.Accuracy
			n++
		}
	}
	if n == 0 {
		return none("no entry was judged")
	}
	return value(sum/float64(n), n)
}
