package realm_test

import (
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/world"
	"kingdom/world/realm"
)

// TestNeeds_OnlyIndexedAppendOnlyTables: only the append-only tables that a daemon keeps an index of must be loaded.
func TestNeeds_OnlyIndexedAppendOnlyTables(t *testing.T) {
	r, _ := start(3, open)
	for _, tc := range []struct {
		system wire.System
		table  string
		want   bool
	}{
		{wire.SystemAgora, "messages", true},
		{wire.SystemMint, "transactions", false},
		{wire.SystemAgora, "bounties", false}, // it changes, so it is always loaded
		{wire.SystemVault, "objects", true},
		{wire.SystemVault, "contents", false},   // read one by one
		{wire.SystemForge, "sandboxes", false},  // it changes
		{wire.SystemBridge, "glossary", false},  // no such daemon in this world
		{wire.SystemSession, "messages", false}, // no daemon at all
	} {
		if got := r.Needs(tc.system, tc.table); got != tc.want {
			t.Errorf("%v %s: needed %t, want %t", tc.system, tc.table, got, tc.want)
		}
	}
}

// TestRestore_RefusesForeignRows names the daemon or table that this version has not.
func TestRestore_RefusesForeignRows(t *testing.T) {
	r, _ := start(3, open)
	for want, row := range map[string]world.Row{
		"no such daemon":              {System: wire.SystemBridge, Table: "glossary"},
		`unknown table "nope"`:        {System: wire.SystemMint, Table: "nope"},
		`unknown table "bus.nope"`:    {System: wire.SystemNexus, Table: "bus.nope"},
		"table bus.feed is empty":     {System: wire.SystemMint, Table: "transactions", Chain: true},
		`unknown table "bus.queues"`:  {System: wire.SystemMint, Table: "bus.queues"},
		"bus.queues: key 00 has 1 by": {System: wire.SystemNexus, Table: "bus.queues", Key: []byte{0}},
	} {
		err := realm.New(r.Rules()).Restore(give([]world.Row{row}), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v %s: error %v, want one about %q", row.System, row.Table, err, want)
		}
	}
}

// Every daemon that exists has its hash in the place of its system.
func TestComponents_HashOfEachDaemonInItsPlace(t *testing.T) {
	r, boot := start(3, open)
	for i, h := range r.Components() {
		s := wire.System(i + 1)
		exists := s == wire.SystemNexus || s == wire.SystemAgora || s == wire.SystemOracle || s == wire.SystemVault || s == wire.SystemForge || s == wire.SystemMint || s == wire.SystemPortal
		if h.IsZero() == exists || h != boot.End.Components[i] {
			t.Errorf("%v: component %v, at the cycle end %v", s, h, boot.End.Components[i])
		}
	}
}

// TestMetrics_ComeFromEveryDaemon: each number comes from the daemon that has it.
func TestMetrics_ComeFromEveryDaemon(t *testing.T) {
	x := newTown(t, 8)
	x.ok(x.ids[0], wire.TypeTransfer, &wire.Transfer{To: x.ids[1], Amount: 10, Kind: wire.TransferKindDirect})
	x.ok(x.ids[0], wire.TypeBountyCreate, bounty(10))
	m := x.EndCycle(nil).Metrics
	transfers := uint64(0)
	for _, e := range x.TakeEvents() {
		if e.Kind == wire.KindTransferCompleted {
			transfers++
		}
	}
	if m.Cycle != 1 || m.OracleEntries != 1 || m.Agents != 8 || m.OpenBounties != 8 || m.CirculatingSupply == 0 {
		t.Errorf("metrics of cycle 1: %+v", m)
	}
	if transfers == 0 || m.TotalTransactions < transfers {
		t.Errorf("%d transactions, %d transfers were seen", m.TotalTransactions, transfers)
	}
}

// give hands over rows as a store does.
func give(rows []world.Row) func(load func(world.Row) error) error {
	return func(load func(world.Row) error) error {
		for _, r := range rows {
			if err := load(r); err != nil {
				return err
			}
		}
		return nil
	}
}
