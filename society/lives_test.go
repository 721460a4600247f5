package society

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

func TestLives(t *testing.T) {
	r := small()
	r.Acts = append(r.Acts, Act{Agent: -1, Tick: 9, Action: "entry_publish"}) // of an agent that is unknown
	r.Events = append(r.Events,
		Event{Tick: 20, Payload: &wire.AgentStatusChangeEvent{AgentID: agentN(2), NewStatus: wire.StatusDormant}},
		Event{Tick: 25, Payload: &wire.AgentStatusChangeEvent{AgentID: agentN(2), NewStatus: wire.StatusActive}},
		Event{Tick: 26, Payload: &wire.BountyCompletedEvent{BountyID: id(20), Claimer: agentN(0)}},
	)
	got := r.Lives()
	want := []Life{
		{Cycles: 3, Acts: 4, Productive: 3, Failed: 1, Entries: 1, Accuracy: .7, Bounties: 1, Spent: 21, Commonest: "bounty_claim"},
		{Cycles: 3, Acts: 3, Productive: 2, Answers: 1, Entries: 2, Accuracy: 1.1, Slept: 1, Earned: 20, Spent: 35, Commonest: "msg_post"},
		{Cycles: 3, Acts: 3, Productive: 2, Failed: 1, Answers: 1, Slept: 2, Rewarded: 60, Commonest: "msg_post"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("lives (-want +got):\n%s", d)
	}
}

// An agent counts for the cycles at whose end it is ACTIVE or DORMANT, but for none in which the world was created.
func TestLives_Cycles(t *testing.T) {
	for _, c := range []struct {
		what       string
		born, died uint64 // born: its warm-up ended; 0: it did not
		want       int
	}{
		{"from the beginning", 5, 0, 3},
		{"awake from the first tick of cycle 1", 10, 0, 3},
		{"warmed up in the last tick of cycle 2", 29, 0, 2},
		{"warmed up in the last cycle", 30, 0, 1},
		{"warmed up in a cycle that has not ended", 40, 0, 0},
		{"dead in cycle 2", 5, 20, 1},
		{"dead in the last cycle", 5, 39, 2},
		{"dead in the cycle of its birth", 21, 29, 0},
		{"still warming up", 0, 0, 0},
		{"dead before it had warmed up", 0, 25, 0},
	} {
		r := small()
		r.Agents[0].Spawned = 4
		r.Events = slices.DeleteFunc(r.Events, func(e Event) bool {
			change, ok := e.Payload.(*wire.AgentStatusChangeEvent)
			return ok && change.AgentID == agentN(0)
		})
		if c.born > 0 {
			r.Events = append(r.Events, Event{Tick: c.born, Payload: bornAs(agentN(0))})
		}
		if c.died > 0 {
			r.Events = append(r.Events, Event{Tick: c.died, Payload: &wire.AgentStatusChangeEvent{AgentID: agentN(0), NewStatus: wire.StatusDead}})
		}
		if got := r.Lives()[0].Cycles; got != c.want {
			t.Errorf("%s: %d cycles; want %d", c.what, got, c.want)
		}
	}
}

// What a sponsor gives a newcomer to begin with is spent, but nothing that the newcomer has earned.
func TestLives_SponsorsPay(t *testing.T) {
	r := small()
	r.Agents[2].Spawned = 25
	before := r.Lives()
	r.Transactions = append(r.Transactions, Transaction{From: 0, To: 2, Amount: 40, Tax: 2, Tick: 25})
	after := r.Lives()
	if got := after[0].Spent - before[0].Spent; got != 42 {
		t.Errorf("the sponsor has spent %d ⚡ more; want 42", got)
	}
	if after[2] != before[2] || after[2].Rewarded != 0 {
		t.Errorf("the newcomer was paid: %+v; before %+v", after[2], before[2])
	}
}

func TestActCounts(t *testing.T) {
	got := small().ActCounts()
	want := []ActCount{
		{"msg_post", 3, []int{0, 3, 0, 0}},
		{"bounty_claim", 2, []int{0, 0, 2, 0}},
		{"entry_verify", 2, []int{0, 0, 2, 0}},
		{"entry_publish", 1, []int{0, 1, 0, 0}},
		{"msg_query", 1, []int{0, 0, 0, 1}},
		{"signal_send", 1, []int{0, 0, 0, 1}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("acts (-want +got):\n%s", d)
	}
}

// An answer to one's own question counts for nobody.
func TestAnswers(t *testing.T) {
	r := small()
	r.Messages = append(r.Messages, Message{ID: id(9), Author: 0, Tick: 33, Kind: wire.MessageKindAnswer, Refs: []wire.Hash{id(1)}})
	if d := cmp.Diff([][]int{{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, r.Answers()); d != "" {
		t.Errorf("answers (-want +got):\n%s", d)
	}
	if got := r.QuestionCount(); got != 2 {
		t.Errorf("%d questions; want 2, that of a system left out", got)
	}
}

func TestMedianBalances(t *testing.T) {
	r := small()
	if got := r.MedianBalances(); !slices.Equal(got, []float64{30, 50, 90, 90}) { // of 150, 30, 30; 129, 50, 30; 129, 15, 90
		t.Errorf("medians %v; want 30, 50, 90, 90", got)
	}
	r.Events = append(r.Events, Event{Tick: 26, Payload: &wire.AgentStatusChangeEvent{AgentID: agentN(1), NewStatus: wire.StatusDead}})
	if got := r.MedianBalances(); got[3] != (129+90)/2. {
		t.Errorf("the median with a dead agent is %v; want that of the two others, 109.5", got[3])
	}
	r.Agents[0].Balance++
	if got := r.MedianBalances(); got != nil {
		t.Errorf("payments that do not add up have medians %v", got)
	}
}

// Money that nobody has moved yet is what the accounts were opened with, also in a run without a payment.
func TestMedianBalances_BeforeAnyPayment(t *testing.T) {
	r := small()
	r.Transactions = r.Transactions[3:] // that of tick 26 alone
	for i, balance := range []int64{100, -5, 30} {
		r.Agents[i].Balance = balance
	}
	if got := r.MedianBalances(); !slices.Equal(got, []float64{30, 30, 30, 30}) {
		t.Errorf("medians %v; want 30 in each cycle, of 100, 30, 30", got)
	}
	r.Transactions = nil
	r.Agents[1].Balance = 30
	r.Events = append(r.Events, Event{Tick: 26, Payload: &wire.AgentStatusChangeEvent{AgentID: agentN(1), NewStatus: wire.StatusDead}})
	if got := r.MedianBalances(); !slices.Equal(got, []float64{30, 30, 65, 65}) {
		t.Errorf("medians %v; want 30, and 65 from the death of one with 30 on", got)
	}
	for i := range r.Events {
		if _, is := r.Events[i].Payload.(*wire.AccountCreatedEvent); is {
			r.Events[i].Tick = 15
		}
	}
	if got := r.MedianBalances(); len(got) != 4 || !math.IsNaN(got[0]) || got[1] != 30 {
		t.Errorf("medians %v; want none in cycle 0, in which nobody has an account, then 30", got)
	}
}
