package mint

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kingdom/wire"
)

const (
	codeNF = 0x0600
	codeCF = 0x0601
	codeQE = 0x0602
	codeIR = 0x0603
	codeUA = 0x0604
)

func direct(to wire.AgentID, amount uint64) *wire.Transfer {
	return &wire.Transfer{To: to, Amount: amount, Kind: wire.TransferKindDirect}
}

func buy(r wire.Resource, amount uint64) *wire.Transfer {
	return &wire.Transfer{
		To: Treasury, Amount: amount, Kind: wire.TransferKindResourceBuy,
		Memo: wire.ResourceMemoCodec.Append(nil, &wire.ResourceMemo{Resource: r}),
	}
}

func TestGenesis_Amounts(t *testing.T) {
	for _, tt := range []struct{ n, supply, treasury, reserve int }{
		{8, 10_000, 5_000, 4_200}, {64, 80_000, 40_000, 33_600}, {1000, 1_250_000, 625_000, 525_000},
	} {
		b := newBench(t, tt.n)
		if int(b.Total()) != tt.supply || int(b.Balance(Treasury)) != tt.treasury || int(b.Balance(wire.ReserveID)) != tt.reserve {
			t.Errorf("n=%d: supply %d, treasury %d, reserve %d", tt.n, b.Total(), b.Balance(Treasury), b.Balance(wire.ReserveID))
		}
		if b.pool() != uint64(tt.treasury/100) {
			t.Errorf("n=%d: a pool of %d, want a hundredth of the treasury", tt.n, b.pool())
		}
		first := b.c.Events[0].Payload
		if got, ok := first.(*wire.AccountCreatedEvent); !ok || got.Owner != Treasury || int(got.InitialBalance) != tt.treasury {
			t.Errorf("n=%d: the first event is %+v, want the treasury's account", tt.n, first)
		}
		b.checkSupply()
	}
}

func TestTax(t *testing.T) {
	for amount, want := range map[uint64]uint64{1: 1, 19: 1, 20: 1, 39: 1, 40: 2, 100: 5, 1999: 99} {
		if got := Tax(amount); got != want {
			t.Errorf("tax on %d is %d, want %d", amount, got, want)
		}
	}
}

func TestTransfer_DirectIsTaxedOnTop(t *testing.T) {
	b := newBench(t, 8)
	b.kinds()
	r := b.must(id(0), direct(id(1), 40))
	if d := cmp.Diff(&wire.TransferAck{TxID: b.c.Msg, Tax: 2}, r.Body); d != "" {
		t.Error(d)
	}
	b.balances(58, 140)
	if got := b.Balance(Treasury); got != 5_002 {
		t.Errorf("treasury holds %d, want 5002", got)
	}
	if d := cmp.Diff([]string{"transfer_completed"}, b.kinds()); d != "" {
		t.Error(d)
	}
	acc, _ := b.Account(id(0))
	if acc.TotalSpent != 42 || acc.TotalEarned != 0 {
		t.Errorf("spent %d, earned %d", acc.TotalSpent, acc.TotalEarned)
	}
	if b.Earnings(id(1)) != 0 {
		t.Error("a gift counts as earned for reputation")
	}
}

func TestTransfer_Refusals(t *testing.T) {
	b := newBench(t, 8)
	b.die(id(7))
	for _, tt := range []struct {
		req    *wire.Transfer
		code   uint32
		reason string
	}{
		{direct(id(1), 0), codeIR, "amount"},
		{direct(id(1), 1<<63), codeIR, "amount"},
		{direct(id(0), 5), codeIR, "self"},
		{direct(wire.AgentID{9}, 5), codeNF, "account"},
		{direct(id(7), 5), codeNF, "account"},
		{direct(Treasury, 5), codeNF, "account"},
		{direct(id(1), 96), codeQE, "funds"}, // 96 + 4 fits, see below; 97 does not
		{direct(id(1), 1<<62), codeQE, "funds"},
		{&wire.Transfer{To: id(1), Amount: 5, Kind: wire.TransferKindServiceFee}, codeIR, "kind"},
		{&wire.Transfer{To: id(1), Amount: 5, Kind: wire.TransferKindBountyEscrow}, codeIR, "kind"},
		{&wire.Transfer{To: id(1), Amount: 5, Kind: wire.TransferKindBountyReward}, codeIR, "kind"},
		{&wire.Transfer{To: id(1), Amount: 5, Kind: wire.TransferKindGrant}, codeIR, "kind"},
		{&wire.Transfer{To: id(1), Amount: 5, Kind: wire.TransferKindTaxRefund}, codeIR, "kind"},
		{&wire.Transfer{To: id(1), Amount: 5, Kind: wire.TransferKindResourceBuy}, codeIR, "kind"},
		{&wire.Transfer{To: Treasury, Amount: 5, Kind: wire.TransferKindResourceBuy, Memo: []byte("ticks")}, codeIR, "kind"},
		{&wire.Transfer{To: id(1), Amount: 5, Kind: wire.TransferKindResourceBuy, Memo: buy(wire.ResourceTicks, 5).Memo}, codeIR, "kind"},
		{buy(wire.ResourceTicks, 49), codeIR, "amount"},
		{buy(wire.ResourceStorage, 1<<41), codeIR, "amount"},
		{buy(wire.ResourceForgeTicks, 751), codeIR, "amount"},
		{buy(wire.ResourceStorage, 101), codeQE, "funds"},
	} {
		if tt.req.Amount == 96 {
			tt.req.Amount = 97
		}
		b.refused(id(0), tt.req, tt.code, tt.reason)
	}
	b.must(id(0), direct(id(1), 96))
	b.balances(0, 196)
}

func TestTransfer_FailureIsReported(t *testing.T) {
	b := newBench(t, 8)
	b.kinds()
	b.refused(id(0), direct(id(1), 200), codeQE, "funds")
	e := b.c.Events[0]
	want := &wire.TransferFailedEvent{TxID: b.c.Msg, From: id(0), To: id(1), Amount: 200, Reason: []byte("funds")}
	if d := cmp.Diff(want, e.Payload); d != "" || e.Origin != id(0) {
		t.Error(d)
	}
}

func TestPurchase_LastsOneCycle(t *testing.T) {
	b := newBench(t, 8)
	b.must(id(0), buy(wire.ResourceTicks, 10))
	b.must(id(0), buy(wire.ResourceTicks, 38)) // 192 in all
	b.refused(id(0), buy(wire.ResourceTicks, 1), codeIR, "amount")
	b.must(id(1), buy(wire.ResourceTicks, 1))
	b.must(id(1), buy(wire.ResourceStorage, 2))
	b.balances(52, 97)
	b.c.Boundary(512, 0)
	if got := b.TakeExtra(b.c, id(0)); got != 192 {
		t.Errorf("agent 0 bought 192 ticks, got %d", got)
	}
	if got := b.TakeExtra(b.c, id(0)); got != 0 {
		t.Errorf("ticks were taken twice: %d", got)
	}
	b.c.Boundary(768, 0)
	if got := b.TakeExtra(b.c, id(1)); got != 0 {
		t.Errorf("ticks bought two cycles ago are still there: %d", got)
	}
	b.at(770)
	b.must(id(1), buy(wire.ResourceForgeTicks, 3))
	want := &Purchases{Cycle: 3, ForgeTicks: 12, Storage: 20_480}
	if d := cmp.Diff(want, b.purchases.table.Get(id(1))); d != "" {
		t.Error(d)
	}
}

func TestBalanceQuery(t *testing.T) {
	b := newBench(t, 8)
	if r := b.Lock(b.c, id(1), 30); r != nil {
		t.Fatal(r)
	}
	r := b.must(id(0), &wire.BalanceQuery{AgentID: id(1)})
	if d := cmp.Diff(&wire.BalanceQueryReply{Owner: id(1), Balance: 100, Locked: 30}, r.Body); d != "" {
		t.Error(d)
	}
	b.refused(id(0), &wire.BalanceQuery{AgentID: wire.AgentID{9}}, codeNF, "account")
	b.refused(id(0), &wire.Ping{}, wire.CodeUnknownType, "unknown_type")
}

func TestLedger_LockedMoneyCannotBeSpent(t *testing.T) {
	b := newBench(t, 8)
	b.Lock(b.c, id(0), 60)
	b.refused(id(0), direct(id(1), 40), codeQE, "funds")
	if r := b.Fee(b.c, id(0), 41); r == nil || r.Reason != "funds" {
		t.Errorf("a fee of 41 from 40 available: %v", r)
	}
	if r := b.Fee(b.c, id(0), 5); r != nil {
		t.Error(r)
	}
	b.PayLocked(b.c, id(0), id(1), 10, wire.TransferKindDirect)
	b.Unlock(b.c, id(0), 50)
	b.balances(85, 110)
	if got := b.Available(id(0)); got != 85 {
		t.Errorf("available %d, want 85", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("money that is not locked was unlocked")
		}
	}()
	b.Unlock(b.c, id(0), 1)
}

func TestGrant_ZeroWhenReserveIsEmpty(t *testing.T) {
	b := newBench(t, 8)
	b.Open(b.c, id(50), 0)
	b.roster.ids, b.roster.status[id(50)] = append(b.roster.ids, id(50)), wire.StatusEmbryo
	for range 42 {
		b.Grant(b.c, id(50))
	}
	if got := b.Balance(wire.ReserveID); got != 0 {
		t.Errorf("reserve holds %d after 42 grants", got)
	}
	if got := b.Grant(b.c, id(50)); got != 0 || b.Balance(Treasury) != 5_000 {
		t.Errorf("43rd grant %d, treasury %d", got, b.Balance(Treasury))
	}
	b.checkSupply()
}

func TestEarnings_CapPerPayerAndCommerceMilestone(t *testing.T) {
	b := newBench(t, 8)
	b.Lock(b.c, id(0), 80)
	b.PayLocked(b.c, id(0), id(2), 40, wire.TransferKindServiceFee)
	b.PayLocked(b.c, id(0), id(2), 40, wire.TransferKindServiceFee)
	b.Lock(b.c, id(1), 7)
	b.PayLocked(b.c, id(1), id(2), 7, wire.TransferKindServiceFee)
	if got := b.Earnings(id(2)); got != 22 {
		t.Errorf("earnings %d, want 15 + 7", got)
	}
	if len(b.roster.milestones) == 0 || b.roster.milestones[0] != "commerce" {
		t.Errorf("milestones %v", b.roster.milestones)
	}
}

// Who pays itself has not traded with anybody.
func TestEarnings_PaymentToOneselfIsNoCommerce(t *testing.T) {
	b := newBench(t, 8)
	b.Lock(b.c, id(0), 10)
	b.PayLocked(b.c, id(0), id(0), 10, wire.TransferKindServiceFee)
	if len(b.roster.milestones) > 0 {
		t.Errorf("milestones %v", b.roster.milestones)
	}
}

// Agents' payments to the treasury fill the pool; what it gets of the dead does not.
func TestFillPool_MoneyOfTheDeadIsNoIncome(t *testing.T) {
	b := newBench(t, 8)
	b.must(id(0), buy(wire.ResourceTicks, 3))
	if got := b.counters().Income; got != 3 {
		t.Errorf("income %d after a purchase of 3", got)
	}
	treasury := b.Balance(Treasury)
	b.die(id(1))
	if got := b.counters().Income; got != 3 || b.Balance(Treasury) != treasury+100 {
		t.Errorf("income %d, treasury %+d after a death", got, b.Balance(Treasury)-treasury)
	}
}

// The event of a payment to a system is about the payer, any other about who is paid.
func TestTransfer_EventIsAboutAnAgent(t *testing.T) {
	b := newBench(t, 8)
	origin := func(pay func()) wire.AgentID {
		b.c.Events, b.c.Source = nil, Treasury
		pay()
		for _, e := range b.c.Events {
			if e.Kind == wire.KindTransferCompleted {
				return e.Origin
			}
		}
		return wire.AgentID{}
	}
	b.Lock(b.c, id(0), 20)
	for _, tt := range []struct{ to, want wire.AgentID }{{Treasury, id(0)}, {id(1), id(1)}} {
		got := origin(func() { b.PayLocked(b.c, id(0), tt.to, 10, wire.TransferKindDirect) })
		if got != tt.want {
			t.Errorf("a payment to %v is about %v, want %v", tt.to, got, tt.want)
		}
	}
}

// What is left of a spawn grant cannot be sent to other agents, and the refusal says how much can.
func TestTransfer_EarmarkedMoneyIsRefused(t *testing.T) {
	b := newBench(t, 8)
	b.accounts.Edit(id(0)).Earmarked = 60
	r := b.do(id(0), direct(id(1), 50))
	if r.Err == nil || string(r.Err.Message) != "funds" {
		t.Fatalf("%+v", r.Err)
	}
	have, _ := r.Err.Context.Get("have")
	need, _ := r.Err.Context.Get("need")
	if string(have) != "40" || string(need) != "52" {
		t.Errorf("have %s, need %s; want 40, 52", have, need)
	}
}

// Storage and forge ticks can be bought up to a bound; a memo that is a map is kept canonically.
func TestPurchase_Bounds(t *testing.T) {
	b := newBench(t, 8)
	b.purchases.table.Put(id(0), &Purchases{Storage: 64<<20 - 3*wire.BytesPerSpark})
	b.refused(id(0), buy(wire.ResourceStorage, 4), codeIR, "amount")
	b.must(id(0), buy(wire.ResourceStorage, 3))
	q := direct(id(1), 1)
	q.Memo = []byte("\x82\xA1b\xCC\x01\xA1a\x02")
	b.must(id(0), q)
	rows := b.State().TakeRows()
	found := false
	for _, r := range rows {
		found = found || r.Table == "transactions" && bytes.Contains(r.Body, []byte("\x82\xA1a\x02\xA1b\x01"))
	}
	if !found {
		t.Error("the memo is not kept in its canonical form")
	}
}

// The receiver of a payment reads its memo in the event; what Mint or the treasury move has none.
func TestTransfer_EventRepeatsTheMemo(t *testing.T) {
	b := newBench(t, 8)
	memo := func(q *wire.Transfer) string {
		b.c.Events = nil
		b.must(id(0), q)
		for _, e := range b.c.Events {
			if p, ok := e.Payload.(*wire.TransferCompletedEvent); ok && p.Memo != nil {
				return string(*p.Memo)
			}
		}
		return ""
	}
	thanks := direct(id(1), 5)
	thanks.Memo = wire.TextContent("thanks")
	for want, q := range map[string]*wire.Transfer{"thanks": thanks, "": direct(id(1), 5)} { //house:sorted each alone
		if got := memo(q); got != want {
			t.Errorf("the event says %q, want %q", got, want)
		}
	}
	if got := memo(buy(wire.ResourceTicks, 1)); got != "" {
		t.Errorf("a purchase says %q", got)
	}
}
