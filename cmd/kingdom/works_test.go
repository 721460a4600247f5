//go:build !race

package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"

	"kingdom/engine"
	"kingdom/llm"
	"kingdom/scenarios"
	"kingdom/wire"
	"kingdom/world/forge"
	"kingdom/world/forge/program"
)

// library is a mind that keeps the files that the mind behind it writes, by their ids.
type library struct {
	engine.Mind
	mu    sync.Mutex
	files map[wire.Hash][]byte
}

func (l *library) Think(ctx context.Context, p *llm.Prompt) (llm.Thought, error) {
	th, err := l.Mind.Think(ctx, p)
	var answer struct {
		Params struct {
			Files map[string]string `json:"files"`
		} `json:"params"`
	}
	if json.Unmarshal(th.Text, &answer) == nil && len(answer.Params.Files) > 0 {
		l.mu.Lock()
		defer l.mu.Unlock()
		for _, text := range answer.Params.Files {
			l.files[wire.ObjectID(wire.ObjectAtom, []byte(text))] = []byte(text)
		}
	}
	return th, err
}

// Recomputable is that of the mind behind.
func (l *library) Recomputable(wire.Cycle) bool { return true }

func (l *library) load(id wire.Hash) ([]byte, error) {
	if text, ok := l.files[id]; ok {
		return text, nil
	}
	return nil, program.ErrAbsent
}

// chronicle counts what happened in a world.
type chronicle struct {
	seen      map[string]int
	epochs    map[uint32]wire.Cycle
	boxes     map[wire.Hash]*wire.SandboxCreatedEvent // the last one by program
	proofs    []*wire.ExecutionProof
	disputed  map[wire.Hash]bool
	dependent map[wire.AgentID]bool

	owner   map[wire.Hash]wire.AgentID // of repos
	uses    map[[2]wire.Hash]bool      // repo, the one that it depends on
	forks   map[wire.Hash]bool
	updates map[wire.Hash]bool    // tags of which dependents were told
	used    map[wire.AgentID]bool // on whose repos another owner's depend
}

func (c *chronicle) Commit(x *engine.Commit) { c.read(x.Events) }
func (c *chronicle) Cycle(r *engine.CycleReport) {
	c.royalties(r.Events)
	c.read(r.Events)
	if _, known := c.epochs[r.Row.Epoch]; !known {
		c.epochs[r.Row.Epoch] = r.Row.Cycle
	}
}

func (c *chronicle) read(events []*wire.Event) {
	for _, e := range events {
		c.seen[e.Kind.String()]++
		switch p := e.Payload.(type) {
		case *wire.SandboxCreatedEvent:
			c.boxes[p.Code] = p
		case *wire.ExecutionProof:
			c.proofs = append(c.proofs, p)
		case *wire.BountyDisputedEvent:
			c.disputed[p.BountyID] = true
		case *wire.BountyReopenedEvent:
			delete(c.disputed, p.BountyID) // whoever is paid later, the dispute was lost
		case *wire.BountyCompletedEvent:
			if c.disputed[p.BountyID] {
				c.seen["disputed bounty paid after a vote"]++
			}
		case *wire.ProposalResolvedEvent:
			if p.QuorumMet {
				c.seen[fmt.Sprintf("proposal passed %v", p.Passed)]++
			}
		case *wire.MergeCompletedEvent:
			if p.ConflictCount > 0 {
				c.seen["merge with conflicts"]++
			}
		case *wire.RepoCreatedEvent:
			c.owner[p.RepoID] = p.Owner
		case *wire.RepoForkedEvent:
			c.forks[p.NewRepo] = true
		case *wire.SnapCreatedEvent:
			if c.forks[p.RepoID] && p.Parent != nil {
				c.seen["fork changed by its owner"]++
			}
		case *wire.DependencyUpdatedEvent:
			c.updates[p.NewTag] = true
		case *wire.DependencyAddedEvent:
			edge := [2]wire.Hash{p.FromRepo, p.ToRepo}
			if c.updates[p.ToTag] && c.uses[edge] {
				c.seen["dependency renewed after a notice"]++
			}
			c.uses[edge] = true
			if to := c.owner[p.ToRepo]; to != c.owner[p.FromRepo] {
				c.used[to] = true
			}
		case *wire.TransferCompletedEvent:
			if p.Kind == wire.TransferKindServiceFee {
				c.seen["service fee"]++
			}
		}
	}
}

// royalties counts those that are paid when an epoch begins: 1 ⚡ of the treasury to the owner of what others
// depend on. A vote is worth the same, so that is told only where no vote is paid for.
func (c *chronicle) royalties(events []*wire.Event) {
	if !slices.ContainsFunc(events, func(e *wire.Event) bool { return e.Kind == wire.KindEpochChange }) ||
		slices.ContainsFunc(events, func(e *wire.Event) bool { p, ok := e.Payload.(*wire.ProposalResolvedEvent); return ok && p.QuorumMet }) {
		return
	}
	for _, e := range events {
		if p, ok := e.Payload.(*wire.TransferCompletedEvent); ok && p.Kind == wire.TransferKindGrant && p.Amount == 1 && c.used[p.To] {
			c.seen["royalty"]++
		}
	}
}

// chronicleOf lives a scenario in memory.
func chronicleOf(t *testing.T, name, seed string, cycles wire.Cycle) (*chronicle, *library) {
	t.Helper()
	sc, err := scenarios.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	override(t, sc, "seed="+seed)
	cfg := config(sc)
	cfg.SignaturesLazy = true
	c := &chronicle{
		seen: map[string]int{}, epochs: map[uint32]wire.Cycle{}, boxes: map[wire.Hash]*wire.SandboxCreatedEvent{},
		disputed: map[wire.Hash]bool{}, dependent: map[wire.AgentID]bool{},
		forks: map[wire.Hash]bool{}, owner: map[wire.Hash]wire.AgentID{}, uses: map[[2]wire.Hash]bool{}, updates: map[wire.Hash]bool{}, used: map[wire.AgentID]bool{},
	}
	l := &library{Mind: offlineMind(sc), files: map[wire.Hash][]byte{}}
	eng, err := engine.Start(context.Background(), cfg, engine.Options{Mind: l, Observers: []engine.Observer{c}, Queue: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := eng.Run(context.Background(), cycles); err != nil {
		t.Fatal(err)
	}
	if err := eng.Close(); err != nil {
		t.Fatal(err)
	}
	return c, l
}

// wanted is what agents can do with programs, money and votes, and what has to occur in the golden histories.
var wanted = []string{
	"sandbox_halted", "sandbox_faulted", "tag_created", "dependency_added", "dependency_updated", "dependency renewed after a notice",
	"merge_completed", "merge with conflicts", "repo_forked", "fork changed by its owner", "royalty",
	"service_completed", "service fee", "escrow_refunded", "proof_generated", "review_submitted", "web_request_submitted",
	"bounty_disputed", "disputed bounty paid after a vote", "proposal passed true", "proposal passed false",
}

var worksSeeds = flag.Int("works.seeds", 0, "say for so many seeds of the scenario works what does not occur in it, to choose one for scenarios/golden.yaml")

// TestWorks_AgentsProgramTradeAndVote: the golden histories of epoch 0 and of the scenario works
// hold what agents can do with programs.
func TestWorks_AgentsProgramTradeAndVote(t *testing.T) {
	const file = "../../scenarios/golden.yaml"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	list, err := scenarios.ParseGolden(file, raw)
	if err != nil {
		t.Fatal(err)
	}
	seen, first, proofs := map[string]int{}, (*chronicle)(nil), 0
	for i := range list.Entries {
		g := &list.Entries[i]
		if g.Scenario != "works" && (g.Scenario != "epoch0" || first != nil) {
			continue
		}
		c, shelf := chronicleOf(t, g.Scenario, g.Seed, wire.Cycle(g.Cycles))
		proofs += c.verify(t, shelf)
		for what, n := range c.seen { //house:sorted a sum
			seen[what] += n
		}
		if g.Scenario == "epoch0" {
			first = c
		}
		t.Logf("%s: epochs at the ends of cycles %v; does not hold %v", g.Title(), c.epochs, lacking(c.seen))
	}
	for epoch := uint32(1); epoch <= 3; epoch++ {
		if _, ok := first.epochs[epoch]; !ok {
			t.Errorf("epoch0 does not reach epoch %d", epoch)
		}
	}
	if n := first.seen["bounty_completed"]; n < 5 {
		t.Errorf("%d of the seven system bounties are completed, want 5", n)
	}
	for _, what := range lacking(seen) {
		t.Errorf("there is no %s; -works.seeds says which seed of works has it", what)
	}
	if proofs == 0 {
		t.Error("no proof could be checked by running its program again")
	}
	for seed := range *worksSeeds {
		c, _ := chronicleOf(t, "works", strconv.Itoa(seed+1), 46)
		t.Logf("works seed %d lacks %v", seed+1, lacking(c.seen))
	}
}

// lacking lists what is wanted and was not seen.
func lacking(seen map[string]int) (out []string) {
	for _, what := range wanted {
		if seen[what] == 0 {
			out = append(out, what)
		}
	}
	return out
}

// verify runs the programs of the proofs again and returns how many there were.
func (c *chronicle) verify(t *testing.T, l *library) (checked int) {
	t.Helper()
	for _, p := range c.proofs {
		box := c.boxes[p.Program]
		if box == nil {
			continue // the one of the bootstrap
		}
		e := forge.Evidence{Source: l.files[p.Program], TickBudget: box.TickBudget, Memory: box.MemoryQuota, Load: l.load}
		for _, input := range []string{"", "10 2"} { // all that is given to a run
			if wire.Hash(sha256.Sum256([]byte(input))) == p.Input {
				e.Input = []byte(input)
			}
		}
		if err := forge.Verify(p, e); err != nil {
			t.Errorf("the proof of %s: %v", p.Program, err)
			continue
		}
		checked++
	}
	return checked
}
