package sqltest_test

import (
	"kingdom/engine"
	"kingdom/sql/sqltest"
	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/wire/codec"
	"kingdom/world"
	"kingdom/world/mint"
	"kingdom/world/portal"
	"kingdom/world/vault"
)

// tellPrograms adds what Vault, Forge and Portal leave in a store, and how the views must show it.
func tellPrograms(b *engine.Batch, want map[string][]cell) {
	at, cycle := b.Cycle.Tick, b.Cycle.Cycle
	one, two := sqltest.ID(0), sqltest.ID(1)
	box, code, service, tag := wire.Hash{21}, wire.Hash{22}, wire.Hash{23}, wire.Hash{24}
	lib := vault.Repo{ID: wire.Hash{25}, Name: []byte("lib"), Owner: two, Access: action.DefaultAccess(), Tick: 300, Snaps: 3, Proven: 1}
	app := vault.Repo{ID: wire.Hash{26}, Name: []byte("app"), Owner: one, Access: action.DefaultAccess(), ForkOf: &lib.ID, Tick: 301, Snaps: 1}
	listing := vault.Listing{Place: 1, Category: [][]byte{[]byte("library")}, Description: []byte("load it"), Tick: 302}
	dep := vault.Dependency{FromRepo: app.ID, FromSnap: app.ID, ToRepo: lib.ID, ToTag: tag, Required: true, Tick: 303}
	key := append(append(append([]byte{}, app.ID[:]...), app.ID[:]...), lib.ID[:]...)
	page := portal.Request{ID: wire.Hash{27}, Agent: one, URL: []byte("https://example.org/"), Method: wire.HTTPMethodGet, Purpose: []byte("learn"), Status: 200, Cached: true, Ticks: 1, Tick: at}
	fee := mint.Transaction{ID: wire.Hash{28}, From: one, To: two, Amount: 7, Tax: 1, Kind: wire.TransferKindServiceFee, Tick: at}
	fault := wire.FaultDivideByZero

	number := []byte{0, 0, 0, 0, 0, 0, 0, 2}
	chained := func(r world.Row) world.Row { r.Chain = true; return r }
	b.Rows = append(b.Rows,
		chained(sqltest.Record(wire.SystemPortal, "requests", number, codec.New[portal.Request](), &page)),
		chained(sqltest.Record(wire.SystemMint, "transactions", number, codec.New[mint.Transaction](), &fee)),
		sqltest.Record(wire.SystemVault, "repos", lib.ID[:], codec.New[vault.Repo](), &lib),
		sqltest.Record(wire.SystemVault, "repos", app.ID[:], codec.New[vault.Repo](), &app),
		sqltest.Record(wire.SystemVault, "registry", lib.ID[:], codec.New[vault.Listing](), &listing),
		sqltest.Record(wire.SystemVault, "deps", key, codec.New[vault.Dependency](), &dep),
	)
	for i, p := range []struct {
		kind    wire.EventKind
		payload any
	}{
		{wire.KindSandboxCreated, &wire.SandboxCreatedEvent{SandboxID: box, Owner: one, Code: code}},
		{wire.KindSandboxHalted, &wire.SandboxHaltedEvent{SandboxID: box, TicksUsed: 4}},
		{wire.KindSandboxFaulted, &wire.SandboxFaultedEvent{SandboxID: box, Fault: fault, TicksUsed: 5, PC: 6}},
		{wire.KindServiceCreated, &wire.ServiceCreatedEvent{ServiceID: service, Owner: two, Name: []byte("count"), Endpoints: [][]byte{[]byte("serve")}}},
		{wire.KindServiceCompleted, &wire.ServiceCompletedEvent{ServiceID: service, Endpoint: []byte("serve"), TicksUsed: 2}},
	} {
		b.Events = append(b.Events, &wire.Event{
			ID: wire.EventID{Lamport: uint64(at)<<32 | uint64(100+i), Agent: two}, Timestamp: at, Origin: one, System: wire.SystemForge, Kind: p.kind, Payload: p.payload,
		})
	}

	want["repos"] = []cell{
		row("id", lib.ID, "name", "lib", "owner", two.Alias(), "fork_of", nil, "created_at", 300, "created_cycle", 1, "snaps", 3, "proven", 1, "published_at", 302, "description", "load it"),
		row("id", app.ID, "name", "app", "owner", one.Alias(), "fork_of", lib.ID, "created_at", 301, "created_cycle", 1, "snaps", 1, "proven", 0, "published_at", nil, "description", nil),
	}
	want["dependencies"] = []cell{row("from_repo", app.ID, "from_name", "app", "from_owner", one.Alias(), "to_repo", lib.ID, "to_name", "lib", "to_owner", two.Alias(),
		"to_tag", tag, "required", 1, "tick", 303, "cycle", 1)}
	want["pages"] = []cell{row("number", 2, "tick", at, "cycle", cycle, "agent", one.Alias(), "method", "GET", "url", "https://example.org/", "purpose", "learn",
		"status", 200, "failed", "", "cached", 1, "ticks", 1, "cost", 0)}
	want["runs"] = []cell{
		row("tick", at, "cycle", cycle, "owner", one.Alias(), "sandbox", box, "program", code, "state", "HALTED", "fault", nil, "line", nil, "forge_ticks", 4),
		row("tick", at, "cycle", cycle, "owner", one.Alias(), "sandbox", box, "program", code, "state", "FAULTED", "fault", fault, "line", 6, "forge_ticks", 5),
	}
	want["service_calls"] = []cell{row("tick", at, "cycle", cycle, "caller", one.Alias(), "service", service, "name", "count", "owner", two.Alias(), "endpoint", "serve", "forge_ticks", 2, "fee", 7)}
}
