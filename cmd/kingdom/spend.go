package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"kingdom/llm"
	"kingdom/llm/openai"
	"kingdom/llm/spend"
	"kingdom/observe"
	"kingdom/scenarios"
	"kingdom/wire"
)

// meter is the ledger of a run, with the endpoints to which its calls go and the logs that get its warnings.
type meter struct {
	ledger    *spend.Ledger
	endpoints *openai.Endpoints // nil: no model is asked
	logs      atomic.Pointer[observe.Logs]
	newCap    *float64 // new cap of the whole run by --budget, in US dollars; nil: unchanged
	limit     *uint64  // new cap of a run whose sweep has a budget, in micro-dollars; nil: unchanged
	asks      bool     // some model is asked
}

// newMeter creates the ledger of a scenario, in which nothing is spent yet. raise is a new cap of the run, nil for
// none. It returns an error if a cap applies to a model without a price that is asked in these cycles. say prints a warning when a
// cap is near.
func newMeter(sc *scenarios.Scenario, cycles span, raise *float64, say func(format string, args ...any)) (*meter, error) {
	m := &meter{newCap: raise}
	c := caps(&sc.Minds.Caps)
	m.asks = len(usedModels(sc)) > 0
	for _, used := range usedModelsIn(sc, cycles) {
		if err := checkPriced([]*scenarios.Model{used}, raise != nil || capsModel(&c, used.Name)); err != nil {
			return nil, err
		}
	}
	m.ledger = spend.New(c, func(w spend.Warning) {
		if !w.OfAgent() { // there may be a thousand agents: their warnings go to the log only
			say("%v", w.String())
		}
		if logs := m.logs.Load(); logs != nil {
			logs.Spend(observe.Spend{Cap: w.Of(), Percent: w.Percent, CapMicroUSD: w.CapMicroUSD, SpentMicroUSD: w.SpentMicroUSD})
		}
	})
	return m, nil
}

// checkPriced returns an error if a cap applies to models of which one has no price.
func checkPriced(used []*scenarios.Model, capped bool) error {
	for _, m := range used {
		if capped && !hasPrice(m) {
			return usagef("a cap bounds what may be spent, but the model %q has no price: give minds.models.%s.price_input and price_output, or no cap", m.Name, m.Name)
		}
	}
	return nil
}

// capsModel reports whether some cap applies to the calls to a model.
func capsModel(c *spend.Caps, model string) bool {
	_, own := c.Model[model]
	return own || c.Run != nil || c.Agent != nil || len(c.Tier) > 0
}

// warnUnpriced warns of models without a price: their calls count as free, so no cap stops them. For a model on the
// user's own machine that may be intended.
func warnUnpriced(sc *scenarios.Scenario, budget bool, say func(format string, args ...any)) {
	c := caps(&sc.Minds.Caps)
	for _, m := range usedModels(sc) {
		if budget || capsModel(&c, m.Name) {
			sayUnpriced(m, say)
		}
	}
}

// sayUnpriced warns that no cap stops calls to a model, if it has no price.
func sayUnpriced(m *scenarios.Model, say func(format string, args ...any)) {
	if prices(m) == (openai.Prices{}) && m.Endpoint != "" {
		say("warning: no cap stops calls to the model %q: it has no price, so they count as free unless its server reports what they cost; give minds.models.%s.price_input and price_output, in US dollars per million tokens", m.Name, m.Name)
	}
}

// hasPrice reports whether calls to a model can be counted in dollars: it has a price, or it is on the user's own machine
// and may be free. A model without an endpoint passes, since nobody can call it: the endpoint is what the user must give
// first, and says where the model is.
func hasPrice(s *scenarios.Model) bool {
	m := openai.Model{Endpoint: s.Endpoint, Prices: prices(s)}
	return m.Prices != (openai.Prices{}) || m.Endpoint == "" || m.Local()
}

// caps converts the caps of a scenario.
func caps(s *scenarios.Caps) spend.Caps {
	c := spend.Caps{Run: capOf(s.Run), Agent: capOf(s.Agent), Model: map[string]uint64{}, Tier: map[llm.Tier]uint64{}}
	for _, m := range s.Model {
		c.Model[m.Name] = microUSD(m.USD)
	}
	for i, usd := range s.Tier.All() {
		if micro := capOf(usd); micro != nil {
			c.Tier[llm.Tier(i+1)] = *micro
		}
	}
	return c
}

// capOf is a cap in micro-dollars, nil for none.
func capOf(usd float64) *uint64 {
	if usd < 0 {
		return nil
	}
	micro := microUSD(usd)
	return &micro
}

// open loads the ledger of the run directory and sets a new cap, if there is one.
func (m *meter) open(dir string) error {
	if m.newCap != nil && !m.asks {
		return noBudgetError(dir)
	}
	if !m.asks {
		return nil
	}
	if err := m.ledger.Open(filepath.Join(dir, spend.FileName)); err != nil {
		return err
	}
	if m.limit != nil {
		return m.ledger.SetRunCap(*m.limit)
	}
	if m.newCap == nil {
		return nil
	}
	if err := checkBudget(*m.newCap); err != nil {
		return err
	}
	micro := microUSD(*m.newCap)
	if spent := m.ledger.Totals().Run.CostMicroUSD; micro < spent {
		return usagef("--budget is %s, and %s has spent %s already; it bounds the whole run, not what is to come", llm.USD(micro), dir, llm.USD(spent))
	}
	return m.ledger.SetRunCap(micro)
}

// checkBudget returns an error for a budget outside of 0 to maxBudget. In a scenario a negative cap would mean none.
func checkBudget(usd float64) error {
	if usd >= 0 && usd <= maxBudget {
		return nil
	}
	return usagef("--budget is %v; want a number of US dollars from 0 to %d", usd, maxBudget)
}

// noBudgetError says that --budget is useless because no model is asked.
func noBudgetError(what string) error {
	return usagef("%s asks no models, so that it needs no --budget; leave it out", what)
}

// maxBudget is the highest cap, in US dollars: that of minds.caps.run_usd.
const maxBudget = 1_000_000

// spent returns what the run has spent since it began, nil if it asks no model.
func (m *meter) spent() *spend.Totals {
	if !m.asks {
		return nil
	}
	t := m.ledger.Totals()
	return &t
}

// totalJSON has sums over a number of calls.
type totalJSON struct {
	Calls     uint64 `json:"calls"`
	Failed    uint64 `json:"failed"`
	Prompt    uint64 `json:"prompt_tokens"`
	Cached    uint64 `json:"cached_tokens"`
	Output    uint64 `json:"output_tokens"`
	Reasoning uint64 `json:"reasoning_tokens"`
	Cost      uint64 `json:"cost_micro_usd"`
	Estimated bool   `json:"estimated"`
}

func toTotal(t *spend.Total) totalJSON {
	return totalJSON{t.Calls, t.Failed, t.PromptTokens, t.CachedTokens, t.OutputTokens, t.ReasoningTokens, t.CostMicroUSD, t.Estimated}
}

// spendJSON is the part of a summary about models. What another run paid for is not in its sums.
type spendJSON struct {
	totalJSON
	Reused    int              `json:"reused_calls,omitempty"` // of the cycles that a fork has in common with its parent, which paid for them
	LostCalls uint64           `json:"lost_calls"`
	LostCost  uint64           `json:"lost_micro_usd"`
	Models    []modelSpendJSON `json:"models"`
	Agents    []agentSpendJSON `json:"agents"` // the most expensive ones
}

type agentSpendJSON struct {
	Agent string `json:"agent"`
	Alias string `json:"alias"`
	Name  string `json:"name,omitempty"` // as the scenario has it
	totalJSON
}

// topSpenders is how many of the most expensive agents are shown.
const topSpenders = 5

type modelSpendJSON struct {
	Model string `json:"model"`
	totalJSON
	Unusable int `json:"unusable"` // answers that could not be used
	Answers  int `json:"answers"`
	Reused   int `json:"reused_answers"` // of the answers
}

func toSpend(t *spend.Totals, n *modelAnswers, names map[wire.AgentID]string) *spendJSON {
	if t == nil {
		return nil
	}
	t = withReused(t, n)
	out := &spendJSON{totalJSON: toTotal(&t.Run), LostCalls: t.Lost.Calls, LostCost: t.Lost.CostMicroUSD, Models: []modelSpendJSON{}, Agents: []agentSpendJSON{}}
	for i := range t.Models {
		got := n.of(t.Models[i].Model)
		out.Models = append(out.Models, modelSpendJSON{t.Models[i].Model, toTotal(&t.Models[i].Total), got.unusable, got.all, got.reused})
	}
	if n != nil {
		out.Reused = n.reusedCalls
	}
	for i := range min(topSpenders, len(t.Agents)) {
		out.Agents = append(out.Agents, agentSpendJSON{t.Agents[i].Agent.String(), t.Agents[i].Agent.Alias(), names[t.Agents[i].Agent], toTotal(&t.Agents[i].Total)})
	}
	return out
}

// withReused returns sums that also have the models of which a run only reused answers.
func withReused(t *spend.Totals, n *modelAnswers) *spend.Totals {
	if n == nil {
		return t
	}
	out := *t
	out.Models = slices.Clone(t.Models)
	for _, name := range slices.Sorted(maps.Keys(n.byModel)) {
		if !slices.ContainsFunc(out.Models, func(m spend.ModelTotal) bool { return m.Model == name }) {
			out.Models = append(out.Models, spend.ModelTotal{Model: name})
		}
	}
	return &out
}

// idleText says how many slots passed without an answer of a model, and why.
func idleText(idle *llm.Unanswered, dir string) string {
	return fmt.Sprintf("%s passed without an answer of a model (%v); kingdom tail %s --nop says more", llm.Count(idle.All(), "slot"), idle, shellQuote(dir))
}

// whyIdle returns the counts for --json, nil if no slot was idle.
func whyIdle(idle llm.Unanswered) *llm.Unanswered {
	if idle.All() == 0 {
		return nil
	}
	return &idle
}

// writeSpend writes a line per model of the run in dir, with what came of its answers, and sums.
func writeSpend(b *strings.Builder, t *spend.Totals, n *modelAnswers, dir string) {
	if t == nil {
		return
	}
	t = withReused(t, n)
	for i := range t.Models {
		m := &t.Models[i]
		fmt.Fprintf(b, "  model       %s: %s\n", m.Model, totalText(&m.Total))
		if m.Calls > 0 && 2*m.Failed > m.Calls {
			none := fmt.Sprintf("%d of %d calls to %s brought no answer", m.Failed, m.Calls, m.Model)
			if m.Failed == m.Calls {
				none = fmt.Sprintf("no call to %s brought an answer", m.Model)
			}
			fmt.Fprintf(b, "  unanswered  %s; kingdom doctor %s says what to change\n", none, shellQuote(dir))
		}
		got := n.of(m.Model)
		if got.unusable > 0 {
			fmt.Fprintf(b, "  unusable    %d of %s of %s%s could not be used; kingdom tail %s --think says why\n", got.unusable, llm.Count(uint64(got.all), "answer"), m.Model, got.reusedText(), shellQuote(dir))
		} else if got.reused > 0 {
			fmt.Fprintf(b, "  reused      %d of %s of %s\n", got.reused, llm.Count(uint64(got.all), "answer"), m.Model)
		}
	}
	if n != nil && n.reusedCalls > 0 {
		fmt.Fprintf(b, "  parent      %s for the common cycles, paid for by %s, not counted here\n", llm.Count(uint64(n.reusedCalls), "call"), n.parent)
	}
	if len(t.Models) != 1 {
		fmt.Fprintf(b, "  spent       %s\n", totalText(&t.Run))
	}
	if t.Lost.Calls > 0 {
		fmt.Fprintf(b, "  lost        %s of it in %s whose process was killed: counted at the most that they can have cost\n", llm.USD(t.Lost.CostMicroUSD), llm.Count(t.Lost.Calls, "call"))
	}
}

func totalText(t *spend.Total) string {
	failed, estimated := "", ""
	if t.Failed > 0 {
		failed = fmt.Sprintf(" (%d failed)", t.Failed)
	}
	if t.Estimated {
		estimated = ", some of it estimated"
	}
	return fmt.Sprintf("%s%s, %d tokens in (%d cached), %d out (%d thinking), %s%s",
		llm.Count(t.Calls, "call"), failed, t.PromptTokens, t.CachedTokens, t.OutputTokens, t.ReasoningTokens, llm.USD(t.CostMicroUSD), estimated)
}

// spentBy reads from the store what the thoughts of some cycles of a run cost, of these agents only; nil: of all. It returns nil
// if no model was asked in them.
func spentBy(ctx context.Context, run *openedRun, first, last wire.Cycle, only []wire.AgentID) (*spend.Totals, error) {
	calls, err := run.store.CallTotals(ctx, first, last)
	if err != nil || len(calls) == 0 {
		return nil, err
	}
	var tally spend.Tally
	for _, c := range calls {
		if only == nil || slices.Contains(only, c.Agent) {
			tally.Add(c.Agent, c.Model, spend.Total{Calls: c.Calls, Failed: c.Failed, Spent: c.Spent})
		}
	}
	t := tally.Totals()
	return &t, nil
}

// spentInAll returns what the ledger of a run says, if it has more calls than the store, else stored: a cycle that is
// not finished is only in the ledger. more is the number of these calls. running says that the run goes on: then calls
// that are not settled are not lost.
func spentInAll(dir string, stored *spend.Totals, running bool) (t *spend.Totals, more uint64, err error) {
	ledger, err := spend.Read(filepath.Join(dir, spend.FileName))
	if err != nil {
		return nil, 0, err
	}
	if stored != nil {
		more = stored.Run.Calls
	}
	if ledger.Run.Calls <= more {
		return stored, 0, nil
	}
	if running {
		ledger.Lost = spend.Total{}
	}
	return &ledger, ledger.Run.Calls - more, nil
}

// printSpent prints what was spent by model and by the most expensive agents. more is how many of the calls are only in
// the ledger.
func (a *app) printSpent(t *spend.Totals, n *modelAnswers, more uint64, names map[wire.AgentID]string, dir string) {
	if t == nil {
		return
	}
	var b strings.Builder
	b.WriteString("spent on models\n")
	writeSpend(&b, t, n, dir)
	for i := range min(topSpenders, len(t.Agents)) {
		fmt.Fprintf(&b, "  agent       %s: %s\n", cmp.Or(names[t.Agents[i].Agent], t.Agents[i].Agent.Alias()), totalText(&t.Agents[i].Total))
	}
	if more > 0 {
		fmt.Fprintf(&b, "  ledger      %s of it of a cycle that is not finished, or of thoughts that were not used\n", llm.Count(more, "call"))
	}
	fmt.Fprint(a.out, b.String())
}
