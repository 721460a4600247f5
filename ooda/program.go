package ooda

import (
	"strconv"

	"kingdom/goals"
	"kingdom/llm"
	"kingdom/memory"
	"kingdom/wire"
	"kingdom/wire/action"
)

const (
	tryBudget    = 100 // forge ticks of a trial run of a program, which takes one tick
	nextVersion  = 6   // cycles that a tagged program rests before it is worked on again
	serviceSpare = 105 // ⚡ that an agent has before it offers a service
	serviceFloor = 50  // ⚡ below which it ends its service
	callPause    = 4   // cycles between two calls of services
	leastFee     = 2   // ⚡ per call
	mostFee      = 10  // ⚡ per call that others pay
	tooDear      = 1e6 // ⚡ per call, for any agent
	serviceKeep  = 10  // ⚡ that a service costs its owner per cycle
	serviceTicks = 300 // forge ticks per cycle that a service may use
)

// programmer offers what there is to do with the programs that an agent writes or reviews.
type programmer struct{ *offers }

// workTask is what a mind is asked to write for a work.
var workTask = [...]llm.WorkTask{
	memory.WorkDelivery: llm.TaskDelivery, memory.WorkModule: llm.TaskModule, memory.WorkService: llm.TaskService, memory.WorkReview: 0,
}

// delivery offers the next step towards a bounty that asks for a program: to claim it, to write the program, to try
// it, to deliver it, and to change it if it was found wrong.
func (o programmer) delivery(g *goals.Goal) {
	id := g.Subject()
	if g.Kind() != goals.KindClaimBounty || !o.seen.asksForCode(id) || o.seen.action("bounty_submit") == nil || o.seen.action("exec_start") == nil {
		return
	}
	b := o.seen.claimed(id)
	if b == nil {
		o.claim(g)
		o.dispute(g)
		return
	}
	w := o.notes.BeginWork(memory.WorkDelivery, id, o.seen.tick)
	if w.Stage == memory.WorkSent { // the claim is open again: what was sent did not pass
		w.Stage = memory.WorkFaulty
	}
	o.write(g, w, b.Title)
	switch w.Stage {
	case memory.WorkWritten, memory.WorkSandboxed: // the hasty deliver what they have not tried
		o.submit(g, w, 0.3+float64(0.5*float64(o.agent.Genome.Traits.QualityVsSpeed)))
	case memory.WorkTried:
		o.submit(g, w, 1)
	default: // nothing to deliver
	}
}

func (o programmer) claim(g *goals.Goal) {
	b := o.seen.bounty(g.Subject())
	if b != nil && !b.Barred && b.Status == wire.BountyStatusOpen && o.seen.held() < o.rules.MaxClaims {
		o.offer(g, o.seen.action("bounty_claim"), &wire.BountyClaim{BountyID: b.ID}, 1)
	}
}

func (o programmer) submit(g *goals.Goal, w *memory.WorkNote, fit float64) {
	if o.seen.forge < submitTicks {
		return // the check would be refused
	}
	o.offer(g, o.seen.action("bounty_submit"), &wire.BountySubmit{BountyID: w.About, SubmissionSnap: w.Snap}, fit)
}

// submitTicks are the forge ticks that the checks of a bounty may use at most.
const submitTicks = 600

// dispute offers to contest the rejection of work that passed its tests.
func (o programmer) dispute(g *goals.Goal) {
	b := o.seen.claim(g.Subject())
	if b == nil || b.Status != wire.BountyStatusRejected || b.Claimer == nil || *b.Claimer != o.agent.ID {
		return
	}
	if w := o.notes.Work(memory.WorkDelivery, b.ID); w != nil && w.Stage == memory.WorkSent {
		o.offer(g, o.seen.action("bounty_review"), &wire.BountyReview{
			BountyID: b.ID, Verdict: wire.BountyVerdictDispute, Comments: []byte("it passes its tests"),
		}, 0.9)
	}
}

// module offers to write, try and publish a small program that others can build on, to build
// on those of others, and to renew it.
func (o programmer) module(g *goals.Goal) {
	if o.seen.action("exec_start") == nil {
		return
	}
	w := o.notes.BeginWork(memory.WorkModule, wire.Hash{}, o.seen.tick)
	o.write(g, w, nil)
	o.publish(g, w)
	o.forks(g)
	for i := range o.notes.Works { // what was paid for may be published too
		if d := &o.notes.Works[i]; d.Kind == memory.WorkDelivery && d.Stage == memory.WorkDone {
			o.tag(g, d)
			return
		}
	}
}

// publish offers what comes after a module's program has run without a fault.
func (o programmer) publish(g *goals.Goal, w *memory.WorkNote) {
	switch w.Stage {
	case memory.WorkTried:
		o.prove(g, w)
		o.tag(g, w)
	case memory.WorkTagged:
		if lib := o.seen.libraryOf(w.Uses); lib != nil && w.Bound.IsZero() {
			o.offer(g, o.seen.action("dependency_add"), &wire.DependencyAdd{
				FromRepo: w.Repo, FromSnap: w.Snap, ToRepo: lib.Repo, ToTag: lib.Tag, Required: true,
			}, 1)
			return
		}
		rest := wire.Tick(nextVersion * o.rules.Calendar.TicksPerCycle)
		if w.Uses.IsZero() && w.Tries == 0 && o.someLibrary() != nil || o.seen.tick >= w.At+rest {
			o.change(g, w, nil)
		}
	default: // it is not ready
	}
}

// prove offers to have a run that went well certified, and to keep the proof with the program.
func (o programmer) prove(g *goals.Goal, w *memory.WorkNote) {
	const worth = 0.8 // of what publishing is worth: a proof raises the quality that the registry shows
	switch {
	case w.Proven:
	case w.Proof != nil:
		parent, proof := w.Snap, w.Proof
		o.offer(g, o.seen.action("snap_create"), &wire.SnapCreate{
			RepoID: w.Repo, Parent: &parent, Root: w.Root, Message: []byte("with proof of a run"), Proof: &proof,
		}, 1)
	case findSandbox(o.seen.sandboxes, w.Sandbox) != nil:
		o.offer(g, o.seen.action("proof_request"), &wire.ProofRequest{SandboxID: w.Sandbox}, worth)
	}
}

// tag offers to tag the newest snap of a work and to publish it. The description is by default what others need to
// load the program.
func (o programmer) tag(g *goals.Goal, w *memory.WorkNote) {
	name := strconv.AppendUint([]byte("v"), uint64(w.Tags)+1, 10)
	category := [][]byte{[]byte("library")}
	if a := o.offer(g, o.seen.action("tag_create"), &wire.TagCreate{
		Repo: w.Repo, Name: name, Target: w.Snap, Message: []byte("tried"),
		Publish: &wire.Publication{Category: category, Description: loadHint(w.Code)},
	}, 1); a != nil {
		a.Compose, a.Text, a.Work = llm.ComposeDescription, loadHint(w.Code), &llm.Work{Task: workTask[w.Kind], Version: w.Tags, Title: w.Defines}
	}
}

// loadHint is the shortest useful description of a program in the registry: how to load it.
func loadHint(code wire.Hash) []byte { return []byte("vault:" + code.String()) }

// someLibrary is a library of another agent, a different one each cycle; nil if the view shows none.
func (o programmer) someLibrary() *wire.LibraryView {
	list := o.seen.libraries
	if len(list) == 0 {
		return nil
	}
	return &list[(int(o.seen.cycle)+int(o.agent.ID[2]))%len(list)]
}

// service offers to run a service for others, if the agent can afford its upkeep and others would pay for it.
func (o programmer) service(g *goals.Goal) {
	row := o.seen.action("service_create")
	if row == nil || !o.seen.gateOpen(row, nil) {
		return
	}
	w := o.notes.Work(memory.WorkService, wire.Hash{})
	fee := o.fee()
	switch {
	case w == nil && (o.seen.available < serviceSpare || !o.pays(fee)):
		return
	case w == nil:
		w = o.notes.BeginWork(memory.WorkService, wire.Hash{}, o.seen.tick)
	case w.Stage == memory.WorkDone:
		return
	case w.Sandbox.IsZero() && (o.seen.available < serviceSpare || !o.pays(fee)):
		return
	}
	o.write(g, w, nil)
	if w.Stage == memory.WorkTried && o.pays(fee) {
		o.offer(g, row, &wire.ServiceCreate{
			Sandbox: w.Sandbox, Name: append([]byte("service-"), o.agent.ID.Alias()...), TickBudget: serviceTicks,
			Endpoints: []wire.Endpoint{{Name: []byte("serve"), Schema: []byte("text in, text out")}}, Fee: &fee,
		}, 1)
	}
}

// offerShutdown offers to end a persistent sandbox that costs the agent money in each cycle and earns nothing: one
// without a service, unless the agent is about to offer one with it, or any if the agent cannot afford it.
func (o programmer) offerShutdown(g *goals.Goal) {
	for i := range o.seen.sandboxes {
		s := &o.seen.sandboxes[i]
		if !s.Persistent || o.seen.available >= serviceFloor && (s.Service != nil || o.promising(s) || madeByPlan(&o.self, s.ID)) {
			continue
		}
		buyer(o).wants(g)
		o.offer(g, o.seen.action("sandbox_kill"), &wire.SandboxKill{SandboxID: s.ID}, 1)
		return
	}
}

// promising reports whether a sandbox belongs to the agent's next service, for which others would pay.
func (o programmer) promising(s *wire.SandboxView) bool {
	w := o.notes.Work(memory.WorkService, wire.Hash{})
	return w != nil && w.Sandbox == s.ID && w.Stage != memory.WorkFaulty && o.pays(o.fee())
}

// madeByPlan reports whether a step of a living plan of the mind made a thing: what it is for is not done yet.
func madeByPlan(of *self, id wire.Hash) bool {
	for _, p := range of.agent.Memory.Plans.Living() {
		if made, ok := of.notes.Object(p.Goal); ok && made == id && writtenByMind(p) {
			return true
		}
	}
	return false
}

// pays reports whether others would call a new service for a fee: it is not too dear, and they call the cheapest.
func (o programmer) pays(fee uint64) bool {
	s := o.cheapest()
	return fee <= mostFee && (s == nil || fee < s.Fee)
}

// cheapest is the service of another with the lowest fee; nil if there is none.
func (o programmer) cheapest() (s *wire.ServiceView) {
	for i := range o.seen.services {
		if x := &o.seen.services[i]; s == nil || x.Fee < s.Fee {
			s = x
		}
	}
	return s
}

// fee is what a call of a new service must cost so that the service pays for itself, if all agents that are awake and can
// afford it call it as often as agents do. Where there is upkeep, the agent goes by what it earns itself: if that is as much
// as the upkeep, half of the others can afford calls, since half of them earn more.
func (o programmer) fee() uint64 {
	if o.rules.Blind.Has(llm.LayerMoney) {
		return leastFee
	}
	calls := float64(float64(max(o.notes.Active, 2)-1) * (1.0 / callPause))
	if upkeep := float64(o.rules.Upkeep); upkeep > 0 {
		wage := o.agent.Memory.Market.Wage
		calls = float64(calls * (wage / (wage + upkeep)))
	}
	return max(uint64(min(serviceKeep/calls, tooDear)+0.5), leastFee) // who earns nothing expects no calls
}

// call offers to call another agent's service now and then: once to see what it is, later as often as the agent earns
// the price beyond its upkeep, or would pay as much for other work. A call brings no money. It also offers to read a
// page of the web.
func (o programmer) call(g *goals.Goal) {
	explorer(o).offerPage(g)
	s := o.cheapest()
	if s == nil || o.notes.Called > 0 && o.seen.cycle < o.notes.Called+callPause {
		return
	}
	bid := o.agent.Memory.Market.Price(o.rules.Calendar.TicksPerCycle, o.purse().spare())
	earns := float64(callPause * (o.agent.Memory.Market.Wage - float64(o.rules.Upkeep)))
	price := s.Fee + max(s.Fee/20, 1)
	if o.purse().spare() < price || o.notes.Called > 0 && max(earns, float64(bid)) < float64(price) {
		return
	}
	o.offer(g, o.seen.action("service_call"), &wire.ServiceCall{ServiceID: s.ID, Endpoint: s.Endpoint, Data: callData}, 0.9)
}

// callData is the input of a service call, unless the mind writes another.
var callData = []byte("what do you make of this")

// write offers the next step of a program until it ran well.
func (o programmer) write(g *goals.Goal, w *memory.WorkNote, title []byte) {
	switch w.Stage {
	case memory.WorkNew:
		if a := o.offer(g, o.seen.action("repo_create"), &wire.RepoCreate{
			Name: o.repoName(w), AccessPolicy: action.DefaultAccess(), Message: []byte("first version"),
		}, 1); a != nil {
			o.asks(a, w, title, o.wanted(w))
		}
	case memory.WorkFaulty:
		o.change(g, w, title)
	case memory.WorkWritten:
		o.offerSandbox(g, w)
	case memory.WorkSandboxed:
		if o.seen.forge >= tryBudget {
			o.offer(g, o.seen.action("exec_start"), &wire.ExecStart{SandboxID: w.Sandbox}, 1)
		}
	default: // it runs, or there is nothing to write
	}
}

// wanted is the library that a new version should build on; nil: none.
func (o programmer) wanted(w *memory.WorkNote) *wire.LibraryView {
	if w.Kind != memory.WorkModule {
		return nil
	}
	if l := o.seen.libraryOf(w.Uses); l != nil {
		return l
	}
	return o.someLibrary()
}

// change offers to write the next version of a program.
func (o programmer) change(g *goals.Goal, w *memory.WorkNote, title []byte) {
	parent := w.Snap
	if a := o.offer(g, o.seen.action("snap_create"), &wire.SnapCreate{
		RepoID: w.Repo, Parent: &parent, Root: w.Root, Message: []byte("next version"),
	}, 1); a != nil {
		o.asks(a, w, title, o.wanted(w))
	}
}

func (o programmer) asks(a *llm.Affordance, w *memory.WorkNote, title []byte, lib *wire.LibraryView) {
	a.Compose, a.Know = llm.ComposeProgram, max(o.agent.Memory.Topics.Know(memory.TopicPrograms), knowsNothing)
	a.Work = &llm.Work{Task: workTask[w.Kind], Title: title, Tries: w.Tries, Version: w.Tags, Why: w.Why}
	if lib != nil {
		a.Work.Uses = lib.Description
	}
}

// offerSandbox offers a sandbox for the program, or for its author's test of it.
func (o programmer) offerSandbox(g *goals.Goal, w *memory.WorkNote) {
	code := w.Code
	if !w.Try.IsZero() && w.Kind != memory.WorkService {
		code = w.Try
	}
	o.offer(g, o.seen.action("sandbox_create"), &wire.SandboxCreate{
		Code: code, MemoryQuota: boxMemory, TickBudget: tryBudget, Input: []byte{}, Persistent: w.Kind == memory.WorkService,
	}, 1)
}

// boxMemory is the memory of a sandbox that costs nothing.
const boxMemory = 65_536

// forkName is a name for a fork that the agent has given to no repo yet.
func (o programmer) forkName() []byte {
	return strconv.AppendUint([]byte("fork-"), uint64(o.seen.tick), 10)
}

// repoName is a name that the agent has given to no repo yet.
func (o programmer) repoName(w *memory.WorkNote) []byte {
	word := [...]string{memory.WorkDelivery: "bounty", memory.WorkModule: "module", memory.WorkService: "service", memory.WorkReview: ""}[w.Kind]
	return strconv.AppendUint([]byte(word+"-"), uint64(o.seen.tick), 10)
}
