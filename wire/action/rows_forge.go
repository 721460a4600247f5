package action

import "kingdom/wire"

func forgeRows() []Row {
	return []Row{
		{
			Type: wire.TypeSandboxCreate, Domain: DomainLanguage, Ticks: 5, Epoch: gateFree,
			BoundOf: sandboxBound, Cost: "1 per KiB of memory above 64, 10 if persistent",
			Summary: "Make a sandbox to run a stored program.",
		},
		{
			Type: wire.TypeSandboxStatus, Domain: DomainLanguage, Ticks: 1, Read: true, Epoch: gateFree,
			Summary: "Look at a sandbox.",
		},
		{
			Type: wire.TypeSandboxKill, Domain: DomainLanguage, Ticks: 1, Epoch: gateFree,
			Summary: "End a sandbox of yours, and its service.",
		},
		{
			Type: wire.TypeExecStart, Domain: DomainLanguage, Ticks: 1, Epoch: gateFree,
			BoundOf: execBound, TicksOf: execTicks,
			Summary: "Run your sandbox for 1 tick per 100 forge ticks used; its output is in your next prompt.",
		},
		{
			Type: wire.TypeProofRequest, Domain: DomainLanguage, Ticks: 2, Epoch: gateCode,
			BoundOf: proofBound, TicksOf: proofTicks,
			Summary: "Have Forge prove the result of a finished run of yours, for twice its ticks.",
		},
		{
			Type: wire.TypeServiceCreate, Domain: DomainLibrary, Ticks: 1, Epoch: gateServe,
			Cost:    "10 per cycle",
			Summary: "Let others call functions of your persistent sandbox.",
		},
		{
			Type: wire.TypeServiceCall, Domain: DomainExperiment, Ticks: 1, Epoch: gateFree,
			Cost:    "fee + 5 % tax",
			Summary: "Call a function of a service; its reply is in your next prompt.",
		},
		{
			Type: wire.TypeLinkResolve, Domain: DomainLibrary, Ticks: 2, Epoch: gateCode,
			BoundOf: linkBound,
			Summary: "Store a program with lines in front that load others; 2 ticks per import.",
		},
	}
}

// FreeMemory is the memory of a sandbox, in bytes, that costs nothing.
const FreeMemory = 65_536

// MemoryPrice returns the ⚡ that a sandbox with a memory quota of this many bytes costs: 1 for each KiB above
// FreeMemory, rounded up.
func MemoryPrice(quota uint64) uint64 {
	over := quota - min(quota, FreeMemory)
	return over/1024 + min(over%1024, 1)
}

// PersistentPrice is what a persistent sandbox costs for a cycle, in ⚡, in advance.
const PersistentPrice = 10

// SandboxPrice returns the ⚡ that it costs to make a sandbox: its memory and, if it is persistent, its first cycle.
func SandboxPrice(q *wire.SandboxCreate) uint64 {
	price := MemoryPrice(q.MemoryQuota)
	if q.Persistent {
		price += PersistentPrice
	}
	return price
}

// RunTicks returns the ticks that a run of this many forge ticks costs the agent.
func RunTicks(forge uint64) uint64 { return max(1, forge/100+min(forge%100, 1)) }

func sandboxBound(payload any, _ *wire.View) Cost {
	q, _ := payload.(*wire.SandboxCreate)
	return Cost{Ticks: 5, Spark: SandboxPrice(q)}
}

// sandboxIn finds a sandbox of the reader of a view; nil if it has none of that id.
func sandboxIn(v *wire.View, id wire.Hash) *wire.SandboxView {
	if v != nil {
		for i := range v.Sandboxes {
			if v.Sandboxes[i].ID == id {
				return &v.Sandboxes[i]
			}
		}
	}
	return nil
}

func execBound(payload any, v *wire.View) Cost {
	if s := sandboxIn(v, payload.(*wire.ExecStart).SandboxID); s != nil {
		return Cost{Ticks: RunTicks(s.TickBudget)}
	}
	return Cost{Ticks: 1}
}

func execTicks(reply any) uint64 {
	if r, ok := reply.(*wire.ExecStartAck); ok {
		return r.Ticks
	}
	return 1
}

func proofBound(payload any, v *wire.View) Cost {
	if s := sandboxIn(v, payload.(*wire.ProofRequest).SandboxID); s != nil {
		return Cost{Ticks: 2 * RunTicks(s.TicksUsed)}
	}
	return Cost{Ticks: 2}
}

func proofTicks(reply any) uint64 {
	if r, ok := reply.(*wire.ProofRequestAck); ok {
		return r.Ticks
	}
	return 2
}

func linkBound(payload any, _ *wire.View) Cost {
	return Cost{Ticks: 2 * uint64(len(payload.(*wire.LinkResolve).Imports))}
}
