package worldtest

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kingdom/wire"
	"kingdom/wire/action"
	"kingdom/world"
	"kingdom/world/nexus"
	"kingdom/world/realm"
)

// session is a world under test.
type session struct {
	t      *testing.T
	names  *names
	hidden map[string]bool
	out    strings.Builder

	rules *world.Rules
	realm *realm.Realm
	ids   []wire.AgentID // in spawn order
	tick  wire.Tick      // the last stepped
	open  bool           // cycle of tick is open
	seq   uint64         // of operator inputs
	last  realm.CycleEnd
	nonce uint64
}

func (s *session) printf(format string, a ...any) { fmt.Fprintf(&s.out, format+"\n", a...) }

// run runs the command lines of a block and returns its output.
func (s *session) run(lines []string) string {
	s.out.Reset()
	together := false
	var acts [][]string
	for _, line := range lines {
		words := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if words[0] != "world" && s.realm == nil {
			s.world(nil)
		}
		switch {
		case words[0] == "together":
			together = true
		case words[0] == "agent" && together:
			acts = append(acts, words)
		case words[0] == "agent":
			s.commit([][]string{words})
		default:
			s.command(strings.Fields(line))
		}
	}
	if together {
		s.commit(acts)
	}
	if s.out.Len() == 0 {
		return "ok\n"
	}
	return s.out.String()
}

func (s *session) command(words []string) {
	switch words[0] {
	case "world":
		s.world(words[1:])
	case "tick":
		s.step(words[1:])
	case "endcycle":
		s.openCycle()
		s.endCycle(s.wakes(words[1:]))
	case "cycles", "idle":
		for range s.number(words, 1) {
			s.whole(words[0] == "cycles")
		}
	case "operator":
		s.operator(s.agent(words[1]), words[2])
	case "spawn":
		s.spawn(words[1])
	case "hide":
		for _, k := range words[1:] {
			s.hidden[k] = true
		}
	case "view":
		s.view(s.agent(words[1]))
	case "agents":
		s.agents()
	case "balances":
		s.balances()
	case "report":
		s.printf("%s", s.fields(&s.last.Report))
	default:
		s.t.Fatalf("unknown command %q; docs: world/worldtest/doc.go", words[0])
	}
}

// Rules are the defaults of a test world with n agents: those of the scenarios.
func Rules(n uint64) *world.Rules {
	return &world.Rules{
		Seed: wire.WorldSeed("42"), Calendar: wire.Calendar{TicksPerCycle: wire.DefaultTicksPerCycle}, Population: n,
		BaseBudget: 64, MaxExtra: 192, InitialBalance: 100, WakeAfter: 8, AutoSpawn: n >= 4,
		ClaimLimit: 2, ClaimLease: 4, PairCycles: 16, BudgetShare: 100, PopulationCap: n, ChannelFee: 5,
	}
}

// Eight are the genomes of the epoch-0 population (docs/WORLD.md, bootstrap). Larger
// populations repeat them.
func Eight(n int) []wire.Genome {
	entry0, err := wire.ParseHash("2581660d31bbe31b165bdda939e15b422da7d8731fd97d336dac487184c20588")
	if err != nil {
		panic(err)
	}
	traits := [...]wire.Traits{
		{RiskTolerance: 0.3, Collaboration: 0.5, DepthVsBreadth: 0.2, QualityVsSpeed: 0.2},
		{RiskTolerance: 0.7, Collaboration: 0.3, DepthVsBreadth: 0.3, QualityVsSpeed: 0.6},
		{RiskTolerance: 0.4, Collaboration: 0.7, DepthVsBreadth: 0.5, QualityVsSpeed: 0.3},
		{RiskTolerance: 0.5, Collaboration: 0.6, DepthVsBreadth: 0.8, QualityVsSpeed: 0.4},
		{RiskTolerance: 0.3, Collaboration: 0.8, DepthVsBreadth: 0.4, QualityVsSpeed: 0.1},
		{RiskTolerance: 0.9, Collaboration: 0.4, DepthVsBreadth: 0.7, QualityVsSpeed: 0.7},
		{RiskTolerance: 0.5, Collaboration: 0.5, DepthVsBreadth: 0.5, QualityVsSpeed: 0.5},
		{RiskTolerance: 0.6, Collaboration: 0.6, DepthVsBreadth: 0.6, QualityVsSpeed: 0.4},
	}
	roles := [...]wire.Role{
		wire.RoleCompilerSmith, wire.RoleCompilerSmith, wire.RoleLibrarian, wire.RoleLibrarian,
		wire.RoleArchitect, wire.RoleExplorer, wire.RoleGeneralist, wire.RoleGeneralist,
	}
	out := make([]wire.Genome, n)
	for i := range out {
		out[i] = wire.Genome{Role: roles[i%8], Traits: traits[i%8], KnowledgeSeeds: []wire.Hash{entry0}}
	}
	return out
}

func (s *session) world(options []string) {
	n := uint64(8)
	for _, o := range options {
		if v, ok := strings.CutPrefix(o, "n="); ok {
			n = s.parse(v)
		}
	}
	r := Rules(n)
	for _, o := range options {
		key, value, _ := strings.Cut(o, "=")
		switch key {
		case "n":
		case "seed":
			r.Seed = wire.WorldSeed(value)
		case "ticks":
			r.Calendar.TicksPerCycle = s.parse(value)
		case "gates":
			r.Gates = uint8(slices.Index([]string{"default", "strict", "open"}, value))
		case "wake":
			r.WakeAfter = s.parse(value)
		case "balance":
			r.InitialBalance = s.parse(value)
		case "base":
			r.BaseBudget = s.parse(value)
		case "autospawn":
			r.AutoSpawn = value == "true"
		default:
			s.t.Fatalf("unknown world option %q", o)
		}
	}
	s.rules, s.realm, s.names = r, realm.New(r), newNames()
	boot := s.realm.Bootstrap(Eight(int(n)))
	s.ids = nil
	for _, e := range s.realm.TakeEvents() {
		s.meetEvent(e)
	}
	s.ids = boot.Agents
	s.last, s.tick, s.open = boot.End, boot.End.Tick, false
}

// Fill sets the runtime-filled fields of a payload the way a runtime does.
func Fill(r *realm.Realm, a wire.AgentID, payload any) {
	if _, ok := payload.(*wire.AgentStatusMsg); ok {
		return
	}
	v := reflect.ValueOf(payload).Elem()
	for i := range v.NumField() {
		if !strings.Contains(v.Type().Field(i).Tag.Get("kdom"), ",runtime") {
			continue
		}
		switch f := v.Field(i); f.Kind() {
		case reflect.Array:
			f.Set(reflect.ValueOf(a))
		case reflect.Float32:
			f.SetFloat(r.Nexus().Reputation(a))
		}
	}
}

// Seal makes the request of a at tick t. nonce tells equal requests of one tick apart.
func Seal(a wire.AgentID, t wire.Tick, typ wire.MsgType, payload any, nonce uint64) realm.Sent {
	target := wire.SystemID(wire.SystemNexus)
	if sys, ok := typ.System(); ok {
		target = wire.SystemID(sys)
	}
	return realm.Sent{
		Envelope: wire.NewEnvelope(typ, a, target, t, wire.AppendBody(nil, payload, nonce)),
		Payload:  payload,
	}
}

// commit sends the given actions in one tick of their own.
func (s *session) commit(acts [][]string) {
	s.nextTick()
	sent := map[wire.AgentID]realm.Sent{}
	text := map[wire.AgentID]string{}
	var live []wire.AgentID
	for _, words := range acts {
		a := s.agent(words[1])
		if _, twice := sent[a]; twice {
			s.t.Fatalf("agent %s acts twice in one tick", words[1])
		}
		live = append(live, a)
		sent[a] = s.request(a, words[2:])
		text[a] = s.names.of(a) + " " + words[2]
	}
	s.realm.Order(s.tick, live)
	seats := make([]realm.Seat, len(live))
	for i, a := range live {
		seats[i] = realm.Seat{Agent: a, Sent: sent[a]}
	}
	replies := s.realm.Commit(s.tick, seats)
	events := s.realm.TakeEvents()
	for _, e := range events {
		s.meetEvent(e)
	}
	for i, a := range live {
		s.meetReply(replies[i])
		s.printf("%s: %s", text[a], s.reply(replies[i]))
		var mine []*wire.Event
		for _, e := range events {
			if e.ID.Lamport&0xFFFFFFFF>>12 == uint64(1024+i+1) {
				mine = append(mine, e)
			}
		}
		s.show(mine)
	}
}

func (s *session) request(a wire.AgentID, words []string) realm.Sent {
	s.nonce++
	if words[0] == "nops" {
		return Seal(a, s.tick, wire.TypeAgentStatus, report(a, uint32(s.parse(words[1]))), s.nonce)
	}
	row, ok := action.ByName(words[0])
	if !ok {
		s.t.Fatalf("unknown action %q", words[0])
	}
	params := "{}"
	if len(words) > 1 {
		params = s.names.expand(words[1])
	}
	payload, err := row.FromJSON([]byte(params), nil)
	if err != nil {
		s.t.Fatalf("%s %s: %v", words[0], params, err)
	}
	Fill(s.realm, a, payload)
	return Seal(a, s.tick, row.Type, payload, s.nonce)
}

// report is what a runtime sends when a NOP makes the streak n.
func report(a wire.AgentID, n uint32) *wire.AgentStatusMsg {
	m := &wire.AgentStatusMsg{AgentID: a, NopStreak: &n}
	if n == 10 {
		status, reason := wire.StatusDormant, "nop_limit"
		m.Status, m.Reason = &status, &reason
	}
	return m
}

func (s *session) show(events []*wire.Event) {
	for _, e := range events {
		if line := s.event(e); !s.hidden[e.Kind.String()] && e.Kind != wire.KindTick {
			s.printf("%s", line)
		}
	}
}

func (s *session) openCycle() {
	if !s.open {
		c := s.rules.Calendar.Cycle(s.tick) + 1
		s.realm.StartCycle(c)
		s.tick, s.open = s.rules.Calendar.First(c)-1, true
	}
}

// nextTick steps to the next tick; behind the last of a cycle it ends that first.
func (s *session) nextTick() {
	if s.open && s.tick == s.rules.Calendar.Last(s.rules.Calendar.Cycle(s.tick)) && s.tick != s.before() {
		s.endCycle(nil)
	}
	s.openCycle()
	s.tick++
	s.realm.OpenTick(s.tick)
}

// before is the tick before the first of the open cycle.
func (s *session) before() wire.Tick { return s.last.Tick }

func (s *session) step(words []string) {
	if len(words) == 0 {
		s.nextTick()
		s.show(s.realm.TakeEvents())
		return
	}
	s.openCycle()
	to := s.rules.Calendar.First(s.last.Cycle+1) + wire.Tick(s.parse(words[0]))
	if to <= s.tick {
		s.t.Fatalf("tick %d is not ahead of tick %d", to, s.tick)
	}
	s.tick = to
	s.realm.OpenTick(to)
	s.show(s.realm.TakeEvents())
}

func (s *session) endCycle(wakes []realm.Wake) {
	s.last = s.realm.EndCycle(wakes)
	s.tick, s.open = s.last.Tick, false
	e := &s.last
	s.printf("cycle %d ends: epoch %d, %d active, %d dormant, %d embryo, %d dead, %d ticks",
		e.Cycle, e.Epoch, e.Active, e.Dormant, e.Embryo, e.Dead, e.TotalTicks)
	var shown []*wire.Event
	for _, ev := range s.realm.TakeEvents() {
		if ev.Kind != wire.KindCycleEnd && ev.Kind != wire.KindEconomyReportPublished {
			shown = append(shown, ev)
		}
	}
	s.show(shown)
}

// whole runs one whole cycle; awake says whether every ACTIVE agent takes a slot.
func (s *session) whole(awake bool) {
	if !s.open {
		s.openCycle()
	}
	if awake {
		s.tick++
		s.realm.OpenTick(s.tick)
		var seats []realm.Seat
		for _, a := range s.realm.Active() {
			seats = append(seats, realm.Seat{Agent: a})
		}
		s.realm.Commit(s.tick, seats)
	}
	s.realm.TakeEvents()
	s.endCycle(nil)
}

func (s *session) wakes(words []string) (out []realm.Wake) {
	for _, w := range words {
		who, cause, _ := strings.Cut(w, ":")
		for c := nexus.WakeOperator; c <= nexus.WakeMessage; c++ {
			if c.String() == cause {
				out = append(out, realm.Wake{Agent: s.agent(who), Cause: c})
			}
		}
	}
	return out
}

func (s *session) operator(a wire.AgentID, what string) {
	s.nextTick()
	s.seq++
	to := wire.StatusDormant
	switch what {
	case "dead":
		to = wire.StatusDead
	case "active":
		to = wire.StatusActive
	case "embryo":
		to = wire.StatusEmbryo
	}
	s.answer(s.realm.SetStatus(s.tick, a, to, "operator", uint64(s.tick)<<32|s.seq))
}

func (s *session) spawn(role string) {
	s.nextTick()
	v, ok := wire.ParseEnum[wire.Role](role)
	if !ok {
		s.t.Fatalf("unknown role %q", role)
	}
	g := Eight(7)[6]
	g.Role = v
	a, no := s.realm.Spawn(s.tick, g)
	if no == nil {
		s.names.meet("a", a)
	}
	s.answer(no)
}

func (s *session) answer(no *world.Refusal) {
	if no != nil {
		s.printf("refused: %s %s", no.Category, no.Reason)
	}
	s.show(s.realm.TakeEvents())
}

func (s *session) view(a wire.AgentID) {
	var v wire.View
	s.realm.View(a, &v)
	s.printf("tick %d epoch %d status %s balance %d locked %d earned %d reputation %.4g",
		v.Tick, v.Epoch, v.Status, v.Balance, v.Locked, v.Earned, v.Reputation)
	s.printf("events:")
	for _, e := range v.Events {
		s.printf("%s", s.event(e))
	}
	s.printf("deliveries:")
	for _, d := range v.Deliveries {
		if d.Type == wire.TypeWorldState || d.Type == wire.TypeEconomyReport {
			s.printf("  %s", d.Type)
			continue
		}
		s.printf("  %s", s.reply(d))
	}
	for _, b := range v.Bounties {
		s.printf("bounty %s reward %d barred %t", s.names.of(b.ID), b.Reward, b.Barred)
	}
	for _, b := range v.Claims {
		s.printf("claim %s %s", s.names.of(b.ID), b.Status)
	}
	for _, r := range v.Reviews {
		s.printf("review %s of %s", s.names.of(r.ID), s.names.of(r.Author))
	}
	for _, p := range v.Proposals {
		s.printf("proposal %s %s by %s until %d", s.names.of(p.ID), p.Kind, s.names.of(p.Author), p.Deadline)
	}
}

func (s *session) agents() {
	for _, a := range s.realm.Agents() {
		s.names.meet("a", a)
	}
	for i := uint64(1); ; i++ {
		id, ok := s.names.byName[fmt.Sprintf("$a%d", i)]
		if !ok {
			return
		}
		a, _ := wire.ParseAgentID(id)
		r := s.realm.Agent(a)
		s.printf("$a%d %s %s reputation %.4g inactive %d", i, r.Role, r.Status, r.Reputation, r.InactiveCycles)
	}
}

func (s *session) balances() {
	for _, name := range []string{"$mint", "$reserve"} {
		s.balance(name)
	}
	for i := 1; s.names.byName[fmt.Sprintf("$a%d", i)] != ""; i++ {
		s.balance(fmt.Sprintf("$a%d", i))
	}
}

func (s *session) balance(name string) {
	id, _ := wire.ParseAgentID(s.names.byName[name])
	balance, locked := s.realm.Balance(id)
	s.printf("%s %d locked %d", name, balance, locked)
}

func (s *session) agent(word string) wire.AgentID {
	id, ok := s.names.byName["$a"+word]
	if !ok {
		s.t.Fatalf("no agent %q", word)
	}
	a, err := wire.ParseAgentID(id)
	if err != nil {
		s.t.Fatal(err)
	}
	return a
}

func (s *session) number(words []string, i int) uint64 {
	if len(words) <= i {
		return 1
	}
	return s.parse(words[i])
}

func (s *session) parse(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		s.t.Fatalf("%q is no number", text)
	}
	return n
}
